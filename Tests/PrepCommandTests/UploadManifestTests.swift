import Foundation
import TestSupport
import Testing

@testable import dev_backend

@Suite("prep upload sends what a manifest lists", .serialized)
struct UploadManifestTests {
    /// Three inputs, of which two were prepared.
    private func workspace() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        try workspace.write(wave(tone(0.5)), "in/b/note.wav")
        try workspace.write(try Data(contentsOf: Samples.damaged("text.jpg")), "in/text.jpg")
        #expect(try workspace.prep("in", "--output", "ready").status == 1)
        return workspace
    }

    @Test(
        "From a file or standard input, with or without a place; lines of what wasn't prepared are repeated",
        arguments: [
            #""$PREP" upload --from-manifest ready/manifest.jsonl --to "$URL""#,
            #"cd ready; "$PREP" upload --from-manifest - --to "$URL" < manifest.jsonl"#,
            #""$PREP" upload --from-manifest ready/manifest.jsonl --output ready --to "$URL""#,
            #"cat ready/manifest.jsonl | "$PREP" upload --from-manifest - --output ready --to "$URL""#,
        ])
    func sent(_ script: String) async throws {
        let workspace = try workspace()
        let files = workspace.files(below: "ready")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.uploadScript(script, to: backend.endpoint)
            #expect(run.status == 1)
            let lines = try Line.all(in: run.output)
            let prepared = try workspace.manifest("ready")
            #expect(lines.map(\.input) == prepared.map(\.input))
            #expect(lines.outputs == prepared.outputs)
            #expect(lines.outcomes == prepared.outcomes)
            #expect(lines.uploads == ["in/a.jpg": "acknowledged", "in/b/note.wav": "acknowledged"])
            #expect(
                try backend.files().map(\.sha256).sorted()
                    == files.filter { $0 != "manifest.jsonl" }.map { digest(of: try workspace.contents("ready/\($0)")) }
                    .sorted())
            #expect(workspace.files(below: "ready") == files)
            let again = try await workspace.uploadScript(script, to: backend.endpoint)
            #expect(try Line.all(in: again.output).ids == lines.ids)
            #expect(backend.requestCount == 2)
        }
    }

    /// What becomes of a prepared file before it is sent.
    enum Change: CaseIterable { case longer, shorter, otherBytes, otherFile, gone }

    @Test("A prepared file that is no longer what it was never reaches the server", arguments: Change.allCases)
    func changed(_ change: Change) async throws {
        let workspace = try workspace()
        var note = try workspace.contents("ready/b/note.wav")
        switch change {
        case .longer: note += [0]
        case .shorter: note.removeLast()
        case .otherBytes: note[note.count - 1] ^= 1
        case .otherFile: note = try workspace.contents("ready/a.jpg")
        case .gone: break
        }
        try FileManager.default.removeItem(at: workspace.file("ready/b/note.wav"))
        if change != .gone { try workspace.write(note, "ready/b/note.wav") }
        try await DevBackend.withRunningBackend { backend in
            let arguments = ["--from-manifest", "ready/manifest.jsonl", "--to", backend.endpoint]
            let run = try await workspace.upload(arguments)
            #expect(run.status == 1)
            #expect(run.errors.contains("prep: in/b/note.wav: failed (source-changed): "))
            let lines = try Line.all(in: run.output)
            #expect(lines.uploads == ["in/a.jpg": "acknowledged", "in/b/note.wav": "failed source-changed"])
            #expect(try backend.files().map(\.filename) == ["image.jpg"])
            // Put right, it is sent.
            #expect(try workspace.prep("in", "--output", "ready").status == 1)
            let again = try await workspace.upload(arguments)
            #expect(try Line.all(in: again.output).uploadCounts == ["acknowledged": 2])
        }
    }

    @Test(
        "A manifest whose outputs lie elsewhere, or that is none, is refused",
        arguments: ["../in/a.jpg", "/etc/hostname", "b/../../in/a.jpg"])
    func outside(_ output: String) async throws {
        let workspace = try workspace()
        let manifest = String(decoding: try workspace.contents("ready/manifest.jsonl"), as: UTF8.self)
        try workspace.write(Data(manifest.replacing(#""a.jpg""#, with: "\"\(output)\"").utf8), "ready/other.jsonl")
        try workspace.write(Data("a,b\n".utf8), "none")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.upload(
                ["--from-manifest", "ready/other.jsonl", "--to", backend.endpoint, "--responses", "answers"])
            #expect(run.status == 2)
            #expect(
                run.errors.contains(
                    "prep: the manifest has \(output) as an output, which is not below its directory\n"))
            #expect(try !backend.files().contains { $0.filename == "image.jpg" })
            let none = try await workspace.upload(["--from-manifest", "none", "--to", backend.endpoint])
            #expect(none.status == 2)
            #expect(none.errors.contains("prep: line 1 of none is not a manifest's\n"))
        }
    }

    @Test(
        "The new manifest replaces nothing that is read",
        arguments: ["ready/manifest.jsonl", "token", "state/l", "pets"])
    func replacing(_ path: String) async throws {
        let workspace = try workspace()
        try workspace.write(Data("dev-token".utf8), "token")
        try workspace.write(Data("in/b/note.wav,Pet1\n".utf8), "pets")
        try workspace.link("state/l", to: "../ready/manifest.jsonl")
        let before = try workspace.contents(path)
        let run = try await workspace.upload([
            "--from-manifest", "ready/manifest.jsonl", "--to", "pet-visits", "--base-url", "http://127.0.0.1:9",
            "--appointment", "A", "--pets", "pets", "--token-file", "token", "--manifest", path,
        ])
        #expect(run.status == 2)
        #expect(run.errors.contains("prep: the manifest \(path) would replace the "))
        #expect(try workspace.contents(path) == before)
    }

    @Test("An output that is a link, or in a directory that is one, is not sent", arguments: ["a.jpg", "linked/a.jpg"])
    func links(_ output: String) async throws {
        let workspace = try workspace()
        let before = try String(decoding: workspace.contents("ready/manifest.jsonl"), as: UTF8.self)
        let line = try #require(before.split(separator: "\n").first { $0.contains(#""output":"a.jpg""#) })
        let lines = line.replacing(#""output":"a.jpg""#, with: "\"output\":\"\(output)\"") + "\n"
        try workspace.write(Data(lines.utf8), "sent/manifest.jsonl")
        if output == "a.jpg" {
            try workspace.link("sent/a.jpg", to: "../ready/a.jpg")
        } else {
            try workspace.link("sent/linked", to: "../ready")
        }
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.upload(["--from-manifest", "sent/manifest.jsonl", "--to", backend.endpoint])
            #expect(run.status == 2)
            #expect(run.errors.contains("symbolic link"), "\(run.errors)")
            #expect(backend.requestCount == 0)
        }
    }

    @Test("Nor an input")
    func replacingInput() async throws {
        let workspace = try workspace()
        let before = try workspace.contents("in/a.jpg")
        let run = try await workspace.upload(
            ["in", "--to", "http://127.0.0.1:9/upload", "-o", "out", "--manifest", "in/a.jpg"])
        #expect(run.status == 2)
        #expect(run.errors == "prep: the manifest in/a.jpg would replace an input\n")
        #expect(try workspace.contents("in/a.jpg") == before)
    }

    #if os(Linux)  // Elsewhere there is no such device.
        @Test("Where the new manifest can't be written the run fails; what was sent stays sent")
        func fullDisk() async throws {
            let workspace = try workspace()
            // More lines than are written at once.
            var lines = String(decoding: try workspace.contents("ready/manifest.jsonl"), as: UTF8.self)
            while lines.utf8.count < 300_000 { lines += lines }
            try workspace.write(Data(lines.utf8), "ready/long.jsonl")
            try await DevBackend.withRunningBackend { backend in
                let arguments = ["--from-manifest", "ready/long.jsonl", "--to", backend.endpoint, "--idempotent"]
                let run = try await workspace.upload(arguments + ["--manifest", "/dev/full"])
                #expect(run.status == 2)
                #expect(run.errors.contains("prep: the manifest /dev/full can't be written: "))
                let rest = try await workspace.upload(arguments + ["--manifest", "lines"])
                #expect(rest.status == 1)
                #expect(try backend.storedForms().count == 2)
            }
        }
    #endif
}
