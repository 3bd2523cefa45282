internal import Batch
internal import ImageCodecs
internal import MediaPrep
internal import SHA256
internal import SystemPackage

/// A file that the report may show, with the content it must have.
///
/// The content is verified because a manifest may come from anyone and name files that it does not describe.
struct VerifiedImageSource: Sendable {
    /// The property that identifies the file that the manifest describes.
    enum ExpectedContent: Sendable {
        /// The size in bytes.
        case byteCount(Int)
        /// The SHA-256 digest of the content, in hexadecimal.
        case sha256(String)
    }

    /// The possible paths, most likely first.
    let candidatePaths: [FilePath]
    let expectedContent: ExpectedContent

    /// Opens the file, or returns `nil` if it is not an image that `preparer` accepts, or not the file that
    /// the manifest describes.
    ///
    /// The file is opened only once, so the image has the bytes that were verified.
    func verifiedImage(in media: ReportMediaDirectories, using preparer: ImagePreparer) -> ImageFile? {
        for case let path? in candidatePaths.lazy.map(media.allowedPath) {
            if let image = try? verifiedImage(at: path, using: preparer) { return image }
        }
        return nil
    }

    private func verifiedImage(at path: FilePath, using preparer: ImagePreparer) throws -> ImageFile? {
        // Checked before opening, because opening a device can have effects, and opening a pipe wakes its writer.
        guard try path.stat().type == .regular else { return nil }
        var image = try preparer.openImage(try SourceFile(path: path.bytes))
        if case .byteCount(let size) = expectedContent, image.byteCount != size { return nil }
        // The header rules out most files that are not images.
        _ = try preparer.probe(&image)
        if case .sha256(let expected) = expectedContent,
            SHA256Hasher(hashing: try image.readContents()).hexDigest() != expected
        {
            return nil
        }
        return image
    }
}

/// The directories that contain the media of a report.
struct ReportMediaDirectories: Sendable {
    /// The directories that output paths are relative to.
    let outputDirectories: [FilePath]
    /// The resolved directories that all files must be in, or `nil` if they may be anywhere.
    private let allowedDirectories: [FilePath]?

    /// Determines the directories.
    ///
    /// - Parameters:
    ///   - named: The directories that the user named.
    ///   - manifest: The path of the manifest, or `-` for standard input.
    ///   - isManifestOwnedByUser: Whether the user owns the manifest. If not, only files in the named directories are
    ///     opened.
    init(named: [FilePath], manifest: FilePath, isManifestOwnedByUser: Bool) {
        outputDirectories = named.isEmpty ? [manifest == "-" ? "" : manifest.removingLastComponent()] : named
        allowedDirectories = isManifestOwnedByUser ? nil : named.compactMap(FileSystem.realPath)
    }

    /// Whether no file may be opened.
    var allowsNoFiles: Bool { allowedDirectories?.isEmpty == true }

    /// Returns the possible paths of an output. Paths that leave their directory are left out.
    func candidatePaths(forOutput output: FilePath) -> [FilePath] {
        outputDirectories.compactMap { $0.lexicallyResolving(output) }
    }

    /// Returns the path to open for `path`, or `nil` if it must not be opened. A path that is restricted to directories
    /// is returned without symbolic links.
    func allowedPath(for path: FilePath) -> FilePath? {
        guard let allowedDirectories else { return path }
        return FileSystem.realPath(of: path).flatMap { real in
            allowedDirectories.contains(where: real.starts(with:)) ? real : nil
        }
    }
}
