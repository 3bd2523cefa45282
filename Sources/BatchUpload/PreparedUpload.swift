internal import AudioProbe
internal import Batch
internal import HTTPCalls
internal import Ledger
internal import MediaPrep
internal import MultipartBody
internal import SystemPackage
internal import SystemSupport
internal import Uploading

/// A prepared file to upload, with its manifest line.
struct PreparedUpload: UploadItemConvertible {
    var uploadItem: UploadItem
    /// The manifest line before the upload.
    var line: UploadLine
    /// The result of the preparation, as the run's summary counts it.
    var resultSummary: ResultSummary
    var lineSource: BatchSummary.LineSource
    /// The path of the prepared file.
    var filePath: FilePath
    /// The path of the prepared file relative to the output directory.
    var relativeOutputPath: FilePath
}

/// Creates upload items from manifest entries.
struct PreparedUploadBuilder: Sendable {
    /// The directory that output paths are relative to.
    var outputDirectory: FilePath
    /// Whether files are uploaded under their own names.
    var sendsOriginalNames: Bool
    /// The pets that audio files belong to, or `nil` for backends without pets.
    var petTable: PetTable?
    /// The digests of the files that earlier versions of the program prepared from the inputs.
    var earlierDigests: EarlierDigests

    /// Returns the upload for a manifest entry.
    ///
    /// - Parameters:
    ///   - entry: The members of the manifest line.
    ///   - line: The manifest line.
    ///   - source: The run that the line is from.
    /// - Returns: The upload, or `nil` if the entry has no prepared output. If the entry was uploaded and its output
    ///   was not kept, the item is not available: the journal decides whether this server has it.
    /// - Throws: `BatchError` if an output path leaves the directory or leads through a symbolic link, the entry has no
    ///   digest, or the ledger cannot be read.
    func makeUpload(
        for entry: ManifestEntry, line: UploadLine, source: BatchSummary.LineSource
    ) throws(BatchError) -> PreparedUpload? {
        guard entry.verdict?.isPrepared == true, entry.outputPath != nil || entry.isWithServer else { return nil }
        let output = entry.outputPath ?? ""
        guard output.isEmpty || output.isConfinedRelativePath else {
            throw BatchError(
                .invalidInput, message: "the manifest lists the output \(output), which is not below its directory")
        }
        guard let sha256 = entry.sha256, sha256.utf8.count == 64 else {
            throw BatchError(.invalidInput, message: "the manifest has no digest of \(entry.inputName)")
        }
        try checkNoSymbolicLinks(onPathTo: output)
        let path = outputDirectory.pushing(output)
        let media = Self.mimeTypeAndFilename(for: entry)
        let found = FileSystem.stat(path.bytes).map(FileVersion.init)
        // A missing or changed file is detected when it is read.
        let version = FileVersion(
            size: entry.outputBytes.map(Int64.init) ?? found?.size ?? 0,
            modifiedNanoseconds: found?.modifiedNanoseconds ?? 0, changedNanoseconds: found?.changedNanoseconds ?? 0,
            inode: found?.inode ?? 0)
        let name = sendsOriginalNames ? output.lastComponent?.string ?? media.filename : media.filename
        var item = UploadItem(
            name: entry.inputName, path: path.bytes, version: version, sha256: sha256, mediaType: media.type,
            filename: name, durationSeconds: entry.audio?.durationSeconds,
            fields: petTable?.formFields(forFile: entry.inputPath) ?? [])
        item.isAvailable = entry.outputPath != nil
        item.earlierDigests = try earlierDigests.digests(
            forInput: entry.inputPath, currentDigest: item.sha256)
        return PreparedUpload(
            uploadItem: item, line: line, resultSummary: ResultSummary(entry), lineSource: source,
            filePath: path, relativeOutputPath: output)
    }

    /// Rejects an output that is a symbolic link, or is in a directory that is one.
    ///
    /// Otherwise, a foreign manifest could cause any file to be sent: the digest is compared only at the end, when all
    /// but the last bytes have left. A missing file is detected when it is read.
    private func checkNoSymbolicLinks(onPathTo output: FilePath) throws(BatchError) {
        do throws(Errno) {
            guard let name = output.lastComponent else { return }
            let parent = try DirectoryHandle(outputDirectory).openSubdirectory(at: output.removingLastComponent())
            if try parent.stat(name).type == .symbolicLink { throw .tooManySymbolicLinkLevels }
        } catch .tooManySymbolicLinkLevels {
            throw BatchError(
                .invalidInput,
                message:
                    "the output \(outputDirectory.pushing(output)) is a symbolic link, or in a directory that is one")
        } catch {}
    }

    /// Returns the media type and the anonymous file name under which a prepared file is uploaded.
    private static func mimeTypeAndFilename(for entry: ManifestEntry) -> (type: String, filename: String) {
        guard entry.kind == .audio else { return ("image/jpeg", "image.jpg") }
        let type = MediaType(
            container: AudioContainer(rawValue: entry.format ?? ""),
            codec: entry.audio?.codec.map(AudioCodec.init(rawValue:)),
            hasVideo: entry.audio?.mimeType?.hasPrefix("video/") ?? false)
        return (type.mimeType, "recording.\(type.fileExtension)")
    }
}

extension ManifestEntry {
    /// Whether no preparation is missing: the entry has a prepared file, is already uploaded, or has nothing to upload.
    var isSendable: Bool { verdict.map { !$0.isPrepared || outputPath != nil || isWithServer } ?? false }

    /// Whether a server acknowledged the file.
    fileprivate var isWithServer: Bool { upload?.isWithServer ?? false }
}
