extension InputList {
    /// The extensions of a Live Photo's image, in lower case.
    private static let imageExtensions: Set<[UInt8]> = Set(["heic", "heif", "jpg", "jpeg"].map { Array($0.utf8) })
    /// The extension of a Live Photo's video, in lower case.
    private static let videoExtensions: Set<[UInt8]> = [Array("mov".utf8)]

    /// Marks the videos of Live Photos that were found in directories.
    ///
    /// An iPhone exports a Live Photo as an image and a video in QuickTime format, in the same directory. Their names
    /// differ only in the extension. ASCII case is ignored. Only names are compared: the result is the same for every
    /// shard, and no file is opened.
    ///
    /// - Complexity: Linear in the number of inputs. Memory: the names of the videos.
    mutating func markLivePhotoVideos() {
        var videos: [[UInt8]: [Int]] = [:]
        for index in 0..<count where !isExplicitlyNamed(at: index) && !isRejected(at: index) {
            if let name = foldedName(at: index, withExtensionIn: Self.videoExtensions) {
                videos[name, default: []].append(index)
            }
        }
        if videos.isEmpty { return }
        for index in 0..<count where fileVersion(at: index) != nil {
            guard let name = foldedName(at: index, withExtensionIn: Self.imageExtensions) else { continue }
            for video in videos.removeValue(forKey: name) ?? [] { markLivePhotoVideo(at: video) }
        }
    }

    /// Returns the path without its extension, and with the name in lower case, if the extension is in `extensions`.
    private func foldedName(at index: Int, withExtensionIn extensions: Set<[UInt8]>) -> [UInt8]? {
        let path = pathBytes(at: index)
        // The longest extension has four bytes.
        guard let dot = path.suffix(5).lastIndex(of: UInt8(ascii: ".")), extensions.contains(path[(dot + 1)...].folded)
        else { return nil }
        let nameStart = path[..<dot].lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
        return path[..<nameStart] + path[nameStart..<dot].folded
    }
}

extension ArraySlice<UInt8> {
    /// The bytes with ASCII letters in lower case.
    fileprivate var folded: [UInt8] { map { (65...90).contains($0) ? $0 + 32 : $0 } }
}
