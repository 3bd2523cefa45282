import Foundation
import TestSupport
import Testing

@testable import dev_backend

@Suite("Links planted in a directory of responses are not followed", .serialized)
struct PlantedResponseTests {
    @Test("A response replaces a symbolic link itself, and is not written through one")
    func responseReplacesLinkInsteadOfFollowingIt() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try workspace.writeFile(Data("a letter".utf8), at: "victim/letter.txt")
        // An earlier version gave this name to the draft of a response.
        for name in ["a.jpg.json", "a.jpg.json.draft"] {
            try workspace.createSymbolicLink(at: "answers/\(name)", to: "../victim/letter.txt")
        }
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.runUpload([
                "in", "--to", backend.uploadURL, "--output", "out", "--responses", "answers",
            ])
            #expect(run.exitStatus == 0, "\(run.standardError)")
        }
        #expect(try workspace.contents(ofFileAt: "victim/letter.txt") == Data("a letter".utf8))
        #expect(try workspace.contents(ofFileAt: "answers/a.jpg.json").first == UInt8(ascii: "{"))
        let attributes = try FileManager.default.attributesOfItem(
            atPath: workspace.fileURL(at: "answers/a.jpg.json").path)
        #expect(attributes[.type] as? FileAttributeType == .typeRegular)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test(
        "A response does not replace a file that is not a response: an input, an output, or any other",
        arguments: [["in", "--output", "ready"], ["--from-manifest", "ready/manifest.jsonl"]],
        ["in", "ready", "answers"])
    func responseReplacesNoOtherFile(_ source: [String], _ directory: String) async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        #expect(try workspace.runPrep("in", "--output", "ready").exitStatus == 0)
        try workspace.writeFile(Data("a letter".utf8), at: "\(directory)/a.jpg.json")
        try await DevBackend.withRunningBackend { backend in
            let arguments = source + ["--to", backend.uploadURL, "--responses"]
            let run = try await workspace.runUpload(arguments + [directory])
            #expect(run.exitStatus == 2)
            let message = "it would replace a file that is not a response"
            #expect(run.standardError.contains(message), "\(run.standardError)")
            #expect(try workspace.contents(ofFileAt: "\(directory)/a.jpg.json") == Data("a letter".utf8))
            // Otherwise, the response would be lost: the file is not sent again.
            #expect(backend.requestCount == 0)
            #expect(try await workspace.runUpload(arguments + ["elsewhere"]).exitStatus == 0)
            #expect(backend.requestCount == 1)
        }
    }

    @Test("A response does not replace a hard link to another file")
    func responseReplacesNoHardLink() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        let letter = try workspace.writeFile(Data("a letter".utf8), at: "answers/letter.txt")
        try FileManager.default.linkItem(at: letter, to: workspace.fileURL(at: "answers/a.jpg.json"))
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.runUpload(["in", "--to", backend.uploadURL, "--responses", "answers"])
            #expect(run.exitStatus == 2)
        }
        #expect(try workspace.contents(ofFileAt: "answers/letter.txt") == Data("a letter".utf8))
        #expect(try workspace.entryNames(in: "answers") == ["a.jpg.json", "letter.txt"])
    }

    @Test("A response replaces an earlier response that was not changed since")
    func responseReplacesEarlierResponse() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/sub/a.jpg")
        let response = "answers/sub/a.jpg.json"
        try await DevBackend.withRunningBackend { backend in
            let arguments = ["in", "--to", backend.uploadURL, "--responses", "answers", "--force"]
            #expect(try await workspace.runUpload(arguments).exitStatus == 0)
            let first = try workspace.contents(ofFileAt: response)
            let run = try await workspace.runUpload(arguments)
            #expect(run.exitStatus == 0, "\(run.standardError)")
            #expect(try workspace.contents(ofFileAt: response) != first)
            try workspace.writeFile(first + Data("\n".utf8), at: response)
            #expect(try await workspace.runUpload(arguments).exitStatus == 2)
            #expect(try workspace.contents(ofFileAt: response) == first + Data("\n".utf8))
        }
    }

    @Test("A link among the directories of responses ends the run; the given directory itself may be a link")
    func linkedResponseSubdirectoryEndsRun() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/sub/a.jpg")
        try workspace.writeFile(Data("a letter".utf8), at: "victim/a.jpg.json")
        try FileManager.default.createDirectory(at: workspace.fileURL(at: "real"), withIntermediateDirectories: true)
        try workspace.createSymbolicLink(at: "answers", to: "real")
        try workspace.createSymbolicLink(at: "real/sub", to: "../victim")
        try await DevBackend.withRunningBackend { backend in
            let arguments = ["in", "--to", backend.uploadURL, "--output", "out", "--responses", "answers"]
            let run = try await workspace.runUpload(arguments)
            #expect(run.exitStatus == 2)
            #expect(run.standardError.contains("cannot be written below answers"), "\(run.standardError)")
            #expect(try workspace.contents(ofFileAt: "victim/a.jpg.json") == Data("a letter".utf8))
            #expect(try workspace.entryNames(in: "victim") == ["a.jpg.json"])
        }
    }
}
