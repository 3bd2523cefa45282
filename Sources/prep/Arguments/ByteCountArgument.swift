internal import ArgumentParser

/// A number of bytes with an optional unit, such as `134217728`, `128MiB`, `128M` or `1GB`.
struct ByteCountArgument: ExpressibleByArgument {
    let bytes: Int

    private static let bytesPerUnit: [String: Int] = [
        "": 1, "b": 1, "k": 1 << 10, "kib": 1 << 10, "kb": 1_000, "m": 1 << 20, "mib": 1 << 20, "mb": 1_000_000,
        "g": 1 << 30, "gib": 1 << 30, "gb": 1_000_000_000,
    ]

    init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), let unit = Self.bytesPerUnit[argument.dropFirst(digits.count).lowercased()]
        else {
            return nil
        }
        let (bytes, overflows) = number.multipliedReportingOverflow(by: unit)
        guard bytes > 0, !overflows else { return nil }
        self.bytes = bytes
    }

    /// Returns the number of bytes that `argument` is.
    ///
    /// - Throws: `ValidationError` if it is not such a number. `init(argument:)` could not say why.
    static func parse(_ argument: String) throws -> ByteCountArgument {
        guard let count = ByteCountArgument(argument: argument) else {
            throw ValidationError("expected 1 byte or more, such as 134217728, 128MiB or 1GB")
        }
        return count
    }
}
