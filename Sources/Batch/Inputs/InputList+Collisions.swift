internal import Diagnostics
internal import MediaPrep
internal import SystemPackage

extension InputList {
    /// Rejects inputs that would have the same output as an earlier input, or the name of a directory of other outputs.
    ///
    /// The input that comes first in byte order keeps its output. A file that is neither media nor expected to be media
    /// has no output, and therefore takes part in no collision. Only files that might collide are opened.
    mutating func rejectOutputCollisions() {
        let directories = outputDirectories
        var owners: [OutputNaming.CollisionKey: Int] = [:]
        for index in collisionCandidates(outputDirectories: directories) {
            guard let key = outputKey(at: index) else { continue }
            if directories.contains(key) {
                reject(at: index, reason: .outputDirectoryCollision)
            } else if let owner = owners[key] {
                reject(at: index, reason: .outputNameCollision(with: self[owner].path))
            } else {
                owners[key] = index
            }
        }
    }

    /// Gives inputs that would have the same output as an earlier input, or the name of a directory of other outputs,
    /// an output in a directory of their own.
    ///
    /// This serves outputs that are removed after the upload.
    mutating func separateOutputCollisions() throws(BatchError) {
        let directories = outputDirectories
        let candidates = collisionCandidates(outputDirectories: directories)
        if candidates.isEmpty { return }
        var topLevelNames = directories
        for index in 0..<count {
            let names = possibleOutputNames(at: index).filter { !$0.contains(UInt8(ascii: "/")) }
            topLevelNames.formUnion(names.map(OutputNaming.CollisionKey.init))
        }
        var owned: Set<OutputNaming.CollisionKey> = []
        var number = 1
        for index in candidates {
            guard let key = outputKey(at: index) else { continue }
            if !directories.contains(key), owned.insert(key).inserted { continue }
            var directory: [UInt8]
            repeat {
                number += 1
                directory = Array("\(number)".utf8)
            } while !topLevelNames.insert(OutputNaming.CollisionKey(directory)).inserted
            try setRelativePath(directory + [UInt8(ascii: "/")] + relativePathBytes(at: index), at: index)
        }
    }

    /// Returns the key of the output's name, or `nil` if the input has no output.
    ///
    /// The file is opened, because the name depends on the kind of media.
    func outputKey(at index: Int) -> OutputNaming.CollisionKey? {
        let input = self[index]
        let content = input.detectedMediaKind
        if content == nil && !input.isExpectedToBeMedia { return nil }
        let name = content == .audio ? input.audioOutputPath : input.imageOutputPath
        return OutputNaming.CollisionKey(name.bytes)
    }

    /// Returns the positions of inputs that may have the same output as another, or the name of a directory, in
    /// ascending order.
    private func collisionCandidates(outputDirectories directories: Set<OutputNaming.CollisionKey>) -> [Int] {
        let index = OutputNameIndex(self, at: 0..<count)
        return index.contestedPositions.union(directories.flatMap(index.candidates)).sorted()
    }

    /// The directories that may contain outputs, and their parents.
    private var outputDirectories: Set<OutputNaming.CollisionKey> {
        var directories: Set<OutputNaming.CollisionKey> = []
        var last: ArraySlice<UInt8> = []
        for index in 0..<count {
            var rest = relativePathBytes(at: index)
            guard let slash = rest.lastIndex(of: UInt8(ascii: "/")) else { continue }
            rest = rest[..<slash]
            // Inputs are sorted, so those of one directory are usually adjacent.
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

extension Diagnostic {
    static func outputNameCollision(with owner: FilePath) -> Diagnostic {
        Diagnostic(.nameCollision, message: "its output would have the same name as the output of \(owner)")
    }

    fileprivate static let outputDirectoryCollision = Diagnostic(
        .nameCollision, message: "its output would have the name of a directory that contains other outputs")
}
