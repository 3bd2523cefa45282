internal import SystemSupport

/// Escapes text of any origin for HTML.
enum HTMLEscaping {
    /// Returns text that is safe as content, or as an attribute's value between quotation marks. Invisible scalars and
    /// bidirectional controls are shown by their code points.
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

    /// Returns at most `length` scalars of the text, escaped, with an ellipsis if it is longer.
    static func escapedPrefix(of text: String, maxLength length: Int = 300) -> String {
        let start = text.unicodeScalars.prefix(length)
        let isWhole = start.endIndex == text.unicodeScalars.endIndex
        return self.escaped(String(start)) + (isWhole ? "" : "…")
    }
}
