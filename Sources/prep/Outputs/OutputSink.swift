internal import AudioProbe
internal import Ledger
internal import MediaPrep
internal import SystemPackage

/// Writes what is ready below the output directory, and hands it to the committer.
struct OutputSink: MediaResultSink {
    let inputs: InputList
    /// Which inputs are being prepared: the positions of those that the pipeline counts from 0.
    let positions: [UInt32]
    let directory: OutputDirectory
    let committer: Committer
    /// Whether outputs have the time of their input's last change.
    let keepsDates: Bool

    func receiveResult(_ result: MediaResult) async throws {
        let input = inputs[Int(positions[result.index])]
        var line = ManifestLine(input, result)
        let stamp = line.isSettled ? result.fileVersion.map(FileStamp.init) : nil
        do {
            let draft = try write(result, of: input)
            if let draft { line.add(draft) }
            try committer.add(Finished(line: line, draft: draft, stamp: stamp))
        } catch let reason as Reason {
            line.fail(reason)
            try committer.add(Finished(line: line))
        }
    }

    private func write(_ result: MediaResult, of input: Input) throws -> OutputDirectory.Draft? {
        let modified = keepsDates ? result.fileVersion?.modificationNanoseconds : nil
        // Those of the file that was read, and never more than those of the file that was found.
        let opened = result.fileVersion.map { FilePermissions(rawValue: CInterop.Mode($0.permissions)) }
        let permissions = opened.map(input.permissions.intersection) ?? input.permissions
        switch result.outcome {
        case .image(let image):
            return try directory.draft(input.imageOutput, modified: modified, inputPermissions: permissions) { write in
                try write([UInt8](image.data))
            }
        case .audio(let audio):
            return try directory.draft(
                input.recordingOutput, modified: modified, inputPermissions: permissions
            ) { write in
                try audio.forEachChunk(write)
            }
        case .rejectedAudio, .failure: return nil
        }
    }
}

extension ManifestLine {
    /// Whether the input and the options alone decided it.
    fileprivate var isSettled: Bool {
        verdict != .failed && !reasons.contains { $0.code == MediaError.Code.maxMemoryExceeded.rawValue }
    }

    fileprivate mutating func add(_ draft: OutputDirectory.Draft) {
        output = draft.name
        outputBytes = Int(draft.size)
        sha256 = draft.sha256
    }

    /// Takes back what was said of an output that can't be written.
    mutating func fail(_ reason: Reason) {
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
