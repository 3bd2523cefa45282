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

/// A prepared file that is to be sent, with the line that tells of it.
struct PreparedUpload: UploadItemConvertible {
    var uploadItem: UploadItem
    /// The manifest's line, without its end, as it was before the upload.
    var manifestLineBytes: [UInt8]
    /// What was said of the preparation.
    var resultSummary: ResultSummary
    var lineSource: RunSummary.LineSource
    /// Where the file is.
    var filePath: FilePath
    /// What it is called below the output directory.
    var relativeOutputPath: FilePath
}

/// How prepared files become items.
struct PreparedUploadBuilder: Sendable {
    /// What the paths of outputs are relative to.
    var outputDirectory: FilePath
    /// Whether files are sent under their own names.
    var sendsOriginalNames: Bool
    /// Which pet a recording is of; nil for backends that know of none.
    var petTable: PetTable?
    /// What inputs were prepared as by earlier versions.
    var earlierDigests: EarlierDigests

    /// The item that a line tells of.
    ///
    /// - Returns: nil for one that has no output, and so nothing to be sent.
    /// - Throws: if a foreign manifest leads out of the directory, or the ledger can't be read.
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
        // A file that is gone, or not the one of the line, is found out when it is read.
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

    /// Refuses an output that is a link, or in a directory that is one: a foreign manifest could have any file
    /// sent, all but its end before its digest is seen to be another. One that is missing is found out when it is read.
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

    /// What a prepared file is to a server.
    private static func mimeTypeAndFilename(for entry: ManifestEntry) -> (type: String, filename: String) {
        guard entry.kind == MediaResult.MediaKind.audio.rawValue else { return ("image/jpeg", "image.jpg") }
        let type = MediaType(container: AudioContainer(rawValue: entry.format ?? ""))
        return (type.mimeType, "recording.\(type.fileExtension)")
    }
}

extension ManifestEntry {
    /// Whether nothing is missing: it has a prepared file, or needs none.
    var isSendable: Bool {
        let isWithServer = upload.map { [.acknowledged, .duplicate].contains($0.status) } ?? false
        return verdict.map { !$0.isPrepared || outputPath != nil || isWithServer } ?? false
    }
}

extension ManifestLine {
    /// A line with what became of its upload.
    ///
    /// - Parameter keepsOutput: whether the prepared file is still there.
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
