import Foundation
import GRDB
import TestSupport
import Testing

@testable import dev_backend

@Suite("A later version that prepares other bytes sends nothing a second time", .serialized)
struct LaterVersionTests {
    /// The inputs and the ledger of the released version, for an upload to `backend`.
    private func workspace(_ backend: DevBackend, version: Int = 2) throws -> Workspace {
        let workspace = try Workspace()
        try workspace.writeDifferentPhotos(ReleasedLedger.names.count, in: "photos")
        for (number, name) in ReleasedLedger.names.enumerated() {
            try workspace.write(try workspace.contents("photos/\(number).jpg"), "in/\(name).jpg")
        }
        try ReleasedLedger.write(to: workspace, version: version, endpoint: backend.endpoint)
        return workspace
    }

    private func upload(
        _ workspace: Workspace, to backend: DevBackend, _ arguments: String...
    ) async throws -> PrepProcess {
        try await workspace.upload(["in", "--to", backend.endpoint, "--output", "out"] + arguments)
    }

    private static let unsent = [
        "in/acknowledged.jpg": "acknowledged", "in/refused.jpg": "acknowledged",
        "in/sending.jpg": "outcome-unknown outcome-unknown", "in/unknown.jpg": "outcome-unknown outcome-unknown",
    ]

    @Test(
        "What the released version sent, or may have sent, is not sent; what was refused is", arguments: [false, true])
    func released(_ isPreparedFirst: Bool) async throws {
        try await DevBackend.withRunningBackend { backend in
            let workspace = try workspace(backend)
            // A run that was killed after the ledger had the new digests and before anything was sent leaves the same.
            if isPreparedFirst { #expect(try workspace.prep("in", "--output", "out").status == 0) }
            for _ in 0..<2 {
                let run = try await upload(workspace, to: backend)
                #expect(run.status == 1)
                let lines = try workspace.manifest()
                #expect(lines.uploads == Self.unsent)
                #expect(lines.ids["in/acknowledged.jpg"] == ReleasedLedger.acknowledgedID)
                #expect(try backend.storedForms().map(\.id) == [lines.ids["in/refused.jpg"] ?? nil].compactMap { $0 })
                #expect(backend.requestCount == 1)
            }
        }
    }

    @Test(
        "A manifest that this version made of the same inputs sends nothing that was sent",
        arguments: [["--output", "out"], []])
    func manifest(_ place: [String]) async throws {
        try await DevBackend.withRunningBackend { backend in
            let workspace = try workspace(backend)
            // What was sent is in the user's own ledger where the upload had no output directory.
            if place.isEmpty { try ReleasedLedger.copyToState(in: workspace, endpoint: backend.endpoint) }
            #expect(try workspace.prep("in", "--output", "out").status == 0)
            let run = try await workspace.upload(
                ["--from-manifest", "out/manifest.jsonl", "--to", backend.endpoint] + place)
            #expect(run.status == 1)
            #expect(!run.errors.contains("warning"), "\(run.errors)")
            #expect(try Line.all(in: run.output).uploads == Self.unsent)
            #expect(backend.requestCount == 1)
        }
    }

    @Test("A manifest of a run with its ledger elsewhere sends nothing that was sent, if that is named")
    func namedLedger() async throws {
        try await DevBackend.withRunningBackend { backend in
            let workspace = try workspace(backend)
            try workspace.shell("mv out/.prep/ledger.sqlite ledger && rmdir out/.prep")
            #expect(try workspace.prep("in", "--output", "out", "--state", "ledger").status == 0)
            try workspace.shell("cp ledger record")
            try ReleasedLedger.copyToState(in: workspace, endpoint: backend.endpoint, from: "record")
            let manifest = ["--from-manifest", "out/manifest.jsonl", "--to", backend.endpoint]
            let run = try await workspace.upload(manifest + ["--state", "ledger"])
            #expect(run.status == 1)
            #expect(try Line.all(in: run.output).uploads == Self.unsent)
            #expect(backend.requestCount == 1)
            #expect(try await workspace.upload(manifest + ["--state", "missing"]).status == 2)
            #expect(!workspace.exists("missing"))
            #expect(try await workspace.upload(["in", "--to", backend.endpoint, "--state", "ledger"]).status == 64)
            #expect(try await workspace.upload(manifest + ["--state", "ledger", "--manifest", "ledger"]).status == 2)
            #expect(backend.requestCount == 1)
        }
    }

    @Test(
        "An input that was given other permissions since, or copied with its date, is the same",
        arguments: ["chmod 600 in/*", "cp -Rp in copy && rm -r in && mv copy in"])
    func touched(_ command: String) async throws {
        try await DevBackend.withRunningBackend { backend in
            let workspace = try workspace(backend)
            for _ in 0..<2 {
                try workspace.shell(command)
                #expect(try await upload(workspace, to: backend).status == 1)
                #expect(try workspace.manifest().uploads == Self.unsent)
                #expect(backend.requestCount == 1)
            }
        }
    }

    @Test("An input that was changed since is another item, and so is one that is prepared with other options")
    func changed() async throws {
        try await DevBackend.withRunningBackend { backend in
            let workspace = try workspace(backend)
            try workspace.write(try SmallPhoto.ear.get(), "in/acknowledged.jpg")
            #expect(try await upload(workspace, to: backend).status == 1)
            #expect(try workspace.manifest().uploads == Self.unsent)
            #expect(backend.requestCount == 2)
            #expect(try await upload(workspace, to: backend, "--max-dimension", "40").status == 0)
            #expect(backend.requestCount == 6)
            #expect(try workspace.manifest().uploadCounts == ["acknowledged": 4])
            #expect(try await upload(workspace, to: backend).status == 1)
            #expect(try workspace.manifest().uploads == Self.unsent)
            #expect(backend.requestCount == 6)
        }
    }

    @Test(
        "Asked for, what may have been sent is sent, and what was sent too",
        arguments: [("--retry-unknown", 3), ("--force", 4)])
    func repeated(_ option: String, _ count: Int) async throws {
        try await DevBackend.withRunningBackend { backend in
            let workspace = try workspace(backend)
            #expect(try await upload(workspace, to: backend, option).status == 0)
            #expect(backend.requestCount == count)
            #expect(try await upload(workspace, to: backend).status == 0)
            #expect(backend.requestCount == count)
            #expect(try workspace.manifest().uploadCounts == ["acknowledged": 4])
        }
    }

    @Test("Where the server honours keys, what may have been sent without one is still not sent")
    func keyed() async throws {
        try await DevBackend.withRunningBackend { backend in
            let workspace = try workspace(backend)
            #expect(try await upload(workspace, to: backend, "--idempotent").status == 1)
            #expect(try workspace.manifest().uploads == Self.unsent)
            #expect(backend.requestCount == 1)
        }
    }

    @Test("A ledger from before there were uploads is taken as it is")
    func first() async throws {
        try await DevBackend.withRunningBackend { backend in
            let workspace = try workspace(backend, version: 1)
            let run = try await upload(workspace, to: backend)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try workspace.manifest().uploadCounts == ["acknowledged": 4])
            #expect(backend.requestCount == 4)
        }
    }

    @Test("Without an output directory too, and from another working directory")
    func stateDirectory() async throws {
        try await DevBackend.withRunningBackend { backend in
            let workspace = try Workspace()
            try workspace.writeDifferentPhotos(3, in: "in")
            #expect(try await workspace.upload(["in", "--to", backend.endpoint]).status == 0)
            let requests = backend.requestCount
            let ledger = try #require(workspace.files(below: "state").first { $0.hasSuffix("ledger.sqlite") })
            // As if the version of that run had prepared other bytes.
            try ReleasedLedger.pretendOtherDigests(workspace.file("state/\(ledger)"), endpoint: backend.endpoint)
            try workspace.write(Data(contentsOf: Samples.photo("ear-upright.jpg")), "in/new.jpg")
            for input in ["in", "\(workspace.url.path)/./in"] {
                let run = try await workspace.upload([input, "--to", backend.endpoint])
                #expect(run.status == 0, "\(run.errors)")
                #expect(try Line.all(in: run.output).uploadCounts == ["acknowledged": 4])
                #expect(backend.requestCount == requests + 1)
            }
        }
    }
}
