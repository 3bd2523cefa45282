extension [UInt8] {
    /// Appends the lowest `bytes` bytes of `value`, the highest of them first.
    mutating func appendBig(_ value: Int, bytes: Int) {
        for shift in (0..<bytes).reversed() { append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
    }

    /// Appends the lowest `bytes` bytes of `value`, the lowest of them first.
    mutating func appendLittle(_ value: Int, bytes: Int) {
        for shift in 0..<bytes { append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
    }
}
