import Testing

@testable import dev_backend

@Suite("Faults, as a client meets them")
struct RelayTests {
    private static let request = RawRequest.form("/upload", .ofFile(300_000))

    private func options(_ change: (inout FaultConfiguration) -> Void) -> DevBackendOptions {
        DevBackendOptions { change(&$0.faults) }
    }

    /// Sends the request on a connection of its own and gives the answer, or how the connection ended without one.
    private func outcome(_ backend: DevBackend) async throws -> Result<Int, RawClient.End> {
        try await blocking {
            let client = try RawClient(backend)
            client.trySending(Self.request.bytes)
            do {
                return .success(try client.reply().status)
            } catch let end as RawClient.End {
                return .failure(end)
            }
        }
    }

    @Test("Without faults, requests follow each other on one connection")
    func keptOpen() async throws {
        try await DevBackend.withRunningBackend { (backend) async throws in
            try await blocking {
                let client = try RawClient(backend)
                // The second with the first: what is read with one request is the next one's.
                try client.send(Self.request.bytes + RawRequest.get("/api/appointments/ABC123").bytes)
                #expect(try client.reply().status == 201)
                #expect(try client.reply().status == 200)
                try client.send(Self.request.adding("Connection", "close").bytes)
                let last = try client.reply()
                #expect(last.status == 201)
                #expect(last.head["connection"] == "close")
                #expect(client.end() == .closed)
            }
            #expect(backend.requestCount == 3)
            #expect(try backend.storedForms().count == 2)
            #expect(backend.faultCounts == FaultCounts())
        }
    }

    @Test("An error is answered and nothing committed", arguments: [500, 502, 503, 504])
    func error(_ status: Int) async throws {
        try await DevBackend.withRunningBackend(options: options { $0.scriptedFaults = [.errorStatus(status)] }) {
            (backend) async throws in
            #expect(try await outcome(backend) == .success(status))
            #expect(try backend.storedForms().isEmpty)
            #expect(try await outcome(backend) == .success(201))
            #expect(backend.faultCounts.errorResponses == 1)
        }
    }

    @Test("Too many requests, with each way to say for how long")
    func busy() async throws {
        try await DevBackend.withRunningBackend(
            options: options { $0.scriptedFaults = [.tooManyRequests, .tooManyRequests, .tooManyRequests] }
        ) { (backend) async throws in
            #expect(try await backend.reply(to: Self.request).head["retry-after"] == nil)
            var faults = FaultConfiguration()
            (faults.scriptedFaults, faults.retryAfter) = ([.tooManyRequests], .seconds(7))
            backend.updateFaults(faults)
            let seconds = try await backend.reply(to: Self.request)
            #expect(seconds.status == 429)
            #expect(seconds.head["retry-after"] == "7")
            (faults.scriptedFaults, faults.retryAfter) = ([.tooManyRequests], .date(90))
            backend.updateFaults(faults)
            let date = try #require(try await backend.reply(to: Self.request).head["retry-after"])
            #expect(date.wholeMatch(of: /[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT/) != nil)
            #expect(backend.faultCounts.tooManyRequestsResponses == 3)
            #expect(try backend.storedForms().isEmpty)
        }
    }

    @Test("A reset within the body", arguments: [0, 0.3, 0.999_999])
    func reset(_ share: Double) async throws {
        try await DevBackend.withRunningBackend(options: options { $0.scriptedFaults = [.resetWithinBody(share)] }) {
            (backend) async throws in
            #expect(try await outcome(backend) == .failure(.reset))
            #expect(backend.faultCounts.connectionResets == 1)
            #expect(backend.requestCount == 1)
            // The next one's transaction comes after what the first could have begun.
            #expect(try await outcome(backend) == .success(201))
            #expect(try backend.storedForms().count == 1)
        }
    }

    @Test("A drop after the commit")
    func drop() async throws {
        try await DevBackend.withRunningBackend(options: options { $0.scriptedFaults = [.dropResponse] }) {
            (backend) async throws in
            #expect(try await outcome(backend) == .failure(.reset))
            #expect(backend.faultCounts.droppedResponses == 1)
            #expect(try backend.storedForms().flatMap { $0.files.map(\.sha256) } == backend.droppedFileDigests)
            #expect(backend.droppedFileDigests.count == 1)
        }
    }

    @Test("An answer to what isn't committed is not dropped")
    func noDrop() async throws {
        try await DevBackend.withRunningBackend(options: options { $0.scriptedFaults = [.dropResponse] }) {
            (backend) async throws in
            #expect(try await backend.reply(to: .form("/upload", RawForm().field("a", "b"))).status == 400)
            #expect(backend.faultCounts.droppedResponses == 0)
        }
    }

