internal import Diagnostics
internal import SystemPackage

/// A plan that was written by an earlier dry run. The user may have reviewed, shortened or edited it since.
struct DryRunPlan {
    /// The inputs to prepare. Their outputs are named by the plan.
    private(set) var inputs = InputList()

    /// Reads a plan.
    ///
    /// - Parameters:
    ///   - path: The manifest of the dry run, or `-` for standard input.
    ///   - onCompletedLine: Called with each line that needs no preparation and is reported unchanged.
    /// - Throws: `BatchError` if the file is not a manifest, its last line is incomplete, an input is listed twice, two
    ///   inputs have the same output, or an output is not below the output directory; the error of `onCompletedLine`;
    ///   `CancellationError`.
    init(path: FilePath, onCompletedLine: (_ entry: ManifestEntry, _ line: [UInt8]) throws -> Void) throws {
        var reader = try ManifestReader(path: path, allowsIncompleteLastLine: false)
        var owners: [OutputNaming.CollisionKey: FilePath] = [:]
        var seen: Set<FilePath> = []
        while let (entry, line) = try reader.nextEntry() {
            try Task.checkCancellation()
            guard seen.insert(entry.inputPath).inserted else {
                throw BatchError(.invalidInput, message: "the plan has \(entry.inputName) twice")
            }
            guard let output = entry.outputPath else {
                try onCompletedLine(entry, line)
                continue
            }
            guard output.isConfinedRelativePath else {
                throw BatchError(
                    .invalidInput,
                    message:
                        "the plan gives \(entry.inputName) the output \(output), which is not below the output "
                        + "directory"
                )
            }
            if let owner = owners.updateValue(entry.inputPath, forKey: OutputNaming.CollisionKey(output.bytes)) {
                throw BatchError(
                    .invalidInput, message: "the plan gives \(owner) and \(entry.inputName) the same output \(output)")
            }
            try addInput(for: entry, output: output)
        }
        inputs.sortAndRemoveDuplicates()
    }

    private mutating func addInput(for entry: ManifestEntry, output: FilePath) throws(BatchError) {
        let stat = try? entry.inputPath.stat()
        let isAsPlanned = stat == nil || entry.inputBytes == nil || stat?.size == entry.inputBytes.map(Int64.init)
        let change = Diagnostic(
            .changedSincePlan,
            message: "the file no longer has the \(entry.inputBytes ?? 0) bytes that it had when it was planned")
        try inputs.add(
            path: entry.inputPath.bytes, relativePath: output.bytes, stat: stat, isExplicitlyNamed: true,
            hasPlannedOutputName: true,
            rejectionReason: isAsPlanned ? OutputNaming.reservedNameRejection(for: output.bytes) : change)
    }
}

extension FilePath {
    /// Whether the path is relative, normalized, and does not leave the directory that it starts in.
    package var isConfinedRelativePath: Bool {
        !isEmpty && isRelative && isLexicallyNormal && components.first?.kind != .parentDirectory
    }
}
