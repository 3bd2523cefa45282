import Foundation
import TestSupport
import Testing

@testable import dev_backend

@Suite("Links planted in a directory of responses lead nowhere", .serialized)
struct PlantedResponseTests {
    @Test("A response takes the place of a link, and is not written through one", arguments: [false, true])
    func file(isHardLink: Bool) async throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        try workspace.write(Data("a letter".utf8), "victim/letter.txt")
        let place = workspace.file("answers/a.jpg.json"), letter = workspace.file("victim/letter.txt")
        try FileManager.default.createDirectory(at: workspace.file("answers"), withIntermediateDirectories: true)
        // What the draft of a response was called once.
        let draft = workspace.file("answers/a.jpg.json.draft")
        for link in [place, draft] {
            if isHardLink {
                try FileManager.default.linkItem(at: letter, to: link)
            } else {
                try FileManager.default.createSymbolicLink(at: link, withDestinationURL: letter)
            }
        }
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.upload([
                "in", "--to", backend.endpoint, "--output", "out", "--responses", "answers",
            ])
            #expect(run.status == 0, "\(run.errors)")
        }
        #expect(try workspace.contents("victim/letter.txt") == Data("a letter".utf8))
        #expect(try workspace.contents("answers/a.jpg.json").first == UInt8(ascii: "{"))
        let attributes = try FileManager.default.attributesOfItem(atPath: place.path)
        #expect(attributes[.type] as? FileAttributeType == .typeRegular)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("A response doesn't replace an input, such as a file that describes a photo")
    func input() async throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        try workspace.write(Data("a letter".utf8), "in/a.jpg.json")
        try await DevBackend.withRunningBackend { backend in
            let arguments = ["in", "--to", backend.endpoint, "--output", "out", "--responses", "in"]
            let run = try await workspace.upload(arguments)
            #expect(run.status == 2)
            #expect(run.errors.contains("it would replace an input"), "\(run.errors)")
            #expect(try workspace.contents("in/a.jpg.json") == Data("a letter".utf8))
            #expect(try workspace.names(in: "in") == ["a.jpg", "a.jpg.json"])
            #expect(try await workspace.upload(arguments.dropLast() + ["answers"]).status == 0)
            #expect(backend.requestCount == 1)
        }
    }

    @Test("A directory among the responses that is a link ends the run, and the directory itself may be one")
    func directory() async throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/sub/a.jpg")
        try workspace.write(Data("a letter".utf8), "victim/a.jpg.json")
        try FileManager.default.createDirectory(at: workspace.file("real"), withIntermediateDirectories: true)
        try workspace.link("answers", to: "real")
        try workspace.link("real/sub", to: "../victim")
        try await DevBackend.withRunningBackend { backend in
            let arguments = ["in", "--to", backend.endpoint, "--output", "out", "--responses", "answers"]
            let run = try await workspace.upload(arguments)
            #expect(run.status == 2)
            #expect(run.errors.contains("can't be written below answers"), "\(run.errors)")
            #expect(try workspace.contents("victim/a.jpg.json") == Data("a letter".utf8))
            #expect(try workspace.names(in: "victim") == ["a.jpg.json"])
        }
    }
}
