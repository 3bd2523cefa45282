internal import ImageCodecs
internal import MediaPrep
internal import SystemPackage
internal import Uploading

/// A file of which the report may show a picture, and what it must be for that: a manifest may have been written by
/// anyone, and name files that it doesn't describe.
struct VerifiedImageSource: Sendable {
    /// What shows that a file is the one that the manifest describes.
    enum ExpectedContent: Sendable {
        /// The bytes that it has.
        case byteCount(Int)
        /// The SHA-256 of its content, in hexadecimal digits.
        case sha256(String)
    }

    /// Where it may be, most likely first.
    let candidatePaths: [FilePath]
    let expectedContent: ExpectedContent

    /// Returns the file's content, or nil if it is not an image that `preparer` takes, or not what the manifest
    /// describes.
    ///
    /// The bytes that are returned are those that were compared: the file is opened once.
    func verifiedContents(in media: ReportMediaDirectories, using preparer: ImagePreparer) -> [UInt8]? {
        candidatePaths.lazy.compactMap { path in
            media.allowedPath(for: path).flatMap { try? verifiedContents(ofFileAt: $0, using: preparer) }
        }.first
    }

    private func verifiedContents(ofFileAt path: FilePath, using preparer: ImagePreparer) throws -> [UInt8]? {
        // Asked before too: to open a device can have effects, and to open a pipe releases its writer.
        guard try path.stat().type == .regular else { return nil }
        var file = try SourceFile(path: path.bytes)
        if case .byteCount(let size) = expectedContent, file.byteCount != size { return nil }
        // The header alone shows most files that are no images.
        _ = try preparer.probe(&file)
        let bytes = try file.readContents(limit: preparer.options.limits.inputBytes)
        if case .sha256(let expected) = expectedContent {
            var digest = SHA256Hasher()
            digest.update(bytes: bytes)
            if digest.hexDigest() != expected { return nil }
        }
        return bytes
    }
}

/// The directories that hold the media of a report.
struct ReportMediaDirectories: Sendable {
    /// The directories that outputs' paths are relative to.
    let outputDirectories: [FilePath]
    /// The directories that all files must be in, without links; nil if they may be anywhere.
    private let allowedDirectories: [FilePath]?

    /// - Parameters:
    ///   - named: the directories that the user named.
    ///   - manifest: the manifest's path, `-` for standard input.
    ///   - isManifestOwnedByUser: whether the manifest is the user's own file. For another, only files in the named
    ///     directories are opened.
    init(named: [FilePath], manifest: FilePath, isManifestOwnedByUser: Bool) {
        outputDirectories = named.isEmpty ? [manifest == "-" ? "" : manifest.removingLastComponent()] : named
        allowedDirectories = isManifestOwnedByUser ? nil : named.compactMap(FileSystem.realPath)
    }

    /// Whether no file may be opened.
    var allowsNoFiles: Bool { allowedDirectories?.isEmpty == true }

    /// Where an output may be. What leads out of the directories is left out.
    func candidatePaths(forOutput output: FilePath) -> [FilePath] {
        outputDirectories.compactMap { $0.lexicallyResolving(output) }
    }

    /// Returns the path to open for `path`, or nil if it must not be opened. A confined path has no links.
    func allowedPath(for path: FilePath) -> FilePath? {
        guard let allowedDirectories else { return path }
        return FileSystem.realPath(of: path).flatMap { real in
            allowedDirectories.contains(where: real.starts(with:)) ? real : nil
        }
    }
}
