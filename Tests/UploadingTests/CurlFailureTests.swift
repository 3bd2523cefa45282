import Foundation
import HTTPCalls
import HTTPTypes
import Synchronization
import Testing
import Uploading

/// Transfers without a response.
@Suite(.timeLimit(.minutes(20))) struct CurlFailureTests {
    @Test func connectionRefusedIsReported() async throws {
        let port = RefusingPort()
        defer { port.close() }
        let request = try TransportRequest(
            .post, "\(port.url)/person.jpg", token: BearerToken("secret"), body: .bytes([1], mediaType: "text/plain"))
        let error = await #expect(throws: TransportError.self) { try await CurlTransport().send(request) }
        #expect(error?.code == .connectionFailed)
        #expect(error?.sendProgress == SendProgress(bytesSent: 0, totalBodyBytes: 1))
        #expect(error?.message.contains("secret") == false)
        #expect(error?.message.contains("person") == false)
    }

    @Test func unknownHostIsReported() async throws {
        let error = await #expect(throws: TransportError.self) {
            try await CurlTransport().send(TransportRequest(.get, "http://name.invalid/"))
        }
        #expect(error?.code == .connectionFailed)
    }

    @Test(arguments: [(32 << 20, false), (1_000, true)])
    func missingResponseStatesWhetherRequestWasSentWhole(count: Int, isWhole: Bool) async throws {
        let end = DispatchSemaphore(value: 0)
        defer { end.signal() }
        let server = ScriptedTCPServer { connection, _ in
            connection.readRequestHead()
            // The large body exceeds all buffers. The server reads none of it.
            if isWhole { connection.readBytes(count: count) }
            end.wait()
        }
        defer { server.stop() }
        let request = try TransportRequest(
            .post, server.url + "/person.jpg", token: BearerToken("secret"),
            body: .bytes([UInt8](repeating: 7, count: count), mediaType: "text/plain"), timeout: .seconds(10))
        let error = await #expect(throws: TransportError.self) { try await CurlTransport().send(request) }
        #expect(error?.code == .timeout)
        #expect(error?.sendProgress.hasSentEntireBody == isWhole)
        #expect(error?.message.contains("secret") == false)
        #expect(error?.message.contains("person") == false)
    }

    @Test func cancellationEndsTransfer() async throws {
        let (reached, signal) = AsyncStream<Void>.makeStream()
        let (left, closed) = AsyncStream<Void>.makeStream()
        let server = ScriptedTCPServer { connection, _ in
            connection.readRequestHead()
            signal.yield()
            connection.discardUntilEnd()
            closed.yield()
        }
        defer { server.stop() }
        let transport = try CurlTransport()
        let url = server.url
        let task = Task {
            await #expect(throws: TransportError.self) {
                try await transport.send(TransportRequest(.get, url, timeout: .seconds(3600)))
            }
        }
        for await _ in reached { break }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        // The server notices it as well.
        for await _ in left { break }
    }

    @Test func alreadyCancelledTaskSendsNothing() async throws {
        let port = RefusingPort()
        defer { port.close() }
        let url = port.url
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await #expect(throws: TransportError.self) {
                try await CurlTransport().send(TransportRequest(.get, url))
            }
        }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
    }

    @Test func httpsToPlainServerFails() async throws {
        let server = ScriptedTCPServer { connection, _ in
            connection.readBytes(count: 1)
            connection.respond(status: "400 Bad Request")
            connection.discardUntilEnd()
        }
        defer { server.stop() }
        let error = await #expect(throws: TransportError.self) {
            try await CurlTransport().send(TransportRequest(.get, "https://127.0.0.1:\(server.port)/"))
        }
        #expect(error?.code == .tlsFailed)
    }

    @Test func missingCertificateFileThrows() {
        var options = CurlTransport.Options()
        options.certificateAuthoritiesPath = Array("/nowhere/authorities.pem".utf8)
        let error = #expect(throws: TransportError.self) { try CurlTransport(options: options) }
        #expect(error?.code == .tlsFailed)
        #expect(error?.message.contains("nowhere") == false)
    }
}
