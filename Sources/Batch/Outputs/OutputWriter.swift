internal import AudioProbe
internal import Diagnostics
internal import MediaPrep
internal import SystemPackage
internal import SystemSupport

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Writes prepared files to the output directory and passes the results to the committer.
struct OutputWriter: MediaResultSink {
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
        let version = line.isReproducible ? result.fileStatus?.version : nil
        do {
            var draft = try writeDraft(for: result, input: input)
            draft?.protectsExistingFile = input.protectsExistingOutput
            if let draft { line.recordDraft(draft) }
            var output = PendingOutput(manifestLine: line, draft: draft, inputVersion: version)
            output.isPreliminary = line.dependsOnMissingLibrary
            try committer.enqueue(output)
        } catch let rejection as OutputRejection {
            line.markUnwritten(reason: rejection.reason)
            try committer.enqueue(PendingOutput(manifestLine: line))
        }
    }

    private func writeDraft(for result: MediaResult, input: DiscoveredInput) throws -> OutputDirectory.Draft? {
        let modified = keepsDates ? result.fileStatus?.version.modifiedNanoseconds : nil
        // The permissions of the file that was read, restricted to those of the file that was found.
        let opened = result.fileStatus.map { FilePermissions(rawValue: CInterop.Mode($0.permissions)) }
        let permissions = opened.map(input.filePermissions.intersection) ?? input.filePermissions
        switch result.outcome {
        case .image(let image):
            return try outputDirectory.writeDraft(
                for: input.imageOutputPath, modificationTime: modified, inputPermissions: permissions
            ) { write in
                try write(image.data.span)
            }
        case .audio(let audio):
            return try outputDirectory.writeDraft(
                for: input.audioOutputPath, modificationTime: modified, inputPermissions: permissions
            ) { write in
                try audio.forEachChunk { chunk in
                    // `Array.span` needs macOS 26, that of a slice does not.
                    let bytes = chunk[...]
                    try write(bytes.span)
                }
            }
        case .rejectedImage, .rejectedAudio, .failure: return nil
        }
    }
}

extension ManifestLine {
    /// Whether the result depends only on the input and the options.
    fileprivate var isReproducible: Bool {
        verdict != .failed && !reasons.contains { $0.code.rawValue == MediaError.Code.maxMemoryExceeded.rawValue }
    }

    /// Whether the result may be another one after a library is installed.
    fileprivate var dependsOnMissingLibrary: Bool { warnings.contains { $0.code == .colorConverterUnavailable } }

    fileprivate mutating func recordDraft(_ draft: OutputDirectory.Draft) {
        output = draft.outputPath
        outputBytes = Int(draft.byteCount)
        sha256 = draft.sha256
    }

    /// Replaces the result of an output that cannot be written.
    mutating func markUnwritten(reason: Diagnostic) {
        verdict = [.overwritesInput, .reservedName, .nameCollision].contains(reason.code) ? .rejected : .failed
        reasons = [reason]
        output = nil
        outputBytes = nil
        sha256 = nil
    }
}
