/// A warning about a file, or a reason for which it was rejected.
public struct Diagnostic: Hashable, Codable, Sendable {
    /// A stable kebab-case name of a diagnostic. The set is open: each module adds its own codes, and later versions
    /// may add more.
    public struct Code: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
        /// The name as it appears in reports.
        public let rawValue: String
        /// Creates the code with a name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The name.
        public var description: String { rawValue }

        /// The file ends before its content is complete.
        public static let truncated = Code(rawValue: "truncated")
        /// The data is invalid.
        public static let damaged = Code(rawValue: "damaged")
        /// Bytes after the end of the content belong to no known structure.
        public static let trailingBytes = Code(rawValue: "trailing-bytes")
    }

    /// The stable name of the diagnostic.
    public var code: Code
    /// A message for a person. It does not contain the file's name.
    public var message: String
    /// The offset in the file that the diagnostic is about, in bytes, or `nil` if there is none.
    public var offset: Int?

    /// Creates a diagnostic.
    ///
    /// - Parameters:
    ///   - code: The stable name.
    ///   - offset: The offset in the file that it is about, in bytes, or `nil`.
    ///   - message: A message for a person, without the file's name.
    public init(_ code: Code, offset: Int? = nil, message: String) {
        self.code = code
        self.message = message
        self.offset = offset
    }
}
