internal import AudioProbe
internal import Ledger
internal import MediaPrep
internal import MultipartBody
internal import SystemPackage
internal import Uploading

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A prepared file to upload, with its manifest line.
struct PreparedUpload: UploadItemConvertible {
    var uploadItem: UploadItem
    /// The manifest's line before the upload, without its terminator.
    var manifestLineBytes: [UInt8]
    /// The result of the preparation, as the run's summary counts it.
    var resultSummary: ResultSummary
    var lineSource: RunSummary.LineSource
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
    ///   - entry: The decoded manifest line.
    ///   - line: The manifest line, without its terminator.
    ///   - origin: The run that the line is from.
    /// - Returns: The upload, or `nil` if the entry has no prepared output.
    /// - Throws: `RunError` if an output path leaves the directory or leads through a symbolic link, the entry has no
    ///   digest, or the ledger cannot be read.
    func makeUpload(
        for entry: ManifestEntry, line: [UInt8], source origin: RunSummary.LineSource
    ) throws(RunError) -> PreparedUpload? {
        guard let output = entry.outputPath, entry.verdict?.isPrepared == true else { return nil }
        guard output.isConfinedRelativePath else {
            throw RunError("the manifest has \(output) as an output, which is not below its directory")
        }
        guard let sha256 = entry.sha256, sha256.utf8.count == 64 else {
            throw RunError("the manifest states no digest of \(output)")
        }
        try checkNoSymbolicLinks(onPathTo: output)
        let path = outputDirectory.pushing(output)
        let media = Self.mimeTypeAndFilename(for: entry)
        let stamp = FileSystem.stat(path.bytes).map(FileStamp.init)
        // A missing or changed file is detected when it is read.
        let version = FileContent.FileVersion(
            size: entry.outputBytes.map(Int64.init) ?? stamp?.size ?? 0,
            modifiedNanoseconds: stamp?.modifiedNanoseconds ?? 0,
            inode: stamp?.inode ?? 0)
        let name = sendsOriginalNames ? output.lastComponent?.string ?? media.filename : media.filename
        var item = UploadItem(
            name: entry.inputName, path: path.bytes, version: version, sha256: sha256, mediaType: media.type,
            filename: name, durationSeconds: entry.audio?.durationSeconds,
            fields: petTable?.formFields(forFile: entry.inputPath) ?? [])
        item.earlierDigests = try earlierDigests(of: entry.inputPath, before: item.sha256)
        return PreparedUpload(
            uploadItem: item, manifestLineBytes: line, resultSummary: ResultSummary(entry), lineSource: origin,
            filePath: path, relativeOutputPath: output)
    }

    /// Rejects an output that is a symbolic link, or is in a directory that is one.
    ///
    /// Otherwise, a foreign manifest could cause any file to be sent: the digest is compared only at the end, when all
    /// but the last bytes have left. A missing file is detected when it is read.
    private func checkNoSymbolicLinks(onPathTo output: FilePath) throws(RunError) {
        do throws(Errno) {
            guard let name = output.lastComponent else { return }
            let parent = try DirectoryHandle(outputDirectory).openSubdirectory(at: output.removingLastComponent())
            if try parent.stat(name).type == .symbolicLink { throw .tooManySymbolicLinkLevels }
        } catch .tooManySymbolicLinkLevels {
            throw RunError(
                "the output \(outputDirectory.pushing(output)) is a symbolic link, or in a directory that is one")
        } catch {}
    }

    /// Returns the media type and the anonymous file name under which a prepared file is uploaded.
    private static func mimeTypeAndFilename(for entry: ManifestEntry) -> (type: String, filename: String) {
        guard entry.kind == MediaResult.MediaKind.audio.rawValue else { return ("image/jpeg", "image.jpg") }
        let type = MediaType(container: AudioContainer(rawValue: entry.format ?? ""))
        return (type.mimeType, "recording.\(type.fileExtension)")
    }
}

extension ManifestEntry {
    /// Whether no preparation is missing: the entry has a prepared file, is already uploaded, or has nothing to upload.
    var isSendable: Bool {
        let isWithServer = upload.map { [.acknowledged, .duplicate].contains($0.status) } ?? false
        return verdict.map { !$0.isPrepared || outputPath != nil || isWithServer } ?? false
    }
}

extension ManifestLine {
    /// Returns a manifest line with the result of its upload.
    ///
    /// - Parameters:
    ///   - line: The manifest line, without its terminator.
    ///   - result: The result of the upload.
    ///   - keepsOutput: Whether the prepared file is kept.
    /// - Returns: The line with its terminator, or `line` itself if it is not a JSON object.
    /// - Throws: `DecodingError` if the line is not JSON.
    static func jsonLine(
        _ line: [UInt8], addingUpload result: UploadResult, keepsOutput: Bool
    ) throws -> Data {
        guard case .object(var members) = try JSONDecoder().decode(JSONValue.self, from: Data(line)) else {
            return Data(line)
        }
        members["upload"] = .object(result.jsonMembers)
        if !keepsOutput {
            members["output"] = .null
            members["output_base64"] = nil
        }
        return try JSONValue.object(members).encodedJSON() + [UInt8(ascii: "\n")]
    }
}

extension UploadResult {
    fileprivate var jsonMembers: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "status": .string(status.rawValue), "id": serverID.map(JSONValue.string) ?? .null,
            "attempts": .integer(Int64(attemptCount)), "bytes_sent": .integer(bytesSent),
        ]
        members["duplicate_of"] = originalItemName.map(JSONValue.string)
        members["reason"] = error.map { .object($0.jsonMembers) }
        return members
    }
}

extension UploadError {
    fileprivate var jsonMembers: [String: JSONValue] {
        var members: [String: JSONValue] = ["code": .string(code.rawValue), "message": .string(message)]
        members["status"] = status.map { .integer(Int64($0)) }
        members["server_code"] = serverMessage?.code.map(JSONValue.string)
        members["server_details"] = serverMessage?.details.map(JSONValue.string)
        return members
    }
}
