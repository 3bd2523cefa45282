/// An error that occurs when a ledger is opened, read or written.
public struct LedgerError: Error, Sendable, CustomStringConvertible {
    /// The kind of error, as a stable name in kebab case. Later versions may add codes.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let rawValue: String
        /// Creates a code with the given name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The code's name.
        public var description: String { rawValue }

        /// Another process has the ledger open.
        public static let inUse = Code(rawValue: "ledger-in-use")
        /// The disk is full, or the user's quota is exhausted.
        public static let diskFull = Code(rawValue: "ledger-full")
        /// The file is not a ledger, belongs to a later version of this program, or cannot be trusted. A symbolic link
        /// cannot be trusted, for example, unless the user named it.
        public static let notALedger = Code(rawValue: "ledger-foreign")
        /// The ledger cannot be opened, read or written, or it is damaged.
        public static let unusable = Code(rawValue: "ledger-unusable")
    }

    /// The kind of error.
    public var code: Code
    /// The path of the ledger or of a file that belongs to it. A path that is not UTF-8 is lossy.
    public var path: String
    /// A message for the user, without the path.
    public var message: String
    /// The underlying error, usually SQLite's, or `nil` if there is none. Its type is internal: its text has SQLite's
    /// code and message.
    public var cause: (any Error)?

    /// A message with the path.
    public var description: String { "the ledger \(path): \(message)" }
}
