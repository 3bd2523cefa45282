/// A `multipart/form-data` body (RFC 7578) of fields and files. Its length is known before the first byte is sent.
///
/// ```swift
/// let form = try MultipartForm(parts: [
///     .field(name: "type", value: "throat"),
///     .file(name: "image", filename: "image.jpg", mediaType: "image/jpeg", content: .bytes(jpeg)),
/// ])
/// ```
///
/// A form is a value: each reader yields the same bytes, so a request can be retried. Files are read while the body is
/// sent, into the reader's buffer. The form itself holds only the part headers and the content that was given in
/// memory.
public struct MultipartForm: Sendable {
    /// The boundary between the parts, without the two leading hyphens.
    public let boundary: String
    /// The length of the whole body in bytes.
    public let contentLength: Int64
    /// The part headers and the parts' content in the order in which they are sent.
    let pieces: [MultipartContent]

    /// The value of the request's `Content-Type` header.
    public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// Creates a body of the given parts. No file is opened before a reader reaches it.
    ///
    /// Fields are sent before files, because some servers, S3 among them, ignore what follows the first file. The order
    /// is otherwise kept.
    ///
    /// - Parameters:
    ///   - parts: The fields and files.
    ///   - boundary: The boundary for tests, which is not searched for in the content; `nil` for 128 random bits.
    /// - Throws: ``MultipartError/Code/invalidMediaType``; ``MultipartError/Code/invalidBoundary``;
    ///   ``MultipartError/Code/invalidLength`` if a file's size is negative or the sum exceeds `Int64.max`.
    /// - Complexity: O(*n*) in the number of parts.
    public init(parts: [MultipartPart], boundary: String? = nil) throws(MultipartError) {
        let boundary =
            if let boundary { try MultipartBoundary(validating: boundary).text } else {
                MultipartBoundary.makeRandom().text
            }
        var pieces: [MultipartContent] = []
        for part in parts.filter({ $0.filename == nil }) + parts.filter({ $0.filename != nil }) {
            let lineEnd = pieces.isEmpty ? "" : "\r\n"
            pieces.append(.bytes(Array("\(lineEnd)--\(boundary)\r\n".utf8) + (try part.headerBytes())))
            pieces.append(part.content)
        }
        pieces.append(.bytes(Array("\(pieces.isEmpty ? "" : "\r\n")--\(boundary)--\r\n".utf8)))

        var length: Int64 = 0
        for piece in pieces {
            let (sum, overflows) = length.addingReportingOverflow(piece.byteCount)
            guard piece.byteCount >= 0, !overflows else {
                throw MultipartError(code: .invalidLength, message: "the sum of the lengths of the parts overflows")
            }
            length = sum
        }
        self.boundary = boundary
        self.contentLength = length
        self.pieces = pieces
    }

    /// Returns a reader at the beginning of the body. Any number of readers can be used concurrently.
    public func makeReader() -> MultipartFormReader { MultipartFormReader(pieces: pieces) }
}
