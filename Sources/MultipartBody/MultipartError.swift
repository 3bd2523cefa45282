/// Why a body can't be made or read.
public struct MultipartError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, as a stable kebab-case name. Open: later versions may add some.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String
        /// The code of that name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A file can't be opened or read.
        public static let sourceUnreadable = Code(rawValue: "source-unreadable")
        /// A file isn't what it was when it was prepared.
        public static let sourceChanged = Code(rawValue: "source-changed")
        /// A part's media type isn't one, or could end its header.
        public static let invalidMediaType = Code(rawValue: "invalid-type")
        /// The boundary can't divide parts.
        public static let invalidBoundary = Code(rawValue: "invalid-boundary")
        /// The lengths of the parts can't be added up.
        public static let invalidLength = Code(rawValue: "invalid-length")
        /// The file that a body is to be written to can't be made or written.
        public static let destinationUnwritable = Code(rawValue: "destination-unwritable")
    }

    /// What went wrong.
    public var code: Code
    /// A sentence for a person. Without the file's name, which may be a patient's.
    public var message: String
    /// The byte of the file at which it was found, if there is one.
    public var offset: Int64?
    /// The system's number, if it was the system that failed.
    public var systemError: Int32?

    /// The sentence.
    public var description: String { message }
}
