/// The start line and the fields of a request or response (RFC 9112), as far as the relay needs them. All other parts
/// are forwarded unchanged.
struct HTTPMessageHead {
    var startLine: String
    var fields: [(name: String, value: String)]

    /// Parses the bytes before the empty line.
    ///
    /// - Returns: `nil` if they are not a message head.
    init?(parsing bytes: some Collection<UInt8>) {
        let lines = bytes.split(separator: UInt8(ascii: "\n")).map {
            // Latin-1 keeps every byte unchanged.
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

    /// The value of the first field with the given name, or `nil` if there is none.
    ///
    /// - Parameter name: The name in lower case.
    subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name }?.value
    }

    /// The length of the body in bytes; `nil` if it is unknown or ambiguous.
    var contentLength: Int64? {
        let lengths = fields.filter { $0.name.lowercased() == "content-length" }.map(\.value)
        if lengths.isEmpty { return self["transfer-encoding"] == nil ? 0 : nil }
        guard lengths.count == 1, self["transfer-encoding"] == nil,
            lengths[0].utf8.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        return Int64(lengths[0])
    }

    /// Whether the connection is closed after this message.
    var closesConnection: Bool {
        let isOld = startLine.hasSuffix("HTTP/1.0") || startLine.hasPrefix("HTTP/1.0")
        let connectionField = self["connection"]?.lowercased() ?? ""
        return isOld ? !connectionField.contains("keep-alive") : connectionField.contains("close")
    }

    var method: String { startLine.prefix { $0 != " " }.uppercased() }

    /// The status code of a response.
    var status: Int? { startLine.split(separator: " ").dropFirst().first.flatMap { Int($0) } }

    /// Removes all fields with the given names, and appends a field.
    ///
    /// - Parameters:
    ///   - names: The names in lower case.
    ///   - field: The field to append; `nil` for none.
    mutating func replaceFields(named names: Set<String>, with field: (name: String, value: String)? = nil) {
        fields.removeAll { names.contains($0.name.lowercased()) }
        if let field { fields.append(field) }
    }

    /// The bytes of the head, including the empty line.
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
