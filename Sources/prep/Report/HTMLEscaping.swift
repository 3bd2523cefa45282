/// Text that is safe in a page, wherever it came from.
enum HTMLEscaping {
    /// As text, or as an attribute's value between quotation marks. What can't be seen, or turns the direction of what
    /// follows, is shown by its number.
    static func escaped(_ text: String) -> String {
        var safe = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": safe += "&amp;"
            case "<": safe += "&lt;"
            case ">": safe += "&gt;"
            case "\"": safe += "&quot;"
            case "'": safe += "&#39;"
            case _ where scalar.isInvisibleOrControl: safe += scalar.escapedCodePoint
            default: safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }

    /// The same, and no longer than a reader wants.
    static func escapedPrefix(of text: String, maxLength length: Int = 300) -> String {
        let start = text.unicodeScalars.prefix(length)
        let isWhole = start.endIndex == text.unicodeScalars.endIndex
        return self.escaped(String(start)) + (isWhole ? "" : "…")
    }
}
