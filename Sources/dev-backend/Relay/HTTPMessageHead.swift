/// A request's or an answer's first line and fields (RFC 9112), as far as a relay needs them: it passes on the rest as
/// it came.
struct HTTPMessageHead {
    var startLine: String
    var fields: [(name: String, value: String)]

    /// From the bytes before the empty line.
    ///
    /// - Returns: nil if that is no head.
    init?(parsing bytes: some Collection<UInt8>) {
        let lines = bytes.split(separator: UInt8(ascii: "\n")).map {
            // Latin-1, so that any bytes pass as they are.
            String(String.UnicodeScalarView(($0.last == 13 ? $0.dropLast() : $0).map { Unicode.Scalar($0) }))
        }
        guard let first = lines.first else { return nil }
        startLine = first
        fields = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return nil }
            fields.append((String(line[..<colon]), line[line.index(after: colon)...].trimmingSpaces))
        }
    }

    init(startLine: String, fields: [(name: String, value: String)]) {
        (self.startLine, self.fields) = (startLine, fields)
    }

    /// The value of the first field of that name, in any case.
    subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name }?.value
    }

    /// How many bytes follow; nil if the message doesn't say so in a way that can be trusted.
    var contentLength: Int64? {
        let lengths = fields.filter { $0.name.lowercased() == "content-length" }.map(\.value)
        if lengths.isEmpty { return self["transfer-encoding"] == nil ? 0 : nil }
        guard lengths.count == 1, self["transfer-encoding"] == nil,
            lengths[0].utf8.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        return Int64(lengths[0])
    }

    /// Whether the connection ends with this message.
    var closesConnection: Bool {
        let isOld = startLine.hasSuffix("HTTP/1.0") || startLine.hasPrefix("HTTP/1.0")
        let connectionField = self["connection"]?.lowercased() ?? ""
        return isOld ? !connectionField.contains("keep-alive") : connectionField.contains("close")
    }

    var method: String { startLine.prefix { $0 != " " }.uppercased() }

    /// The status of an answer.
    var status: Int? { startLine.split(separator: " ").dropFirst().first.flatMap { Int($0) } }

    /// Without these, named in lower case, and with this in their place.
    mutating func replaceFields(named names: Set<String>, with field: (name: String, value: String)? = nil) {
        fields.removeAll { names.contains($0.name.lowercased()) }
        if let field { fields.append(field) }
    }

    /// With the empty line.
    var serializedBytes: [UInt8] {
        let lines = [startLine] + fields.map { "\($0.name): \($0.value)" } + ["", ""]
        return lines.joined(separator: "\r\n").unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        var trimmed = drop { $0 == " " || $0 == "\t" }
        while let last = trimmed.last, last == " " || last == "\t" { trimmed.removeLast() }
        return String(trimmed)
    }
}
