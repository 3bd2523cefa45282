import Foundation
import TestSupport
import Testing

@testable import dev_backend

@Suite("prep upload keeps the token and the names of files to itself", .serialized)
struct UploadSecretTests {
    private static let token = "zq8-Secret.Token_of~nobody/01234+abc="

    @Test("A token file is taken without the space around it; one that others can read is warned of")
    func tokenFile() async throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        try workspace.write(Data(" \t\(Self.token)\r\n\n".utf8), "token")
        try await DevBackend.withRunningBackend(options: DevBackendOptions { $0.acceptedTokens = [Self.token] }) {
            backend in
            for (mode, isReadByOthers) in [(0o600, false), (0o640, true), (0o604, true)] {
                try FileManager.default.setAttributes(
                    [.posixPermissions: mode], ofItemAtPath: workspace.file("token").path)
                let run = try await workspace.upload(
                    ["in", "--to", backend.endpoint, "--force", "--token-file", "token"],
                    environment: ["PREP_TOKEN": nil])
                #expect(run.status == 0, "\(run.errors)")
                #expect(run.errors.contains("prep: warning: others can read the token file") == isReadByOthers)
                #expect(!(run.errors + run.output).contains(Self.token))
            }
        }
    }

    @Test("A token that is refused is asked for once more: its file may hold a new one")
    func newToken() async throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        let file = try workspace.write(Data("old".utf8), "token")
        // The old one was read before this is made.
        let ledger = workspace.file("out/.prep/ledger.sqlite")
        let options = DevBackendOptions {
            $0.acceptedTokens = ["new"]
            // Time for the new one to be written.
            $0.responseDelay = .seconds(1)
        }
        try await DevBackend.withRunningBackend(options: options) { backend in
            let arguments = ["in", "--to", backend.endpoint, "--token-file", "token", "-o", "out"]
            let run = try await workspace.upload(arguments) { _ in
                guard FileManager.default.fileExists(atPath: ledger.path) else { return }
                try? Data("new".utf8).write(to: file, options: .atomic)
            }
            #expect(run.status == 0, "\(run.errors)")
            #expect(try workspace.manifest().first?.upload?.attempts == 2)
        }
    }

    @Test(
        "The token is in nothing that is written, at any level of logging, refused or not",
        arguments: ["trace", "info"], [true, false])
    func nowhere(_ level: String, _ isAccepted: Bool) async throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        try workspace.writeBeeps(2, in: "in")
        let options = DevBackendOptions {
            if isAccepted { $0.acceptedTokens = [Self.token] }
            $0.faults.scriptedFaults = [.errorStatus(400), .dropResponse]
        }
        try await DevBackend.withRunningBackend(options: options) { backend in
            for place in [["-o", "out"], []] {
                let run = try await workspace.upload(
                    ["in", "--to", backend.endpoint, "--log-level", level, "--responses", "answers"] + place,
                    environment: ["PREP_TOKEN": Self.token])
                #expect(run.status == 1 || isAccepted)
                try workspace.write(Data((run.output + run.errors).utf8), "streams-\(place.count)")
                #expect(run.errors.contains(" debug ") == (level == "trace"))
            }
            let all = FileManager.default.enumerator(atPath: workspace.url.path)?.compactMap { $0 as? String } ?? []
            #expect(all.contains("out/.prep/ledger.sqlite"))
            for path in all {
                guard let data = try? workspace.contents(path) else { continue }
                #expect(data.range(of: Data(Self.token.utf8)) == nil, "\(path)")
            }
        }
    }

    @Test("Names of files are in no message of the log, and in nothing that is sent", arguments: ["trace", "info"])
    func names(_ level: String) async throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/Ann Example.jpg", "in/Bob Example.jpg")
        try workspace.write(Data("text".utf8), "in/Cid Example.jpg")
        try workspace.write(wave(tone(0.5)), "in/Dan Example.wav")
        try await DevBackend.withRunningBackend(
            options: DevBackendOptions { $0.faults.scriptedFaults = [.errorStatus(500), .errorStatus(400)] }
        ) { backend in
            let run = try await workspace.upload(
                ["in", "--to", backend.endpoint, "-o", "out", "--quiet", "--log-level", level])
            #expect(run.status == 1)
            #expect(!run.errors.contains("Example"))
            #expect(run.errors.contains(" debug ") == (level == "trace"))
            #expect(try !backend.files().contains { $0.filename.contains("Example") })
        }
    }

    @Test("Answers are kept for the user alone, and only where that is asked for")
    func responses() async throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        try workspace.write(wave(tone(0.5)), "in/b/note.wav")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.upload(["in", "--to", backend.endpoint, "--responses", "answers"])
            #expect(run.status == 0, "\(run.errors)")
            #expect(workspace.files(below: "answers") == ["a.jpg.json", "b/note.wav.json"])
            let ids = try Line.all(in: run.output).ids
            for (input, answer) in [("in/a.jpg", "answers/a.jpg.json"), ("in/b/note.wav", "answers/b/note.wav.json")] {
                #expect(try workspace.permissions(of: answer) == 0o600)
                #expect(
                    try JSONDecoder().decode([String: String].self, from: workspace.contents(answer))["id"]
                        == ids[input] ?? nil)
            }
            #expect(try workspace.permissions(of: "answers") == 0o700)
            #expect(try workspace.permissions(of: "answers/b") == 0o700)
        }
    }
}
