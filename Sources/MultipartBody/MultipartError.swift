/// An error while a body is made, read or written.
public struct MultipartError: Error, Sendable, CustomStringConvertible {
    /// The kind of error, as a stable kebab-case name. Later versions may add codes.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name.
        public let rawValue: String
        /// Creates the code with the given name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The name.
        public var description: String { rawValue }

        /// A source file cannot be opened or read, or is not a regular file.
        public static let sourceUnreadable = Code(rawValue: "source-unreadable")
        /// A source file differs from the file that was prepared.
        public static let sourceChanged = Code(rawValue: "source-changed")
        /// A part's media type is invalid, or has a character that could end its header line.
        public static let invalidMediaType = Code(rawValue: "invalid-type")
        /// The given boundary is too long, empty, or has a character that is not allowed.
        public static let invalidBoundary = Code(rawValue: "invalid-boundary")
        /// A part's length is negative, or the sum of the lengths exceeds `Int64.max`.
        public static let invalidLength = Code(rawValue: "invalid-length")
        /// The file for the body cannot be created or written.
        public static let destinationUnwritable = Code(rawValue: "destination-unwritable")
    }

    /// The kind of error.
    public var code: Code
    /// A message for the user. It never contains the file's name, which may be a patient's name.
    public var message: String
    /// The offset in the source file, in bytes; `nil` if it does not apply.
    public var offset: Int64?
    /// The `errno` of the failed system call; `nil` if no system call failed.
    public var systemError: Int32?

    /// The message.
    public var description: String { message }
}
