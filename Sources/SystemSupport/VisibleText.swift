extension Unicode.Scalar {
    /// Whether the scalar is a control character, a bidirectional control, a line separator or a zero-width space.
    ///
    /// Joiners are not included, because scripts and emoji need them.
    package var isInvisibleOrControl: Bool {
        switch value {
        case 0...0x1F, 0x7F...0x9F, 0xAD, 0x61C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        default: false
        }
    }

    /// The scalar as an escape, such as `\u{1B}`.
    package var escapedCodePoint: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }
}

extension String {
    /// The text with invisible scalars and line ends escaped, so that it can neither control a terminal nor imitate
    /// another line.
    package var escapingInvisibleScalars: String {
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
