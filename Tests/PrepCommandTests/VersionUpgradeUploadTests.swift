import Foundation
import GRDB
import TestSupport
import Testing

@testable import dev_backend

@Suite("A later version that prepares other bytes sends nothing a second time", .serialized)
struct VersionUpgradeUploadTests {
    /// The inputs and the ledger of the released version, for an upload to `backend`.
    private func makeWorkspaceWithReleasedLedger(_ backend: DevBackend, version: Int = 2) throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.writeDistinctImages(count: ReleasedLedgerFixture.inputNames.count, in: "photos")
        for (number, name) in ReleasedLedgerFixture.inputNames.enumerated() {
            try workspace.writeFile(try workspace.contents(ofFileAt: "photos/\(number).jpg"), at: "in/\(name).jpg")
        }
        try ReleasedLedgerFixture.writeLedger(to: workspace, version: version, endpoint: backend.uploadURL)
        return workspace
    }

    private func runUpload(
        _ workspace: TestWorkspace, to backend: DevBackend, _ arguments: String...
    ) async throws -> PrepProcess {
        try await workspace.runUpload(["in", "--to", backend.uploadURL, "--output", "out"] + arguments)
    }

    private static let unsentOutcomes = [
        "in/acknowledged.jpg": "acknowledged", "in/refused.jpg": "acknowledged",
        "in/sending.jpg": "outcome-unknown outcome-unknown", "in/unknown.jpg": "outcome-unknown outcome-unknown",
    ]

    @Test(
        "Items that the released version sent, or may have sent, are not sent; rejected items are",
        arguments: [false, true])
    func uploadsOfReleasedVersionAreNotRepeated(_ isPreparedFirst: Bool) async throws {
        try await DevBackend.withRunningBackend { backend in
            let workspace = try makeWorkspaceWithReleasedLedger(backend)
            // A run that is killed after the ledger has the new digests and before anything is sent leaves the same
            // state.
            if isPreparedFirst { #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0) }
            for _ in 0..<2 {
                let run = try await runUpload(workspace, to: backend)
                #expect(run.exitStatus == 1)
                let lines = try workspace.manifestLines()
                #expect(lines.uploadOutcomesByInput == Self.unsentOutcomes)
                #expect(lines.serverIDsByInput["in/acknowledged.jpg"] == ReleasedLedgerFixture.acknowledgedID)
                #expect(
                    try backend.storedForms().map(\.id)
                        == [lines.serverIDsByInput["in/refused.jpg"] ?? nil].compactMap { $0 })
                #expect(backend.requestCount == 1)
            }
        }
    }

    @Test(
        "A manifest of this version for the same inputs sends nothing that was sent",
        arguments: [["--output", "out"], []])
    func manifestOfNewVersionDoesNotResendUploads(_ place: [String]) async throws {
        try await DevBackend.withRunningBackend { backend in
            let workspace = try makeWorkspaceWithReleasedLedger(backend)
            // If the upload had no output directory, its record is in the user's own ledger.
            if place.isEmpty { try ReleasedLedgerFixture.copyToState(in: workspace, endpoint: backend.uploadURL) }
            #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0)
            let run = try await workspace.runUpload(
                ["--from-manifest", "out/manifest.jsonl", "--to", backend.uploadURL] + place)
            #expect(run.exitStatus == 1)
            #expect(!run.standardError.contains("warning"), "\(run.standardError)")
            #expect(
                try ManifestLineFixture.parseManifest(run.standardOutput).uploadOutcomesByInput == Self.unsentOutcomes)
            #expect(backend.requestCount == 1)
        }
    }

    @Test("A manifest of a run with a ledger elsewhere sends nothing twice if the ledger is named")
    func namedLedger() async throws {
        try await DevBackend.withRunningBackend { backend in
            let workspace = try makeWorkspaceWithReleasedLedger(backend)
            try workspace.runShellScript("mv out/.prep/ledger.sqlite ledger && rmdir out/.prep")
            #expect(try workspace.runPrep("in", "--output", "out", "--state", "ledger").exitStatus == 0)
            try workspace.runShellScript("cp ledger record")
            try ReleasedLedgerFixture.copyToState(in: workspace, endpoint: backend.uploadURL, from: "record")
            let manifest = ["--from-manifest", "out/manifest.jsonl", "--to", backend.uploadURL]
            let run = try await workspace.runUpload(manifest + ["--state", "ledger"])
            #expect(run.exitStatus == 1)
            #expect(
                try ManifestLineFixture.parseManifest(run.standardOutput).uploadOutcomesByInput == Self.unsentOutcomes)
            #expect(backend.requestCount == 1)
            #expect(try await workspace.runUpload(manifest + ["--state", "missing"]).exitStatus == 2)
            #expect(!workspace.fileExists(at: "missing"))
            #expect(
                try await workspace.runUpload(["in", "--to", backend.uploadURL, "--state", "ledger"]).exitStatus == 64)
            #expect(
                try await workspace.runUpload(manifest + ["--state", "ledger", "--manifest", "ledger"]).exitStatus == 2)
            #expect(backend.requestCount == 1)
        }
    }

    @Test(
        "An input whose permissions were changed, or that was copied with its date, is the same item",
        arguments: ["chmod 600 in/*", "cp -Rp in copy && rm -r in && mv copy in"])
    func touched(_ command: String) async throws {
        try await DevBackend.withRunningBackend { backend in
            let workspace = try makeWorkspaceWithReleasedLedger(backend)
            for _ in 0..<2 {
                try workspace.runShellScript(command)
                #expect(try await runUpload(workspace, to: backend).exitStatus == 1)
                #expect(try workspace.manifestLines().uploadOutcomesByInput == Self.unsentOutcomes)
                #expect(backend.requestCount == 1)
            }
        }
    }

    @Test("A changed input is another item, and so is an input that is prepared with other options")
    func changedInputOrOptionsAreNewUploads() async throws {
        try await DevBackend.withRunningBackend { backend in
            let workspace = try makeWorkspaceWithReleasedLedger(backend)
            try workspace.writeFile(try SmallImage.ear.get(), at: "in/acknowledged.jpg")
            #expect(try await runUpload(workspace, to: backend).exitStatus == 1)
            #expect(try workspace.manifestLines().uploadOutcomesByInput == Self.unsentOutcomes)
            #expect(backend.requestCount == 2)
            #expect(try await runUpload(workspace, to: backend, "--max-dimension", "40").exitStatus == 0)
            #expect(backend.requestCount == 6)
            #expect(try workspace.manifestLines().uploadCountsByOutcome == ["acknowledged": 4])
            #expect(try await runUpload(workspace, to: backend).exitStatus == 1)
            #expect(try workspace.manifestLines().uploadOutcomesByInput == Self.unsentOutcomes)
            #expect(backend.requestCount == 6)
        }
    }

    @Test(
        "On request, items that were sent or may have been sent are sent again",
        arguments: [("--retry-unknown", 3), ("--force", 4)])
    func retryUnknownAndForceResend(_ option: String, _ count: Int) async throws {
        try await DevBackend.withRunningBackend { backend in
            let workspace = try makeWorkspaceWithReleasedLedger(backend)
            #expect(try await runUpload(workspace, to: backend, option).exitStatus == 0)
            #expect(backend.requestCount == count)
            #expect(try await runUpload(workspace, to: backend).exitStatus == 0)
            #expect(backend.requestCount == count)
            #expect(try workspace.manifestLines().uploadCountsByOutcome == ["acknowledged": 4])
        }
    }

    @Test("With a server that honors keys, an item that may have been sent without a key is not sent")
    func unknownUploadWithoutKeyIsNotResentToKeyedServer() async throws {
        try await DevBackend.withRunningBackend { backend in
            let workspace = try makeWorkspaceWithReleasedLedger(backend)
            #expect(try await runUpload(workspace, to: backend, "--idempotent").exitStatus == 1)
            #expect(try workspace.manifestLines().uploadOutcomesByInput == Self.unsentOutcomes)
            #expect(backend.requestCount == 1)
        }
    }

    @Test("A ledger of a version without uploads is accepted")
    func ledgerWithoutUploadsIsAccepted() async throws {
        try await DevBackend.withRunningBackend { backend in
            let workspace = try makeWorkspaceWithReleasedLedger(backend, version: 1)
            let run = try await runUpload(workspace, to: backend)
            #expect(run.exitStatus == 0, "\(run.standardError)")
            #expect(try workspace.manifestLines().uploadCountsByOutcome == ["acknowledged": 4])
            #expect(backend.requestCount == 4)
        }
    }

    @Test("The same without an output directory, and from another working directory")
    func upgradeWorksWithStateDirectory() async throws {
        try await DevBackend.withRunningBackend { backend in
            let workspace = try TestWorkspace()
            try workspace.writeDistinctImages(count: 3, in: "in")
            #expect(try await workspace.runUpload(["in", "--to", backend.uploadURL]).exitStatus == 0)
            let requests = backend.requestCount
            let ledger = try #require(workspace.filePaths(below: "state").first { $0.hasSuffix("ledger.sqlite") })
            // As if the version of that run had prepared other bytes.
            try ReleasedLedgerFixture.replaceDigests(
                workspace.fileURL(at: "state/\(ledger)"), count: 3, endpoint: backend.uploadURL)
            try workspace.writeFile(Data(contentsOf: SampleMedia.goodImage(named: "ear-upright.jpg")), at: "in/new.jpg")
            for input in ["in", "\(workspace.url.path)/./in"] {
                let run = try await workspace.runUpload([input, "--to", backend.uploadURL])
                #expect(run.exitStatus == 0, "\(run.standardError)")
                #expect(
                    try ManifestLineFixture.parseManifest(run.standardOutput).uploadCountsByOutcome == [
                        "acknowledged": 4
                    ])
                #expect(backend.requestCount == requests + 1)
            }
        }
    }
}
