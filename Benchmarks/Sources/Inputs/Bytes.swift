extension [UInt8] {
    /// Appends the lowest `bytes` bytes of `value` in big-endian order.
    mutating func appendBigEndian(_ value: Int, bytes: Int) {
        for shift in (0..<bytes).reversed() { append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
    }

    /// Appends the lowest `bytes` bytes of `value` in little-endian order.
    mutating func appendLittleEndian(_ value: Int, bytes: Int) {
        for shift in 0..<bytes { append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
    }
}
