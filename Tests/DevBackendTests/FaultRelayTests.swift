import Testing

@testable import dev_backend

@Suite("Injected faults as a client sees them")
struct FaultRelayTests {
    private static let request = RawHTTPRequest.form("/upload", .withRandomFile(byteCount: 300_000))

    private func makeOptions(_ change: (inout FaultConfiguration) -> Void) -> DevBackendOptions {
        DevBackendOptions { change(&$0.faults) }
    }

    /// Sends the request on a new connection. Returns the response, or how the connection ended without one.
    private func uploadOutcome(_ backend: DevBackend) async throws -> Result<Int, RawHTTPClient.End> {
        try await runBlocking {
            let client = try RawHTTPClient(backend)
            client.trySending(Self.request.bytes)
            do {
                return .success(try client.readReply().status)
            } catch let end as RawHTTPClient.End {
                return .failure(end)
            }
        }
    }

    @Test("Without faults, one connection serves several requests")
    func requestsShareOneConnectionWithoutFaults() async throws {
        try await DevBackend.withRunningBackend { (backend) async throws in
            try await runBlocking {
                let client = try RawHTTPClient(backend)
                // Both are sent at once: bytes that are read with the first request belong to the second.
                try client.send(Self.request.bytes + RawHTTPRequest.get("/api/appointments/ABC123").bytes)
                #expect(try client.readReply().status == 201)
                #expect(try client.readReply().status == 200)
                try client.send(Self.request.addingHeader("Connection", value: "close").bytes)
                let last = try client.readReply()
                #expect(last.status == 201)
                #expect(last.head["connection"] == "close")
                #expect(client.readConnectionEnd() == .closed)
            }
            #expect(backend.requestCount == 3)
            #expect(try backend.storedForms().count == 2)
            #expect(backend.faultCounts == FaultCounts())
        }
    }

    @Test("An error response is sent, and nothing is committed", arguments: [500, 502, 503, 504])
    func errorResponseCommitsNothing(_ status: Int) async throws {
        try await DevBackend.withRunningBackend(options: makeOptions { $0.scriptedFaults = [.errorStatus(status)] }) {
            (backend) async throws in
            #expect(try await uploadOutcome(backend) == .success(status))
            #expect(try backend.storedForms().isEmpty)
            #expect(try await uploadOutcome(backend) == .success(201))
            #expect(backend.faultCounts.errorResponses == 1)
        }
    }

    @Test("Too many requests, with each form of Retry-After")
    func status429StatesWaitInEveryForm() async throws {
        try await DevBackend.withRunningBackend(
            options: makeOptions { $0.scriptedFaults = [.tooManyRequests, .tooManyRequests, .tooManyRequests] }
        ) { (backend) async throws in
            #expect(try await backend.rawReply(to: Self.request).head["retry-after"] == nil)
            var faults = FaultConfiguration()
            (faults.scriptedFaults, faults.retryAfter) = ([.tooManyRequests], .seconds(7))
            backend.updateFaults(faults)
            let seconds = try await backend.rawReply(to: Self.request)
            #expect(seconds.status == 429)
            #expect(seconds.head["retry-after"] == "7")
            (faults.scriptedFaults, faults.retryAfter) = ([.tooManyRequests], .date(90))
            backend.updateFaults(faults)
            let date = try #require(try await backend.rawReply(to: Self.request).head["retry-after"])
            #expect(date.wholeMatch(of: /[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT/) != nil)
            #expect(backend.faultCounts.tooManyRequestsResponses == 3)
            #expect(try backend.storedForms().isEmpty)
        }
    }

    @Test("A reset within the body", arguments: [0, 0.3, 0.999_999])
    func connectionIsResetWithinBody(_ share: Double) async throws {
        try await DevBackend.withRunningBackend(options: makeOptions { $0.scriptedFaults = [.resetWithinBody(share)] })
        { (backend) async throws in
            #expect(try await uploadOutcome(backend) == .failure(.reset))
            #expect(backend.faultCounts.connectionResets == 1)
            #expect(backend.requestCount == 1)
            // The transaction of this request comes after any transaction that the first could have begun.
            #expect(try await uploadOutcome(backend) == .success(201))
            #expect(try backend.storedForms().count == 1)
        }
    }

    @Test("A response that is dropped after the commit")
    func responseIsDroppedAfterCommit() async throws {
        try await DevBackend.withRunningBackend(options: makeOptions { $0.scriptedFaults = [.dropResponse] }) {
            (backend) async throws in
            #expect(try await uploadOutcome(backend) == .failure(.reset))
            #expect(backend.faultCounts.droppedResponses == 1)
            #expect(try backend.storedForms().flatMap { $0.files.map(\.sha256) } == backend.droppedFileDigests)
            #expect(backend.droppedFileDigests.count == 1)
        }
    }

