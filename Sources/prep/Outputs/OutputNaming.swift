internal import MediaPrep
internal import SystemPackage

/// How outputs are named.
enum OutputNaming {
    /// A recording keeps its name, since its bytes stay what they are.
    static func audioOutputName(for relative: some Collection<UInt8>) -> [UInt8] { Array(relative) }

    /// The whole name of the input, and `.jpg` behind it unless it ends so already: `a.png` and `a.jpg` stay apart.
    static func imageOutputName(for relative: some BidirectionalCollection<UInt8>) -> [UInt8] {
        let name = relative.suffix(6).map { (65...90).contains($0) ? $0 + 32 : $0 }
        let isJPEG = [".jpg", ".jpeg"].contains { ending in
            // A name that is nothing but these is hidden, and has no ending.
            let stem = name.dropLast(ending.utf8.count)
            return name.suffix(ending.utf8.count).elementsEqual(ending.utf8)
                && ![nil, UInt8(ascii: "/")].contains(stem.last)
        }
        return Array(relative) + (isJPEG ? [] : Array(".jpg".utf8))
    }

    /// Equal for two names of which a file system that ignores case, or how an accent is written, keeps only one.
    enum CollisionKey: Hashable {
        /// Compared as text, by canonical equivalence.
        case text(String)
        /// Not UTF-8.
        case bytes([UInt8])

        init(_ name: [UInt8]) {
            let text = String(validating: name, as: UTF8.self)
            self = text.map { .text($0.lowercased()) } ?? .bytes(name)
        }
    }

    /// Why no output may have the name of this input: the names in the output directory that are the run's own. Nil for
    /// most.
    static func reservedNameRejection(for relative: [UInt8]) -> ManifestDiagnostic? {
        let isManifest = relative.starts(with: "manifest".utf8) && relative.suffix(6).elementsEqual(".jsonl".utf8)
        guard
            isManifest && !relative.contains(UInt8(ascii: "/"))
                || relative.split(separator: UInt8(ascii: "/")).first?.elementsEqual(".prep".utf8) == true
        else {
            return nil
        }
        return .reservedName
    }

    /// Whether a file of this name is expected to be media, and so missed if it isn't.
    static func hasMediaExtension(_ path: FilePath) -> Bool {
        path.lastComponent?.extension.map { MediaType.mediaFileExtensions.contains($0.lowercased()) } ?? false
    }

    /// What a file of this name is expected to be, where nobody looks into it.
    static func expectedMediaKind(of path: FilePath) -> String {
        let ending = path.lastComponent?.extension?.lowercased() ?? ""
        return MediaType.imageFileExtensions.contains(ending) ? "image" : hasMediaExtension(path) ? "audio" : "other"
    }
}

extension ManifestDiagnostic {
    static let reservedName = ManifestDiagnostic(
        code: "reserved-name", message: "its output would have a name that is the run's own")
}
