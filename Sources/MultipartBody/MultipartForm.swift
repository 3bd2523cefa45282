/// A body of type `multipart/form-data` (RFC 7578): fields and files, whose length is known before the first byte.
///
/// ```swift
/// let form = try MultipartForm([
///     .field("type", "throat"),
///     .file("image", filename: "image.jpg", type: "image/jpeg", content: .bytes(jpeg)),
/// ])
/// ```
///
/// A value: it can be read as often as a request is repeated, and is the same each time. What a file holds is read as
/// it is sent, into the memory of who reads; a body holds no bytes but those that it was given, and headers.
public struct MultipartForm: Sendable {
    /// Divides the parts.
    public let boundary: String
    /// Bytes in all.
    public let contentLength: Int64
    /// One after the other, the body: the headers, and what they stand before.
    let pieces: [MultipartContent]

    /// The value of the request's `Content-Type`.
    public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// A body of `parts`, the fields before the files whatever their order here: some servers, S3 among them, read no
    /// further than the first file. Otherwise their order is kept.
    ///
    /// No file is touched: each is opened when a reader comes to it.
    ///
    /// - Parameter boundary: nil for one of 128 random bits, which can't occur in what is sent. Another is not searched
    ///   for in the content: it is for tests.
    /// - Throws: `invalid-type`, `invalid-boundary`; `invalid-length` if a file's size is negative, or the sum above
    ///   `Int64.max`.
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
                throw MultipartError(code: .invalidLength, message: "the lengths of the parts can't be added up")
            }
            length = sum
        }
        self.boundary = boundary
        self.contentLength = length
        self.pieces = pieces
    }

    /// Reads the body from its beginning. As many readers as wished may be at work at once.
    public func makeReader() -> MultipartFormReader { MultipartFormReader(pieces: pieces) }
}
