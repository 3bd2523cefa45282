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
    /// for an image gives way: it has no output.
    private mutating func refuseCollisions() {
        var owners: [OutputName.CollisionKey: Int] = [:]
        for index in inputs.indices where inputs[index].refusal == nil {
            let key = OutputName.CollisionKey(for: inputs[index].relativePath)
            guard let owner = owners[key], inputs[owner].isExpected || inputs[owner].hasImageContent else {
                owners[key] = index
                continue
            }
            inputs[index].refusal = Reason(
                code: "name-collision", message: "its output would have the name of that of \(inputs[owner].path)")
        }
    }
}

extension Input {
    /// Whether a person would miss it: it was named itself, or is named like media.
    var isExpected: Bool { isNamed || OutputName.isMedia(path) }

    /// Whether its content begins like that of an image.
    fileprivate var hasImageContent: Bool {
        guard let prefix = try? FileContents(path: path.bytes).read(first: 64, limit: .max) else { return false }
        do throws(MediaError) {
            _ = try ImagePreparer().probe(Data(prefix))
        } catch {
            return ![.unrecognized, .empty].contains(error.code)
        }
        return true
    }
}

/// How outputs are named.
enum OutputName {
    /// The whole name of the input, and `.jpg` behind it unless it ends so already: `a.png` and `a.jpg` stay apart.
    static func path(for relative: FilePath) -> FilePath {
        guard let name = relative.lastComponent else { return relative }
        if ["jpg", "jpeg"].contains(name.extension?.lowercased()) { return relative }
        var path = relative.removingLastComponent()
        let bytes = name.bytes + Array(".jpg".utf8)
        if let longer = FilePath.Component(bytes: bytes) { path.append(longer) }
        return path
    }

    /// Equal for two names of which a file system that ignores case, or how an accent is written, keeps only one.
    enum CollisionKey: Hashable {
        /// Compared as text, by canonical equivalence.
        case text(String)
        /// Not UTF-8.
        case bytes([UInt8])

        init(for relative: FilePath) {
            let name = OutputName.path(for: relative)
            self = Array(name.string.utf8) == name.bytes ? .text(name.string.lowercased()) : .bytes(name.bytes)
        }
    }

    private static let mediaExtensions: Set<String> = [
        "jpg", "jpeg", "jpe", "jfif", "png", "apng", "heic", "heif", "avif", "webp", "gif", "tif", "tiff", "bmp", "jxl",
        "wav", "mp3", "m4a", "aac", "ogg", "oga", "opus", "flac", "aif", "aiff", "caf", "amr", "webm", "weba", "mp4",
        "3gp", "mov", "mka", "wma", "au",
    ]

    /// Whether a file of this name is expected to be media, and so missed if it isn't.
    static func isMedia(_ path: FilePath) -> Bool {
        path.lastComponent?.extension.map { mediaExtensions.contains($0.lowercased()) } ?? false
    }
}
