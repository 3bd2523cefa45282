internal import MediaPrep
internal import SystemPackage

extension InputList {
    /// Of two inputs with one output, the one whose path comes first in byte order has it. A file that nobody would take
    /// for media gives way: it has no output. Only files that might collide are looked into.
    mutating func refuseCollisions() {
        var owners: [OutputName.CollisionKey: Int] = [:]
        for index in contested {
            let input = self[index]
            let content = input.content
            if content == nil && !input.isExpected { continue }
            let name = content == .recording ? input.recordingOutput : input.imageOutput
            let key = OutputName.CollisionKey(name.bytes)
            if let owner = owners[key] {
                refuse(at: index, .nameCollision(with: self[owner].path))
            } else {
                owners[key] = index
            }
        }
    }

    /// Those of which another may come to have the same output, in order.
    ///
    /// By 32 bits of a hash, so that each claim of a hundred thousand inputs takes 8 bytes: a few are looked into in vain.
    private var contested: [Int] {
        var claims: [UInt64] = []
        for index in 0..<count where !isRefused(at: index) {
            for name in outputs(at: index) {
                let hash = OutputName.CollisionKey(name).hashValue
                claims.append(UInt64(UInt32(truncatingIfNeeded: hash)) << 32 | UInt64(index))
            }
        }
        claims.sort()
        var contested: Set<Int> = []
        for (a, b) in zip(claims, claims.dropFirst()) where a >> 32 == b >> 32 && a != b {
            contested.formUnion([a, b].map { Int($0 & 0xFFFF_FFFF) })
        }
        return contested.sorted()
    }
}

extension Reason {
    static func nameCollision(with owner: FilePath) -> Reason {
        Reason(code: "name-collision", message: "its output would have the name of that of \(owner)")
    }
}
