internal import FoundationEssentials
internal import MediaPrep
internal import SystemPackage

/// One file to prepare.
struct Input: Sendable {
    /// As it was named, or below a directory that was.
    var path: FilePath
    /// Whether it was named itself, and not met in a directory.
    var isNamed: Bool
    /// Its path relative to its base: what its output's name is made of.
    var relativePath: FilePath
    /// Which file it is; nil if there is none.
    var identity: FileIdentity?
    /// Its bytes.
    var size: Int
    /// Why it is refused without being opened; nil for most.
    var refusal: Reason?
}

/// All inputs of a run, found before the first is prepared, so that names never depend on the order of work.
struct Discovery {
    /// In the order of their paths' bytes.
    private(set) var inputs: [Input] = []

    private let outputDirectory: FileIdentity?
    private var isSeen: Set<FilePath> = []

    /// Looks through the files and directories named.
    ///
    /// - Parameters:
    ///   - base: what relative paths start at, if not what the inputs themselves suggest.
    ///   - output: the directory of results, which is passed over.
    /// - Throws: if an input is the output directory itself, or `base` is no directory.
    init(_ paths: [FilePath], base: FilePath?, except output: OutputDirectory) throws(RunError) {
        outputDirectory = FileIdentity(output.path)
        let realBase = try base.map { (base) throws(RunError) in
            guard let real = FileSystem.realPath(base), FileSystem.isDirectory(real) else {
                throw RunError("--base \(base) is not a directory")
            }
            return real
        }
        for path in paths {
            let stat = try? path.stat()
            let isDirectory = stat?.type == .directory
            if isDirectory, stat.map(FileIdentity.init) == outputDirectory {
                throw RunError("\(path) is the output directory: results must not be mixed with inputs")
            }
            let relative = Self.relativePath(of: path, isOnlyDirectory: isDirectory && paths.count == 1, to: realBase)
            if isDirectory {
                search(path, relative ?? FilePath(""), stat, outside: relative == nil, ancestors: [])
            } else {
                add(path, relative, stat, isNamed: true)
            }
        }
        inputs.sort { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
        refuseCollisions()
    }

    /// A single directory is its own base; otherwise each input's base is the directory that it is in. Nil if the path
    /// isn't below `base`.
    private static func relativePath(of path: FilePath, isOnlyDirectory: Bool, to base: FilePath?) -> FilePath? {
        if let base {
            guard var real = FileSystem.realPath(path) else { return FilePath(path.lastComponent?.string ?? "") }
            return real.removePrefix(base) ? real : nil
        }
        if isOnlyDirectory { return FilePath("") }
        let last = path.lastComponent?.kind == .regular ? path.lastComponent : FileSystem.realPath(path)?.lastComponent
        return FilePath(root: nil, last.map { [$0] } ?? [])
    }

    /// - Parameter ancestors: the directories above, by which a link that leads back up is recognised.
    private mutating func search(
        _ directory: FilePath, _ relative: FilePath, _ stat: Stat?, outside: Bool, ancestors: [FileIdentity]
    ) {
        guard let identity = stat.map(FileIdentity.init), !ancestors.contains(identity), identity != outputDirectory
        else {
            return
        }
        let names: [FilePath.Component]
        do {
            names = try FileSystem.names(in: directory)
        } catch {
            let reason = Reason(code: "unreadable", message: "the directory can't be read: \(error)")
            return add(directory, relative, stat, isNamed: true, refusal: reason)
        }
        for name in names where !name.bytes.starts(with: [UInt8(ascii: ".")]) {
            let path = directory.appending(name), relative = relative.appending(name)
            let stat = try? path.stat()
            if stat?.type == .directory {
                search(path, relative, stat, outside: outside, ancestors: ancestors + [identity])
            } else {
                add(path, outside ? nil : relative, stat, isNamed: false)
            }
        }
    }

    private mutating func add(
        _ path: FilePath, _ relative: FilePath?, _ stat: Stat?, isNamed: Bool, refusal: Reason? = nil
    ) {
        guard isSeen.insert(path).inserted else { return }
        let outside = Reason(code: "outside-base", message: "the file is not below the base directory")
        inputs.append(
            Input(
                path: path, isNamed: isNamed, relativePath: relative ?? FilePath(""),
                identity: stat.map(FileIdentity.init),
                size: stat.map { Int($0.size) } ?? 0, refusal: refusal ?? (relative == nil ? outside : nil)))
    }

    /// Of two inputs with one output, the one whose path comes first in byte order has it. A file that nobody would take
    /// for media gives way: it has no output. Only files that might collide are looked into.
    private mutating func refuseCollisions() {
        let candidates = inputs.indices.filter { inputs[$0].refusal == nil }
        var claims: [OutputName.CollisionKey: Int] = [:]
        for index in candidates {
            for key in OutputName.claims(for: inputs[index].relativePath) { claims[key, default: 0] += 1 }
        }
        var owners: [OutputName.CollisionKey: Int] = [:]
        for index in candidates {
            let path = inputs[index].relativePath
            guard OutputName.claims(for: path).contains(where: { claims[$0, default: 0] > 1 }) else { continue }
            let content = inputs[index].content
            if content == nil && !inputs[index].isExpected { continue }
            let name = content == .recording ? OutputName.recording(for: path) : OutputName.image(for: path)
            if let owner = owners.updateValue(index, forKey: OutputName.CollisionKey(name)) {
                owners[OutputName.CollisionKey(name)] = owner
                inputs[index].refusal = Reason(
                    code: "name-collision",
                    message: "its output would have the name of that of \(inputs[owner].path)")
            }
        }
    }
}

extension Input {
    /// Whether a person would miss it: it was named itself, or is named like media.
    var isExpected: Bool { isNamed || OutputName.isMedia(path) }

    /// What its content begins like; nil for what is no media, or can't be read.
    fileprivate var content: SourceFile.Kind? {
        do throws(MediaError) {
            var file = try SourceFile(path: path.bytes)
            if try file.kind() == .recording { return .recording }
            _ = try ImagePreparer().probe(Data(try file.contents(first: 64, limit: .max)))
        } catch {
            return [.unrecognized, .empty, .unreadable, .notARegularFile].contains(error.code) ? nil : .image
        }
        return .image
    }
}
