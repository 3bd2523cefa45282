import Foundation
import TestSupport
import Testing

@testable import dev_backend

@Suite("prep upload does not disclose the token or file names", .serialized)
struct UploadSecretTests {
    private static let token = "zq8-Secret.Token_of~nobody/01234+abc="

    @Test("White space around a token is ignored; a token file that others can read causes a warning")
    func tokenFileIsTrimmedAndReadableFileIsWarnedAbout() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try workspace.writeFile(Data(" \t\(Self.token)\r\n\n".utf8), at: "token")
        try await DevBackend.withRunningBackend(options: DevBackendOptions { $0.acceptedTokens = [Self.token] }) {
            backend in
            for (mode, isReadByOthers) in [(0o600, false), (0o640, true), (0o604, true)] {
                try FileManager.default.setAttributes(
                    [.posixPermissions: mode], ofItemAtPath: workspace.fileURL(at: "token").path)
                let run = try await workspace.runUpload(
                    ["in", "--to", backend.uploadURL, "--force", "--token-file", "token"],
                    environment: ["PREP_TOKEN": nil])
                #expect(run.exitStatus == 0, "\(run.standardError)")
                #expect(run.standardError.contains("prep: warning: others can read the token file") == isReadByOthers)
                #expect(!(run.standardError + run.standardOutput).contains(Self.token))
            }
        }
    }

    @Test("The token may come from a pipe, in pieces and late; a rejected token from a pipe is not asked for again")
    func tokenFromPipeIsReadOnce() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try await DevBackend.withRunningBackend(options: DevBackendOptions { $0.acceptedTokens = [Self.token] }) {
            backend in
            for (token, exitStatus) in [(Self.token, 0), ("wrong", 1)] {
                let run = try await workspace.runUploadScript(
                    """
                    mkfifo pipe
                    { sleep 0.2; printf '\(token.prefix(2))'; sleep 0.2; echo '\(token.dropFirst(2))'; } > pipe &
                    "$PREP" upload in --to "$URL" --force --token-file pipe
                    status=$?
                    rm pipe
                    exit $status
                    """, to: backend.uploadURL)
                #expect(run.exitStatus == exitStatus, "\(run.standardError)")
            }
        }
    }

    @Test("After a token is rejected, its file is read again, because it may contain a new one")
    func refusedTokenIsReadAgainFromFile() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        let file = try workspace.writeFile(Data("old".utf8), at: "token")
        // The old token was read before this file is created.
        let ledger = workspace.fileURL(at: "out/.prep/ledger.sqlite")
        let options = DevBackendOptions {
            $0.acceptedTokens = ["new"]
            // This leaves time to write the new token.
            $0.responseDelay = .seconds(1)
        }
        try await DevBackend.withRunningBackend(options: options) { backend in
            let arguments = ["in", "--to", backend.uploadURL, "--token-file", "token", "-o", "out"]
            let run = try await workspace.runUpload(arguments) { _ in
                guard FileManager.default.fileExists(atPath: ledger.path) else { return }
                try? Data("new".utf8).write(to: file, options: .atomic)
            }
            #expect(run.exitStatus == 0, "\(run.standardError)")
            #expect(try workspace.manifestLines().first?.upload?.attempts == 2)
        }
    }

    @Test(
        "The token is neither logged nor written, at any log level, whether it is rejected or not",
        arguments: ["trace", "info"], [true, false])
    func tokenAppearsInNoOutput(_ level: String, _ isAccepted: Bool) async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try workspace.writeShortAudioFiles(count: 2, in: "in")
        let options = DevBackendOptions {
            if isAccepted { $0.acceptedTokens = [Self.token] }
            $0.faults.scriptedFaults = [.errorStatus(400), .dropResponse]
        }
        try await DevBackend.withRunningBackend(options: options) { backend in
            for place in [["-o", "out"], []] {
                let run = try await workspace.runUpload(
                    ["in", "--to", backend.uploadURL, "--log-level", level, "--responses", "answers"] + place,
                    environment: ["PREP_TOKEN": Self.token])
                #expect(run.exitStatus == 1 || isAccepted)
                try workspace.writeFile(
                    Data((run.standardOutput + run.standardError).utf8), at: "streams-\(place.count)")
                #expect(run.standardError.contains(" debug ") == (level == "trace"))
            }
            let all = FileManager.default.enumerator(atPath: workspace.url.path)?.compactMap { $0 as? String } ?? []
            #expect(all.contains("out/.prep/ledger.sqlite"))
            for path in all {
                guard let data = try? workspace.contents(ofFileAt: path) else { continue }
                #expect(data.range(of: Data(Self.token.utf8)) == nil, "\(path)")
            }
        }
    }

    @Test("File names are neither logged nor sent", arguments: ["trace", "info"])
    func fileNamesAppearInNoLogOrRequest(_ level: String) async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/Ann Example.jpg", "in/Bob Example.jpg")
        try workspace.writeFile(Data("text".utf8), at: "in/Cid Example.jpg")
        try workspace.writeFile(makeWAV(makeToneSamples(amplitude: 0.5)), at: "in/Dan Example.wav")
        try await DevBackend.withRunningBackend(
            options: DevBackendOptions { $0.faults.scriptedFaults = [.errorStatus(500), .errorStatus(400)] }
        ) { backend in
            let run = try await workspace.runUpload(
                ["in", "--to", backend.uploadURL, "-o", "out", "--quiet", "--log-level", level])
            #expect(run.exitStatus == 1)
            #expect(!run.standardError.contains("Example"))
            #expect(run.standardError.contains(" debug ") == (level == "trace"))
            #expect(try !backend.storedFiles().contains { $0.filename.contains("Example") })
        }
    }

    @Test("Responses are private, and only kept on request")
    func responsesAreStoredPrivatelyOnRequest() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try workspace.writeFile(makeWAV(makeToneSamples(amplitude: 0.5)), at: "in/b/note.wav")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.runUpload(["in", "--to", backend.uploadURL, "--responses", "answers"])
            #expect(run.exitStatus == 0, "\(run.standardError)")
            #expect(workspace.filePaths(below: "answers") == ["a.jpg.json", "b/note.wav.json"])
            let ids = try ManifestLineFixture.parseManifest(run.standardOutput).serverIDsByInput
            for (input, answer) in [("in/a.jpg", "answers/a.jpg.json"), ("in/b/note.wav", "answers/b/note.wav.json")] {
                #expect(try workspace.permissions(of: answer) == 0o600)
                #expect(
                    try JSONDecoder().decode([String: String].self, from: workspace.contents(ofFileAt: answer))["id"]
                        == ids[input] ?? nil)
            }
            #expect(try workspace.permissions(of: "answers") == 0o700)
            #expect(try workspace.permissions(of: "answers/b") == 0o700)
        }
    }
}
