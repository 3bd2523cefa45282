import Foundation
import TestSupport
import Testing

@testable import dev_backend

@Suite("Links planted in a directory of responses lead nowhere", .serialized)
struct PlantedResponseTests {
    @Test("A response takes the place of a link, and is not written through one", arguments: [false, true])
    func responseReplacesLinkInsteadOfFollowingIt(isHardLink: Bool) async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try workspace.writeFile(Data("a letter".utf8), at: "victim/letter.txt")
        let place = workspace.fileURL(at: "answers/a.jpg.json"), letter = workspace.fileURL(at: "victim/letter.txt")
        try FileManager.default.createDirectory(at: workspace.fileURL(at: "answers"), withIntermediateDirectories: true)
        // What the draft of a response was called once.
        let draft = workspace.fileURL(at: "answers/a.jpg.json.draft")
        for link in [place, draft] {
            if isHardLink {
                try FileManager.default.linkItem(at: letter, to: link)
            } else {
                try FileManager.default.createSymbolicLink(at: link, withDestinationURL: letter)
            }
        }
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.runUpload([
                "in", "--to", backend.uploadURL, "--output", "out", "--responses", "answers",
            ])
            #expect(run.exitStatus == 0, "\(run.standardError)")
        }
        #expect(try workspace.contents(ofFileAt: "victim/letter.txt") == Data("a letter".utf8))
        #expect(try workspace.contents(ofFileAt: "answers/a.jpg.json").first == UInt8(ascii: "{"))
        let attributes = try FileManager.default.attributesOfItem(atPath: place.path)
        #expect(attributes[.type] as? FileAttributeType == .typeRegular)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("A response doesn't replace an input, such as a file that describes a photo")
    func input() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try workspace.writeFile(Data("a letter".utf8), at: "in/a.jpg.json")
        try await DevBackend.withRunningBackend { backend in
            let arguments = ["in", "--to", backend.uploadURL, "--output", "out", "--responses", "in"]
            let run = try await workspace.runUpload(arguments)
            #expect(run.exitStatus == 2)
            #expect(run.standardError.contains("it would replace an input"), "\(run.standardError)")
            #expect(try workspace.contents(ofFileAt: "in/a.jpg.json") == Data("a letter".utf8))
            #expect(try workspace.entryNames(in: "in") == ["a.jpg", "a.jpg.json"])
            #expect(try await workspace.runUpload(arguments.dropLast() + ["answers"]).exitStatus == 0)
            #expect(backend.requestCount == 1)
        }
    }

    @Test("A directory among the responses that is a link ends the run, and the directory itself may be one")
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
            #expect(run.standardError.contains("can't be written below answers"), "\(run.standardError)")
            #expect(try workspace.contents(ofFileAt: "victim/a.jpg.json") == Data("a letter".utf8))
            #expect(try workspace.entryNames(in: "victim") == ["a.jpg.json"])
        }
    }
}
