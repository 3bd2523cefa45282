internal import Diagnostics
internal import Ledger
internal import SystemPackage
internal import SystemSupport

/// The outputs that earlier runs wrote for inputs that are not part of this run, and whose names inputs of this run
/// would take.
///
/// Replacing such an output would lose the result of the other input, or what someone has made of it since, and no
/// manifest would show it. It is replaced only if the other input is the same file: under another path, or moved, so
/// that the earlier path is gone and the size and modification time are the same.
///
/// A missing input is not a sign that its output is unneeded. The input may be on a disk that is not mounted, or its
/// path may be relative to another working directory.
struct OtherInputsOutputs {
    private struct Output {
        var name: OutputNaming.CollisionKey
        var path: FilePath
        var input: FilePath
        /// Whether the output is still the file that was written for `input`.
        var isUnchanged: Bool
    }

    private let inputs: InputList
    private let inputPositions: [Int]
    /// The path of the output directory, followed by a slash.
    private let outputDirectory: [UInt8]
    /// The index of the inputs, which most runs do not need.
    private lazy var index = OutputNameIndex(inputs, at: inputPositions)
    /// The outputs that must not be replaced, keyed by the positions of the inputs that might do so.
    private var outputsByPosition: [Int: [Output]] = [:]

    /// Creates a collection without outputs.
    ///
    /// - Parameters:
    ///   - inputs: The inputs of the run.
    ///   - positions: The positions of the inputs to consider.
    ///   - directory: The path of the output directory, followed by a slash.
    init(inputs: InputList, inputPositions positions: [Int], outputDirectory directory: [UInt8]) {
        self.inputs = inputs
        inputPositions = positions
        outputDirectory = directory
    }

    /// Adds the output of an input that is not part of this run, unless it may be replaced.
    mutating func insertOutput(of record: InputRecord) {
        guard let output = record.output, let path = FilePath(bytes: output.path),
            let owner = FilePath(bytes: record.inputPath)
        else { return }
        let name = OutputNaming.CollisionKey(output.path)
        for position in index.candidates(forOutputNamed: name) {
            guard inputs.possibleOutputNames(at: position).map(OutputNaming.CollisionKey.init).contains(name),
                let file = FileSystem.stat(outputDirectory + output.path), !isSameInput(record, at: position)
            else { continue }
            outputsByPosition[position, default: []].append(
                Output(name: name, path: path, input: owner, isUnchanged: output.isUnchanged(file)))
        }
    }

    /// Returns the reason for which the input at `position` must not be prepared, or `nil` if it may be.
    ///
    /// - Parameters:
    ///   - position: The position of an input that is not up to date.
    ///   - findRecord: Returns the record of that input, or `nil` if there is none. It is called only if the input
    ///     would replace an output.
    func rejectionReason(
        at position: Int, findRecord: (_ inputPath: [UInt8]) throws -> InputRecord?
    ) rethrows -> Diagnostic? {
        guard let outputs = outputsByPosition[position], let name = inputs.outputKey(at: position),
            let other = outputs.first(where: { $0.name == name })
        else { return nil }
        // The output may have been written for this input since, with the same size and date.
        let record = try findRecord(Array(inputs.pathBytes(at: position)))
        if let own = record?.output, OutputNaming.CollisionKey(own.path) == name,
            (FileSystem.stat(outputDirectory + own.path).map(own.isUnchanged) ?? false) || !other.isUnchanged
        {
            return nil
        }
        return .earlierOutputCollision(with: other.path, of: other.input)
    }

    /// Returns whether the input at `position` is the file that was read for `record`.
    private func isSameInput(_ record: InputRecord, at position: Int) -> Bool {
        if let recorded = FileSystem.stat(record.inputPath) {
            return FileIdentity(recorded) == inputs.fileIdentity(at: position)
        }
        return inputs.fileVersion(at: position)?.isUnchanged(since: record.fileVersion, ignoringInode: true) ?? false
    }
}

extension InputRecord.OutputFile {
    /// Returns whether `file` still has the size and modification time that the output was written with.
    func isUnchanged(_ file: Stat) -> Bool {
        let version = FileVersion(file)
        return version.size == size && version.modifiedNanoseconds == modifiedNanoseconds
    }
}

extension Diagnostic {
    fileprivate static func earlierOutputCollision(with output: FilePath, of input: FilePath) -> Diagnostic {
        Diagnostic(
            .nameCollision,
            message: "its output would replace \(output), the output of \(input) from an earlier run: choose another "
                + "output directory, or remove that output")
    }
}
