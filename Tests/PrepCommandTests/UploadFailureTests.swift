import Foundation
import TestSupport
import Testing

@testable import dev_backend

@Suite("prep upload tells what became of what the server didn't take", .serialized)
struct UploadFailureTests {
    /// What is to become of one photo, and what is to be said of it.
    struct Refusal: CustomTestStringConvertible, Sendable {
        var status: Int
        var outcome: String
        var testDescription: String { "\(status)" }
    }

    static let refusals = [
        Refusal(status: 400, outcome: "failed refused"), Refusal(status: 403, outcome: "failed refused"),
        Refusal(status: 413, outcome: "failed too-large"), Refusal(status: 422, outcome: "failed refused"),
        Refusal(status: 501, outcome: "failed refused"), Refusal(status: 507, outcome: "failed refused"),
    ]

    @Test("What is refused is told with the server's words, and tried again by the next run", arguments: refusals)
    func refused(_ refusal: Refusal) async throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        try await DevBackend.withRunningBackend(
            options: DevBackendOptions { $0.faults.scriptedFaults = [.errorStatus(refusal.status)] }
        ) { backend in
            let arguments = ["in", "--to", backend.endpoint, "-o", "out"]
            let run = try await workspace.upload(arguments)
            #expect(run.status == 1)
            let upload = try #require(try workspace.manifest().first?.upload)
            #expect(upload.outcome == refusal.outcome)
            #expect(upload.id == nil)
            #expect(upload.attempts == 1)
            let reason = try #require(upload.reason)
            #expect(reason.status == refusal.status)
            #expect(reason.serverCode == "injected")
            #expect(reason.message == "the server answered \(refusal.status): An error was asked for.")
            #expect(run.errors.contains("prep: in/a.jpg: failed (\(reason.code)): \(reason.message)\n"))
            #expect(run.errors.contains("1 not uploaded"))
            #expect(try workspace.manifest().first?.verdict == "converted")
            #expect(try backend.storedForms().isEmpty)
            #expect(try await workspace.upload(arguments).status == 0)
            #expect(try workspace.manifest().first?.upload?.attempts == 2)
        }
    }

    @Test("What is refused for its length is told as that; what is shorter is taken")
    func tooLarge() async throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        try workspace.write(wave([Int16](repeating: 3, count: 300_000)), "in/long.wav")
        let options = DevBackendOptions { $0.faults.bodySizeLimit = .init(maxBodyBytes: 100_000) }
        try await DevBackend.withRunningBackend(options: options) { backend in
            let run = try await workspace.upload(["in", "--to", backend.endpoint])
            #expect(run.status == 1)
            let lines = try Line.all(in: run.output)
            #expect(lines.uploads == ["in/a.jpg": "acknowledged", "in/long.wav": "failed too-large"])
            let reason = try #require(lines.last?.upload?.reason)
            #expect(reason.serverCode == "too-large")
            #expect(reason.message.contains("The body has more than 100000 bytes."))
            #expect(try backend.storedForms().count == 1)
        }
    }

    @Test("A wrong token ends the run: what wasn't tried is not-sent, and sent when the token is right")
    func unauthorized() async throws {
        let workspace = try Workspace()
        try workspace.writeBeeps(3, in: "in")
        try await DevBackend.withRunningBackend { backend in
            let arguments = ["in", "--to", backend.endpoint, "-o", "out", "--uploads", "1"]
            let run = try await workspace.upload(arguments, environment: ["PREP_TOKEN": "wrong"])
            #expect(run.status == 1)
            let lines = try workspace.manifest()
            #expect(lines.uploadCounts == ["failed unauthorized": 1, "not-sent unauthorized": 2])
            for line in lines {
                #expect(line.upload?.reason?.message == "the server answered 401: A valid token is needed.")
                #expect(line.upload?.attempts == (line.upload?.status == "failed" ? 1 : 0))
            }
            #expect(backend.requestCount == 1)
            #expect(try await workspace.upload(arguments).status == 0)
            #expect(try backend.storedForms().count == 3)
        }
    }

    @Test("Sent whole without an answer: listed, not sent again, unless a person says so")
    func unknown() async throws {
        let workspace = try Workspace()
        try workspace.writeBeeps(3, in: "in")
        let options = DevBackendOptions {
            $0.honorsIdempotencyKeys = false
            $0.faults.scriptedFaults = [.dropResponse]
        }
        try await DevBackend.withRunningBackend(options: options) { backend in
            let arguments = ["in", "--to", backend.endpoint, "-o", "out", "--uploads", "1"]
            var unknown: String?
            for _ in 1...2 {
                let run = try await workspace.upload(arguments)
                #expect(run.status == 1)
                let lines = try workspace.manifest()
                #expect(lines.uploadCounts == ["acknowledged": 2, "outcome-unknown outcome-unknown": 1])
                let line = try #require(lines.first { $0.upload?.status == "outcome-unknown" })
                #expect(unknown ?? line.input == line.input)
                unknown = line.input
                #expect(line.upload?.attempts == 1)
                #expect(
                    run.errors.contains("prep: \(line.input): outcome-unknown (outcome-unknown): it was sent whole"))
                #expect(backend.requestCount == 3)
            }
            let run = try await workspace.upload(arguments + ["--retry-unknown"])
            #expect(run.status == 0, "\(run.errors)")
            #expect(try workspace.manifest().uploadCounts == ["acknowledged": 3])
            #expect(backend.requestCount == 4)
        }
    }

    @Test("Where the server honours keys, a dropped answer is asked for again, and nothing is there twice")
    func dropped() async throws {
        let workspace = try Workspace()
        try workspace.writeBeeps(3, in: "in")
        try await DevBackend.withRunningBackend(
            options: DevBackendOptions { $0.faults.scriptedFaults = [.dropResponse, .none, .dropResponse] }
        ) { backend in
            let run = try await workspace.upload(["in", "--to", backend.endpoint, "-o", "out", "--idempotent"])
            #expect(run.status == 0, "\(run.errors)")
            let lines = try workspace.manifest()
            #expect(lines.uploadCounts == ["acknowledged": 3])
            #expect(lines.compactMap(\.upload?.attempts).reduce(0, +) == 5)
            #expect(try Set(backend.storedForms().map(\.id)) == Set(lines.compactMap(\.upload?.id)))
            #expect(try backend.storedForms().count == 3)
        }
    }

    @Test("What takes too long is given up: a call, and an upload, which may have arrived")
    func timeouts() async throws {
        let workspace = try Workspace()
        try workspace.writeBeeps(1, in: "in")
        try await DevBackend.withRunningBackend(options: DevBackendOptions { $0.responseDelay = .seconds(20) }) {
            backend in
            let visits = ["--to", "pet-visits", "--base-url", backend.url, "--appointment", "ABC123", "--pet", "Pet1"]
            let runs = [
                (["--to", backend.endpoint, "--upload-timeout", "2"], "outcome-unknown outcome-unknown"),
                (visits + ["--timeout", "2", "--max-attempts", "1"], "failed unreachable"),
            ]
            for (arguments, outcome) in runs {
                let run = try await workspace.upload(["in"] + arguments)
                #expect(run.status == 1)
                #expect(try Line.all(in: run.output).uploads == ["in/0.wav": outcome])
            }
        }
    }

    @Test("A server that keeps failing is tried so often, and no more")
    func failing() async throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        try await DevBackend.withRunningBackend(
            options: DevBackendOptions {
                $0.faults.scriptedFaults = [.errorStatus(503), .errorStatus(503), .errorStatus(503)]
            }
        ) {
            backend in
            let arguments = ["in", "--to", backend.endpoint, "-o", "out", "--max-attempts", "2"]
            #expect(try await workspace.upload(arguments).status == 1)
            #expect(backend.requestCount == 2)
            let upload = try #require(try workspace.manifest().first?.upload)
            #expect(upload.outcome == "failed unreachable")
            #expect(upload.attempts == 2)
            #expect(try await workspace.upload(arguments).status == 0)
            #expect(try workspace.manifest().first?.upload?.attempts == 4)
        }
    }

    @Test("Quiet means silent, whatever happens; the manifest and the status still tell")
    func quiet() async throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        try workspace.write(Data("text".utf8), "in/b.jpg")
        try workspace.write(Data("dev-token\n".utf8), "token")
        try await DevBackend.withRunningBackend(
            options: DevBackendOptions { $0.faults.scriptedFaults = [.errorStatus(400)] }
        ) { backend in
            let run = try await workspace.upload(
                [
                    "in", "--to", backend.endpoint, "-o", "out", "--quiet", "--progress", "always", "--token-file",
                    "token",
                ])
            #expect(run.status == 1)
            #expect(run.errors == "")
            #expect(run.output == "")
            #expect(try workspace.manifest().uploads == ["in/a.jpg": "failed refused"])
        }
    }
}
