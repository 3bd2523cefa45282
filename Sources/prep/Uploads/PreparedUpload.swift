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
    var line: [UInt8]
    /// What was said of the preparation.
    var ending: Ending
    var origin: Summary.Origin
    /// Where the file is.
    var path: FilePath
    /// What it is called below the output directory.
    var output: FilePath
}

/// How prepared files become items.
struct UploadPreparation: Sendable {
    /// What the paths of outputs are relative to.
    var directory: FilePath
    /// Whether files are sent under their own names.
    var sendsNames: Bool
    /// Which pet a recording is of; nil for backends that know of none.
    var pets: PetTable?
    /// What inputs were prepared as by earlier versions.
    var earlierDigests: EarlierDigests

    /// The item that a line tells of.
    ///
    /// - Returns: nil for one that has no output, and so nothing to be sent.
    /// - Throws: if a foreign manifest leads out of the directory, or the ledger can't be read.
    func upload(
        _ entry: ManifestEntry, _ line: [UInt8], from origin: Summary.Origin
    ) throws(RunError) -> PreparedUpload? {
        guard let output = entry.outputPath, entry.verdict?.isPrepared == true else { return nil }
        guard output.isInside else {
            throw RunError("the manifest has \(output) as an output, which is not below its directory")
        }
        guard let sha256 = entry.sha256, sha256.utf8.count == 64 else {
            throw RunError("the manifest states no digest of \(output)")
        }
        try refuseLinks(to: output)
        let path = directory.pushing(output)
        let media = Self.media(of: entry)
        let stamp = FileSystem.stat(path.bytes).map(FileStamp.init)
        // A file that is gone, or not the one of the line, is found out when it is read.
        let version = FileContent.FileVersion(
            size: entry.outputBytes.map(Int64.init) ?? stamp?.size ?? 0,
            modifiedNanoseconds: stamp?.modifiedNanoseconds ?? 0,
            inode: stamp?.inode ?? 0)
        let name = sendsNames ? output.lastComponent?.string ?? media.filename : media.filename
        var item = UploadItem(
            name: entry.input, path: path.bytes, version: version, sha256: sha256, mediaType: media.type,
            filename: name, durationSeconds: entry.audio?.durationSeconds,
            fields: pets?.fields(for: entry.inputPath) ?? [])
        item.earlierDigests = try earlierDigests(of: entry.inputPath, before: item.sha256)
        return PreparedUpload(
            uploadItem: item, line: line, ending: Ending(entry), origin: origin, path: path, output: output)
    }

    /// Refuses an output that is a link, or in a directory that is one: a foreign manifest could have any file
    /// sent, all but its end before its digest is seen to be another. One that is missing is found out when it is read.
    private func refuseLinks(to output: FilePath) throws(RunError) {
        do throws(Errno) {
            guard let name = output.lastComponent else { return }
            let parent = try DirectoryHandle(directory).subdirectories(output.removingLastComponent())
            if try parent.stat(name).type == .symbolicLink { throw .tooManySymbolicLinkLevels }
        } catch .tooManySymbolicLinkLevels {
            throw RunError("the output \(directory.pushing(output)) is a symbolic link, or in a directory that is one")
        } catch {}
    }

    /// What a prepared file is to a server.
    private static func media(of entry: ManifestEntry) -> (type: String, filename: String) {
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
    static func json(
        _ line: [UInt8], upload result: UploadResult, keepsOutput: Bool
    ) throws -> Data {
        guard case .object(var members) = try JSONDecoder().decode(JSONValue.self, from: Data(line)) else {
            return Data(line)
        }
        members["upload"] = .object(result.members)
        if !keepsOutput {
            members["output"] = .null
            members["output_base64"] = nil
        }
        return try JSONValue.object(members).encodedJSON() + [UInt8(ascii: "\n")]
    }
}

extension UploadResult {
    fileprivate var members: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "status": .string(status.rawValue), "id": serverID.map(JSONValue.string) ?? .null,
            "attempts": .integer(Int64(attemptCount)), "bytes_sent": .integer(bytesSent),
        ]
        members["duplicate_of"] = originalItemName.map(JSONValue.string)
        members["reason"] = error.map { .object($0.members) }
        return members
    }
}

extension UploadError {
    fileprivate var members: [String: JSONValue] {
        var members: [String: JSONValue] = ["code": .string(code.rawValue), "message": .string(message)]
        members["status"] = status.map { .integer(Int64($0)) }
        members["server_code"] = serverMessage?.code.map(JSONValue.string)
        members["server_details"] = serverMessage?.details.map(JSONValue.string)
        return members
    }
}
