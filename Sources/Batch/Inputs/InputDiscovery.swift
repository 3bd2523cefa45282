internal import Diagnostics
internal import MediaPrep
internal import SystemPackage
internal import SystemSupport

/// Finds all inputs of a run before the first is prepared, so that output names do not depend on the order of the work.
struct InputDiscovery {
    private var inputs = InputList()
    private let outputDirectory: FileIdentity?
    /// The base directory of relative paths, or `nil` if none was given.
    private let baseDirectory: FilePath?
    /// Whether symbolic links to directories are followed below the roots.
    private let followsLinks: Bool
    private let reportUnfollowedLink: (_ link: [UInt8]) -> Void
    /// The roots if links are followed. They are searched together at the end.
    private var queuedRoots = DirectoryQueue()

    /// Creates a search without inputs.
    ///
    /// - Parameters:
    ///   - base: The base directory of relative paths, or `nil` to derive it from the inputs.
    ///   - output: The output directory, which is excluded from the search. It need not exist.
    ///   - followsLinks: Whether symbolic links to directories are followed below the directories that are added. An
    ///     added directory may always be a link itself.
    ///   - reportUnfollowedLink: Called with the path of each link that is not followed.
    /// - Throws: `BatchError` if `base` is not a directory.
    init(
        base: FilePath?, excludingOutput output: FilePath, followsLinks: Bool,
        reportUnfollowedLink: @escaping (_ link: [UInt8]) -> Void
    ) throws(BatchError) {
        outputDirectory = FileIdentity(output)
        self.followsLinks = followsLinks
        self.reportUnfollowedLink = reportUnfollowedLink
        self.baseDirectory = try base.map { (base) throws(BatchError) in
            guard let real = FileSystem.realPath(of: base), FileSystem.isDirectory(at: real) else {
                throw BatchError(
                    .invalidInput, message: "the base directory \(base) does not exist or is not a directory")
            }
            return real
        }
    }

    /// Adds files and directories.
    ///
    /// Without a base directory, a single directory is its own base. Otherwise, the base of each input is the directory
    /// that contains it.
    ///
    /// - Throws: `BatchError` if an input is the output directory, or there are too many inputs.
    mutating func addInputs(named paths: [FilePath]) throws {
        for path in paths {
            let stat = try? path.stat()
            if paths.count == 1, baseDirectory == nil, stat?.type == .directory {
                try addRoot(at: path, suggestedRelativePath: FilePath(""), stat: stat)
            } else {
                let last =
                    path.lastComponent?.kind == .regular
                    ? path.lastComponent : FileSystem.realPath(of: path)?.lastComponent
                try addRoot(at: path, suggestedRelativePath: FilePath(root: nil, last.map { [$0] } ?? []), stat: stat)
            }
        }
    }

    /// Adds the files and directories of a list. Without a base directory, their paths are relative to the working
    /// directory.
    ///
    /// - Throws: `BatchError` if the list cannot be read, an input is the output directory, or there are too many
    ///   inputs; `CancellationError`.
    mutating func addInputs(listedIn list: consuming LineReader) throws {
        let workingDirectory = FileSystem.realPath(of: ".")
        while let line = try list.nextLine() {
            try Task.checkCancellation()
            if line.bytes.isEmpty { continue }
            guard let path = FilePath(bytes: line.bytes) else {
                throw BatchError(.invalidInput, message: "a line of the list contains a zero byte")
            }
            var relative = path.lexicallyNormalized()
            if let workingDirectory, relative.isAbsolute, !relative.removePrefix(workingDirectory) {
                // The listed path may name the working directory through a symbolic link.
                var real = FileSystem.realPath(of: path) ?? path
                if real.removePrefix(workingDirectory) { relative = real }
            }
            try addRoot(at: path, suggestedRelativePath: relative, stat: try? path.stat())
        }
    }

    /// Returns all inputs, sorted by the bytes of their paths. The videos of Live Photos are marked.
    ///
    /// - Throws: `BatchError` if there are too many inputs.
    consuming func makeInputList() throws -> InputList {
        try searchDirectories(in: queuedRoots)
        inputs.sortAndRemoveDuplicates()
        inputs.markLivePhotoVideos()
        return inputs
    }

    /// Adds a file, or searches a directory.
    ///
    /// - Parameter suggested: The relative path to use if no base directory was given. The input is rejected if that
    ///   path leaves its base.
    private mutating func addRoot(at path: FilePath, suggestedRelativePath suggested: FilePath, stat: Stat?) throws {
        let relative = relativePath(of: path, suggested: suggested)
        if let stat, stat.type == .directory {
            let identity = FileIdentity(stat)
            if identity == outputDirectory {
                throw BatchError(
                    .invalidInput, message: "\(path) is the output directory: results must not be mixed with inputs")
            }
            let root = DirectoryQueue.Directory(
                path: path.bytes, relativePath: relative?.bytes, identity: identity, isReachedThroughLink: false,
                rootIndex: queuedRoots.count)
            if followsLinks { queuedRoots.insert(root) } else { try searchDirectories(in: DirectoryQueue(root)) }
        } else {
            try addInput(path: path.bytes, relativePath: relative?.bytes, stat: stat, isExplicitlyNamed: true)
        }
    }

