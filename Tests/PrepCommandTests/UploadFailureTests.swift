import Foundation
import TestSupport
import Testing

@testable import dev_backend

@Suite("prep upload reports items that the server did not accept", .serialized)
struct UploadFailureTests {
    /// The expected outcome of one image, and its message.
    struct ExpectedRejection: CustomTestStringConvertible, Sendable {
        var status: Int
        var outcome: String
        var testDescription: String { "\(status)" }
    }

    static let rejections = [
        ExpectedRejection(status: 400, outcome: "failed refused"),
        ExpectedRejection(status: 403, outcome: "failed refused"),
        ExpectedRejection(status: 413, outcome: "failed too-large"),
        ExpectedRejection(status: 422, outcome: "failed refused"),
        ExpectedRejection(status: 501, outcome: "failed refused"),
        ExpectedRejection(status: 507, outcome: "failed refused"),
    ]

    @Test("A rejection is reported with the server's message, and retried by the next run", arguments: rejections)
    func refusedUploadIsReportedAndRetriedByNextRun(_ refusal: ExpectedRejection) async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try await DevBackend.withRunningBackend(
            options: DevBackendOptions { $0.faults.scriptedFaults = [.errorStatus(refusal.status)] }
        ) { backend in
            let arguments = ["in", "--to", backend.uploadURL, "-o", "out"]
            let run = try await workspace.runUpload(arguments)
            #expect(run.exitStatus == 1)
            let upload = try #require(try workspace.manifestLines().first?.upload)
            #expect(upload.statusAndReasonCode == refusal.outcome)
            #expect(upload.id == nil)
            #expect(upload.attempts == 1)
            let reason = try #require(upload.reason)
            #expect(reason.status == refusal.status)
            #expect(reason.serverCode == "injected")
            #expect(reason.message == "the server answered \(refusal.status): An error was asked for.")
            #expect(run.standardError.contains("prep: in/a.jpg: failed (\(reason.code)): \(reason.message)\n"))
            #expect(run.standardError.contains("1 not uploaded"))
            #expect(try workspace.manifestLines().first?.verdict == "converted")
            #expect(try backend.storedForms().isEmpty)
            #expect(try await workspace.runUpload(arguments).exitStatus == 0)
            #expect(try workspace.manifestLines().first?.upload?.attempts == 2)
        }
    }

    @Test("A rejection for size is reported as such; smaller items are accepted")
    func uploadTooLargeIsReported() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try workspace.writeFile(makeWAV([Int16](repeating: 3, count: 300_000)), at: "in/long.wav")
        let options = DevBackendOptions { $0.faults.bodySizeLimit = .init(maxBodyBytes: 100_000) }
        try await DevBackend.withRunningBackend(options: options) { backend in
            let run = try await workspace.runUpload(["in", "--to", backend.uploadURL])
            #expect(run.exitStatus == 1)
            let lines = try ManifestLineFixture.parseManifest(run.standardOutput)
            #expect(lines.uploadOutcomesByInput == ["in/a.jpg": "acknowledged", "in/long.wav": "failed too-large"])
            let reason = try #require(lines.last?.upload?.reason)
            #expect(reason.serverCode == "too-large")
            #expect(reason.message.contains("The body has more than 100000 bytes."))
            #expect(try backend.storedForms().count == 1)
        }
    }

    @Test("A wrong token ends the run; remaining items are not-sent, and sent when the token is valid")
    func wrongTokenEndsRunAndUploadsResume() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeShortAudioFiles(count: 3, in: "in")
        try await DevBackend.withRunningBackend { backend in
            let arguments = ["in", "--to", backend.uploadURL, "-o", "out", "--uploads", "1"]
            let run = try await workspace.runUpload(arguments, environment: ["PREP_TOKEN": "wrong"])
            #expect(run.exitStatus == 1)
            let lines = try workspace.manifestLines()
            #expect(lines.uploadCountsByOutcome == ["failed unauthorized": 1, "not-sent unauthorized": 2])
            for line in lines {
                #expect(line.upload?.reason?.message == "the server answered 401: A valid token is required.")
                #expect(line.upload?.attempts == (line.upload?.status == "failed" ? 1 : 0))
            }
            #expect(backend.requestCount == 1)
            #expect(try await workspace.runUpload(arguments).exitStatus == 0)
            #expect(try backend.storedForms().count == 3)
        }
    }

    @Test("An item that was sent without a response is listed, and not sent again unless requested")
    func unconfirmedUploadIsListedAndNotResent() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeShortAudioFiles(count: 3, in: "in")
        let options = DevBackendOptions {
            $0.honorsIdempotencyKeys = false
            $0.faults.scriptedFaults = [.dropResponse]
        }
        try await DevBackend.withRunningBackend(options: options) { backend in
            let arguments = ["in", "--to", backend.uploadURL, "-o", "out", "--uploads", "1"]
            var unknown: String?
            for _ in 1...2 {
                let run = try await workspace.runUpload(arguments)
                #expect(run.exitStatus == 1)
                let lines = try workspace.manifestLines()
                #expect(lines.uploadCountsByOutcome == ["acknowledged": 2, "outcome-unknown outcome-unknown": 1])
                let line = try #require(lines.first { $0.upload?.status == "outcome-unknown" })
                #expect(unknown ?? line.input == line.input)
                unknown = line.input
                #expect(line.upload?.attempts == 1)
                #expect(run.standardError.contains("prep: \(line.input): outcome-unknown: it was sent whole"))
                #expect(run.standardError.contains("\n  1  outcome-unknown\n"))
                #expect(backend.requestCount == 3)
            }
            let run = try await workspace.runUpload(arguments + ["--retry-unknown"])
            #expect(run.exitStatus == 0, "\(run.standardError)")
            #expect(try workspace.manifestLines().uploadCountsByOutcome == ["acknowledged": 3])
            #expect(backend.requestCount == 4)
        }
    }

    @Test("If the server honors keys, a request whose response was dropped is sent again, and nothing is stored twice")
    func droppedResponseIsRetriedWithIdempotencyKey() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeShortAudioFiles(count: 3, in: "in")
        try await DevBackend.withRunningBackend(
            options: DevBackendOptions { $0.faults.scriptedFaults = [.dropResponse, .none, .dropResponse] }
        ) { backend in
            let run = try await workspace.runUpload(["in", "--to", backend.uploadURL, "-o", "out", "--idempotent"])
            #expect(run.exitStatus == 0, "\(run.standardError)")
            let lines = try workspace.manifestLines()
            #expect(lines.uploadCountsByOutcome == ["acknowledged": 3])
            #expect(lines.compactMap(\.upload?.attempts).reduce(0, +) == 5)
            #expect(try Set(backend.storedForms().map(\.id)) == Set(lines.compactMap(\.upload?.id)))
            #expect(try backend.storedForms().count == 3)
        }
    }

    @Test("Calls and uploads time out; a timed-out upload may have arrived")
    func callAndUploadTimeoutsAreApplied() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeShortAudioFiles(count: 1, in: "in")
        try await DevBackend.withRunningBackend(options: DevBackendOptions { $0.responseDelay = .seconds(20) }) {
            backend in
            let visits = ["--to", "pet-visits", "--base-url", backend.url, "--appointment", "ABC123", "--pet", "Pet1"]
            let runs = [
                (["--to", backend.uploadURL, "--upload-timeout", "2"], "outcome-unknown outcome-unknown"),
                (visits + ["--timeout", "2", "--max-attempts", "1"], "failed unreachable"),
            ]
            for (arguments, outcome) in runs {
                let run = try await workspace.runUpload(["in"] + arguments)
                #expect(run.exitStatus == 1)
                #expect(
                    try ManifestLineFixture.parseManifest(run.standardOutput).uploadOutcomesByInput == [
                        "in/0.wav": outcome
                    ])
            }
        }
    }

    @Test("A server that keeps failing is tried the maximum number of times")
    func failingServerIsRetriedUpToMaximum() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try await DevBackend.withRunningBackend(
            options: DevBackendOptions {
                $0.faults.scriptedFaults = [.errorStatus(503), .errorStatus(503), .errorStatus(503)]
            }
        ) {
            backend in
            let arguments = ["in", "--to", backend.uploadURL, "-o", "out", "--max-attempts", "2"]
            #expect(try await workspace.runUpload(arguments).exitStatus == 1)
            #expect(backend.requestCount == 2)
            let upload = try #require(try workspace.manifestLines().first?.upload)
            #expect(upload.statusAndReasonCode == "failed unreachable")
            #expect(upload.attempts == 2)
            #expect(try await workspace.runUpload(arguments).exitStatus == 0)
            #expect(try workspace.manifestLines().first?.upload?.attempts == 4)
        }
    }

    @Test("With --quiet nothing is printed; the manifest and the exit status still report failures")
    func quietUploadPrintsNothing() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try workspace.writeFile(Data("text".utf8), at: "in/b.jpg")
        try workspace.writeFile(Data("dev-token\n".utf8), at: "token")
        try await DevBackend.withRunningBackend(
            options: DevBackendOptions { $0.faults.scriptedFaults = [.errorStatus(400)] }
        ) { backend in
            let run = try await workspace.runUpload(
                [
                    "in", "--to", backend.uploadURL, "-o", "out", "--quiet", "--progress", "always", "--token-file",
                    "token",
                ])
            #expect(run.exitStatus == 1)
            #expect(run.standardError == "")
            #expect(run.standardOutput == "")
            #expect(try workspace.manifestLines().uploadOutcomesByInput == ["in/a.jpg": "failed refused"])
        }
    }
}
