internal import FoundationEssentials
internal import Ledger
internal import SystemPackage

/// Checks manifest lines that a ledger holds before they are repeated. A ledger that somebody else made may hold anything, such
/// as two lines in place of one, or the name of another file.
enum StoredLine {
    /// Whether the record's line is one line of JSON that tells of the record's own input, output and verdict.
    ///
    /// The line is scanned rather than decoded: `JSONDecoder` would take longer than all the rest of a run that has nothing to
    /// do. It decodes only the names that JSON escapes.
    static func isIntact(_ record: Record) -> Bool {
        var scanner = JSONScanner(record.line)
        guard let members = scanner.members(),
            let input = members["input"], let output = members["output"], let verdict = members["verdict"],
            record.line[verdict].elementsEqual(Array("\"\(record.verdict)\"".utf8))
        else { return false }
        if let name = plain(record.line[input]), members["input_base64"] == nil, members["output_base64"] == nil {
            let expected = record.output?.path
            let isExpectedOutput =
                expected.map { plain(record.line[output])?.elementsEqual($0) }
                ?? record.line[output].elementsEqual(Array("null".utf8))
            if let isExpectedOutput { return name.elementsEqual(record.input) && isExpectedOutput }
        }
        guard let entry = try? JSONDecoder().decode(ManifestEntry.self, from: Data(record.line)) else { return false }
        return entry.inputPath.bytes == record.input && entry.outputPath?.bytes == record.output?.path
    }

    /// What is between the quotes of a string that escapes nothing; nil for any other value.
    private static func plain(_ token: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard token.first == UInt8(ascii: "\""), !token.contains(UInt8(ascii: "\\")) else { return nil }
        return token.dropFirst().dropLast()
    }
}

/// Finds the members of a JSON object (RFC 8259) without decoding their values.
struct JSONScanner {
    private let bytes: [UInt8]
    private var position = 0

    /// More than any manifest line nests.
    private static let depthLimit = 16

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Where the values of the object's members are.
    ///
    /// - Returns: nil if the bytes are anything but one JSON object in UTF-8 that has each of its members once, without spaces
    ///   around it and without control characters.
    /// - Complexity: linear in the number of bytes.
    mutating func members() -> [String: Range<Int>]? {
        guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
        var members: [String: Range<Int>] = [:]
        guard skip(UInt8(ascii: "{")) else { return nil }
        repeat {
            guard let name = string(), skip(UInt8(ascii: ":")) else { return nil }
            let start = position
            guard skipValue(depth: 1) else { return nil }
            let key = String(decoding: bytes[name].dropFirst().dropLast(), as: UTF8.self)
            guard members.updateValue(start..<position, forKey: key) == nil else { return nil }
        } while skip(UInt8(ascii: ","))
        return skip(UInt8(ascii: "}")) && position == bytes.count ? members : nil
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipValue(depth: Int) -> Bool {
        guard depth < Self.depthLimit, position < bytes.count else { return false }
        switch bytes[position] {
        case UInt8(ascii: "\""): return string() != nil
        case UInt8(ascii: "{"): return skipList(UInt8(ascii: "}"), depth: depth, hasNames: true)
        case UInt8(ascii: "["): return skipList(UInt8(ascii: "]"), depth: depth, hasNames: false)
        default: return skipScalar()
        }
    }

    private mutating func skipList(_ end: UInt8, depth: Int, hasNames: Bool) -> Bool {
        position += 1
        if skip(end) { return true }
        repeat {
            if hasNames { guard string() != nil, skip(UInt8(ascii: ":")) else { return false } }
            guard skipValue(depth: depth + 1) else { return false }
        } while skip(UInt8(ascii: ","))
        return skip(end)
    }

    /// A number, `true`, `false` or `null`: letters, digits, signs and points, which is all that the line's readers need to
    /// find its end.
    private mutating func skipScalar() -> Bool {
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "E"),
                UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                position += 1
            default: return position > start
            }
        }
        return false
    }

    /// The range of a string, with its quotes.
    private mutating func string() -> Range<Int>? {
        let start = position
        guard skip(UInt8(ascii: "\"")) else { return nil }
        while position < bytes.count, bytes[position] >= 0x20 {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return start..<position
            case UInt8(ascii: "\\") where position + 1 < bytes.count && bytes[position + 1] >= 0x20: position += 2
            case UInt8(ascii: "\\"): return nil
            default: position += 1
            }
        }
        return nil
    }
}
