/// The header of a part.
struct PartHeader: Hashable {
    /// The field's name as it was sent. The escapes `%22`, `%0D` and `%0A` of the WHATWG encoding are not undone,
    /// because a literal `%` is not escaped and the two cannot be distinguished.
    var name: String
    /// The file name as it was sent; `nil` if the part is not a file.
    var filename: String?
    /// The media type; `nil` if there is none.
    var mediaType: String?

    init(name: String, filename: String? = nil, mediaType: String? = nil) {
        (self.name, self.filename, self.mediaType) = (name, filename, mediaType)
    }

    /// Parses the header lines, without the terminating empty line. Fields other than `Content-Disposition` and
    /// `Content-Type` are ignored (RFC 7578, section 4.8).
    ///
    /// - Throws: ``FormError`` with the code `malformed`.
    init(parsing bytes: ArraySlice<UInt8>) throws(FormError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw FormError(code: .malformed, message: "a part's header is no UTF-8")
        }
        var disposition: String?
        var type: String?
        // Split into bytes, because CR LF is a single `Character` in Swift.
        for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let (key, value) = try Self.parseHeaderField(line.last == 13 ? line.dropLast() : line)
            switch key {
            case "content-disposition" where disposition == nil: disposition = value
            case "content-type" where type == nil: type = value
            case "content-disposition", "content-type":
                throw FormError(code: .malformed, message: "a part's header says \(key) twice")
            default: break
            }
        }
        guard let disposition else { throw FormError(code: .malformed, message: "a part has no Content-Disposition") }
        let parameters = try Self.dispositionParameters(of: disposition)
        guard let name = parameters["name"] else { throw FormError(code: .malformed, message: "a part has no name") }
        self.init(name: name, filename: parameters["filename"], mediaType: type)
    }

    private static func parseHeaderField(_ line: Substring.UTF8View.SubSequence) throws(FormError) -> (String, String) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line.allSatisfy({ $0 >= 32 || $0 == 9 }), let first = line.first, first != 32, first != 9
        else { throw FormError(code: .malformed, message: "a line of a part's header is no field") }
        let value = Substring(line[line.index(after: colon)...]).drop { $0 == " " || $0 == "\t" }
        return (Substring(line[..<colon]).lowercased(), String(value))
    }

    /// Returns the parameters of `form-data; name="a"; filename="b"`. Within quotes only a quote is special; the WHATWG
    /// encoding writes it as `%22`.
    private static func dispositionParameters(of disposition: String) throws(FormError) -> [String: String] {
        let malformed = FormError(code: .malformed, message: "a part's Content-Disposition can't be read")
        var rest = disposition[...]
        guard rest.prefix(9).lowercased() == "form-data" else { throw malformed }
        rest = rest.dropFirst(9)
        var parameters: [String: String] = [:]
        while !rest.isEmpty {
            rest = rest.drop { $0 == " " }
            guard rest.first == ";" else { throw malformed }
            rest = rest.dropFirst().drop { $0 == " " }
            guard let equals = rest.firstIndex(of: "=") else { throw malformed }
            let key = rest[..<equals].lowercased()
            rest = rest[rest.index(after: equals)...]
            guard rest.first == "\"" else { throw malformed }
            rest = rest.dropFirst()
            guard let quote = rest.firstIndex(of: "\""), parameters[key] == nil else { throw malformed }
            parameters[key] = String(rest[..<quote])
            rest = rest[rest.index(after: quote)...]
        }
        return parameters
    }
}
