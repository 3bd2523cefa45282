internal import ImageCodecs
internal import MediaPrep
internal import SystemPackage
internal import Uploading

/// A file of which the report may show a picture, and what it must be for that: a manifest may have been written by
/// anyone, and name files that it doesn't describe.
struct PictureSource: Sendable {
    /// What shows that a file is the one that the manifest describes.
    enum Evidence: Sendable {
        /// The bytes that it has.
        case size(Int)
        /// The SHA-256 of its content, in hexadecimal digits.
        case sha256(String)
    }

    /// Where it may be, most likely first.
    let paths: [FilePath]
    let evidence: Evidence

    /// Returns the file's content, or nil if it is not an image that `preparer` takes, or not what the manifest
    /// describes.
    ///
    /// The bytes that are returned are those that were compared: the file is opened once.
    func contents(in media: ReportMedia, for preparer: ImagePreparer) -> [UInt8]? {
        paths.lazy.compactMap { path in media.resolved(path).flatMap { try? contents(of: $0, for: preparer) } }.first
    }

    private func contents(of path: FilePath, for preparer: ImagePreparer) throws -> [UInt8]? {
        // Asked before too: to open a device can have effects, and to open a pipe releases its writer.
        guard try path.stat().type == .regular else { return nil }
        var file = try SourceFile(path: path.bytes)
        if case .size(let size) = evidence, file.byteCount != size { return nil }
        // The header alone shows most files that are no images.
        _ = try preparer.probe(&file)
        let bytes = try file.readContents(limit: preparer.options.limits.inputBytes)
        if case .sha256(let expected) = evidence {
            var digest = SHA256Hasher()
            digest.update(bytes: bytes)
            if digest.hexDigest() != expected { return nil }
        }
        return bytes
    }
}

/// The directories that hold the media of a report.
struct ReportMedia: Sendable {
    /// The directories that outputs' paths are relative to.
    let directories: [FilePath]
    /// The directories that all files must be in, without links; nil if they may be anywhere.
    private let confines: [FilePath]?

    /// - Parameters:
    ///   - named: the directories that the user named.
    ///   - manifest: the manifest's path, `-` for standard input.
    ///   - isOwn: whether the manifest is the user's own file. For another, only files in the named directories are
    ///     opened.
    init(_ named: [FilePath], manifest: FilePath, isOwn: Bool) {
        directories = named.isEmpty ? [manifest == "-" ? "" : manifest.removingLastComponent()] : named
        confines = isOwn ? nil : named.compactMap(FileSystem.realPath)
    }

    /// Whether no file may be opened.
    var isClosed: Bool { confines?.isEmpty == true }

    /// Where an output may be. What leads out of the directories is left out.
    func places(of output: FilePath) -> [FilePath] { directories.compactMap { $0.lexicallyResolving(output) } }

    /// Returns the path to open for `path`, or nil if it must not be opened. A confined path has no links.
    func resolved(_ path: FilePath) -> FilePath? {
        guard let confines else { return path }
        return FileSystem.realPath(path).flatMap { real in confines.contains(where: real.starts(with:)) ? real : nil }
    }
}
