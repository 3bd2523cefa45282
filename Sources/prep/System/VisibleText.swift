extension Unicode.Scalar {
    /// Whether it is a control, a mark that turns the direction of text, a line separator or a space of no width.
    /// Joiners are none of these: scripts and emoji need them.
    var isInvisibleOrControl: Bool {
        switch value {
        case 0...0x1F, 0x7F...0x9F, 0xAD, 0x61C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        default: false
        }
    }

    /// Its number, such as `\u{1B}`.
    var escapedCodePoint: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }
}

extension String {
    /// The text with its invisible scalars shown by their numbers, line ends included: it can neither control a
    /// terminal nor pretend to be another line.
    var escapingInvisibleScalars: String {
        guard unicodeScalars.contains(where: \.isInvisibleOrControl) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isInvisibleOrControl {
                text += scalar.escapedCodePoint
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}
