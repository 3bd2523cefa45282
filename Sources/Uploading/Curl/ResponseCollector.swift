/// Takes a response as it comes, within limits.
struct ResponseCollector {
    /// The most bytes of all heads together: those of informational responses count too.
    private static let headLimit = 256 << 10

    /// Of the response that is meant, in the order in which they came.
    private(set) var headers: [HTTPHeader] = []
    private(set) var body: [UInt8] = []
    /// Why it was refused.
    private(set) var fault: String?

    private let bodyLimit: Int
    private var headBytes = 0
    private var status: Int?
    private var isHeadComplete = false

    init(bodyLimit: Int) { self.bodyLimit = bodyLimit }

    /// The status once the head is there, but that of an informational response (RFC 9110, section 15.2).
    var finalStatus: Int? { isHeadComplete ? status.flatMap { $0 >= 200 ? $0 : nil } : nil }

    /// Forgets the response to a request that is sent again. What it took stays counted.
    mutating func startAgain() {
        status = nil
        isHeadComplete = false
        headers = []
        body = []
    }

    /// Takes a line of a head, with its end. False if the response is to be refused.
    mutating func takeHead(_ line: Span<UInt8>) -> Bool {
        headBytes += line.count
        guard headBytes <= Self.headLimit else { return refuse("the response's head is larger than 256 KiB") }
        var end = line.count
        while end > 0, line[end - 1] == 0x0D || line[end - 1] == 0x0A { end -= 1 }
        let text = line.extracting(0..<end)
        if isStatusLine(text) {
            startAgain()
            status = Self.status(in: text)
            return status != nil || refuse("the response has no status")
        }
        // What comes behind a complete head are trailers, which nothing here asks for.
        if isHeadComplete { return true }
        if text.isEmpty {
            isHeadComplete = true
        } else {
            takeField(text)
        }
        return true
    }

    /// Takes bytes of the body. False if the response is to be refused.
    mutating func takeBody(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count <= bodyLimit - body.count else {
            return refuse("the response is larger than \(bodyLimit) bytes")
        }
        for i in bytes.indices { body.append(bytes[i]) }
        return true
    }

    private mutating func refuse(_ fault: String) -> Bool {
        self.fault = fault
        return false
    }

    private mutating func takeField(_ line: Span<UInt8>) {
        // A line that begins with white space goes on with the one before (RFC 9112, section 5.2).
        if line[0] == 0x20 || line[0] == 0x09 {
            if let last = headers.indices.last { headers[last].value += " " + Self.text(line) }
            return
        }
        guard let colon = line.indices.first(where: { line[$0] == 0x3A }) else { return }
        headers.append(
            HTTPHeader(
                Self.text(line.extracting(0..<colon)), Self.text(line.extracting((colon + 1)..<line.count))))
    }

    private func isStatusLine(_ line: Span<UInt8>) -> Bool {
        let start = Array("HTTP/".utf8)
        return line.count >= start.count && start.indices.allSatisfy { line[$0] == start[$0] }
    }

    /// The three digits behind the first space.
    private static func status(in line: Span<UInt8>) -> Int? {
        let fields = text(line).split(separator: " ")
        guard fields.count >= 2, fields[1].utf8.count == 3, let status = Int(fields[1]), status >= 100 else {
            return nil
        }
        return status
    }

    /// The text without the white space around it.
    private static func text(_ bytes: Span<UInt8>) -> String {
        var range = 0..<bytes.count
        func isSpace(_ i: Int) -> Bool { bytes[i] == 0x20 || bytes[i] == 0x09 }
        while let first = range.first, isSpace(first) { range = (first + 1)..<range.upperBound }
        while let last = range.last, isSpace(last) { range = range.lowerBound..<last }
        return String(decoding: range.map { bytes[$0] }, as: UTF8.self)
    }
}
