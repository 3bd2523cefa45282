// `unsafe`: memchr, which looks at 32 bytes at a time, and memcmp.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension [UInt8] {
    /// Where `pattern` first begins at `start` or later; nil if it doesn't.
    ///
    /// - Complexity: memchr's for what doesn't hold the pattern's first byte, which in a photograph is one byte in 256.
    func firstIndex(of pattern: [UInt8], from start: Int) -> Int? {
        precondition(!pattern.isEmpty && start >= 0)
        return unsafe withUnsafeBytes { bytes in
            unsafe pattern.withUnsafeBytes { pattern in
                guard let base = bytes.baseAddress, let wanted = pattern.baseAddress else { return nil }
                // The last place at which it would fit.
                let last = bytes.count - pattern.count
                let first = unsafe CInt(pattern[0])
                var index = start
                while index <= last {
                    guard let hit = unsafe memchr(base + index, first, last - index + 1) else { return nil }
                    index = unsafe UnsafeRawPointer(hit) - base
                    if unsafe memcmp(hit, wanted, pattern.count) == 0 { return index }
                    index += 1
                }
                return nil
            }
        }
    }
}
