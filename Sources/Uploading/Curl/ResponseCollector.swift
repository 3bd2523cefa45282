/// Takes a response as it comes, within limits.
struct ResponseCollector {
    /// The most bytes of all heads together: those of informational responses count too.
    private static let maxHeadBytes = 256 << 10

    /// Of the response that is meant, in the order in which they came.
    private(set) var headers: [HTTPHeader] = []
    private(set) var body: [UInt8] = []
    /// Why it was refused.
    private(set) var rejectionReason: String?

    private let maxBodyBytes: Int
    private var headByteCount = 0
    private var status: Int?
    private var isHeadComplete = false

    init(maxBodyBytes: Int) { self.maxBodyBytes = maxBodyBytes }

    /// The status once the head is there, but that of an informational response (RFC 9110, section 15.2).
    var finalStatus: Int? { isHeadComplete ? status.flatMap { $0 >= 200 ? $0 : nil } : nil }

    /// Forgets the response to a request that is sent again. What it took stays counted.
    mutating func reset() {
        status = nil
        isHeadComplete = false
        headers = []
        body = []
    }

    /// Takes a line of a head, with its end. False if the response is to be refused.
    mutating func appendHeaderLine(_ line: Span<UInt8>) -> Bool {
        headByteCount += line.count
        guard headByteCount <= Self.maxHeadBytes else {
            return reject(reason: "the response's head is larger than 256 KiB")
        }
        var end = line.count
        while end > 0, line[end - 1] == 0x0D || line[end - 1] == 0x0A { end -= 1 }
        let text = line.extracting(0..<end)
        if isStatusLine(text) {
            reset()
            status = Self.statusCode(inStatusLine: text)
            return status != nil || reject(reason: "the response has no status")
        }
        // What comes behind a complete head are trailers, which nothing here asks for.
        if isHeadComplete { return true }
        if text.isEmpty {
            isHeadComplete = true
        } else {
            appendHeaderField(text)
        }
        return true
    }

    /// Takes bytes of the body. False if the response is to be refused.
    mutating func appendBody(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count <= maxBodyBytes - body.count else {
            return reject(reason: "the response is larger than \(maxBodyBytes) bytes")
        }
        for i in bytes.indices { body.append(bytes[i]) }
        return true
    }

    private mutating func reject(reason: String) -> Bool {
        self.rejectionReason = reason
        return false
    }

    private mutating func appendHeaderField(_ line: Span<UInt8>) {
        // A line that begins with white space goes on with the one before (RFC 9112, section 5.2).
        if line[0] == 0x20 || line[0] == 0x09 {
            if let last = headers.indices.last { headers[last].value += " " + Self.trimmedText(line) }
            return
        }
        guard let colon = line.indices.first(where: { line[$0] == 0x3A }) else { return }
        headers.append(
            HTTPHeader(
                name: Self.trimmedText(line.extracting(0..<colon)),
                value: Self.trimmedText(line.extracting((colon + 1)..<line.count))))
    }

    private func isStatusLine(_ line: Span<UInt8>) -> Bool {
        let start = Array("HTTP/".utf8)
        return line.count >= start.count && start.indices.allSatisfy { line[$0] == start[$0] }
    }

    /// The three digits behind the first space.
    private static func statusCode(inStatusLine line: Span<UInt8>) -> Int? {
        let fields = trimmedText(line).split(separator: " ")
        guard fields.count >= 2, fields[1].utf8.count == 3, let status = Int(fields[1]), status >= 100 else {
            return nil
        }
        return status
    }

    /// The text without the white space around it.
    private static func trimmedText(_ bytes: Span<UInt8>) -> String {
        var range = 0..<bytes.count
        func isSpace(_ i: Int) -> Bool { bytes[i] == 0x20 || bytes[i] == 0x09 }
        while let first = range.first, isSpace(first) { range = (first + 1)..<range.upperBound }
        while let last = range.last, isSpace(last) { range = range.lowerBound..<last }
        return String(decoding: range.map { bytes[$0] }, as: UTF8.self)
    }
}
