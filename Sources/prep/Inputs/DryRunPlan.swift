internal import SystemPackage

/// What an earlier dry run said would be done, read back: perhaps looked through, shortened or renamed by a person
/// meanwhile.
struct DryRunPlan {
    /// What is to be done. The names of the outputs are the plan's.
    private(set) var inputs = InputList()

    /// - Parameters:
    ///   - path: the dry run's manifest, or `-` for standard input.
    ///   - onCompletedLine: takes the lines of what needs nothing done: they are to be repeated as they are.
    /// - Throws: if it is no manifest, has an input twice, gives two inputs one output, or an output a name out of the
    ///   directory.
    init(path: FilePath, onCompletedLine: (_ entry: ManifestEntry, _ line: [UInt8]) throws -> Void) throws {
        var reader = try ManifestReader(path: path)
        var owners: [OutputNaming.CollisionKey: FilePath] = [:]
        var seen: Set<FilePath> = []
        while let (entry, line) = try reader.nextEntry() {
            guard seen.insert(entry.inputPath).inserted else { throw RunError("the plan has \(entry.inputName) twice") }
            guard let output = entry.outputPath else {
                try onCompletedLine(entry, line)
                continue
            }
            guard output.isConfinedRelativePath else {
                throw RunError(
                    "the plan gives \(entry.inputName) the output \(output), which is not below the output directory")
            }
            if let owner = owners.updateValue(entry.inputPath, forKey: OutputNaming.CollisionKey(output.bytes)) {
                throw RunError("the plan gives \(owner) and \(entry.inputName) the same output \(output)")
            }
            try addInput(for: entry, output: output)
        }
        inputs.sortAndRemoveDuplicates()
    }

    private mutating func addInput(for entry: ManifestEntry, output: FilePath) throws(RunError) {
        let stat = try? entry.inputPath.stat()
        let isAsPlanned = stat == nil || entry.inputBytes == nil || stat?.size == entry.inputBytes.map(Int64.init)
        let change = ManifestDiagnostic(
            code: "changed-since-plan",
            message: "the file doesn't have the \(entry.inputBytes ?? 0) bytes that it had when it was planned")
        try inputs.add(
            path: entry.inputPath.bytes, relativePath: output.bytes, stat: stat, isExplicitlyNamed: true,
            hasPlannedOutputName: true,
            rejectionReason: isAsPlanned ? OutputNaming.reservedNameRejection(for: output.bytes) : change)
    }
}

extension FilePath {
    /// Whether it leads to something below where it begins.
    var isConfinedRelativePath: Bool {
        !isEmpty && isRelative && isLexicallyNormal && components.first?.kind != .parentDirectory
    }
}
