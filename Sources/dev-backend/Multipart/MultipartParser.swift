/// Reads a multipart body (RFC 7578, RFC 2046 section 5.1) from chunks of any size, and holds no more of it than a chunk and a
/// part's header.
///
/// Strict: what isn't allowed to a sender is an error, as this stands in for backends of which some would accept it and some
/// not. There is nothing before the first boundary, nothing but a line end after the last, and no white space after any.
struct MultipartParser {
    /// What the body says, in order.
    enum Event: Hashable {
        case part(PartHeader)
        /// More of the part's content.
        case content([UInt8])
        case endOfPart
    }

    private enum State { case opening, afterBoundary, header, content, end }

    /// A form of ours has 40 at most.
    static let maxParts = 1_000
    /// A file name has 255 bytes where it is stored, thrice that where each is written `%XX`.
    static let maxHeaderBytes = 16 << 10

    private static let lineEnd: [UInt8] = [13, 10]
    private static let headerEnd: [UInt8] = [13, 10, 13, 10]

    /// The line end belongs to the boundary after it.
    private let delimiter: [UInt8]
    private var state = State.opening
    /// What was fed; used up to `start`, and from there to `searched` known not to hold what is looked for.
    private var buffer: [UInt8]
    private var start = 0
    private var searched = 0
    private var parts = 0

    /// - Parameter boundary: as the content type names it.
    init(boundary: String) {
        delimiter = Self.lineEnd + Array("--\(boundary)".utf8)
        // The first boundary has no line before it.
        buffer = Self.lineEnd
    }

    /// Takes more of the body. To be followed by `next` until it returns nil.
    mutating func feed(_ bytes: some Collection<UInt8>) {
        buffer.removeSubrange(..<start)
        searched -= start
        start = 0
        buffer.append(contentsOf: bytes)
    }

    /// What comes next, as far as can be said from what was fed; nil if more is needed.
    mutating func next() throws(FormError) -> Event? {
        while true {
            switch state {
            case .opening:
                guard try takeOpening() else { return nil }
            case .afterBoundary:
                guard try takeBoundaryEnd() else { return nil }
            case .header:
                guard let header = try takeHeader() else { return nil }
                state = .content
                return .part(header)
            case .content:
                return takeContent()
            case .end:
                // At most a line end.
                guard buffer[start...].elementsEqual(Self.lineEnd.prefix(buffer.count - start)) else {
                    throw FormError(.malformed, "something follows the last boundary")
                }
                return nil
            }
        }
    }

    /// To be called at the body's end.
    func finish() throws(FormError) {
        guard state == .end else { throw FormError(.truncated, "the form ends before its last boundary") }
    }

    private mutating func advance(to index: Int) { (start, searched) = (index, index) }

    private mutating func takeOpening() throws(FormError) -> Bool {
        let count = min(buffer.count, delimiter.count)
        guard buffer[..<count].elementsEqual(delimiter[..<count]) else {
            throw FormError(.malformed, "the form doesn't begin with its boundary")
        }
        guard count == delimiter.count else { return false }
        advance(to: count)
        state = .afterBoundary
        return true
    }

    private mutating func takeBoundaryEnd() throws(FormError) -> Bool {
        guard buffer.count - start >= 2 else { return false }
        switch (buffer[start], buffer[start + 1]) {
        case (13, 10):
            parts += 1
            guard parts <= Self.maxParts else {
                throw FormError(.tooManyParts, "the form has more than \(Self.maxParts) parts")
            }
            advance(to: start + 2)
            state = .header
        case (UInt8(ascii: "-"), UInt8(ascii: "-")):
            guard parts > 0 else { throw FormError(.malformed, "the form has no part") }
            advance(to: start + 2)
            state = .end
        default: throw FormError(.malformed, "neither a line end nor two hyphens follow a boundary")
        }
        return true
    }

    private mutating func takeHeader() throws(FormError) -> PartHeader? {
        let end = buffer.firstIndex(of: Self.headerEnd, from: searched)
        guard (end ?? buffer.count) - start <= Self.maxHeaderBytes else {
            throw FormError(.headerTooLong, "a part's header has more than \(Self.maxHeaderBytes) bytes")
        }
        guard let end else {
            searched = max(start, buffer.count - Self.headerEnd.count + 1)
            return nil
        }
        let header = try PartHeader(buffer[start..<end])
        advance(to: end + Self.headerEnd.count)
        return header
    }

    private mutating func takeContent() -> Event? {
        if let end = buffer.firstIndex(of: delimiter, from: searched) {
            if end > start { return content(upTo: end) }
            advance(to: end + delimiter.count)
            state = .afterBoundary
            return .endOfPart
        }
        // The rest may be the beginning of a boundary.
        let end = buffer.count - delimiter.count + 1
        return end > start ? content(upTo: end) : nil
    }

    private mutating func content(upTo end: Int) -> Event {
        let content = Array(buffer[start..<end])
        advance(to: end)
        return .content(content)
    }
}
