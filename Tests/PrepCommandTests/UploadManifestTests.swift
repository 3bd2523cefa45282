import Foundation
import TestSupport
import Testing

@testable import dev_backend

@Suite("prep upload sends the outputs of a manifest", .serialized)
struct UploadManifestTests {
    /// Three inputs, of which two were prepared.
    private func makePreparedWorkspace() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try workspace.writeFile(makeWAV(makeToneSamples(amplitude: 0.5)), at: "in/b/note.wav")
        try workspace.writeFile(try Data(contentsOf: SampleMedia.damagedFile(named: "text.jpg")), at: "in/text.jpg")
        #expect(try workspace.runPrep("in", "--output", "ready").exitStatus == 1)
        return workspace
    }

    @Test(
        "From a file or standard input, with or without an output directory; lines without output are kept",
        arguments: [
            #""$PREP" upload --from-manifest ready/manifest.jsonl --to "$URL""#,
            #"cd ready; "$PREP" upload --from-manifest - --to "$URL" < manifest.jsonl"#,
            #""$PREP" upload --from-manifest ready/manifest.jsonl --output ready --to "$URL""#,
            #"cat ready/manifest.jsonl | "$PREP" upload --from-manifest - --output ready --to "$URL""#,
        ])
    func manifestOutputsAreSentAndOtherLinesRepeated(_ script: String) async throws {
        let workspace = try makePreparedWorkspace()
        let files = workspace.filePaths(below: "ready")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.runUploadScript(script, to: backend.uploadURL)
            #expect(run.exitStatus == 1)
            let lines = try ManifestLineFixture.parseManifest(run.standardOutput)
            let prepared = try workspace.manifestLines(inOutput: "ready")
            #expect(lines.map(\.input) == prepared.map(\.input))
            #expect(lines.outputsByInput == prepared.outputsByInput)
            #expect(lines.verdictsByInput == prepared.verdictsByInput)
            #expect(lines.uploadOutcomesByInput == ["in/a.jpg": "acknowledged", "in/b/note.wav": "acknowledged"])
            #expect(
                try backend.storedFiles().map(\.sha256).sorted()
                    == files.filter { $0 != "manifest.jsonl" }.map {
                        sha256Digest(of: try workspace.contents(ofFileAt: "ready/\($0)"))
                    }
                    .sorted())
            #expect(workspace.filePaths(below: "ready") == files)
            let again = try await workspace.runUploadScript(script, to: backend.uploadURL)
            #expect(
                try ManifestLineFixture.parseManifest(again.standardOutput).serverIDsByInput == lines.serverIDsByInput)
            #expect(backend.requestCount == 2)
        }
    }

    /// A change of a prepared file before it is sent.
    enum OutputChange: CaseIterable { case longer, shorter, otherBytes, otherFile, gone }

    @Test("A prepared file that changed is not sent", arguments: OutputChange.allCases)
    func changedPreparedFileIsNeverSent(_ change: OutputChange) async throws {
        let workspace = try makePreparedWorkspace()
        var note = try workspace.contents(ofFileAt: "ready/b/note.wav")
        switch change {
        case .longer: note += [0]
        case .shorter: note.removeLast()
        case .otherBytes: note[note.count - 1] ^= 1
        case .otherFile: note = try workspace.contents(ofFileAt: "ready/a.jpg")
        case .gone: break
        }
        try FileManager.default.removeItem(at: workspace.fileURL(at: "ready/b/note.wav"))
        if change != .gone { try workspace.writeFile(note, at: "ready/b/note.wav") }
        try await DevBackend.withRunningBackend { backend in
            let arguments = ["--from-manifest", "ready/manifest.jsonl", "--to", backend.uploadURL]
            let run = try await workspace.runUpload(arguments)
            #expect(run.exitStatus == 1)
            #expect(run.standardError.contains("prep: in/b/note.wav: failed (source-changed): "))
            let lines = try ManifestLineFixture.parseManifest(run.standardOutput)
            #expect(
                lines.uploadOutcomesByInput == ["in/a.jpg": "acknowledged", "in/b/note.wav": "failed source-changed"])
            #expect(try backend.storedFiles().map(\.filename) == ["image.jpg"])
            // After the change is undone, it is sent.
            #expect(try workspace.runPrep("in", "--output", "ready").exitStatus == 1)
            let again = try await workspace.runUpload(arguments)
            #expect(
                try ManifestLineFixture.parseManifest(again.standardOutput).uploadCountsByOutcome == ["acknowledged": 2]
            )
        }
    }

    @Test(
        "An invalid manifest, or one with outputs elsewhere, is rejected",
        arguments: ["../in/a.jpg", "/etc/hostname", "b/../../in/a.jpg"])
    func manifestWithOutsideOutputsIsRejected(_ output: String) async throws {
        let workspace = try makePreparedWorkspace()
        let manifest = String(decoding: try workspace.contents(ofFileAt: "ready/manifest.jsonl"), as: UTF8.self)
        try workspace.writeFile(
            Data(manifest.replacing(#""a.jpg""#, with: "\"\(output)\"").utf8), at: "ready/other.jsonl")
        try workspace.writeFile(Data("a,b\n".utf8), at: "none")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.runUpload(
                ["--from-manifest", "ready/other.jsonl", "--to", backend.uploadURL, "--responses", "answers"])
            #expect(run.exitStatus == 2)
            #expect(
                run.standardError.contains(
                    "prep: the manifest lists the output \(output), which is not below its directory\n"))
            #expect(try !backend.storedFiles().contains { $0.filename == "image.jpg" })
            let none = try await workspace.runUpload(["--from-manifest", "none", "--to", backend.uploadURL])
            #expect(none.exitStatus == 2)
            #expect(none.standardError.contains("prep: line 1 of none is not a manifest line\n"))
        }
    }

    @Test(
        "The new manifest replaces no file that is read",
        arguments: ["ready/manifest.jsonl", "token", "state/l", "pets"])
    func newManifestReplacesNoFileRead(_ path: String) async throws {
        let workspace = try makePreparedWorkspace()
        try workspace.writeFile(Data("dev-token".utf8), at: "token")
        try workspace.writeFile(Data("in/b/note.wav,Pet1\n".utf8), at: "pets")
        try workspace.createSymbolicLink(at: "state/l", to: "../ready/manifest.jsonl")
        let before = try workspace.contents(ofFileAt: path)
        let run = try await workspace.runUpload([
            "--from-manifest", "ready/manifest.jsonl", "--to", "pet-visits", "--base-url", "http://127.0.0.1:9",
            "--appointment", "A", "--pets", "pets", "--token-file", "token", "--manifest", path,
        ])
        #expect(run.exitStatus == 2)
        #expect(run.standardError.contains("prep: the manifest \(path) would replace the "))
        #expect(try workspace.contents(ofFileAt: path) == before)
    }

    @Test("Lines of files that were not kept are done only for the server and the account that have them")
    func linesWithoutOutputsBelongToTheirServer() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeDistinctImages(count: 2, in: "in")
        try await DevBackend.withRunningBackend { backend in
            let first = try await workspace.runUpload(["in", "--to", backend.uploadURL, "--manifest", "sent.jsonl"])
            #expect(first.exitStatus == 0)
            for (options, isKnown) in [([], true), (["--account", "b"], false), (["--field", "a=b"], false)] {
                let run = try await workspace.runUpload(
                    ["--from-manifest", "sent.jsonl", "--to", backend.uploadURL] + options)
                #expect(run.exitStatus == (isKnown ? 0 : 1))
                #expect(run.standardError.contains("its prepared file was not kept") == !isKnown)
                let lines = try ManifestLineFixture.parseManifest(run.standardOutput)
                #expect(lines.uploadCountsByOutcome == [isKnown ? "acknowledged" : "failed source-changed": 2])
            }
            let other = try await workspace.runUpload(
                ["--from-manifest", "sent.jsonl", "--to", "\(backend.uploadURL)?other"])
            #expect(other.exitStatus == 1)
            #expect(backend.requestCount == 2)
        }
    }

    @Test("A run that cannot begin leaves the earlier manifest as it was")
    func failedRunKeepsEarlierManifest() async throws {
        let workspace = try makePreparedWorkspace()
        try workspace.writeFile(Data("earlier".utf8), at: "lines")
        try workspace.writeFile(Data(), at: "answers")
        for arguments in [["--from-manifest", "missing"], ["ready/a.jpg", "--responses", "answers"]] {
            let run = try await workspace.runUpload(
                arguments + ["--to", "http://127.0.0.1:9/upload", "--manifest", "lines"])
            #expect(run.exitStatus == 2)
            #expect(try workspace.contents(ofFileAt: "lines") == Data("earlier".utf8))
        }
    }

    @Test("An output that is a link, or in a directory that is one, is not sent", arguments: ["a.jpg", "linked/a.jpg"])
    func linkedOutputIsNotSent(_ output: String) async throws {
        let workspace = try makePreparedWorkspace()
        let before = try String(decoding: workspace.contents(ofFileAt: "ready/manifest.jsonl"), as: UTF8.self)
        let line = try #require(before.split(separator: "\n").first { $0.contains(#""output":"a.jpg""#) })
        let lines = line.replacing(#""output":"a.jpg""#, with: "\"output\":\"\(output)\"") + "\n"
        try workspace.writeFile(Data(lines.utf8), at: "sent/manifest.jsonl")
        if output == "a.jpg" {
            try workspace.createSymbolicLink(at: "sent/a.jpg", to: "../ready/a.jpg")
        } else {
            try workspace.createSymbolicLink(at: "sent/linked", to: "../ready")
        }
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.runUpload([
                "--from-manifest", "sent/manifest.jsonl", "--to", backend.uploadURL,
            ])
            #expect(run.exitStatus == 2)
            #expect(run.standardError.contains("symbolic link"), "\(run.standardError)")
            #expect(backend.requestCount == 0)
        }
    }

    @Test("An input is not overwritten")
    func newManifestReplacesNoInput() async throws {
        let workspace = try makePreparedWorkspace()
        let before = try workspace.contents(ofFileAt: "in/a.jpg")
        let run = try await workspace.runUpload(
            ["in", "--to", "http://127.0.0.1:9/upload", "-o", "out", "--manifest", "in/a.jpg"])
        #expect(run.exitStatus == 2)
        #expect(run.standardError == "prep: the manifest in/a.jpg would replace an input\n")
        #expect(try workspace.contents(ofFileAt: "in/a.jpg") == before)
    }

    #if os(Linux)  // On other platforms there is no such device.
        @Test("If the new manifest cannot be written, the run fails; sent items stay sent")
        func unwritableManifestFailsRunButKeepsUploads() async throws {
            let workspace = try makePreparedWorkspace()
            // More lines than fit into the buffer.
            var lines = String(decoding: try workspace.contents(ofFileAt: "ready/manifest.jsonl"), as: UTF8.self)
            while lines.utf8.count < 300_000 { lines += lines }
            try workspace.writeFile(Data(lines.utf8), at: "ready/long.jsonl")
            try await DevBackend.withRunningBackend { backend in
                let arguments = ["--from-manifest", "ready/long.jsonl", "--to", backend.uploadURL, "--idempotent"]
                let run = try await workspace.runUpload(arguments + ["--manifest", "/dev/full"])
                #expect(run.exitStatus == 2)
                #expect(run.standardError.contains("prep: the manifest /dev/full can't be written: "))
                let rest = try await workspace.runUpload(arguments + ["--manifest", "lines"])
                #expect(rest.exitStatus == 1)
                #expect(try backend.storedForms().count == 2)
            }
        }
    #endif
}
