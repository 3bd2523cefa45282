internal import HTTPTypes

/// Collects a response as it is received, within size limits.
struct ResponseCollector {
    /// The maximum size of all heads together in bytes, including those of informational responses.
    private static let maxHeadBytes = 256 << 10
    /// The maximum number of header lines of one response. `HTTPFields` traps above 65,534, which 256 KiB can hold.
    private static let maxHeadLines = 5_000

    /// The header fields of the latest response, in the order in which they were received, without invalid ones.
    private(set) var headerFields = HTTPFields()
    private(set) var body: [UInt8] = []
    /// The reason why the response was rejected; `nil` if it was not.
    private(set) var rejectionReason: String?

    private let maxBodyBytes: Int
    private var headByteCount = 0
    private var headLineCount = 0
    private var status: Int?
    private var isHeadComplete = false

    init(maxBodyBytes: Int) { self.maxBodyBytes = maxBodyBytes }

    /// The status, once the head is complete; `nil` for an informational response (RFC 9110, section 15.2).
    var finalStatus: Int? { isHeadComplete ? status.flatMap { $0 >= 200 ? $0 : nil } : nil }

    /// Discards the response to a request that is sent again. The size of its head still counts.
    mutating func reset() {
        status = nil
        isHeadComplete = false
        headerFields = HTTPFields()
        headLineCount = 0
        body = []
    }

    /// Adds one line of a head, including its line end.
    ///
    /// - Returns: `false` if the response is rejected.
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
        // Lines after a complete head are trailers, which are ignored.
        if isHeadComplete { return true }
        if text.isEmpty {
            isHeadComplete = true
        } else {
            headLineCount += 1
            guard headLineCount <= Self.maxHeadLines else {
                return reject(reason: "the response has more than \(Self.maxHeadLines) header lines")
            }
            appendHeaderField(text)
        }
        return true
    }

    /// Adds bytes of the body.
    ///
    /// - Returns: `false` if the response is rejected.
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
        // A line that begins with white space continues the previous one (obsolete line folding, RFC 9112, section
        // 5.2).
        if line[0] == 0x20 || line[0] == 0x09 {
            if let last = headerFields.indices.last { headerFields[last].value += " " + Self.trimmedText(line) }
            return
        }
        guard let colon = line.indices.first(where: { line[$0] == 0x3A }) else { return }
        guard let name = HTTPField.Name(Self.trimmedText(line.extracting(0..<colon))) else { return }
        headerFields.append(
            HTTPField(name: name, value: Self.trimmedText(line.extracting((colon + 1)..<line.count))))
    }

    private func isStatusLine(_ line: Span<UInt8>) -> Bool {
        let start = Array("HTTP/".utf8)
        return line.count >= start.count && start.indices.allSatisfy { line[$0] == start[$0] }
    }

    /// Returns the three-digit status code after the first space, or `nil` if it is invalid.
    private static func statusCode(inStatusLine line: Span<UInt8>) -> Int? {
        let fields = trimmedText(line).split(separator: " ")
        guard fields.count >= 2, fields[1].utf8.count == 3, let status = Int(fields[1]), status >= 100 else {
            return nil
        }
        return status
    }

    /// Returns the text without the white space around it.
    private static func trimmedText(_ bytes: Span<UInt8>) -> String {
        var range = 0..<bytes.count
        func isSpace(_ i: Int) -> Bool { bytes[i] == 0x20 || bytes[i] == 0x09 }
        while let first = range.first, isSpace(first) { range = (first + 1)..<range.upperBound }
        while let last = range.last, isSpace(last) { range = range.lowerBound..<last }
        return String(decoding: range.map { bytes[$0] }, as: UTF8.self)
    }
}
