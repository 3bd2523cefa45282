// `unsafe`: mkfifo and open take the addresses of paths, one of which is not UTF-8.

import Foundation
import TestSupport
import Testing

@Suite("Which files are inputs")
struct DiscoveryTests {
    @Test("Hidden files and directories, and system files beside images, are ignored")
    func hiddenFilesAreIgnored() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(
            at: "in/a.jpg", "in/.hidden.jpg", "in/._a.jpg", "in/.thumbnails/a.jpg", "in/b/.DS_Store")
        #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0)
        #expect(try workspace.manifestLines().verdictsByInput == ["in/a.jpg": "converted"])
        #expect(workspace.filePaths(below: "out") == ["a.jpg", "manifest.jsonl"])
    }

    @Test("A hidden file that is named is an input")
    func explicitlyNamedHiddenFileIsAnInput() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/.hidden.jpg")
        #expect(try workspace.runPrep("in/.hidden.jpg", "--output", "out").exitStatus == 0)
        #expect(workspace.fileExists(at: "out/.hidden.jpg"))
    }

    @Test("A missing input or broken link is reported, and the others are prepared")
    func missingInputsAreReportedAndOthersPrepared() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try workspace.createSymbolicLink(at: "in/broken.jpg", to: "nowhere.jpg")
        let run = try workspace.runPrep("in", "missing.jpg", "--output", "out")
        #expect(run.exitStatus == 1)
        #expect(run.standardError.contains("prep: missing.jpg: failed (unreadable): "))
        let lines = try workspace.manifestLines()
        #expect(
            lines.verdictsByInput == [
                "in/a.jpg": "converted", "in/broken.jpg": "failed unreadable", "missing.jpg": "failed unreadable",
            ])
        #expect(lines.outputsByInput == ["in/a.jpg": "in/a.jpg"])
    }

    @Test("A file that is not media by name or content is skipped without changing the status")
    func nonMediaInDirectoryIsSkipped() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try workspace.writeFile(Data("text".utf8), at: "in/notes.txt")
        try workspace.writeFile(Data(), at: "in/empty")
        try #require(unsafe mkfifo(workspace.fileURL(at: "in/pipe").path, 0o600) == 0)
        let run = try workspace.runPrep("in", "--output", "out")
        #expect(run.exitStatus == 0)
        #expect(run.standardError.hasPrefix("4 inputs: 1 converted, 3 skipped; "))
        let lines = try workspace.manifestLines()
        #expect(
            lines.verdictsByInput == [
                "in/a.jpg": "converted", "in/notes.txt": "skipped unrecognized-format", "in/empty": "skipped empty",
                "in/pipe": "skipped not-a-regular-file",
            ])
        #expect(lines.filter { $0.verdict == "skipped" }.allSatisfy { $0.kind == "other" && $0.output == nil })
    }

    @Test("Such a file is rejected if it is named on the command line")
    func explicitlyNamedNonMediaIsRejected() throws {
        let workspace = try TestWorkspace()
        try workspace.writeFile(Data("text".utf8), at: "in/notes.txt")
        #expect(try workspace.runPrep("in/notes.txt", "--output", "out").exitStatus == 1)
        #expect(try workspace.manifestLines().verdictsByInput == ["in/notes.txt": "rejected unrecognized-format"])
    }

    @Test("A file named like media is rejected if it is not media, and fails if it is empty")
    func nonMediaWithMediaExtensionIsRejectedOrFailed() throws {
        let workspace = try TestWorkspace()
        try workspace.writeFile(Data("text".utf8), at: "in/a.PNG")
        try workspace.writeFile(try Data(contentsOf: SampleMedia.damagedFile(named: "header.heic")), at: "in/b.heic")
        try workspace.writeFile(try Data(contentsOf: SampleMedia.damagedFile(named: "truncated.jpg")), at: "in/c.jpg")
        try workspace.writeFile(Data(), at: "in/d.jpg")
        try workspace.writeFile(try Data(contentsOf: SampleMedia.damagedFile(named: "header.heic")), at: "in/e")
        #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 1)
        #expect(
            try workspace.manifestLines().verdictsByInput == [
                "in/a.PNG": "rejected unrecognized-format", "in/b.heic": "rejected unsupported-heic",
                "in/c.jpg": "rejected truncated", "in/d.jpg": "failed empty", "in/e": "rejected unsupported-heic",
            ])
        #expect(workspace.filePaths(below: "out") == ["manifest.jsonl"])
    }

    @Test("The output directory is not searched, even if it is inside the input")
    func outputDirectoryInsideInputIsNotSearched() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg", "in/ready/old.jpg")
        for _ in 1...2 {
            #expect(try workspace.runPrep("in", "--output", "in/ready").exitStatus == 0)
            #expect(try workspace.manifestLines(inOutput: "in/ready").verdictsByInput == ["in/a.jpg": "converted"])
        }
        #expect(workspace.filePaths(below: "in") == ["a.jpg", "ready/a.jpg", "ready/manifest.jsonl", "ready/old.jpg"])
    }

    #if os(Linux)  // File systems of other platforms accept only UTF-8 names.
        @Test("A name that is not UTF-8 keeps its bytes, and the manifest has them in Base64")
        func nonUTF8NameKeepsItsBytes() throws {
            let workspace = try TestWorkspace()
            let photo = try SmallImage.ear.get()
            try workspace.writeSmallImage(at: "in/plain.jpg")
            let name: [UInt8] = Array("caf".utf8) + [0xE9] + Array(".png".utf8)
            try writeFile(
                photo, atPathBytes: Array(workspace.fileURL(at: "in/").path.utf8) + [UInt8(ascii: "/")] + name)
            #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0)
            let line = try #require(try workspace.manifestLines().first { $0.inputBase64 != nil })
            #expect(line.input == "in/caf\u{FFFD}.png")
            #expect(line.inputBase64 == Data(Array("in/".utf8) + name).base64EncodedString())
            #expect(line.verdict == "converted")
            #expect(line.output == "caf\u{FFFD}.png.jpg")
            let output = Array(workspace.fileURL(at: "out").path.utf8) + [UInt8(ascii: "/")] + name + Array(".jpg".utf8)
            #expect(canOpen(output))
        }

        @Test("Two names that are not UTF-8 do not collide because both are repaired to the same text")
        func nonUTF8NamesDoNotCollide() throws {
            let workspace = try TestWorkspace()
            let photo = try SmallImage.ear.get()
            try workspace.writeSmallImage(at: "in/plain.jpg")
            for byte: UInt8 in [0xFE, 0xFF] {
                try writeFile(
                    photo,
                    atPathBytes: Array(workspace.fileURL(at: "in/").path.utf8) + [UInt8(ascii: "/"), byte]
                        + Array(".jpg".utf8))
            }
            #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0)
            #expect(try workspace.manifestLines().count == 3)
        }

        private func writeFile(_ data: Data, atPathBytes path: [UInt8]) throws {
            let descriptor = unsafe open(path.map { CChar(bitPattern: $0) } + [0], O_WRONLY | O_CREAT, 0o600)
            try #require(descriptor >= 0)
            try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: data)
        }

        private func canOpen(_ path: [UInt8]) -> Bool {
            let descriptor = unsafe open(path.map { CChar(bitPattern: $0) } + [0], O_RDONLY)
            if descriptor >= 0 { close(descriptor) }
            return descriptor >= 0
        }
    #endif
}
