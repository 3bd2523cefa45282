internal import AudioProbe
internal import Ledger
internal import MediaPrep
internal import SystemPackage

/// Writes prepared files to the output directory and passes the results to the committer.
struct OutputSink: MediaResultSink {
    let inputs: InputList
    /// The positions in `inputs` of the pipeline's inputs, in the order of the pipeline.
    let inputPositions: [UInt32]
    let outputDirectory: OutputDirectory
    let committer: OutputCommitter
    /// Whether outputs get the modification times of their inputs.
    let keepsDates: Bool

    func receiveResult(_ result: MediaResult) async throws {
        let input = inputs[Int(inputPositions[result.index])]
        var line = ManifestLine(input: input, result: result)
        let stamp = line.isReproducible ? result.fileVersion.map(FileStamp.init) : nil
        do {
            let draft = try writeDraft(for: result, input: input)
            if let draft { line.recordDraft(draft) }
            try committer.enqueue(PendingOutput(manifestLine: line, draft: draft, inputStamp: stamp))
        } catch let reason as ManifestDiagnostic {
            line.markUnwritten(reason: reason)
            try committer.enqueue(PendingOutput(manifestLine: line))
        }
    }

    private func writeDraft(for result: MediaResult, input: DiscoveredInput) throws -> OutputDirectory.Draft? {
        let modified = keepsDates ? result.fileVersion?.modificationNanoseconds : nil
        // The permissions of the file that was read, restricted to those of the file that was found.
        let opened = result.fileVersion.map { FilePermissions(rawValue: CInterop.Mode($0.permissions)) }
        let permissions = opened.map(input.filePermissions.intersection) ?? input.filePermissions
        switch result.outcome {
        case .image(let image):
            return try outputDirectory.writeDraft(
                for: input.imageOutputPath, modificationTime: modified, inputPermissions: permissions
            ) { write in
                try write([UInt8](image.data))
            }
        case .audio(let audio):
            return try outputDirectory.writeDraft(
                for: input.audioOutputPath, modificationTime: modified, inputPermissions: permissions
            ) { write in
                try audio.forEachChunk(write)
            }
        case .rejectedAudio, .failure: return nil
        }
    }
}

extension ManifestLine {
    /// Whether the result depends only on the input and the options.
    fileprivate var isReproducible: Bool {
        verdict != .failed && !reasons.contains { $0.code == MediaError.Code.maxMemoryExceeded.rawValue }
    }

    fileprivate mutating func recordDraft(_ draft: OutputDirectory.Draft) {
        output = draft.outputPath
        outputBytes = Int(draft.byteCount)
        sha256 = draft.sha256
    }

    /// Replaces the result of an output that cannot be written.
    mutating func markUnwritten(reason: ManifestDiagnostic) {
        verdict = ["overwrites-input", "reserved-name"].contains(reason.code) ? .rejected : .failed
        reasons = [reason]
        output = nil
        outputBytes = nil
        sha256 = nil
    }
}

extension FileStamp {
    fileprivate init(_ version: FileVersion) {
        self.init(
            size: version.size, modifiedNanoseconds: version.modificationNanoseconds,
            changedNanoseconds: version.statusChangeNanoseconds, inode: version.inode)
    }
}
