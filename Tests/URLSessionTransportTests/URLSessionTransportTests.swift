import Foundation
import HTTPCalls
import HTTPTypes
import MultipartBody
import SymptomSentryAPI
import Synchronization
import Testing
import TestSupport
import URLSessionTransport

@testable import dev_backend

@Suite("Requests by URLSession, to dev-backend")
struct URLSessionTransportTests {
    private func withBackend(
        _ options: DevBackendOptions = DevBackendOptions(), _ body: (DevBackend) async throws -> Void
    ) async throws {
        try await DevBackend.withRunningBackend(options: options, body)
    }

    private func request(
        _ method: HTTPRequest.Method, _ url: String, body: RequestBody = .empty, token: String? = "dev-token",
        timeout: Duration = .seconds(30)
    ) throws -> TransportRequest {
        TransportRequest(
            method: method, endpoint: try Endpoint(url), bearerToken: token.flatMap(BearerToken.init), body: body,
            timeout: timeout)
    }

    @Test("an image is analyzed, with the token, the fields and the bytes of the form")
    func symptomSentryFlow() async throws {
        try await withBackend { backend in
            let session = Session()
            let client = SymptomSentryClient(
                baseEndpoint: try Endpoint(backend.url),
                client: HTTPClient(transport: URLSessionTransport(), session: session))
            let login = try await client.login(email: "patient@example.com", password: "correct horse")
            try session.signIn(Credentials(token: login.token))
            let jpeg = try Data(contentsOf: SampleMedia.goodImage(named: "ear-passthrough.jpg"))
            let file = MediaFile(content: .bytes(Array(jpeg)), mediaType: "image/jpeg", filename: "image.jpg")
            let analysis = try await client.analyze(file, type: .ear)
            #expect(analysis.type == .ear && analysis.userID == login.user.id)
            let form = try #require(try backend.storedForms().last)
            #expect(form.fields.map(\.value) == ["ear"] && form.files.map(\.size) == [Int64(jpeg.count)])
            #expect(try await client.updateProfile(name: "Ny").name == "Ny")
        }
    }

    @Test(
        "any status is a response",
        arguments: [
            ("/api/user-profile", "wrong", 401, "unauthorized"), ("/nothing", "dev-token", 404, "not-found"),
            ("/api/user-profile", "dev-token", 200, nil),
        ] as [(String, String, Int, String?)])
    func statuses(_ path: String, _ token: String, _ status: Int, _ code: String?) async throws {
        try await withBackend { backend in
            let response = try await URLSessionTransport().send(try request(.get, backend.url + path, token: token))
            #expect(response.status == status && response.serverMessage?.code == code)
            #expect(response.head.headerFields[.contentType] == "application/json")
            #expect(response.sendProgress.hasSentEntireBody)
        }
    }

    @Test("a dropped response leaves the outcome of a POST unknown, and a GET that fails is repeated")
    func droppedResponse() async throws {
        try await withBackend { backend in
            var policy = RetryPolicy()
            policy.initialRetryDelayLimit = .milliseconds(1)
            policy.maxRetryDelay = .milliseconds(2)
            policy.maxAttempts = 3
            let client = HTTPClient(transport: URLSessionTransport(), retryPolicy: policy)
            var faults = FaultConfiguration()
            faults.dropRate = 1
            backend.updateFaults(faults)
            let body = try MediaFile(content: .bytes([1, 2, 3]), mediaType: "text/plain", filename: "a")
                .makeMultipartBody(partName: "file")
            let post = try request(.post, backend.url + "/upload", body: body)
            let unknown = await #expect(throws: CallError.self) { try await client.send(post, isIdempotent: false) }
            #expect(unknown?.code == .outcomeUnknown && backend.requestCount == 1)
            #expect(try backend.storedForms().count == 1)
            (faults.dropRate, faults.errorRate) = (0, 1)
            backend.updateFaults(faults)
            let get = try request(.get, backend.url + "/api/user-profile")
            let unreachable = await #expect(throws: CallError.self) { try await client.send(get, isIdempotent: true) }
            #expect(unreachable?.code == .serverUnreachable && backend.requestCount == 4)
        }
    }

