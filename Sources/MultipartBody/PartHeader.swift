// Part headers (RFC 7578, section 4). Names are escaped as in browsers, by the HTML standard's "multipart/form-data
// encoding algorithm". Percent signs and backslashes are not escaped, so the escaping is not reversible; few parsers
// reverse it.

extension MultipartPart {
    /// Returns the header lines and the empty line after them.
    ///
    /// - Throws: ``MultipartError/Code/invalidMediaType``.
    func headerBytes() throws(MultipartError) -> [UInt8] {
        var header = Array("Content-Disposition: form-data; name=\"".utf8)
        header += name.utf8.normalizingLineEndings().escapingHeaderCharacters()
        if let filename {
            header += "\"; filename=\"".utf8
            header += filename.utf8.escapingHeaderCharacters()
        }
        header += "\"\r\n".utf8
        if let mediaType {
            guard Self.isMediaType(mediaType) else {
                throw MultipartError(code: .invalidMediaType, message: "a part's type is not a media type")
            }
            header += "Content-Type: \(mediaType)\r\n".utf8
        }
        return header + "\r\n".utf8
    }

    /// Returns whether the text is `type/subtype`, with or without parameters (RFC 9110, section 8.3.1). Parameters are
    /// only checked to be visible ASCII and spaces, so that they cannot end the header line.
    private static func isMediaType(_ text: String) -> Bool {
        let pieces = text.utf8.split(separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
        guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), let essence = pieces.first else { return false }
        var names = essence.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if pieces.count > 1, let last = names.popLast() {
            // White space is allowed before the semicolon: `text/plain ;charset=utf-8`.
            let end = last.lastIndex { $0 != UInt8(ascii: " ") }.map { last.index(after: $0) } ?? last.startIndex
            names.append(last[..<end])
        }
        return names.count == 2 && names.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isTokenCharacter) }
    }
}

extension UInt8 {
    /// Whether the byte is allowed in a token, which needs no quotes (RFC 9110, section 5.6.2).
    fileprivate var isTokenCharacter: Bool { isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(self) }

    /// Whether the byte is an ASCII letter or digit.
    var isASCIILetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    fileprivate static let lineFeed = UInt8(ascii: "\n")
    fileprivate static let carriageReturn = UInt8(ascii: "\r")
}

extension Sequence<UInt8> {
    /// Returns the bytes with each CR, LF or CR LF replaced by CR LF.
    func normalizingLineEndings() -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(underestimatedCount)
        var previous: UInt8 = 0
        for byte in self {
            switch byte {
            case .carriageReturn: result += [.carriageReturn, .lineFeed]
            case .lineFeed where previous == .carriageReturn: break
            case .lineFeed: result += [.carriageReturn, .lineFeed]
            default: result.append(byte)
            }
            previous = byte
        }
        return result
    }

    /// Returns the bytes with `"` replaced by `%22`, CR by `%0D` and LF by `%0A`. All other bytes are kept, including
    /// percent signs.
    fileprivate func escapingHeaderCharacters() -> [UInt8] {
        flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "\""): Array("%22".utf8)
            case .carriageReturn: Array("%0D".utf8)
            case .lineFeed: Array("%0A".utf8)
            default: [byte]
            }
        }
    }
}
