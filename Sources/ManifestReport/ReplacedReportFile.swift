internal import Batch
internal import SystemPackage
internal import SystemSupport

/// The existing file that the report replaces, if there is one.
struct ReplacedReportFile: Sendable {
    private let path: FilePath
    private let identity: FileIdentity?

    /// Examines the file at `path`, if it exists.
    ///
    /// - Throws: `BatchError` if it is a symbolic link or not a regular file. A symbolic link may point to a file of
    ///   another user.
    init(path: FilePath) throws(BatchError) {
        self.path = path
        if let stat = try? path.stat(followTargetSymlink: false), stat.type == .symbolicLink {
            throw BatchError(.unwritable, message: "\(path) can't be written: it is a symbolic link")
        }
        let stat = try? path.stat()
        if let stat, stat.type != .regular {
            throw BatchError(.unwritable, message: "\(path) can't be written: it is not a regular file")
        }
        identity = stat.map(FileIdentity.init)
    }

    /// Checks that `other` is not the file that the report replaces.
    ///
    /// - Throws: `BatchError` if it is.
    func checkDiffers(from other: FilePath, role title: String) throws(BatchError) {
        if let identity, FileIdentity(other) == identity {
            throw BatchError(.wouldOverwrite, message: "the report \(path) would replace \(title)")
        }
    }
}
