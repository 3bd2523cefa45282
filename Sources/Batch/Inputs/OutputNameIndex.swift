/// Finds the inputs of a run by the names that their outputs may get.
///
/// Names are compared by 32 bits of their hashes, so that each of 100,000 possible names takes only 8 bytes. A hash
/// collision merely causes an input to be examined unnecessarily.
struct OutputNameIndex {
    /// The hash of a name in the upper 32 bits, and the position of its input in the lower ones. They are sorted.
    private var claims: [UInt64] = []

    /// Creates the index of those inputs at `positions` that are prepared.
    init(_ inputs: InputList, at positions: some Sequence<Int>) {
        for position in positions where inputs.isToBePrepared(at: position) {
            for name in inputs.possibleOutputNames(at: position) {
                claims.append(Self.hash(of: OutputNaming.CollisionKey(name)) | UInt64(position))
            }
        }
        claims.sort()
    }

    /// The positions of inputs whose outputs may have the same name as that of another input.
    var contestedPositions: Set<Int> {
        var contested: Set<Int> = []
        for (a, b) in zip(claims, claims.dropFirst()) where a >> 32 == b >> 32 && a != b {
            contested.formUnion([a, b].map(Self.position))
        }
        return contested
    }

    /// Returns the positions of the inputs whose outputs may have the given name. They may include other inputs.
    ///
    /// - Complexity: O(log *n*) in the number of inputs.
    func candidates(forOutputNamed name: OutputNaming.CollisionKey) -> [Int] {
        let hash = Self.hash(of: name)
        var low = 0, high = claims.count
        while low < high {
            let middle = (low + high) / 2
            if claims[middle] < hash { low = middle + 1 } else { high = middle }
        }
        return claims[low...].prefix { $0 >> 32 == hash >> 32 }.map(Self.position)
    }

    private static func hash(of name: OutputNaming.CollisionKey) -> UInt64 {
        UInt64(UInt32(truncatingIfNeeded: name.hashValue)) << 32
    }

    private static func position(of claim: UInt64) -> Int { Int(claim & 0xFFFF_FFFF) }
}
