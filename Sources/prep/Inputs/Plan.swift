internal import SystemPackage

/// What an earlier dry run said would be done, read back: perhaps looked through, shortened or renamed by a person meanwhile.
struct Plan {
    /// What is to be done. The names of the outputs are the plan's.
    private(set) var inputs = InputList()

    /// - Parameters:
    ///   - path: the dry run's manifest, or `-` for standard input.
    ///   - settled: takes the lines of what needs nothing done: they are to be repeated as they are.
    /// - Throws: if it is no manifest, has an input twice, gives two inputs one output, or an output a name out of the directory.
    init(_ path: FilePath, settled: (_ entry: ManifestEntry, _ line: [UInt8]) throws -> Void) throws {
        var reader = try ManifestReader(path)
        var owners: [OutputName.CollisionKey: FilePath] = [:]
        var seen: Set<FilePath> = []
        while let (entry, line) = try reader.next() {
            guard seen.insert(entry.inputPath).inserted else { throw RunError("the plan has \(entry.input) twice") }
            guard let output = entry.outputPath else {
                try settled(entry, line)
                continue
            }
            guard output.isInside else {
                throw RunError(
                    "the plan gives \(entry.input) the output \(output), which is not below the output directory")
            }
            if let owner = owners.updateValue(entry.inputPath, forKey: OutputName.CollisionKey(output.bytes)) {
                throw RunError("the plan gives \(owner) and \(entry.input) the same output \(output)")
            }
            try add(entry, output)
        }
        inputs.arrange()
    }

    private mutating func add(_ entry: ManifestEntry, _ output: FilePath) throws(RunError) {
        let stat = try? entry.inputPath.stat()
        let isAsPlanned = stat == nil || entry.inputBytes == nil || stat?.size == entry.inputBytes.map(Int64.init)
        let change = Reason(
            code: "changed-since-plan",
            message: "the file doesn't have the \(entry.inputBytes ?? 0) bytes that it had when it was planned")
        try inputs.add(
            path: entry.inputPath.bytes, relative: output.bytes, stat, isNamed: true, isPlanned: true,
            refusal: isAsPlanned ? OutputName.refusal(of: output.bytes) : change)
    }
}

extension FilePath {
    /// Whether it leads to something below where it begins.
    var isInside: Bool {
        !isEmpty && isRelative && isLexicallyNormal && components.first?.kind != .parentDirectory
    }
}
