internal import MediaPrep
internal import SystemPackage

/// Finds all inputs of a run before the first is prepared, so that names never depend on the order of work.
struct Discovery {
    private var inputs = InputList()
    private let outputDirectory: FileIdentity?
    /// What relative paths start at, if it was given.
    private let base: FilePath?

    /// - Parameters:
    ///   - base: what relative paths start at, if not what the inputs themselves suggest.
    ///   - output: the directory of results, which is passed over; it need not exist.
    /// - Throws: if `base` is no directory.
    init(base: FilePath?, except output: FilePath) throws(RunError) {
        outputDirectory = FileIdentity(output)
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
    consuming func found() -> InputList {
        inputs.arrange()
        inputs.refuseCollisions()
        return inputs
    }

    /// - Parameter suggested: the relative path where no base was given; one that leads out of its base is refused.
    private mutating func add(_ path: FilePath, _ suggested: FilePath, _ stat: Stat?) throws {
        let relative = relativePath(of: path, suggested)
        if stat?.type == .directory {
            if stat.map(FileIdentity.init) == outputDirectory {
                throw RunError("\(path) is the output directory: results must not be mixed with inputs")
            }
            try search(path, relative)
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
    /// A directory that is to be looked through.
    private struct Directory {
        var path: FilePath
        /// Nil for what is not below its base.
        var relative: FilePath?
        /// Its place among all that were looked through, by which those above it are found.
        var number: Int
    }

    /// Looks through `directory` and all below it, links followed, but not those that lead back up.
    private mutating func search(_ directory: FilePath, _ relative: FilePath?) throws {
        var seen: [(identity: FileIdentity, parent: Int)] = []
        var waiting = [(Directory(path: directory, relative: relative, number: -1))]
        while let next = waiting.popLast() {
            let identity: FileIdentity
            do throws(Errno) {
                identity = FileIdentity(try next.path.stat())
            } catch {
                try refuse(next, error)
                continue
            }
            if identity == outputDirectory { continue }
            var above = next.number
            while above >= 0, seen[above].identity != identity { above = seen[above].parent }
            if above >= 0 { continue }
            seen.append((identity, next.number))
            waiting += try look(into: next, number: seen.count - 1)
        }
    }

    /// Adds the files of a directory.
    ///
    /// - Returns: the directories in it.
    private mutating func look(into directory: Directory, number: Int) throws -> [Directory] {
        var found: [Directory] = []
        let prefix = directory.path.bytes + (directory.path.bytes.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")])
        let relativePrefix = directory.relative.map { $0.isEmpty ? [] : $0.bytes + [UInt8(ascii: "/")] }
        do {
            try FileSystem.forEachVisibleEntry(in: directory.path) { (name, stat) throws(RunError) in
                let relative = relativePrefix.map { $0 + name }
                if stat?.type == .directory, let path = FilePath(bytes: prefix + name) {
                    found.append(
                        Directory(path: path, relative: relative.flatMap { FilePath(bytes: $0) }, number: number))
                } else {
                    try add(prefix + name, relative, stat, isNamed: false)
                }
            }
        } catch let error as Errno {
            try refuse(directory, error)
        }
        return found
    }

    /// Adds a directory that can't be looked into, such as one whose path is longer than the system takes, in place of its files.
    private mutating func refuse(_ directory: Directory, _ error: Errno) throws(RunError) {
        try add(
            directory.path.bytes, directory.relative?.bytes, try? directory.path.stat(), isNamed: true,
            refusal: Reason(code: "unreadable", message: "the directory can't be read: \(error)"))
    }
}
