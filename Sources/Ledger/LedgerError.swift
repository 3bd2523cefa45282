/// Why a ledger can't be opened, read or written.
public struct LedgerError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, as a stable kebab-case name. Open: later versions may add some.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String
        /// The code of that name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Another process has it open.
        public static let inUse = Code(rawValue: "ledger-in-use")
        /// There is no room for it.
        public static let diskFull = Code(rawValue: "ledger-full")
        /// The file is no ledger, or one of a later version of this program.
        public static let notALedger = Code(rawValue: "ledger-foreign")
        /// It can't be opened, read or written.
        public static let unusable = Code(rawValue: "ledger-unusable")
    }

    /// What went wrong.
    public var code: Code
    /// The file.
    public var path: String
    /// A sentence for a person, without the path.
    public var message: String
    /// What lies beneath: SQLite's error, mostly.
    public var cause: (any Error)?

    /// One sentence with the path.
    public var description: String { "the ledger \(path): \(message)" }
}
