import Foundation
import Testing

@testable import dev_backend

@Suite("The plain endpoint and keys")
struct PlainEndpointTests {
    private struct Created: Decodable { var id: String }

    private static let form = RawMultipartForm().addingField("note", value: "a").addingField("note", value: "b")
        .file("one", "a.jpg", Array("content".utf8)).file("two", "b.wav", [], type: "audio/wav")

    @Test("The sent form is stored")
    func sentFormIsStored() async throws {
        try await DevBackend.withRunningBackend { (backend) async throws in
            let reply = try await backend.rawReply(
                to: .form("/upload", Self.form).addingHeader("Idempotency-Key", value: "k1"))
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

    @Test("A large file is hashed while it is received")
    func largeFileIsDigestedWhileReceived() async throws {
        try await DevBackend.withRunningBackend { (backend) async throws in
            let form = RawMultipartForm.withRandomFile(byteCount: 3 << 20)
            #expect(try await backend.rawReply(to: .form("/upload", form)).status == 201)
            let file = try #require(try backend.storedForms().first?.files.first)
            #expect(file.size == 3 << 20)
            #expect(file.sha256 == sha256(form.parts[0].content))
        }
    }

    @Test("A token is optional, but a wrong one is rejected, and all accepted ones are valid")
    func tokenIsOptionalButValidated() async throws {
        try await DevBackend.withRunningBackend(options: DevBackendOptions { $0.acceptedTokens = ["new"] }) {
            (backend) async throws in
            let request = RawHTTPRequest.form("/upload", Self.form)
            #expect(try await backend.rawReply(to: request.withToken(nil)).status == 201)
            #expect(try await backend.rawReply(to: request.withToken("old")).status == 401)
            #expect(try await backend.rawReply(to: request.withToken("new")).status == 201)
            #expect(
                try await backend.rawReply(to: RawHTTPRequest.get("/api/user-profile").withToken(nil)).status == 401)
        }
    }

    @Test("An unsupported request is rejected, and the connection stays open")
    func invalidRequestKeepsConnectionOpen() async throws {
        let requests: [(RawHTTPRequest, Int, String)] = [
            (.form("/upload", RawMultipartForm().addingField("a", value: "b")), 400, "no-file"),
            (.json("POST", "/upload", "{}"), 415, "not-multipart"),
            (
                RawHTTPRequest.form("/upload", Self.form).settingHeader("Content-Type", to: "multipart/form-data"), 415,
                "not-multipart"
            ),
            (
                RawHTTPRequest.form("/upload", Self.form).settingHeader(
                    "Content-Type", to: "multipart/form-data; boundary=x"), 400,
                "malformed-form"
            ),
            (.get("/upload"), 404, "not-found"),
            (.form("/api/nothing", Self.form), 404, "not-found"),
        ]
        try await DevBackend.withRunningBackend { (backend) async throws in
            try await runBlocking {
                let client = try RawHTTPClient(backend)
                for (request, status, code) in requests {
                    try client.send(request.bytes)
                    let reply = try client.readReply()
                    #expect(reply.status == status)
                    #expect(reply.code == code)
                }
            }
            #expect(try backend.storedForms().isEmpty)
        }
    }

    @Test("A form of 65 MiB is too large for a backend's call")
    func oversizedFormIsRejected() async throws {
        try await DevBackend.withRunningBackend { (backend) async throws in
            try await runBlocking {
                let client = try RawHTTPClient(backend)
                let request = RawHTTPRequest.form("/api/analyze", RawMultipartForm())
                let length = "Content-Length: \(65 << 20)\r\n\r\n"
                let head = String(decoding: request.head, as: UTF8.self)
                let cut = try #require(head.range(of: "Content-Length"))
                try client.send(head[..<cut.lowerBound] + length)
                #expect(try client.readReply().status == 413)
            }
        }
    }

    @Test("A repeated key gets the first response, and nothing is committed again")
    func repeatedKeyReturnsFirstResponse() async throws {
        try await DevBackend.withRunningBackend { (backend) async throws in
            let request = RawHTTPRequest.form("/upload", Self.form).addingHeader("Idempotency-Key", value: "k")
            let first = try await backend.rawReply(to: request)
            // Another boundary does not change the content.
            var form = Self.form
            form.boundary = "another"
            let second = try await backend.rawReply(
                to: RawHTTPRequest.form("/upload", form).addingHeader("Idempotency-Key", value: "k"))
            #expect(first.head["idempotent-replay"] == nil)
            #expect(second.head["idempotent-replay"] == "true")
            #expect(second.status == first.status)
            #expect(second.body == first.body)
            #expect(try backend.storedForms().count == 1)
            let other = RawHTTPRequest.form("/upload", Self.form.addingField("more", value: "")).addingHeader(
                "Idempotency-Key", value: "k")
            let reused = try await backend.rawReply(to: other)
            #expect(reused.status == 422)
            #expect(reused.code == "key-reused")
            #expect(try backend.storedForms().count == 1)
        }
    }

    @Test("The response to a failed request is not stored with its key")
    func errorResponseIsNotStoredUnderKey() async throws {
        try await DevBackend.withRunningBackend(
            options: DevBackendOptions { $0.faults.scriptedFaults = [.errorStatus(500)] }
        ) { (backend) async throws in
            let request = RawHTTPRequest.form("/upload", Self.form).addingHeader("Idempotency-Key", value: "k")
            #expect(try await backend.rawReply(to: request).status == 500)
            #expect(try await backend.rawReply(to: request).status == 201)
        }
    }

    @Test("Of concurrent requests with equal keys one is committed", arguments: [true, false])
    func concurrentEqualKeysCommitOnce(_ honorsKeys: Bool) async throws {
        try await DevBackend.withRunningBackend(options: DevBackendOptions { $0.honorsIdempotencyKeys = honorsKeys }) {
            (backend) async throws in
            let request = RawHTTPRequest.form("/upload", .withRandomFile(byteCount: 200_000)).addingHeader(
                "Idempotency-Key", value: "k")
            let bodies = try await withThrowingTaskGroup { group in
                for _ in 0..<8 { group.addTask { try await backend.rawReply(to: request).body } }
                return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
            }
            #expect(bodies.count == (honorsKeys ? 1 : 8))
            #expect(try backend.storedForms().count == (honorsKeys ? 1 : 8))
        }
    }

    @Test("A database in a file is used again, with its keys")
    func databaseFilePersistsItemsAndKeys() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let options = DevBackendOptions { $0.databasePath = path }
        let request = RawHTTPRequest.form("/upload", Self.form).addingHeader("Idempotency-Key", value: "k")
        let first = try await DevBackend.withRunningBackend(options: options) {
            try await $0.rawReply(to: request).body
        }
        try await DevBackend.withRunningBackend(options: options) { (backend) async throws in
            #expect(try await backend.rawReply(to: request).body == first)
            #expect(try backend.storedForms().count == 1)
        }
    }

    @Test("Stopping ends active connections")
    func stoppingClosesConnections() async throws {
        let backend = try await DevBackend.start(options: DevBackendOptions { $0.responseDelay = .seconds(60) })
        async let end = runBlocking {
            let client = try RawHTTPClient(backend)
            try client.send(RawHTTPRequest.form("/upload", Self.form).bytes)
            return client.readConnectionEnd()
        }
        while try backend.storedForms().isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        await backend.stop()
        _ = try await end
        #expect(throws: (any Error).self) { try RawHTTPClient(backend) }
    }
}