    @Test("A body that is too large is refused before it was sent")
    func tooLarge() async throws {
        try await DevBackend.withRunningBackend(options: options { $0.bodySizeLimit = .init(maxBodyBytes: 299_999) }) {
            (backend) async throws in
            try await blocking {
                let client = try RawClient(backend)
                try client.send(Self.request.head)
                let reply = try client.reply()
                #expect(reply.status == 413)
                #expect(reply.code == "too-large")
                #expect(reply.head["connection"] == "close")
                // There is still someone to send to, and to end with.
                try client.send([UInt8](repeating: 0, count: 100_000))
                #expect(client.end() == .closed)
            }
            #expect(backend.faultCounts.tooLargeResponses == 1)
            #expect(try await backend.reply(to: .form("/upload", .ofFile(1000))).status == 201)
        }
    }

    @Test("A body that is too large is cut off without regard")
    func tooLargeAbrupt() async throws {
        let tooLarge = FaultConfiguration.BodySizeLimit(
            maxBodyBytes: 1000, bytesReadBeforeResponse: 64 << 10, resetsConnection: true)
        try await DevBackend.withRunningBackend(options: options { $0.bodySizeLimit = tooLarge }) {
            (backend) async throws in
            let end = try await blocking {
                let client = try RawClient(backend)
                client.trySending(Self.request.bytes)
                return client.end()
            }
            #expect(end == .reset)
            #expect(backend.faultCounts.tooLargeResponses == 1)
        }
    }

    @Test("The answer to Expect: 100-continue")
    func expectation() async throws {
        let request = Self.request.adding("Expect", "100-continue")
        try await DevBackend.withRunningBackend { (backend) async throws in
            let reply = try await blocking {
                let client = try RawClient(backend)
                try client.send(request.head)
                #expect(try client.reply().status == 100)
                try client.send(request.body)
                return try client.reply()
            }
            #expect(reply.status == 201)
        }
        try await DevBackend.withRunningBackend(options: options { $0.continueExpectation = .ignored }) {
            (backend) async throws in
            let reply = try await blocking {
                let client = try RawClient(backend)
                try client.send(request.head)
                #expect(!client.hears(milliseconds: 100))
                try client.send(request.body)
                return try client.reply()
            }
            #expect(reply.status == 201)
        }
    }

    @Test("A body that isn't wanted", arguments: [413, 417])
    func refused(_ status: Int) async throws {
        try await DevBackend.withRunningBackend(options: options { $0.continueExpectation = .rejected(status) }) {
            (backend) async throws in
            try await blocking {
                let client = try RawClient(backend)
                try client.send(Self.request.adding("Expect", "100-continue").head)
                #expect(try client.reply().status == status)
                #expect(client.end() == .closed)
            }
            #expect(try backend.storedForms().isEmpty)
        }
    }

    @Test(
        "A connection that was to stay open, and is dead",
        arguments: [FaultConfiguration.KeepAliveBehavior.closeAfterResponse, .resetOnReuse])
    func dead(_ keepAlive: FaultConfiguration.KeepAliveBehavior) async throws {
        try await DevBackend.withRunningBackend(options: options { $0.keepAliveBehavior = keepAlive }) {
            (backend) async throws in
            try await blocking {
                let client = try RawClient(backend)
                try client.send(Self.request.bytes)
                let reply = try client.reply()
                #expect(reply.status == 201)
                #expect(reply.head["connection"] == nil)
                if keepAlive == .resetOnReuse { try client.send("P") }
                #expect(client.end() == (keepAlive == .closeAfterResponse ? .closed : .reset))
            }
            #expect(backend.faultCounts.deadConnections == 1)
            #expect(try backend.storedForms().count == 1)
        }
    }

    @Test("Slow reading takes as long as it says, at least")
    func slow() async throws {
        try await DevBackend.withRunningBackend(options: options { $0.bodyBytesPerSecond = 1_000_000 }) {
            (backend) async throws in
            let start = ContinuousClock.now
            #expect(try await outcome(backend) == .success(201))
            #expect(ContinuousClock.now - start >= .milliseconds(290))
        }
    }

    @Test("What isn't HTTP, or has no length, ends the connection")
    func notHTTP() async throws {
        try await DevBackend.withRunningBackend { (backend) async throws in
            for bytes in ["\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n", String(repeating: "x", count: 70_000)] {
                let end = try await blocking {
                    let client = try RawClient(backend)
                    client.trySending(Array(bytes.utf8))
                    return client.end()
                }
                #expect(end == .closed || bytes.utf8.count > 64 << 10)
            }
            for field in ["Transfer-Encoding: chunked", "Content-Length: 1\r\nContent-Length: 2", "Content-Length: +1"]
            {
                let reply = try await blocking {
                    let client = try RawClient(backend)
                    try client.send("POST /upload HTTP/1.1\r\n\(field)\r\n\r\n")
                    return try client.reply()
                }
                #expect(reply.status == 411)
            }
        }
    }

    @Test("A client can't ask for a fault itself")
    func noOrders() async throws {
        try await DevBackend.withRunningBackend { (backend) async throws in
            #expect(try await backend.reply(to: Self.request.adding(FaultHeader.fieldName, "503")).status == 201)
        }
    }
}
