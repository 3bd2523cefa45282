import Foundation
import HTTPCalls
import HTTPTypes
import Synchronization
import Testing
import Uploading

/// Bodies that are expected, lost or sent again.
@Suite struct CurlSendingTests {
    /// Bytes without long repetitions.
    private static func makeContent(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for block in 0...(count / 4_096) { bytes += [UInt8](repeating: UInt8(block % 251), count: 4_096) }
        return Array(bytes.prefix(count))
    }

    private static func makeBody(_ count: Int) -> RequestBody {
        .bytes(makeContent(count), mediaType: "text/plain")
    }

    /// A transport that keeps a connection, however slow the machine is.
    private static func makeTransportWithLongTimeouts() throws -> CurlTransport {
        var options = CurlTransport.Options()
        options.maxConnectionAge = .seconds(3600)
        return try CurlTransport(options: options)
    }

    @Test(arguments: [(1 << 20, false), (1 << 20 + 1, true)])
    func largeBodiesExpectContinue(count: Int, asks: Bool) async throws {
        let server = ScriptedTCPServer { connection, _ in
            if connection.readRequestHead()?.contains("Expect: 100-continue") == true {
                connection.write("HTTP/1.1 100 Continue\r\n\r\n")
            }
            connection.readBytes(count: count)
            connection.respond(status: "201 Created")
        }
        defer { server.stop() }
        let response = try await CurlTransport().send(TransportRequest(.post, server.url, body: Self.makeBody(count)))
        #expect(response.status == 201)
        #expect(server.requestHeads.first?.contains("Expect") == asks)
    }

    @Test func bodyIsSentWithoutContinueAfterTimeout() async throws {
        let content = Self.makeContent(3 << 20)
        let server = ScriptedTCPServer { connection, _ in
            connection.readRequestHead()
            let isEqual = connection.readBytes(count: content.count) == content
            connection.respond(status: isEqual ? "201 Created" : "400 Bad Request")
        }
        defer { server.stop() }
        let body = RequestBody.bytes(content, mediaType: "text/plain")
        #expect(try await CurlTransport().send(TransportRequest(.put, server.url, body: body)).status == 201)
    }

    /// RFC 9110, section 10.1.1: a client that gets 417 repeats without the expectation.
    @Test func rejectedExpectationIsRetriedWithout() async throws {
        let server = ScriptedTCPServer { connection, _ in
            while let head = connection.readRequestHead() {
                if head.contains("Expect") {
                    connection.respond(status: "417 Expectation Failed", body: "no")
                } else {
                    let body = connection.readBytes(count: 2 << 20)
                    connection.respond(status: "201 Created", body: "\(body.count)")
                }
            }
        }
        defer { server.stop() }
        let response = try await CurlTransport().send(TransportRequest(.post, server.url, body: Self.makeBody(2 << 20)))
        #expect(response.status == 201)
        #expect(response.body == Array("\(2 << 20)".utf8))
        #expect(response.sendProgress == SendProgress(bytesSent: 2 << 20, totalBodyBytes: 2 << 20, attemptCount: 2))
    }

