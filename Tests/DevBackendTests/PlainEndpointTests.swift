import Foundation
import Testing

@testable import dev_backend

@Suite("The plain endpoint and keys")
struct PlainEndpointTests {
    private struct Created: Decodable { var id: String }

    private static let form = RawForm().field("note", "a").field("note", "b")
        .file("one", "a.jpg", Array("content".utf8)).file("two", "b.wav", [], type: "audio/wav")

    @Test("What was sent is what is there")
    func stored() async throws {
        try await DevBackend.withRunningBackend { (backend) async throws in
            let reply = try await backend.reply(to: .form("/upload", Self.form).adding("Idempotency-Key", "k1"))
            #expect(reply.status == 201)
            let items = try backend.storedForms()
            let item = try #require(items.first)
            #expect(items.count == 1)
            #expect(try reply.json(Created.self).id == item.id)
            #expect(item.requestPath == "/upload")
            #expect(item.idempotencyKey == "k1")
            #expect(item.fields.map(\.name) == ["note", "note"])
            #expect(item.fields.map(\.value) == ["a", "b"])
            #expect(
                item.files == [
                    .init(
                        name: "one", filename: "a.jpg", mediaType: "image/jpeg", size: 7,
                        sha256: sha256(Array("content".utf8))),
                    .init(name: "two", filename: "b.wav", mediaType: "audio/wav", size: 0, sha256: sha256([])),
                ])
        }
    }

    @Test("A large file is digested as it comes")
    func large() async throws {
        try await DevBackend.withRunningBackend { (backend) async throws in
            let form = RawForm.ofFile(3 << 20)
            #expect(try await backend.reply(to: .form("/upload", form)).status == 201)
            let file = try #require(try backend.storedForms().first?.files.first)
            #expect(file.size == 3 << 20)
            #expect(file.sha256 == sha256(form.parts[0].content))
        }
    }

    @Test("A token isn't needed, but a wrong one is refused, and each that is accepted is taken")
    func tokens() async throws {
        try await DevBackend.withRunningBackend(options: DevBackendOptions { $0.acceptedTokens = ["new"] }) {
            (backend) async throws in
            let request = RawRequest.form("/upload", Self.form)
            #expect(try await backend.reply(to: request.token(nil)).status == 201)
            #expect(try await backend.reply(to: request.token("old")).status == 401)
            #expect(try await backend.reply(to: request.token("new")).status == 201)
            #expect(try await backend.reply(to: RawRequest.get("/api/user-profile").token(nil)).status == 401)
        }
    }

    @Test("What can't be taken is refused, and the connection goes on")
    func refused() async throws {
        let requests: [(RawRequest, Int, String)] = [
            (.form("/upload", RawForm().field("a", "b")), 400, "no-file"),
            (.json("POST", "/upload", "{}"), 415, "not-multipart"),
            (RawRequest.form("/upload", Self.form).with("Content-Type", "multipart/form-data"), 415, "not-multipart"),
            (
                RawRequest.form("/upload", Self.form).with("Content-Type", "multipart/form-data; boundary=x"), 400,
                "malformed-form"
            ),
            (.get("/upload"), 404, "not-found"),
            (.form("/api/nothing", Self.form), 404, "not-found"),
        ]
        try await DevBackend.withRunningBackend { (backend) async throws in
            try await blocking {
                let client = try RawClient(backend)
                for (request, status, code) in requests {
                    try client.send(request.bytes)
                    let reply = try client.reply()
                    #expect(reply.status == status)
                    #expect(reply.code == code)
                }
            }
            #expect(try backend.storedForms().isEmpty)
        }
    }

    @Test("A form of 65 MiB is too large for a contract")
    func tooLarge() async throws {
        try await DevBackend.withRunningBackend { (backend) async throws in
            try await blocking {
                let client = try RawClient(backend)
                let request = RawRequest.form("/api/analyze", RawForm())
                let length = "Content-Length: \(65 << 20)\r\n\r\n"
                let head = String(decoding: request.head, as: UTF8.self)
                let cut = try #require(head.range(of: "Content-Length"))
                try client.send(head[..<cut.lowerBound] + length)
                #expect(try client.reply().status == 413)
            }
        }
    }

    @Test("A repeated key is given the first answer, and nothing is committed again")
    func replay() async throws {
        try await DevBackend.withRunningBackend { (backend) async throws in
            let request = RawRequest.form("/upload", Self.form).adding("Idempotency-Key", "k")
            let first = try await backend.reply(to: request)
            // Another boundary is no other content.
            var form = Self.form
            form.boundary = "another"
            let second = try await backend.reply(to: RawRequest.form("/upload", form).adding("Idempotency-Key", "k"))
            #expect(first.head["idempotent-replay"] == nil)
            #expect(second.head["idempotent-replay"] == "true")
            #expect(second.status == first.status)
            #expect(second.body == first.body)
            #expect(try backend.storedForms().count == 1)
            let other = RawRequest.form("/upload", Self.form.field("more", "")).adding("Idempotency-Key", "k")
            let reused = try await backend.reply(to: other)
            #expect(reused.status == 422)
            #expect(reused.code == "key-reused")
            #expect(try backend.storedForms().count == 1)
        }
    }

    @Test("An answer that isn't a success isn't kept under its key")
    func failure() async throws {
        try await DevBackend.withRunningBackend(
            options: DevBackendOptions { $0.faults.scriptedFaults = [.errorStatus(500)] }
        ) { (backend) async throws in
            let request = RawRequest.form("/upload", Self.form).adding("Idempotency-Key", "k")
            #expect(try await backend.reply(to: request).status == 500)
            #expect(try await backend.reply(to: request).status == 201)
        }
    }

    @Test("Of equal keys at the same time one is committed", arguments: [true, false])
    func together(_ honoursKeys: Bool) async throws {
        try await DevBackend.withRunningBackend(options: DevBackendOptions { $0.honorsIdempotencyKeys = honoursKeys }) {
            (backend) async throws in
            let request = RawRequest.form("/upload", .ofFile(200_000)).adding("Idempotency-Key", "k")
            let bodies = try await withThrowingTaskGroup { group in
                for _ in 0..<8 { group.addTask { try await backend.reply(to: request).body } }
                return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
            }
            #expect(bodies.count == (honoursKeys ? 1 : 8))
            #expect(try backend.storedForms().count == (honoursKeys ? 1 : 8))
        }
    }

    @Test("A database in a file is there the next time, keys and all")
    func file() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let options = DevBackendOptions { $0.databasePath = path }
        let request = RawRequest.form("/upload", Self.form).adding("Idempotency-Key", "k")
        let first = try await DevBackend.withRunningBackend(options: options) { try await $0.reply(to: request).body }
        try await DevBackend.withRunningBackend(options: options) { (backend) async throws in
            #expect(try await backend.reply(to: request).body == first)
            #expect(try backend.storedForms().count == 1)
        }
    }

    @Test("Stopping cuts what is under way")
    func stop() async throws {
        let backend = try await DevBackend.start(options: DevBackendOptions { $0.responseDelay = .seconds(60) })
        async let end = blocking {
            let client = try RawClient(backend)
            try client.send(RawRequest.form("/upload", Self.form).bytes)
            return client.end()
        }
        while try backend.storedForms().isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        await backend.stop()
        _ = try await end
        #expect(throws: (any Error).self) { try RawClient(backend) }
    }
}
