internal import Batch

/// Writes compact JSON that is safe inside a `<script>` element.
///
/// `JSONEncoder` takes seconds for 100,000 rows. It also cannot escape `<`, which must not appear because a name may be
/// `</script>`.
struct ScriptSafeJSONWriter {
    /// A number that is written with three decimals.
    struct ThreeDecimalNumber {
        var value: Double
        init(_ value: Double) { self.value = value }
    }

    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Appends an array with the values that `content` appends.
    mutating func appendArray(_ content: (inout ScriptSafeJSONWriter) -> Void) {
        beginValue(with: UInt8(ascii: "["))
        content(&self)
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    mutating func append(_ value: Int?) { appendLiteral(value.map(String.init) ?? "null") }

    mutating func append(_ value: ThreeDecimalNumber?) {
        appendLiteral(value.map { DecimalFormat.string(from: $0.value, fractionDigits: 3) } ?? "null")
    }

    mutating func append(_ text: String) {
        beginValue(with: UInt8(ascii: "\""))
        if text.utf8.allSatisfy(Self.needsNoEscape) {
            bytes += text.utf8
        } else {
            for scalar in text.unicodeScalars { append(scalar) }
        }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Returns whether a byte of UTF-8 needs no escape. 0xE2 may start a line separator.
    private static func needsNoEscape(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x22 && byte != 0x3C && byte != 0x5C && byte != 0x7F && byte != 0xE2
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(scalar.value)]
        // Control characters, a character that can end or comment out a script, and line separators that old scripts
        // reject.
        case "\0"..<" ", "<", "\u{7F}", "\u{2028}", "\u{2029}":
            let digits = String(scalar.value, radix: 16)
            bytes += "\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8
        default: bytes += String(scalar).utf8
        }
    }

    private mutating func appendLiteral(_ literal: String) {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        bytes += literal.utf8
        needsComma = true
    }

    private mutating func beginValue(with byte: UInt8) {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        bytes.append(byte)
        needsComma = false
    }
}
