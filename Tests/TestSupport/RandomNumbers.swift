/// Seeded random numbers, the same on every machine and in every release of the toolchain.
///
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014): SplitMix64.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A generator whose numbers follow from `seed` alone.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number of `range`. Unlike `Int.random`, whose method the standard library may change, it stays the same.
    public mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    /// `count` bytes.
    public mutating func bytes(count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 7)
        while bytes.count < count {
            let bits = next()
            for shift: UInt64 in [0, 8, 16, 24, 32, 40, 48, 56] {
                bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
            }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