    @Test("no connection, and nothing was sent")
    func noConnection() async throws {
        let error = await #expect(throws: TransportError.self) {
            try await URLSessionTransport().send(
                try request(.post, "http://127.0.0.1:1/", body: .bytes([1], mediaType: "text/plain")))
        }
        #expect(error?.code == .connectionFailed && error?.sendProgress.hasSentEntireBody == false)
    }

    @Test("a request ends after its time, and when its task is cancelled", arguments: [true, false])
    func timeAndCancellation(_ isTimeout: Bool) async throws {
        var options = DevBackendOptions()
        options.responseDelay = .seconds(20)
        try await withBackend(options) { backend in
            let transport = URLSessionTransport()
            let sent = try request(
                .put, backend.url + "/api/update-profile",
                body: .bytes(Array("{}".utf8), mediaType: "application/json"),
                timeout: isTimeout ? .milliseconds(300) : .seconds(60))
            let task = Task { try await transport.send(sent) }
            if !isTimeout {
                while backend.requestCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
                task.cancel()
            }
            let error = await #expect(throws: TransportError.self) { try await task.value }
            #expect(error?.code == (isTimeout ? .timeout : .cancelled))
            // It may have been sent whole.
            #expect(error?.sendProgress.hasSentEntireBody == true)
        }
    }

    @Test("the time of a request that waits for others begins when it is sent")
    func waitingTimeDoesNotCount() async throws {
        var options = DevBackendOptions()
        options.responseDelay = .seconds(1)
        try await withBackend(options) { backend in
            var transportOptions = URLSessionTransport.Options()
            transportOptions.maxConcurrentRequestsPerHost = 1
            let transport = URLSessionTransport(options: transportOptions)
            let sent = try request(.get, backend.url + "/api/user-profile", timeout: .seconds(10))
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<12 { group.addTask { try await transport.send(sent).status } }
                for try await status in group { #expect(status > 0) }
            }
            #expect(backend.requestCount == 12)
        }
    }

    @Test("header fields of the transport are rejected, and nothing is sent")
    func reservedFields() async throws {
        var sent = try request(.post, "http://127.0.0.1:1/", body: .bytes([1], mediaType: "text/plain"))
        sent.headerFields[.contentLength] = "5"
        let error = await #expect(throws: TransportError.self) { try await URLSessionTransport().send(sent) }
        #expect(error?.code == .invalidRequest && error?.sendProgress.hasSentEntireBody == false)
    }

    @Test("a task that was cancelled before sends nothing")
    func cancelledBefore() async throws {
        try await withBackend { backend in
            let sent = try request(.get, backend.url + "/api/user-profile")
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await URLSessionTransport().send(sent)
            }
            task.cancel()
            let error = await #expect(throws: TransportError.self) { try await task.value }
            #expect(error?.code == .cancelled && backend.requestCount == 0)
            #expect(error?.sendProgress.hasSentEntireBody == false)
        }
    }

    @Test("a response above the limit is rejected")
    func limit() async throws {
        try await withBackend { backend in
            var options = URLSessionTransport.Options()
            options.maxResponseBytes = 10
            let transport = URLSessionTransport(options: options)
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(try request(.get, backend.url + "/api/user-profile"))
            }
            #expect(error?.code == .invalidResponse)
        }
    }

    @Test("the temporary file of a form is removed; if it cannot be written, nothing is sent")
    func temporaryFile() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "form-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        var options = URLSessionTransport.Options()
        options.temporaryDirectory = directory
        let transport = URLSessionTransport(options: options)
        try await withBackend { backend in
            let body = try MediaFile(content: .bytes([1, 2, 3]), mediaType: "text/plain", filename: "a")
                .makeMultipartBody(partName: "file", fields: [FormField(name: "b", value: "c")])
            let response = try await transport.send(try request(.post, backend.url + "/upload", body: body))
            #expect(response.status == 201)
            #expect(try backend.storedForms().first?.files.map(\.size) == [3])
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
        }
        options.temporaryDirectory = directory.appending(path: "missing")
        let broken = URLSessionTransport(options: options)
        let error = await #expect(throws: TransportError.self) {
            let body = try MultipartForm(parts: [.field(name: "a", value: "b")])
            return try await broken.send(try request(.post, "http://127.0.0.1:1/", body: .multipart(body)))
        }
        #expect(error?.code == .outOfResources && error?.sendProgress.hasSentEntireBody == false)
    }
}
