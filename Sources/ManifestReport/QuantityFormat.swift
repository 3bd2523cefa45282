internal import Batch

/// Formats numbers for the report. The format is always English, so that reports are the same on every machine. The
/// page's script contains equivalent functions.
package enum QuantityFormat {
    /// Formats a count with separators: `100,000`.
    static func count(_ value: Int) -> String {
        let digits = Array(String(value.magnitude))
        let groups = stride(from: digits.count, to: 0, by: -3).reversed().map { String(digits[max(0, $0 - 3)..<$0]) }
        return (value < 0 ? "-" : "") + groups.joined(separator: ",")
    }

    /// Formats a size in bytes with about three digits and decimal units: `999 B`, `20.7 kB`, `3.2 MB`.
    static func bytes(_ value: Int, fractionDigits: Int? = nil) -> String {
        if value < 1000 { return "\(value) B" }
        var scaled = Double(value) / 1000
        var units = ["kB", "MB", "GB", "TB"][...]
        while scaled >= 999.5, units.count > 1 {
            scaled /= 1000
            units.removeFirst()
        }
        let fractionDigits = fractionDigits ?? (scaled < 99.95 ? 1 : 0)
        let number =
            fractionDigits == 0
            ? count(Int(saturating: scaled.rounded()))
            : DecimalFormat.string(from: scaled, fractionDigits: fractionDigits)
        return "\(number) \(units.first ?? "")"
    }

    /// Formats a duration in seconds: `7.02 s`, `1:02`, `1:02:03`.
    static func seconds(_ value: Double) -> String {
        if value < 59.995 { return DecimalFormat.string(from: value, fractionDigits: 2) + " s" }
        let whole = Int(saturating: value.rounded())
        let minutes = "\(whole / 60 % 60)", seconds = "\(whole % 60)"
        let padded = seconds.utf8.count < 2 ? "0" + seconds : seconds
        if whole < 3600 { return "\(minutes):\(padded)" }
        return "\(count(whole / 3600)):\(minutes.utf8.count < 2 ? "0" : "")\(minutes):\(padded)"
    }

    /// Formats the percentage by which `after` is less than `before`: `93%`. It is negative if `after` is larger.
    static func percentSaved(from before: Int, to after: Int) -> String {
        guard before > 0 else { return "0%" }
        let share = 100 * (1 - Double(after) / Double(before))
        // 100% is shown only if nothing remains.
        let rounded = after > 0 && share > 99 ? min(share, 99.9) : share
        return rounded > 99 && rounded < 100
            ? DecimalFormat.string(from: rounded, fractionDigits: 1) + "%"
            : count(Int(saturating: rounded.rounded())).replacingHyphenWithMinusSign + "%"
    }
}

extension String {
    /// The text with a leading hyphen replaced by a minus sign, which is as wide as a digit.
    fileprivate var replacingHyphenWithMinusSign: String { hasPrefix("-") ? "\u{2212}" + dropFirst() : self }
}
