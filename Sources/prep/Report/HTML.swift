/// Text that is safe in a page, wherever it came from.
enum HTML {
    /// As text, or as an attribute's value between quotation marks. What can't be seen, or turns the direction of what
    /// follows, is shown by its number.
    static func text(_ text: String) -> String {
        var safe = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": safe += "&amp;"
            case "<": safe += "&lt;"
            case ">": safe += "&gt;"
            case "\"": safe += "&quot;"
            case "'": safe += "&#39;"
            case _ where isInvisible(scalar): safe += "\\u{\(String(scalar.value, radix: 16))}"
            default: safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }

    /// The same, and no longer than a reader wants.
    static func clipped(_ text: String, to length: Int = 300) -> String {
        let start = text.unicodeScalars.prefix(length)
        let isWhole = start.endIndex == text.unicodeScalars.endIndex
        return self.text(String(start)) + (isWhole ? "" : "…")
    }

    /// Controls, the marks that turn the direction of text, line separators, and spaces of no width. Joiners are left: scripts
    /// and emoji need them.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0xAD, 0x61C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        default: false
        }
    }
}
