/// Reads a multipart body (RFC 7578, RFC 2046 section 5.1) from chunks of any size, and holds no more of it than a
/// chunk and a part's header.
///
/// Strict: what isn't allowed to a sender is an error, as this stands in for backends of which some would accept it and
/// some not. There is nothing before the first boundary, nothing but a line end after the last, and no white space
/// after any.
struct MultipartParser {
    /// What the body says, in order.
    enum Event: Hashable {
        case partHeader(PartHeader)
        /// More of the part's content.
        case partContent([UInt8])
        case partEnd
    }

    private enum State { case beforeFirstBoundary, afterBoundary, partHeader, partContent, afterLastBoundary }

    /// A form of ours has 40 at most.
    static let maxParts = 1_000
    /// A file name has 255 bytes where it is stored, thrice that where each is written `%XX`.
    static let maxHeaderBytes = 16 << 10

    private static let crlf: [UInt8] = [13, 10]
    private static let headerTerminator: [UInt8] = [13, 10, 13, 10]

    /// The line end belongs to the boundary after it.
    private let boundaryDelimiter: [UInt8]
    private var state = State.beforeFirstBoundary
    /// What was fed; used up to `parsedOffset`, and from there to `searchedOffset` known not to hold what is looked
    /// for.
    private var buffer: [UInt8]
    private var parsedOffset = 0
    private var searchedOffset = 0
    private var partCount = 0

    /// - Parameter boundary: as the content type names it.
    init(boundary: String) {
        boundaryDelimiter = Self.crlf + Array("--\(boundary)".utf8)
        // The first boundary has no line before it.
        buffer = Self.crlf
    }

    /// Takes more of the body. To be followed by `nextEvent` until it returns nil.
    mutating func appendChunk(_ bytes: some Collection<UInt8>) {
        buffer.removeSubrange(..<parsedOffset)
        searchedOffset -= parsedOffset
        parsedOffset = 0
        buffer.append(contentsOf: bytes)
    }

    /// What comes next, as far as can be said from what was fed; nil if more is needed.
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
                // At most a line end.
                guard buffer[parsedOffset...].elementsEqual(Self.crlf.prefix(buffer.count - parsedOffset)) else {
                    throw FormError(code: .malformed, message: "something follows the last boundary")
                }
                return nil
            }
        }
    }

    /// To be called at the body's end.
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
        // The rest may be the beginning of a boundary.
        let end = buffer.count - boundaryDelimiter.count + 1
        return end > parsedOffset ? contentEvent(upTo: end) : nil
    }

    private mutating func contentEvent(upTo end: Int) -> Event {
        let content = Array(buffer[parsedOffset..<end])
        advanceParsedOffset(to: end)
        return .partContent(content)
    }
}
