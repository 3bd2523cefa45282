// `unsafe`: mkfifo and open take the addresses of paths, one of which is not text.

import Foundation
import TestSupport
import Testing

@Suite("Which files are inputs")
struct DiscoveryTests {
    @Test("Hidden files and directories, and what some systems leave beside photos, are left alone")
    func hidden() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg", "in/.hidden.jpg", "in/._a.jpg", "in/.thumbnails/a.jpg", "in/b/.DS_Store")
        #expect(try workspace.prep("in", "--output", "out").status == 0)
        #expect(try workspace.manifest().outcomes == ["in/a.jpg": "converted"])
        #expect(workspace.files(below: "out") == ["a.jpg", "manifest.jsonl"])
    }

    @Test("A hidden file that is named is an input")
    func namedHidden() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/.hidden.jpg")
        #expect(try workspace.prep("in/.hidden.jpg", "--output", "out").status == 0)
        #expect(workspace.exists("out/.hidden.jpg"))
    }

    @Test("What isn't there, or leads nowhere, is told of and keeps nobody else from being prepared")
    func missing() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        try workspace.link("in/broken.jpg", to: "nowhere.jpg")
        let run = try workspace.prep("in", "missing.jpg", "--output", "out")
        #expect(run.status == 1)
        #expect(run.errors.contains("prep: missing.jpg: failed (unreadable): "))
        let lines = try workspace.manifest()
        #expect(
            lines.outcomes == [
                "in/a.jpg": "converted", "in/broken.jpg": "failed unreadable", "missing.jpg": "failed unreadable",
            ])
        #expect(lines.outputs == ["in/a.jpg": "in/a.jpg"])
    }

    @Test("Among photos, what is no media and isn't named like it is skipped without changing the status")
    func skipped() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        try workspace.write(Data("text".utf8), "in/notes.txt")
        try workspace.write(Data(), "in/empty")
        try #require(unsafe mkfifo(workspace.file("in/pipe").path, 0o600) == 0)
        let run = try workspace.prep("in", "--output", "out")
        #expect(run.status == 0)
        #expect(run.errors.hasPrefix("4 inputs: 1 converted, 3 skipped; "))
        let lines = try workspace.manifest()
        #expect(
            lines.outcomes == [
                "in/a.jpg": "converted", "in/notes.txt": "skipped unrecognized-format", "in/empty": "skipped empty",
                "in/pipe": "skipped not-a-regular-file",
            ])
        #expect(lines.filter { $0.verdict == "skipped" }.allSatisfy { $0.kind == "other" && $0.output == nil })
    }

    @Test("The same, named on the command line, is rejected")
    func namedText() throws {
        let workspace = try Workspace()
        try workspace.write(Data("text".utf8), "in/notes.txt")
        #expect(try workspace.prep("in/notes.txt", "--output", "out").status == 1)
        #expect(try workspace.manifest().outcomes == ["in/notes.txt": "rejected unrecognized-format"])
    }

    @Test("What is named like media and is none is rejected, or failed if there is nothing in it")
    func namedLikeMedia() throws {
        let workspace = try Workspace()
        try workspace.write(Data("text".utf8), "in/a.PNG")
        try workspace.write(try Data(contentsOf: Samples.damaged("header.heic")), "in/b.heic")
        try workspace.write(try Data(contentsOf: Samples.damaged("truncated.jpg")), "in/c.jpg")
        try workspace.write(Data(), "in/d.jpg")
        try workspace.write(try Data(contentsOf: Samples.damaged("header.heic")), "in/e")
        #expect(try workspace.prep("in", "--output", "out").status == 1)
        #expect(
            try workspace.manifest().outcomes == [
                "in/a.PNG": "rejected unrecognized-format", "in/b.heic": "rejected unsupported-heic",
                "in/c.jpg": "rejected truncated", "in/d.jpg": "failed empty", "in/e": "rejected unsupported-heic",
            ])
        #expect(workspace.files(below: "out") == ["manifest.jsonl"])
    }

    @Test("The output directory is not searched, even where it lies within the input")
    func outputWithinInput() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg", "in/ready/old.jpg")
        for _ in 1...2 {
            #expect(try workspace.prep("in", "--output", "in/ready").status == 0)
            #expect(try workspace.manifest("in/ready").outcomes == ["in/a.jpg": "converted"])
        }
        #expect(workspace.files(below: "in") == ["a.jpg", "ready/a.jpg", "ready/manifest.jsonl", "ready/old.jpg"])
    }

    #if os(Linux)  // Other systems' file systems take no names that aren't UTF-8.
        @Test("A name that is not UTF-8 keeps its bytes, and the manifest has them in base 64")
        func nameOfBytes() throws {
            let workspace = try Workspace()
            let photo = try SmallPhoto.ear.get()
            try workspace.writePhotos("in/plain.jpg")
            let name: [UInt8] = Array("caf".utf8) + [0xE9] + Array(".png".utf8)
            try write(photo, Array(workspace.file("in/").path.utf8) + [UInt8(ascii: "/")] + name)
            #expect(try workspace.prep("in", "--output", "out").status == 0)
            let line = try #require(try workspace.manifest().first { $0.inputBase64 != nil })
            #expect(line.input == "in/caf\u{FFFD}.png")
            #expect(line.inputBase64 == Data(Array("in/".utf8) + name).base64EncodedString())
            #expect(line.verdict == "converted")
            #expect(line.output == "caf\u{FFFD}.png.jpg")
            let output = Array(workspace.file("out").path.utf8) + [UInt8(ascii: "/")] + name + Array(".jpg".utf8)
            #expect(opens(output))
        }

        @Test("Two names that are not UTF-8 do not collide because both are repaired to the same text")
        func namesOfBytes() throws {
            let workspace = try Workspace()
            let photo = try SmallPhoto.ear.get()
            try workspace.writePhotos("in/plain.jpg")
            for byte: UInt8 in [0xFE, 0xFF] {
                try write(
                    photo, Array(workspace.file("in/").path.utf8) + [UInt8(ascii: "/"), byte] + Array(".jpg".utf8))
            }
            #expect(try workspace.prep("in", "--output", "out").status == 0)
            #expect(try workspace.manifest().count == 3)
        }

        private func write(_ data: Data, _ path: [UInt8]) throws {
            let descriptor = unsafe open(path.map { CChar(bitPattern: $0) } + [0], O_WRONLY | O_CREAT, 0o600)
            try #require(descriptor >= 0)
            try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: data)
        }

        private func opens(_ path: [UInt8]) -> Bool {
            let descriptor = unsafe open(path.map { CChar(bitPattern: $0) } + [0], O_RDONLY)
            if descriptor >= 0 { close(descriptor) }
            return descriptor >= 0
        }
    #endif
}