    @Test("The response to an uncommitted request is not dropped")
    func uncommittedResponseIsNotDropped() async throws {
        try await DevBackend.withRunningBackend(options: makeOptions { $0.scriptedFaults = [.dropResponse] }) {
            (backend) async throws in
            #expect(
                try await backend.rawReply(to: .form("/upload", RawMultipartForm().addingField("a", value: "b"))).status
                    == 400)
            #expect(backend.faultCounts.droppedResponses == 0)
        }
    }

    @Test("A body that is too large is rejected before it is sent")
    func tooLargeBodyIsRejectedBeforeSending() async throws {
        try await DevBackend.withRunningBackend(
            options: makeOptions { $0.bodySizeLimit = .init(maxBodyBytes: 299_999) }
        ) { (backend) async throws in
            try await runBlocking {
                let client = try RawHTTPClient(backend)
                try client.send(Self.request.head)
                let reply = try client.readReply()
                #expect(reply.status == 413)
                #expect(reply.code == "too-large")
                #expect(reply.head["connection"] == "close")
                // The connection still accepts data and is closed in the orderly way.
                try client.send([UInt8](repeating: 0, count: 100_000))
                #expect(client.readConnectionEnd() == .closed)
            }
            #expect(backend.faultCounts.tooLargeResponses == 1)
            #expect(try await backend.rawReply(to: .form("/upload", .withRandomFile(byteCount: 1000))).status == 201)
        }
    }

    @Test("A body that is too large is rejected by a reset")
    func tooLargeBodyIsCutOffAbruptly() async throws {
        let tooLarge = FaultConfiguration.BodySizeLimit(
            maxBodyBytes: 1000, bytesReadBeforeResponse: 64 << 10, resetsConnection: true)
        try await DevBackend.withRunningBackend(options: makeOptions { $0.bodySizeLimit = tooLarge }) {
            (backend) async throws in
            let end = try await runBlocking {
                let client = try RawHTTPClient(backend)
                client.trySending(Self.request.bytes)
                return client.readConnectionEnd()
            }
            #expect(end == .reset)
            #expect(backend.faultCounts.tooLargeResponses == 1)
        }
    }

    @Test("The response to Expect: 100-continue")
    func expectContinueIsAnswered() async throws {
        let request = Self.request.addingHeader("Expect", value: "100-continue")
        try await DevBackend.withRunningBackend { (backend) async throws in
            let reply = try await runBlocking {
                let client = try RawHTTPClient(backend)
                try client.send(request.head)
                #expect(try client.readReply().status == 100)
                try client.send(request.body)
                return try client.readReply()
            }
            #expect(reply.status == 201)
        }
        try await DevBackend.withRunningBackend(options: makeOptions { $0.continueExpectation = .ignored }) {
            (backend) async throws in
            let reply = try await runBlocking {
                let client = try RawHTTPClient(backend)
                try client.send(request.head)
                #expect(!client.isReadable(milliseconds: 100))
                try client.send(request.body)
                return try client.readReply()
            }
            #expect(reply.status == 201)
        }
    }

    @Test("A rejected expectation", arguments: [413, 417])
    func unwantedBodyIsRejected(_ status: Int) async throws {
        try await DevBackend.withRunningBackend(options: makeOptions { $0.continueExpectation = .rejected(status) }) {
            (backend) async throws in
            try await runBlocking {
                let client = try RawHTTPClient(backend)
                try client.send(Self.request.addingHeader("Expect", value: "100-continue").head)
                #expect(try client.readReply().status == status)
                #expect(client.readConnectionEnd() == .closed)
            }
            #expect(try backend.storedForms().isEmpty)
        }
    }

    @Test(
        "A kept connection that is dead",
        arguments: [FaultConfiguration.KeepAliveBehavior.closeAfterResponse, .resetOnReuse])
    func deadKeepAliveConnectionIsDetected(_ keepAlive: FaultConfiguration.KeepAliveBehavior) async throws {
        try await DevBackend.withRunningBackend(options: makeOptions { $0.keepAliveBehavior = keepAlive }) {
            (backend) async throws in
            try await runBlocking {
                let client = try RawHTTPClient(backend)
                try client.send(Self.request.bytes)
                let reply = try client.readReply()
                #expect(reply.status == 201)
                #expect(reply.head["connection"] == nil)
                if keepAlive == .resetOnReuse { try client.send("P") }
                #expect(client.readConnectionEnd() == (keepAlive == .closeAfterResponse ? .closed : .reset))
            }
            #expect(backend.faultCounts.deadConnections == 1)
            #expect(try backend.storedForms().count == 1)
        }
    }

    @Test("Slow reading takes at least the configured time")
    func slowReadingTakesAtLeastItsDelay() async throws {
        try await DevBackend.withRunningBackend(options: makeOptions { $0.bodyBytesPerSecond = 1_000_000 }) {
            (backend) async throws in
            let start = ContinuousClock.now
            #expect(try await uploadOutcome(backend) == .success(201))
            #expect(ContinuousClock.now - start >= .milliseconds(290))
        }
    }

    @Test("A request that is not HTTP, or has no length, ends the connection")
    func nonHTTPInputEndsConnection() async throws {
        try await DevBackend.withRunningBackend { (backend) async throws in
            for bytes in ["\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n", String(repeating: "x", count: 70_000)] {
                let end = try await runBlocking {
                    let client = try RawHTTPClient(backend)
                    client.trySending(Array(bytes.utf8))
                    return client.readConnectionEnd()
                }
                #expect(end == .closed || bytes.utf8.count > 64 << 10)
            }
            for field in ["Transfer-Encoding: chunked", "Content-Length: 1\r\nContent-Length: 2", "Content-Length: +1"]
            {
                let reply = try await runBlocking {
                    let client = try RawHTTPClient(backend)
                    try client.send("POST /upload HTTP/1.1\r\n\(field)\r\n\r\n")
                    return try client.readReply()
                }
                #expect(reply.status == 411)
            }
        }
    }

    @Test("A client cannot request a fault itself")
    func clientCannotRequestFaults() async throws {
        try await DevBackend.withRunningBackend { (backend) async throws in
            #expect(
                try await backend.rawReply(to: Self.request.addingHeader(FaultHeader.fieldName, value: "503")).status
                    == 201)
        }
    }
}
