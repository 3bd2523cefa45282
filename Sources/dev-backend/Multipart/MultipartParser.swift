/// Parses a multipart body (RFC 7578; RFC 2046, section 5.1) in chunks of any size. It buffers at most a chunk and a
/// part's header.
///
/// The parser is strict, because only some of the backends that it stands in for accept deviations. It rejects a
/// preamble, anything but a line end after the last boundary, and white space after a boundary.
struct MultipartParser {
    /// A parsed element of the body.
    enum Event: Hashable {
        case partHeader(PartHeader)
        /// The next bytes of the part's content.
        case partContent([UInt8])
        case partEnd
    }

    private enum State { case beforeFirstBoundary, afterBoundary, partHeader, partContent, afterLastBoundary }

    /// The forms of this project have at most 40 parts.
    static let maxParts = 1_000
    /// A file name has at most 255 bytes on disk, and three times as many if each is escaped as `%XX`.
    static let maxHeaderBytes = 16 << 10

    private static let crlf: [UInt8] = [13, 10]
    private static let headerTerminator: [UInt8] = [13, 10, 13, 10]

    /// The delimiter includes the preceding CR LF, which belongs to the boundary and not to the content.
    private let boundaryDelimiter: [UInt8]
    private var state = State.beforeFirstBoundary
    /// The bytes that were appended and not yet removed:
    ///
    ///     0 ....... parsedOffset ....... searchedOffset ....... count
    ///       parsed                searched, no match      not yet searched
    private var buffer: [UInt8]
    private var parsedOffset = 0
    private var searchedOffset = 0
    private var partCount = 0

    /// Creates a parser.
    ///
    /// - Parameter boundary: The boundary of the `Content-Type` header, without the leading hyphens.
    init(boundary: String) {
        boundaryDelimiter = Self.crlf + Array("--\(boundary)".utf8)
        // The first boundary has no preceding line end, so one is supplied.
        buffer = Self.crlf
    }

    /// Appends a chunk of the body. Call ``nextEvent()`` afterwards until it returns `nil`.
    mutating func appendChunk(_ bytes: some Collection<UInt8>) {
        buffer.removeSubrange(..<parsedOffset)
        searchedOffset -= parsedOffset
        parsedOffset = 0
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next event, or `nil` if more bytes are needed.
    ///
    /// - Throws: ``FormError``.
    mutating func nextEvent() throws(FormError) -> Event? {
        while true {
            switch state {
            case .beforeFirstBoundary:
                guard try parseFirstBoundary() else { return nil }
            case .afterBoundary:
                guard try parseBoundaryEnd() else { return nil }
            case .partHeader:
                guard let header = try parsePartHeader() else { return nil }
                state = .partContent
                return .partHeader(header)
            case .partContent:
                return parseContent()
            case .afterLastBoundary:
                // Only a line end may follow the last boundary.
                guard buffer[parsedOffset...].elementsEqual(Self.crlf.prefix(buffer.count - parsedOffset)) else {
                    throw FormError(code: .malformed, message: "something follows the last boundary")
                }
                return nil
            }
        }
    }

    /// Checks at the end of the body that the last boundary was parsed.
    ///
    /// - Throws: ``FormError`` with the code `truncated`.
    func requireEndOfForm() throws(FormError) {
        guard state == .afterLastBoundary else {
            throw FormError(code: .truncated, message: "the form ends before its last boundary")
        }
    }

    private mutating func advanceParsedOffset(to index: Int) { (parsedOffset, searchedOffset) = (index, index) }

    private mutating func parseFirstBoundary() throws(FormError) -> Bool {
        let count = min(buffer.count, boundaryDelimiter.count)
        guard buffer[..<count].elementsEqual(boundaryDelimiter[..<count]) else {
            throw FormError(code: .malformed, message: "the form doesn't begin with its boundary")
        }
        guard count == boundaryDelimiter.count else { return false }
        advanceParsedOffset(to: count)
        state = .afterBoundary
        return true
    }

    private mutating func parseBoundaryEnd() throws(FormError) -> Bool {
        guard buffer.count - parsedOffset >= 2 else { return false }
        switch (buffer[parsedOffset], buffer[parsedOffset + 1]) {
        case (13, 10):
            partCount += 1
            guard partCount <= Self.maxParts else {
                throw FormError(code: .tooManyParts, message: "the form has more than \(Self.maxParts) parts")
            }
            advanceParsedOffset(to: parsedOffset + 2)
            state = .partHeader
        case (UInt8(ascii: "-"), UInt8(ascii: "-")):
            guard partCount > 0 else { throw FormError(code: .malformed, message: "the form has no part") }
            advanceParsedOffset(to: parsedOffset + 2)
            state = .afterLastBoundary
        default: throw FormError(code: .malformed, message: "neither a line end nor two hyphens follow a boundary")
        }
        return true
    }

    private mutating func parsePartHeader() throws(FormError) -> PartHeader? {
        let end = buffer.firstIndex(of: Self.headerTerminator, from: searchedOffset)
        guard (end ?? buffer.count) - parsedOffset <= Self.maxHeaderBytes else {
            throw FormError(code: .headerTooLong, message: "a part's header has more than \(Self.maxHeaderBytes) bytes")
        }
        guard let end else {
            searchedOffset = max(parsedOffset, buffer.count - Self.headerTerminator.count + 1)
            return nil
        }
        let header = try PartHeader(parsing: buffer[parsedOffset..<end])
        advanceParsedOffset(to: end + Self.headerTerminator.count)
        return header
    }

    private mutating func parseContent() -> Event? {
        if let end = buffer.firstIndex(of: boundaryDelimiter, from: searchedOffset) {
            if end > parsedOffset { return contentEvent(upTo: end) }
            advanceParsedOffset(to: end + boundaryDelimiter.count)
            state = .afterBoundary
            return .partEnd
        }
        // The last bytes may be the beginning of a delimiter.
        let end = buffer.count - boundaryDelimiter.count + 1
        return end > parsedOffset ? contentEvent(upTo: end) : nil
    }

    private mutating func contentEvent(upTo end: Int) -> Event {
        let content = Array(buffer[parsedOffset..<end])
        advanceParsedOffset(to: end)
        return .partContent(content)
    }
}
