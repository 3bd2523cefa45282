/// What is said of a part before its content.
struct PartHeader: Hashable {
    /// The field's name as it was sent: WHATWG's `%22`, `%0D` and `%0A` are not undone, since a `%` of the name's own
    /// is not escaped and nothing tells them apart.
    var name: String
    /// As it was sent; nil for a part that is no file.
    var filename: String?
    /// The media type; nil if none is given.
    var mediaType: String?

    init(name: String, filename: String? = nil, mediaType: String? = nil) {
        (self.name, self.filename, self.mediaType) = (name, filename, mediaType)
    }

    /// From a header's lines, without the empty one that ends it. RFC 7578, section 4.8: what isn't one of these two
    /// fields is passed over.
    init(parsing bytes: ArraySlice<UInt8>) throws(FormError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw FormError(code: .malformed, message: "a part's header is no UTF-8")
        }
        var disposition: String?
        var type: String?
        // By bytes: Swift takes a carriage return and a line feed for one character.
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

    /// Of `form-data; name="a"; filename="b"`. Within quotes only a quote is special (WHATWG's form encoding writes it
    /// `%22`).
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
