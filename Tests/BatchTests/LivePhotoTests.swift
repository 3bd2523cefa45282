import SystemPackage
import Testing

@testable import Batch

@Suite("The video of a Live Photo is recognized by the name of its image")
struct LivePhotoTests {
    /// The paths that are marked, of inputs that were found in directories and of inputs that were named.
    private func markedPaths(found: [String], named: [String] = []) throws -> [String] {
        var list = InputList()
        let stat = try FilePath(#filePath).stat()
        for (paths, isNamed) in [(found, false), (named, true)] {
            for path in paths {
                try list.add(
                    path: Array(path.utf8), relativePath: Array(path.utf8), stat: stat, isExplicitlyNamed: isNamed)
            }
        }
        list.sortAndRemoveDuplicates()
        list.markLivePhotoVideos()
        return (0..<list.count).filter { list.isLivePhotoVideo(at: $0) }.map { list[$0].path.string }
    }

    @Test(
        "An image of the same name in the same directory marks a MOV file as the video of a Live Photo",
        arguments: [
            ["a/IMG_1.HEIC", "a/IMG_1.MOV"], ["a/IMG_1.heic", "a/IMG_1.MOV"], ["a/img_1.Heic", "a/IMG_1.mov"],
            ["a/IMG_1.JPG", "a/IMG_1.MOV"], ["a/IMG_1.jpeg", "a/IMG_1.MOV"], ["a/IMG_1.HEIF", "a/IMG_1.mov"],
            ["IMG_1.HEIC", "IMG_1.MOV"], ["a/IMG_E1.HEIC", "a/IMG_E1.MOV"], ["a/x.y.HEIC", "a/x.y.MOV"],
            // The image may come first or last, with other inputs between.
            ["a/IMG_1.AAE", "a/IMG_1.HEIC", "a/IMG_1.HEIC.txt", "a/IMG_1.MOV"], ["a/B.MOV", "a/C.JPG", "a/b.heic"],
        ])
    func pair(_ paths: [String]) throws {
        let video = try #require(paths.first { $0.lowercased().hasSuffix(".mov") })
        #expect(try markedPaths(found: paths) == [video])
        #expect(try markedPaths(found: paths.reversed()) == [video])
    }

    @Test(
        "Other files are not videos of Live Photos",
        arguments: [
            ["a/IMG_1.MOV"], ["a/IMG_1.HEIC", "b/IMG_1.MOV"], ["a/IMG_1.HEIC", "A/IMG_1.MOV"],
            ["a/IMG_1.PNG", "a/IMG_1.MOV"], ["a/IMG_1.HEIC", "a/IMG_1.MP4"], ["a/IMG_1.HEIC", "a/IMG_1.M4A"],
            ["a/IMG_1.HEIC", "a/IMG_E1.MOV"], ["a/IMG_1.HEIC", "a/IMG_1.HEIC.MOV"], ["a/HEIC", "a/MOV"],
            ["a/IMG_1.AAE", "a/IMG_1.MOV"], ["a/IMG_11.HEIC", "a/IMG_1.MOV"],
        ])
    func noPair(_ paths: [String]) throws { #expect(try markedPaths(found: paths) == []) }

    @Test("Two videos with names that differ in case have the same image")
    func severalVideos() throws {
        #expect(try markedPaths(found: ["a/b.MOV", "a/b.heic", "a/b.mov"]) == ["a/b.MOV", "a/b.mov"])
    }

    @Test("A named video is not marked, a named image counts, and a missing image does not")
    func namedAndMissingFiles() throws {
        #expect(try markedPaths(found: ["a/b.heic"], named: ["a/b.mov"]) == [])
        #expect(try markedPaths(found: ["a/b.mov"], named: ["a/b.heic"]) == ["a/b.mov"])
        var list = InputList()
        try list.add(path: Array("b.heic".utf8), relativePath: [], stat: nil, isExplicitlyNamed: false)
        try list.add(
            path: Array("b.mov".utf8), relativePath: [], stat: try FilePath(#filePath).stat(), isExplicitlyNamed: false)
        list.markLivePhotoVideos()
        #expect(!list.isLivePhotoVideo(at: 1))
    }

    @Test("Names are bytes, which need not be UTF-8")
    func nonUTF8Names() throws {
        var list = InputList()
        let stat = try FilePath(#filePath).stat()
        for name in [
            [0xFF, 0xE9] + Array(".HEIC".utf8), [0xFF, 0xE9] + Array(".MOV".utf8), [0xFE, 0xE9] + Array(".MOV".utf8),
        ] {
            try list.add(path: name, relativePath: name, stat: stat, isExplicitlyNamed: false)
        }
        list.sortAndRemoveDuplicates()
        list.markLivePhotoVideos()
        #expect((0..<3).map { list.isLivePhotoVideo(at: $0) } == [false, false, true])
    }
}
