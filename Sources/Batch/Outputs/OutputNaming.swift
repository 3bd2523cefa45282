internal import Diagnostics
internal import MediaPrep
internal import SystemPackage

/// The rules for output names.
enum OutputNaming {
    /// Returns the name of an audio output, which is the name of the input because the format stays the same.
    static func audioOutputName(for relative: some Collection<UInt8>) -> [UInt8] { Array(relative) }

    /// Returns the name of an image output: the whole name of the input, with `.jpg` appended unless it is already the
    /// name of a JPEG. Therefore, `a.png` and `a.jpg` have different outputs.
    static func imageOutputName(for relative: some BidirectionalCollection<UInt8>) -> [UInt8] {
        let name = relative.suffix(6).map { (65...90).contains($0) ? $0 + 32 : $0 }
        let isJPEG = [".jpg", ".jpeg"].contains { ending in
            // A name that consists only of the extension is a hidden file without an extension.
            let stem = name.dropLast(ending.utf8.count)
            return name.suffix(ending.utf8.count).elementsEqual(ending.utf8)
                && ![nil, UInt8(ascii: "/")].contains(stem.last)
        }
        return Array(relative) + (isJPEG ? [] : Array(".jpg".utf8))
    }

    /// A key that is equal for names that collide on a file system that ignores case or Unicode normalization.
    enum CollisionKey: Hashable {
        /// UTF-8 text, compared by canonical equivalence.
        case text(String)
        /// Bytes that are not UTF-8.
        case bytes([UInt8])

        init(_ name: [UInt8]) {
            let text = String(validating: name, as: UTF8.self)
            self = text.map { .text($0.lowercased()) } ?? .bytes(name)
        }
    }

    /// Returns the reason for which no output may have this input's name, or `nil` if it is allowed. The manifest and
    /// `.prep` in the output directory are reserved for the run.
    static func reservedNameRejection(for relative: [UInt8]) -> Diagnostic? {
        let isManifest = relative.starts(with: "manifest".utf8) && relative.suffix(6).elementsEqual(".jsonl".utf8)
        guard
            isManifest && !relative.contains(UInt8(ascii: "/"))
                || relative.split(separator: UInt8(ascii: "/")).first?.elementsEqual(".prep".utf8) == true
        else {
            return nil
        }
        return .reservedName
    }

    /// Returns whether the file name has the extension of a media file, so that the file is expected to be media.
    static func hasMediaExtension(_ path: FilePath) -> Bool {
        path.lastComponent?.extension.map { MediaType.mediaFileExtensions.contains($0.lowercased()) } ?? false
    }

    /// Returns the kind of media that the file name indicates, for files that are not read.
    static func expectedMediaKind(of path: FilePath) -> MediaKind {
        let ending = path.lastComponent?.extension?.lowercased() ?? ""
        return MediaType.imageFileExtensions.contains(ending) ? .image : hasMediaExtension(path) ? .audio : .other
    }
}

extension Diagnostic {
    static let reservedName = Diagnostic(
        .reservedName, message: "its output would have a name that is reserved for the run")
}
