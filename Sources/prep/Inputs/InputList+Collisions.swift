internal import MediaPrep
internal import SystemPackage

extension InputList {
    /// Of two inputs with one output, the one whose path comes first in byte order has it. A file that nobody would
    /// take for media gives way: it has no output. So does one whose output would have the name of a directory of
    /// others'. Only files that might collide are looked into.
    mutating func rejectOutputCollisions() {
        let directories = outputDirectories
        var owners: [OutputNaming.CollisionKey: Int] = [:]
        for index in collisionCandidates(outputDirectories: directories) {
            let input = self[index]
            let content = input.detectedMediaKind
            if content == nil && !input.isExpectedToBeMedia { continue }
            let name = content == .audio ? input.audioOutputPath : input.imageOutputPath
            let key = OutputNaming.CollisionKey(name.bytes)
            if directories.contains(key) {
                reject(at: index, reason: .outputDirectoryCollision)
            } else if let owner = owners[key] {
                reject(at: index, reason: .outputNameCollision(with: self[owner].path))
            } else {
                owners[key] = index
            }
        }
    }

    /// Those of which another may come to have the same output, in order.
    ///
    /// By 32 bits of a hash, so that each claim of a hundred thousand inputs takes 8 bytes: a few are looked into in
    /// vain.
    private func collisionCandidates(outputDirectories directories: Set<OutputNaming.CollisionKey>) -> [Int] {
        var claims: [UInt64] = []
        var contested: Set<Int> = []
        for index in 0..<count where !isRejected(at: index) {
            for key in possibleOutputNames(at: index).map(OutputNaming.CollisionKey.init) {
                claims.append(UInt64(UInt32(truncatingIfNeeded: key.hashValue)) << 32 | UInt64(index))
                if directories.contains(key) { contested.insert(index) }
            }
        }
        claims.sort()
        for (a, b) in zip(claims, claims.dropFirst()) where a >> 32 == b >> 32 && a != b {
            contested.formUnion([a, b].map { Int($0 & 0xFFFF_FFFF) })
        }
        return contested.sorted()
    }

    /// The directories that outputs may lie in, with those above them.
    private var outputDirectories: Set<OutputNaming.CollisionKey> {
        var directories: Set<OutputNaming.CollisionKey> = []
        var last: ArraySlice<UInt8> = []
        for index in 0..<count {
            var rest = relativePathBytes(at: index)
            guard let slash = rest.lastIndex(of: UInt8(ascii: "/")) else { continue }
            rest = rest[..<slash]
            // Inputs of one directory mostly follow one another.
            if rest.elementsEqual(last) { continue }
            last = rest
            while directories.insert(OutputNaming.CollisionKey(Array(rest))).inserted {
                guard let slash = rest.lastIndex(of: UInt8(ascii: "/")) else { break }
                rest = rest[..<slash]
            }
        }
        return directories
    }
}

extension ManifestDiagnostic {
    static func outputNameCollision(with owner: FilePath) -> ManifestDiagnostic {
        ManifestDiagnostic(code: "name-collision", message: "its output would have the name of that of \(owner)")
    }

    fileprivate static let outputDirectoryCollision = ManifestDiagnostic(
        code: "name-collision", message: "its output would have the name of a directory that others' outputs lie in")
}
