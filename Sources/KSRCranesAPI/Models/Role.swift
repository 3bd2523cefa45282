extension KSRCranesClient {
    /// The role of an employee. The document names the three without their texts, which are assumed.
    public struct Role: RawRepresentable, CaseIterable, Codable, Hashable, Sendable, ExpressibleByStringLiteral {
        /// The text in JSON. Values that are not listed here are kept.
        public var rawValue: String

        /// Creates a value from its text in JSON.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A worker.
        public static let worker = Role(rawValue: "worker")
        /// A manager.
        public static let manager = Role(rawValue: "manager")
        /// The chef.
        public static let chef = Role(rawValue: "chef")

        /// Creates a value from its text in JSON.
        public init(stringLiteral value: String) { rawValue = value }

        /// The known values.
        public static let allCases: [Role] = [.worker, .manager, .chef]
    }
}
