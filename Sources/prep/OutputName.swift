internal import MediaPrep
internal import SystemPackage

/// How outputs are named.
enum OutputName {
    /// A recording keeps its name, since its bytes stay what they are.
    static func recording(for relative: FilePath) -> FilePath { relative }

    /// The whole name of the input, and `.jpg` behind it unless it ends so already: `a.png` and `a.jpg` stay apart.
    static func image(for relative: FilePath) -> FilePath {
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

        init(_ name: FilePath) {
            self = Array(name.string.utf8) == name.bytes ? .text(name.string.lowercased()) : .bytes(name.bytes)
        }
    }

    /// The names that an input's output may come to have.
    static func claims(for relative: FilePath) -> Set<CollisionKey> {
        [CollisionKey(image(for: relative)), CollisionKey(recording(for: relative))]
    }

    /// Whether a file of this name is expected to be media, and so missed if it isn't.
    static func isMedia(_ path: FilePath) -> Bool {
        path.lastComponent?.extension.map { MediaType.endings.contains($0.lowercased()) } ?? false
    }

    /// What a file of this name is expected to be, where nobody looks into it.
    static func kind(of path: FilePath) -> String {
        let ending = path.lastComponent?.extension?.lowercased() ?? ""
        return MediaType.imageEndings.contains(ending) ? "image" : isMedia(path) ? "audio" : "other"
    }
}
