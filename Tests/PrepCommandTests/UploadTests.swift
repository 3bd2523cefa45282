import Foundation
import Synchronization
import TestSupport
import Testing

@testable import dev_backend

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("prep upload sends what it prepares, each file once", .serialized)
struct UploadTests {
    /// Two photos and two recordings, named after someone.
    private func workspace() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.write(try SmallPhoto.ear.get(), "in/Ann Example.jpg")
        try workspace.write(try SmallPhoto.throat.get(), "in/b/throat.png")
        try workspace.write(wave(tone(0.5)), "in/Ann Example.wav")
        try workspace.write(try Data(contentsOf: Samples.recording("visit-note.opus")), "in/b/note.opus")
        return workspace
    }

    @Test("Photos and recordings arrive as they were prepared, under nobody's name; a second run sends nothing")
    func everything() async throws {
        let workspace = try workspace()
        try await DevBackend.withRunningBackend { backend in
            let arguments = [
                "in", "--to", backend.endpoint, "--output", "out", "--field", "album=42", "--field", "note=a=b",
                "--part", "media",
            ]
            let run = try await workspace.upload(arguments)
            #expect(run.status == 0, "\(run.errors)")
            let lines = try workspace.manifest()
            #expect(lines.count == 4)
            let items = try backend.storedForms()
            #expect(items.count == 4)
            for line in lines {
                let upload = try #require(line.upload)
                #expect(upload.outcome == "acknowledged")
                #expect(upload.attempts == 1)
                #expect(upload.bytesSent > line.outputBytes ?? .max)
                let item = try #require(items.first { $0.id == upload.id })
                #expect(item.fields.map { "\($0.name)=\($0.value)" } == ["album=42", "note=a=b"])
                #expect(item.files.map(\.name) == ["media"])
                let output = try #require(line.output)
                #expect(item.files.map(\.sha256) == [digest(of: try workspace.contents("out/\(output)"))])
                #expect(item.idempotencyKey == nil)
            }
            let names = items.flatMap(\.files).map { "\($0.filename) \($0.mediaType ?? "")" }.sorted()
            #expect(
                names == [
                    "image.jpg image/jpeg", "image.jpg image/jpeg", "recording.ogg audio/ogg",
                    "recording.wav audio/wav",
                ])
            let requests = backend.requestCount
            let again = try await workspace.upload(arguments)
            #expect(again.status == 0, "\(again.errors)")
            #expect(again.errors.contains("4 acknowledged"))
            #expect(backend.requestCount == requests)
            #expect(try workspace.manifest().ids == lines.ids)
        }
    }

    @Test("Asked for, files are sent under the names of their outputs")
    func originalNames() async throws {
        let workspace = try workspace()
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.upload(["in", "--to", backend.endpoint, "-o", "out", "--original-names"])
            #expect(run.status == 0, "\(run.errors)")
            #expect(
                try backend.files().map(\.filename).sorted() == [
                    "Ann Example.jpg", "Ann Example.wav", "note.opus", "throat.png.jpg",
                ])
            #expect(try Set(backend.files().map(\.name)) == ["file"])
        }
    }

    @Test("Without an output directory only the record stays, for the user alone; a second run sends nothing")
    func stateHome() async throws {
        let workspace = try workspace()
        let inputs = workspace.files(below: "in")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.upload(["in", "--to", backend.endpoint])
            #expect(run.status == 0, "\(run.errors)")
            let lines = try Line.all(in: run.output)
            #expect(lines.map(\.output) == [nil, nil, nil, nil])
            #expect(lines.uploadCounts == ["acknowledged": 4])
            #expect(try Set(lines.map(\.sha256)) == Set(backend.files().map(\.sha256)))
            #expect(try workspace.names(in: "") == ["in", "state"])
            #expect(workspace.files(below: "in") == inputs)
            let record = try #require(workspace.files(below: "state").first)
            #expect(workspace.files(below: "state") == [record])
            #expect(record.wholeMatch(of: #/prep/upload-[0-9a-f]{16}/ledger\.sqlite/#) != nil)
            let place = "state/\(record.dropLast("/ledger.sqlite".count))"
            #expect(try workspace.names(in: place) == ["ledger.sqlite"])
            #expect(try workspace.permissions(of: "state/prep") == 0o700)
            #expect(try workspace.permissions(of: place) == 0o700)
            #expect(try workspace.permissions(of: "state/\(record)") == 0o600)
            let requests = backend.requestCount
            let again = try await workspace.upload(["in", "--to", backend.endpoint])
            #expect(again.status == 0, "\(again.errors)")
            #expect(backend.requestCount == requests)
            #expect(try Line.all(in: again.output).ids == lines.ids)
        }
    }

    @Test("The state directory is in the home directory where nothing else is said")
    func home() async throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.upload(
                ["in", "--to", backend.endpoint],
                environment: ["XDG_STATE_HOME": nil, "HOME": workspace.file("home").path])
            #expect(run.status == 0, "\(run.errors)")
            #expect(try workspace.names(in: "home/.local/state") == ["prep"])
            #expect(try workspace.permissions(of: "home/.local/state/prep") == 0o700)
        }
    }

    @Test("Another URL, field or part is another upload; the order of fields isn't", arguments: [["-o", "out"], []])
    func addresses(_ place: [String]) async throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        try await DevBackend.withRunningBackend { backend in
            let (one, two) = (["--field", "a=1"], ["--field", "b=2"])
            let arguments: [([String], Int)] = [
                ([], 1), (one, 2), (one + two, 3), (two + one, 3), (["--part", "a"], 4), (["--part", "file"], 4),
            ]
            for (arguments, count) in arguments {
                let run = try await workspace.upload(["in", "--to", backend.endpoint] + place + arguments)
                #expect(run.status == 0, "\(run.errors)")
                #expect(try backend.storedForms().count == count)
            }
            #expect(try await workspace.upload(["in", "--to", "\(backend.endpoint)?b"] + place).status == 0)
            #expect(try backend.storedForms().count == 5)
        }
    }

    @Test("What can't be prepared is told of, and what can is sent")
    func rejected() async throws {
        let workspace = try workspace()
        try workspace.write(try Data(contentsOf: Samples.damaged("text.jpg")), "in/text.jpg")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.upload(["in", "--to", backend.endpoint, "-o", "out"])
            #expect(run.status == 1)
            #expect(run.errors.contains("prep: in/text.jpg: rejected (unrecognized-format)"))
            let lines = try workspace.manifest()
            #expect(lines.outcomes["in/text.jpg"] == "rejected unrecognized-format")
            #expect(lines.uploads["in/text.jpg"] == nil)
            #expect(lines.uploadCounts == ["acknowledged": 4])
            #expect(try backend.storedForms().count == 4)
        }
    }

    @Test("Equal photos are sent once, and the others are called what they are")
    func duplicates() async throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg", "in/b.jpg", "in/c.jpg")
        try await DevBackend.withRunningBackend { backend in
            let arguments = ["in", "--to", backend.endpoint, "-o", "out"]
            for _ in 1...2 {
                let run = try await workspace.upload(arguments)
                #expect(run.status == 0, "\(run.errors)")
                #expect(run.errors.contains("1 acknowledged, 2 duplicate-of"))
                let lines = try workspace.manifest()
                #expect(lines.uploadCounts == ["acknowledged": 1, "duplicate-of": 2])
                let sent = try #require(lines.first { $0.upload?.status == "acknowledged" })
                for line in lines where line.input != sent.input {
                    let upload = try #require(line.upload)
                    #expect(upload.duplicateOf == sent.input)
                    #expect(upload.id == sent.upload?.id)
                    #expect(upload.attempts == 0)
                    #expect(upload.bytesSent == 0)
                }
                #expect(backend.requestCount == 1)
            }
        }
    }

    @Test("Forced, everything is sent again, under other keys")
    func forced() async throws {
        let workspace = try Workspace()
        try workspace.writeBeeps(2, in: "in")
        try await DevBackend.withRunningBackend { backend in
            let arguments = ["in", "--to", backend.endpoint, "-o", "out", "--idempotent"]
            for count in 1...3 {
                #expect(try await workspace.upload(arguments + (count > 1 ? ["--force"] : [])).status == 0)
                let items = try backend.storedForms()
                #expect(items.count == 2 * count)
                #expect(Set(items.compactMap(\.idempotencyKey)).count == 2 * count)
                #expect(Set(try backend.files().map(\.sha256)).count == 2)
                #expect(Set(try workspace.manifest().ids.values) == Set(items.suffix(2).map(\.id)))
            }
        }
    }

    @Test("A plan's lines that need nothing done are repeated, and the others' outputs sent")
    func plan() async throws {
        let workspace = try workspace()
        try workspace.write(Data("text".utf8), "in/text.jpg")
        try workspace.write(Data(try workspace.prep("in", "-o", "out", "--dry-run").output.utf8), "plan")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.upload(["--plan", "plan", "--to", backend.endpoint, "-o", "out"])
            #expect(run.status == 1)
            let lines = try workspace.manifest()
            #expect(lines.count == 5)
            #expect(lines.uploadCounts == ["acknowledged": 4])
        }
    }

    @Test("Stopped and continued, each is with the server once", arguments: [["-o", "out"], []])
    func interrupted(_ place: [String]) async throws {
        let workspace = try Workspace()
        try workspace.writeBeeps(12, in: "in")
        try await DevBackend.withRunningBackend(options: DevBackendOptions { $0.responseDelay = .milliseconds(150) }) {
            backend in
            let arguments = ["in", "--to", backend.endpoint, "--uploads", "2", "--idempotent"] + place
            let isSent = Mutex(false)
            let run = try await workspace.upload(arguments) { process in
                let hasBegun = (try? backend.storedForms().count) ?? 0 >= 3
                // Asked twice, it would end at once.
                isSent.withLock { isSent in if hasBegun, !isSent { isSent = kill(process, SIGINT) == 0 } }
            }
            #expect(run.status == 130)
            #expect(run.errors.contains("before the interruption"))
            #expect((3..<12).contains(try backend.storedForms().count))
            let rest = try await workspace.upload(arguments)
            #expect(rest.status == 0, "\(rest.errors)")
            let lines = try place.isEmpty ? Line.all(in: rest.output) : workspace.manifest()
            #expect(lines.uploadCounts == ["acknowledged": 12])
            #expect(try backend.storedForms().count == 12)
            #expect(try Set(backend.files().map(\.sha256)).count == 12)
            #expect(workspace.files(below: "state").count == (place.isEmpty ? 1 : 0))
        }
    }
}
