internal import Ledger
internal import SystemPackage

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Checks manifest lines that a ledger holds before they are repeated. A planted ledger may hold anything, such
/// as two lines in place of one, or the name of another file.
enum StoredLine {
    /// Whether the record's line is one line of JSON that tells of the record's own input, output and verdict.
    ///
    /// The line is scanned rather than decoded: `JSONDecoder` would take longer than all the rest of a run that has
    /// nothing to do. It decodes only the names that JSON escapes.
    static func isIntact(_ record: InputRecord) -> Bool {
        let line = record.manifestLine
        guard let members = JSONMembers(of: line), let verdict = members.verdict,
            plain(line[verdict])?.elementsEqual(record.verdict.utf8) == true
        else { return false }
        if let input = members.input, let name = plain(line[input]), !members.hasExactNames {
            guard name.elementsEqual(record.inputPath), let output = members.output else { return false }
            guard let expected = record.output?.path else { return line[output].elementsEqual("null".utf8) }
            if let name = plain(line[output]) { return name.elementsEqual(expected) }
        }
        guard let entry = try? JSONDecoder().decode(ManifestEntry.self, from: Data(line)) else { return false }
        return entry.inputPath.bytes == record.inputPath && entry.outputPath?.bytes == record.output?.path
    }

    /// What is between the quotes of a string that escapes nothing; nil for any other value.
    private static func plain(_ token: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard token.first == UInt8(ascii: "\""), !token.contains(UInt8(ascii: "\\")) else { return nil }
        return token.dropFirst().dropLast()
    }
}

/// Where the members of a manifest line are, without their values decoded.
private struct JSONMembers {
    private(set) var input: Range<Int>?
    private(set) var output: Range<Int>?
    private(set) var verdict: Range<Int>?
    /// Whether there are names that are not UTF-8, in base 64.
    private(set) var hasExactNames = false

    /// - Returns: nil if the bytes are anything but one JSON object in UTF-8, without spaces, control characters,
    ///   escapes in members' names, and without a second member of one of these names.
    /// - Complexity: linear in the number of bytes.
    init?(of line: [UInt8]) {
        guard String(validating: line, as: UTF8.self) != nil else { return nil }
        var scanner = JSONScanner(line)
        guard scanner.skip(UInt8(ascii: "{")) else { return nil }
        repeat {
            guard let name = scanner.string(), scanner.skip(UInt8(ascii: ":")) else { return nil }
            let start = scanner.position
            guard scanner.skipValue(depth: 1), add(line[name].dropFirst().dropLast(), start..<scanner.position) else {
                return nil
            }
        } while scanner.skip(UInt8(ascii: ","))
        guard scanner.skip(UInt8(ascii: "}")), scanner.position == line.count else { return nil }
    }

    private static let names = (
        input: Array("input".utf8), output: Array("output".utf8), verdict: Array("verdict".utf8),
        exactSuffix: Array("_base64".utf8)
    )

    private mutating func add(_ name: ArraySlice<UInt8>, _ value: Range<Int>) -> Bool {
        func set(_ member: inout Range<Int>?) -> Bool {
            defer { member = value }
            return member == nil
        }
        // By length first: a line has some fourteen members, and of a run that has nothing to do this took a tenth.
        switch name.count {
        case 5 where name.elementsEqual(Self.names.input): return set(&input)
        case 6 where name.elementsEqual(Self.names.output): return set(&output)
        case 7 where name.elementsEqual(Self.names.verdict): return set(&verdict)
        case 12, 13: if name.suffix(7).elementsEqual(Self.names.exactSuffix) { hasExactNames = true }
        default: break
        }
        return !name.contains(UInt8(ascii: "\\"))
    }
}

/// Walks through JSON (RFC 8259).
private struct JSONScanner {
    private let bytes: [UInt8]
    private(set) var position = 0

    /// More than any manifest line nests.
    private static let depthLimit = 16

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    mutating func skipValue(depth: Int) -> Bool {
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

    /// A number, `true`, `false` or `null`. Numbers are not read: that alone took a twentieth of a run that has nothing
    /// to do.
    private mutating func skipScalar() -> Bool {
        for literal in Self.literals where bytes[position] == literal[0] {
            guard bytes[position...].starts(with: literal) else { return false }
            position += literal.count
            return true
        }
        _ = skip(UInt8(ascii: "-"))
        let start = position
        guard skipDigits(), bytes[start] != UInt8(ascii: "0") || position == start + 1 else { return false }
        if skip(UInt8(ascii: ".")), !skipDigits() { return false }
        guard skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) else { return true }
        _ = skip(UInt8(ascii: "+")) || skip(UInt8(ascii: "-"))
        return skipDigits()
    }

    /// - Returns: whether there was a digit at least.
    private mutating func skipDigits() -> Bool {
        let start = position
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            position += 1
        }
        return position > start
    }

    private static let literals = ["true", "false", "null"].map { Array($0.utf8) }
    private static let escapes = Array("\"\\/bfnrtu".utf8)

    /// The range of a string, with its quotes.
    mutating func string() -> Range<Int>? {
        let start = position
        guard skip(UInt8(ascii: "\"")) else { return nil }
        var next = position
        while next < bytes.count, bytes[next] >= 0x20 {
            switch bytes[next] {
            case UInt8(ascii: "\""):
                position = next + 1
                return start..<position
            case UInt8(ascii: "\\"):
                guard next + 1 < bytes.count, Self.escapes.contains(bytes[next + 1]) else { return nil }
                next += 2
            default: next += 1
            }
        }
        return nil
    }
}
