// `unsafe`: memchr, which compares 32 bytes at a time, and memcmp.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension [UInt8] {
    /// Returns the index of the first occurrence of `pattern` at or after `start`, or `nil` if there is none.
    ///
    /// - Complexity: That of memchr between occurrences of the pattern's first byte, which is one byte in 256 of a
    ///   JPEG.
    func firstIndex(of pattern: [UInt8], from start: Int) -> Int? {
        precondition(!pattern.isEmpty && start >= 0)
        return unsafe withUnsafeBytes { bytes in
            unsafe pattern.withUnsafeBytes { pattern in
                guard let base = bytes.baseAddress, let wanted = pattern.baseAddress else { return nil }
                // The last index at which the pattern fits.
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
