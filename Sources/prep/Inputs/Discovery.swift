internal import MediaPrep
internal import SystemPackage

/// Finds all inputs of a run before the first is prepared, so that names never depend on the order of work.
struct Discovery {
    private var inputs = InputList()
    private let outputDirectory: FileIdentity?
    /// What relative paths start at, if it was given.
    private let base: FilePath?
    /// Whether links to directories are followed below roots.
    private let followsLinks: Bool
    private let reportUnfollowed: (_ link: [UInt8]) -> Void
    /// Directories that are searched together at the end, where links are followed.
    private var roots = DirectoryQueue()

    /// - Parameters:
    ///   - base: what relative paths start at, if not what the inputs themselves suggest.
    ///   - output: the directory of results, which is passed over; it need not exist.
    ///   - followsLinks: whether links to directories are followed below the directories that are added. Those are
    ///     always followed themselves.
    ///   - reportUnfollowed: called with the path of each link that is not followed.
    /// - Throws: if `base` is no directory.
    init(
        base: FilePath?, except output: FilePath, followsLinks: Bool,
        reportUnfollowed: @escaping (_ link: [UInt8]) -> Void
    ) throws(RunError) {
        outputDirectory = FileIdentity(output)
        self.followsLinks = followsLinks
        self.reportUnfollowed = reportUnfollowed
        self.base = try base.map { (base) throws(RunError) in
            guard let real = FileSystem.realPath(base), FileSystem.isDirectory(real) else {
                throw RunError("--base \(base) is not a directory")
            }
            return real
        }
    }

    /// Adds the files and directories that were named on the command line. Without a base, a single directory is its own;
    /// otherwise each input's is the directory that it is in.
    ///
    /// - Throws: if one is the output directory itself.
    mutating func add(named paths: [FilePath]) throws {
        for path in paths {
            let stat = try? path.stat()
            if paths.count == 1, base == nil, stat?.type == .directory {
                try add(path, FilePath(""), stat)
            } else {
                let last =
                    path.lastComponent?.kind == .regular ? path.lastComponent : FileSystem.realPath(path)?.lastComponent
                try add(path, FilePath(root: nil, last.map { [$0] } ?? []), stat)
            }
        }
    }

    /// Adds the files and directories of a list. Without a base, their paths are relative to the working directory.
    mutating func add(listedIn list: consuming LineReader) throws {
        let workingDirectory = FileSystem.realPath(".")
        while let line = try list.next() {
            if line.bytes.isEmpty { continue }
            guard let path = FilePath(bytes: line.bytes) else { throw RunError("a line of the list holds a zero byte") }
            var relative = path.lexicallyNormalized()
            if let workingDirectory, relative.isAbsolute, !relative.removePrefix(workingDirectory) {
                // The working directory may have been reached, and be named, through a link.
                var real = FileSystem.realPath(path) ?? path
                if real.removePrefix(workingDirectory) { relative = real }
            }
            try add(path, relative, try? path.stat())
        }
    }

    /// What was found, in order. Of inputs with one output all but one are refused.
    consuming func found() throws -> InputList {
        try search(roots)
        inputs.arrange()
        inputs.refuseCollisions()
        return inputs
    }

    /// - Parameter suggested: the relative path where no base was given; one that leads out of its base is refused.
    private mutating func add(_ path: FilePath, _ suggested: FilePath, _ stat: Stat?) throws {
        let relative = relativePath(of: path, suggested)
        if let stat, stat.type == .directory {
            let identity = FileIdentity(stat)
            if identity == outputDirectory {
                throw RunError("\(path) is the output directory: results must not be mixed with inputs")
            }
            let root = DirectoryQueue.Directory(
                path: path.bytes, relative: relative?.bytes, identity: identity, isLinked: false, root: roots.count)
            if followsLinks { roots.insert(root) } else { try search(DirectoryQueue(root)) }
        } else {
            try add(path.bytes, relative?.bytes, stat, isNamed: true)
        }
    }

    /// Nil for what is not below its base.
    private func relativePath(of path: FilePath, _ suggested: FilePath) -> FilePath? {
        if let base {
            guard var real = FileSystem.realPath(path) else {
                return path.lastComponent.map { FilePath(root: nil, [$0]) }
            }
            return real.removePrefix(base) ? real : nil
        }
        return suggested.isAbsolute || suggested.components.first?.kind == .parentDirectory ? nil : suggested
    }

    private mutating func add(
        _ path: [UInt8], _ relative: [UInt8]?, _ stat: Stat?, isNamed: Bool, refusal: Reason? = nil
    ) throws(RunError) {
        let outside = Reason(code: "outside-base", message: "the file is not below the base directory")
        try inputs.add(
            path: path, relative: relative ?? [], stat, isNamed: isNamed,
            refusal: refusal ?? (relative == nil ? outside : OutputName.refusal(of: relative ?? [])))
    }
}

// MARK: - Directories

extension Discovery {
    /// Searches the directories of `queue` and all below them.
    ///
    /// Where links are followed, a directory that one leads to is left out if an earlier path in byte order led to it.
    /// The queue hands directories out in that order, so what is found doesn't depend on the order within directories,
    /// and a directory is searched at most once through links.
    private mutating func search(_ queue: consuming DirectoryQueue) throws {
        var seen: Set<FileIdentity> = []
        while let next = queue.popFirst() {
            if next.identity == outputDirectory { continue }
            if followsLinks, !seen.insert(next.identity).inserted, next.isLinked { continue }
            for directory in try look(into: next) { queue.insert(directory) }
        }
    }

    /// Adds the files of a directory.
    ///
    /// - Returns: the directories in it that are to be searched.
    private mutating func look(into directory: DirectoryQueue.Directory) throws -> [DirectoryQueue.Directory] {
        var found: [DirectoryQueue.Directory] = [], unfollowed: [[UInt8]] = []
        let slash = UInt8(ascii: "/")
        let prefix = directory.path + (directory.path.last == slash ? [] : [slash])
        let relativePrefix = directory.relative.map { $0.isEmpty ? [] : $0 + [slash] }
        do {
            guard let path = FilePath(bytes: directory.path) else { throw Errno.invalidArgument }
            try FileSystem.forEachVisibleEntry(in: path) { (name, stat) throws(RunError) in
                let relative = relativePrefix.map { $0 + name }
                guard let stat, stat.type == .directory else {
                    return try add(prefix + name, relative, stat, isNamed: false)
                }
                let identity = FileIdentity(stat), isLink = Self.isLink(prefix + name)
                if isLink, !followsLinks {
                    if identity != outputDirectory { unfollowed.append(prefix + name) }
                } else {
                    found.append(
                        DirectoryQueue.Directory(
                            path: prefix + name, relative: relative, identity: identity,
                            isLinked: directory.isLinked || isLink, root: directory.root))
                }
            }
        } catch let error as Errno {
            try refuse(directory, error)
        }
        for link in unfollowed.sorted(by: { $0.lexicographicallyPrecedes($1) }) { reportUnfollowed(link) }
        return found
    }

    private static func isLink(_ path: [UInt8]) -> Bool {
        FilePath(bytes: path).flatMap { try? Stat($0, followTargetSymlink: false) }?.type == .symbolicLink
    }

    /// Adds a directory that can't be looked into, such as one whose path is longer than the system takes, in place of its files.
    private mutating func refuse(_ directory: DirectoryQueue.Directory, _ error: Errno) throws(RunError) {
        try add(
            directory.path, directory.relative, try? FilePath(bytes: directory.path)?.stat(), isNamed: true,
            refusal: Reason(code: "unreadable", message: "the directory can't be read: \(error)"))
    }
}