    /// Returns the path relative to the base directory, or `nil` if it is not below it.
    private func relativePath(of path: FilePath, suggested: FilePath) -> FilePath? {
        if let baseDirectory {
            guard var real = FileSystem.realPath(of: path) else {
                return path.lastComponent.map { FilePath(root: nil, [$0]) }
            }
            return real.removePrefix(baseDirectory) ? real : nil
        }
        return suggested.isAbsolute || suggested.components.first?.kind == .parentDirectory ? nil : suggested
    }

    private mutating func addInput(
        path: [UInt8], relativePath relative: [UInt8]?, stat: Stat?, isExplicitlyNamed: Bool,
        rejectionReason: Diagnostic? = nil
    ) throws(BatchError) {
        let base =
            baseDirectory.map { "the base directory \($0)" } ?? "the working directory, the base directory of a list"
        let outside = Diagnostic(.outsideBase, message: "the file is not below \(base)")
        try inputs.add(
            path: path, relativePath: relative ?? [], stat: stat, isExplicitlyNamed: isExplicitlyNamed,
            rejectionReason: rejectionReason
                ?? (relative == nil ? outside : OutputNaming.reservedNameRejection(for: relative ?? [])))
    }
}

// MARK: - Directories

extension InputDiscovery {
    /// Searches the directories in `queue` and all directories below them.
    ///
    /// If links are followed, a directory that is reached through a link is skipped if a path that precedes it in byte
    /// order led to the same directory. The queue returns directories in byte order. Therefore, the result does not
    /// depend on the order of directory entries, and no directory is searched more than once through links.
    private mutating func searchDirectories(in queue: consuming DirectoryQueue) throws {
        var seen: Set<FileIdentity> = []
        while let next = queue.popFirst() {
            try Task.checkCancellation()
            if next.identity == outputDirectory {
                inputs.surroundOutputDirectory = true
                continue
            }
            if followsLinks, !seen.insert(next.identity).inserted, next.isReachedThroughLink { continue }
            for directory in try addFiles(in: next) { queue.insert(directory) }
        }
    }

    /// Adds the files of a directory.
    ///
    /// - Returns: The subdirectories to search.
    private mutating func addFiles(in directory: DirectoryQueue.Directory) throws -> [DirectoryQueue.Directory] {
        var subdirectories: [DirectoryQueue.Directory] = [], unfollowed: [[UInt8]] = []
        let slash = UInt8(ascii: "/")
        let prefix = directory.path + (directory.path.last == slash ? [] : [slash])
        let relativePrefix = directory.relativePath.map { $0.isEmpty ? [] : $0 + [slash] }
        do {
            guard let path = FilePath(bytes: directory.path) else { throw Errno.invalidArgument }
            try FileSystem.forEachVisibleEntry(in: path) { (name, stat) throws(BatchError) in
                let relative = relativePrefix.map { $0 + name }
                guard let stat, stat.type == .directory else {
                    return try addInput(
                        path: prefix + name, relativePath: relative, stat: stat, isExplicitlyNamed: false)
                }
                let identity = FileIdentity(stat), isLink = Self.isSymbolicLink(atPath: prefix + name)
                if isLink, !followsLinks {
                    if identity != outputDirectory { unfollowed.append(prefix + name) }
                } else {
                    subdirectories.append(
                        DirectoryQueue.Directory(
                            path: prefix + name, relativePath: relative, identity: identity,
                            isReachedThroughLink: directory.isReachedThroughLink || isLink,
                            rootIndex: directory.rootIndex))
                }
            }
        } catch let error as Errno {
            try rejectUnreadableDirectory(directory, error: error)
        }
        for link in unfollowed.sorted(by: { $0.lexicographicallyPrecedes($1) }) { reportUnfollowedLink(link) }
        return subdirectories
    }

    private static func isSymbolicLink(atPath path: [UInt8]) -> Bool {
        FilePath(bytes: path).flatMap { try? Stat($0, followTargetSymlink: false) }?.type == .symbolicLink
    }

    /// Adds an unreadable directory as a rejected input. A directory is unreadable, for example, if its path exceeds
    /// the system's limit.
    private mutating func rejectUnreadableDirectory(_ directory: DirectoryQueue.Directory, error: Errno)
        throws(BatchError)
    {
        try addInput(
            path: directory.path, relativePath: directory.relativePath,
            stat: try? FilePath(bytes: directory.path)?.stat(), isExplicitlyNamed: true,
            rejectionReason: Diagnostic(.unreadable, message: "the directory can't be read: \(error)"))
    }
}