    @Test(arguments: [(32 << 20, 1 << 20, false), (32 << 20, 32 << 20, true), (1_000, 1_000, true)])
    func resetStatesWhetherRequestWasSentWhole(count: Int, taken: Int, isWhole: Bool) async throws {
        let server = ScriptedTCPServer { connection, _ in
            connection.readRequestHead()
            connection.readBytes(count: taken)
            connection.reset()
        }
        defer { server.stop() }
        let error = await #expect(throws: TransportError.self) {
            try await CurlTransport().send(TransportRequest(.post, server.url, body: Self.makeBody(count)))
        }
        #expect(error?.code == .connectionLost)
        #expect(error?.sendProgress.hasSentEntireBody == isWhole)
        #expect(error?.sendProgress.attemptCount == 1)
        #expect(server.requestHeads.count == 1)
    }

    /// The kept connection is dead before the body is sent. Sending the request again is safe.
    ///
    /// The body does not fit in the buffers of the connection: a client that is slow to notice could otherwise have
    /// read all of it, after which it must not be sent again.
    @Test func unsentRequestIsRepeatedOnNewConnection() async throws {
        let server = ScriptedTCPServer { connection, number in
            connection.readRequestHead()
            if number == 0 {
                connection.respond(status: "200 OK")
                connection.readRequestHead()
            } else {
                connection.write("HTTP/1.1 100 Continue\r\n\r\n")
                connection.respond(status: "201 Created", body: "\(connection.readBytes(count: 32 << 20).count)")
            }
        }
        defer { server.stop() }
        let transport = try Self.makeTransportWithLongTimeouts()
        _ = try await transport.send(TransportRequest(.get, server.url))
        let response = try await transport.send(TransportRequest(.post, server.url, body: Self.makeBody(32 << 20)))
        #expect(response.status == 201)
        #expect(response.body == Array("\(32 << 20)".utf8))
        #expect(response.sendProgress.attemptCount == 2)
        #expect(server.connectionCount == 2)
    }

    /// The same with a part of the body sent: the body is sent again from its beginning.
    @Test func partiallySentBodyIsRewound() async throws {
        let content = Self.makeContent(32 << 20)
        let server = ScriptedTCPServer { connection, number in
            connection.readRequestHead()
            if number == 0 {
                connection.respond(status: "200 OK")
                connection.readRequestHead()
                connection.readBytes(count: 1 << 20)
                connection.reset()
            } else {
                let isEqual = connection.readBytes(count: content.count) == content
                connection.respond(status: isEqual ? "201 Created" : "400 Bad Request")
            }
        }
        defer { server.stop() }
        let transport = try Self.makeTransportWithLongTimeouts()
        _ = try await transport.send(TransportRequest(.get, server.url))
        do {
            let response = try await transport.send(
                TransportRequest(.post, server.url, body: .bytes(content, mediaType: "text/plain")))
            #expect(response.status == 201)
            #expect(response.sendProgress.attemptCount == 2)
        } catch let error as TransportError {
            // libcurl fails if it notices while writing, and sends again if it notices while reading. Both are correct.
            #expect(error.code == .connectionLost)
            #expect(!error.sendProgress.hasSentEntireBody)
        }
    }

    /// The kept connection ends when the server has the whole body, which it may have accepted.
    @Test(arguments: [10, 100_000, 2 << 20], [true, false])
    func possiblyReceivedRequestIsNotRepeated(count: Int, isReset: Bool) async throws {
        let server = ScriptedTCPServer { connection, _ in
            guard connection.readRequestHead()?.hasPrefix("GET") == true else { return }
            connection.respond(status: "200 OK")
            guard let head = connection.readRequestHead() else { return }
            if head.contains("Expect") { connection.write("HTTP/1.1 100 Continue\r\n\r\n") }
            connection.readBytes(count: count)
            if isReset { connection.reset() }
        }
        defer { server.stop() }
        let transport = try Self.makeTransportWithLongTimeouts()
        _ = try await transport.send(TransportRequest(.get, server.url))
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(TransportRequest(.post, server.url, body: Self.makeBody(count)))
        }
        #expect(error?.code == .connectionLost)
        #expect(error?.sendProgress.hasSentEntireBody == true)
        _ = try await transport.send(TransportRequest(.get, server.url))
        #expect(server.requestHeads.map { $0.prefix(4) } == ["GET ", "POST", "GET "])
    }

    /// For a request without a body, a dead connection cannot be told from a lost response. It uses a new connection.
    @Test(arguments: [(HTTPRequest.Method.get, 1), (.post, 2), (.put, 2), (.delete, 2)])
    func emptyRequestsAreRetriedOnlyIfIdempotent(method: HTTPRequest.Method, connections: Int) async throws {
        let server = ScriptedTCPServer { connection, _ in
            while connection.readRequestHead() != nil { connection.respond(status: "200 OK") }
        }
        defer { server.stop() }
        let transport = try Self.makeTransportWithLongTimeouts()
        _ = try await transport.send(TransportRequest(.get, server.url))
        _ = try await transport.send(TransportRequest(method, server.url))
        #expect(server.connectionCount == connections)
    }

    @Test func progressReportsSentBytes() async throws {
        let server = ScriptedTCPServer { connection, _ in
            connection.readRequestHead()
            connection.readBytes(count: 3 << 20)
            connection.respond(status: "201 Created")
        }
        defer { server.stop() }
        let seen = ProgressRecorder()
        let request = try TransportRequest(.post, server.url, body: Self.makeBody(3 << 20)) { progress in
            seen.values.withLock { $0.append(progress) }
        }
        _ = try await CurlTransport().send(request)
        let values = seen.values.withLock { $0 }
        #expect(values.map(\.bytesSent) == values.map(\.bytesSent).sorted())
        #expect(values.last == SendProgress(bytesSent: 3 << 20, totalBodyBytes: 3 << 20))
        #expect(values.count > 2)
    }

    private final class ProgressRecorder: Sendable {
        let values = Mutex<[SendProgress]>([])
    }

    /// Many concurrent requests, each with its own response.
    @Test func concurrentTransfersSucceed() async throws {
        let server = ScriptedTCPServer { connection, _ in
            while let head = connection.readRequestHead() {
                let name = head.split(separator: " ")[1]
                connection.respond(status: "200 OK", body: String(name))
            }
        }
        defer { server.stop() }
        let transport = try CurlTransport()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for i in 0..<100 {
                group.addTask {
                    let url = "http://127.0.0.1:\(server.port)/\(i)"
                    let response = try await transport.send(TransportRequest(.get, url))
                    #expect(response.body == Array("/\(i)".utf8))
                }
            }
            try await group.waitForAll()
        }
    }
}
