internal import Ledger
internal import SystemPackage

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Validates manifest lines from a ledger before they are written to a manifest again.
///
/// A planted ledger may contain anything, such as two lines instead of one, or the name of another file.
enum StoredLineValidator {
    /// Returns whether the record's line is a single JSON object that describes the record's own input, output and
    /// verdict.
    ///
    /// The line is scanned rather than decoded, because `JSONDecoder` would take longer than the rest of a run that has
    /// nothing to do. Lines with escaped names are decoded as well.
    static func lineMatchesRecord(_ record: InputRecord) -> Bool {
        let line = record.manifestLine
        guard let members = ManifestMemberRanges(of: line), let verdict = members.verdict,
            unescapedStringContent(line[verdict])?.elementsEqual(record.verdict.utf8) == true
        else { return false }
        if let input = members.input, let name = unescapedStringContent(line[input]), !members.hasBase64Names {
            guard name.elementsEqual(record.inputPath), let output = members.output else { return false }
            guard let expected = record.output?.path else { return line[output].elementsEqual("null".utf8) }
            if let name = unescapedStringContent(line[output]) { return name.elementsEqual(expected) }
        }
        guard let entry = try? JSONDecoder().decode(ManifestEntry.self, from: Data(line)) else { return false }
        return entry.inputPath.bytes == record.inputPath && entry.outputPath?.bytes == record.output?.path
    }

    /// Returns the content of a JSON string without escapes, or `nil` for any other value.
    private static func unescapedStringContent(_ token: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard token.first == UInt8(ascii: "\""), !token.contains(UInt8(ascii: "\\")) else { return nil }
        return token.dropFirst().dropLast()
    }
}

/// The ranges of a manifest line's members, found without decoding their values.
private struct ManifestMemberRanges {
    private(set) var input: Range<Int>?
    private(set) var output: Range<Int>?
    private(set) var verdict: Range<Int>?
    /// Whether the line contains names that are not UTF-8, in Base64.
    private(set) var hasBase64Names = false

    /// Finds the members of a line.
    ///
    /// It returns `nil` unless the bytes are one JSON object in UTF-8 that contains no white space between tokens, no
    /// control characters, and no escapes in the names of its members. It also returns `nil` if one of the recorded
    /// members occurs twice.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    init?(of line: [UInt8]) {
        guard String(validating: line, as: UTF8.self) != nil else { return nil }
        var scanner = JSONScanner(line)
        guard scanner.skipByte(UInt8(ascii: "{")) else { return nil }
        repeat {
            guard let name = scanner.scanString(), scanner.skipByte(UInt8(ascii: ":")) else { return nil }
            let start = scanner.position
            guard scanner.skipValue(depth: 1),
                recordMember(named: line[name].dropFirst().dropLast(), valueRange: start..<scanner.position)
            else {
                return nil
            }
        } while scanner.skipByte(UInt8(ascii: ","))
        guard scanner.skipByte(UInt8(ascii: "}")), scanner.position == line.count else { return nil }
    }

    private static let memberNames = (
        input: Array("input".utf8), output: Array("output".utf8), verdict: Array("verdict".utf8),
        exactSuffix: Array("_base64".utf8)
    )

    private mutating func recordMember(named name: ArraySlice<UInt8>, valueRange value: Range<Int>) -> Bool {
        func set(_ member: inout Range<Int>?) -> Bool {
            defer { member = value }
            return member == nil
        }
        // Comparing lengths first matters: for about fourteen members per line, comparing names took a tenth of a run
        // that has nothing to do.
        switch name.count {
        case 5 where name.elementsEqual(Self.memberNames.input): return set(&input)
        case 6 where name.elementsEqual(Self.memberNames.output): return set(&output)
        case 7 where name.elementsEqual(Self.memberNames.verdict): return set(&verdict)
        case 12, 13: if name.suffix(7).elementsEqual(Self.memberNames.exactSuffix) { hasBase64Names = true }
        default: break
        }
        return !name.contains(UInt8(ascii: "\\"))
    }
}

/// Scans JSON (RFC 8259).
private struct JSONScanner {
    private let bytes: [UInt8]
    private(set) var position = 0

    /// The deepest nesting that is accepted. Manifest lines are nested less deeply.
    private static let maxDepth = 16

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func skipByte(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    mutating func skipValue(depth: Int) -> Bool {
        guard depth < Self.maxDepth, position < bytes.count else { return false }
        switch bytes[position] {
        case UInt8(ascii: "\""): return scanString() != nil
        case UInt8(ascii: "{"): return skipContainer(endingWith: UInt8(ascii: "}"), depth: depth, hasNames: true)
        case UInt8(ascii: "["): return skipContainer(endingWith: UInt8(ascii: "]"), depth: depth, hasNames: false)
        default: return skipScalar()
        }
    }

    private mutating func skipContainer(endingWith end: UInt8, depth: Int, hasNames: Bool) -> Bool {
        position += 1
        if skipByte(end) { return true }
        repeat {
            if hasNames { guard scanString() != nil, skipByte(UInt8(ascii: ":")) else { return false } }
            guard skipValue(depth: depth + 1) else { return false }
        } while skipByte(UInt8(ascii: ","))
        return skipByte(end)
    }

    /// Skips a number, `true`, `false` or `null`. Numbers are not decoded, which took a twentieth of a run that has
    /// nothing to do.
    private mutating func skipScalar() -> Bool {
        for literal in Self.literals where bytes[position] == literal[0] {
            guard bytes[position...].starts(with: literal) else { return false }
            position += literal.count
            return true
        }
        _ = skipByte(UInt8(ascii: "-"))
        let start = position
        guard skipDigits(), bytes[start] != UInt8(ascii: "0") || position == start + 1 else { return false }
        if skipByte(UInt8(ascii: ".")), !skipDigits() { return false }
        guard skipByte(UInt8(ascii: "e")) || skipByte(UInt8(ascii: "E")) else { return true }
        _ = skipByte(UInt8(ascii: "+")) || skipByte(UInt8(ascii: "-"))
        return skipDigits()
    }

    /// Skips digits.
    ///
    /// - Returns: Whether there was at least one digit.
    private mutating func skipDigits() -> Bool {
        let start = position
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            position += 1
        }
        return position > start
    }

    private static let literals = ["true", "false", "null"].map { Array($0.utf8) }
    private static let escapableCharacters = Array("\"\\/bfnrtu".utf8)

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
            UInt8(ascii: "a")...UInt8(ascii: "f"):
            true
        default: false
        }
    }

    /// Scans a string.
    ///
    /// - Returns: The range of the string with its quotation marks, or `nil` if it is invalid.
    mutating func scanString() -> Range<Int>? {
        let start = position
        guard skipByte(UInt8(ascii: "\"")) else { return nil }
        var next = position
        while next < bytes.count, bytes[next] >= 0x20 {
            switch bytes[next] {
            case UInt8(ascii: "\""):
                position = next + 1
                return start..<position
            case UInt8(ascii: "\\"):
                guard next + 1 < bytes.count, Self.escapableCharacters.contains(bytes[next + 1]) else { return nil }
                next += 2
                if bytes[next - 1] == UInt8(ascii: "u") {
                    let digits = bytes[next...].prefix(4)
                    guard digits.count == 4, digits.allSatisfy(Self.isHexDigit) else { return nil }
                    next += 4
                }
            default: next += 1
            }
        }
        return nil
    }
}
