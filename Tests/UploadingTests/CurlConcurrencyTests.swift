import Foundation
import HTTPCalls
import HTTPTypes
import Synchronization
import Testing
import Uploading

@Suite("Many requests at once", .timeLimit(.minutes(20)))
struct CurlConcurrencyTests {
    private func makeTransport(connections: Int) throws -> CurlTransport {
        var options = CurlTransport.Options()
        options.maxConcurrentRequests = connections
        // The connections stay open, however slow the machine is.
        options.maxConnectionAge = .seconds(3600)
        return try CurlTransport(options: options)
    }

    @Test("are all answered once, over at most as many connections as allowed", arguments: [1, 4])
    func connectionLimit(_ limit: Int) async throws {
        let server = ScriptedTCPServer { connection, _ in
            while let head = connection.readRequestHead() {
                // The body is the path.
                connection.respond(status: "200 OK", body: String(head.split(separator: " ")[1]))
            }
        }
        defer { server.stop() }
        let transport = try makeTransport(connections: limit), url = server.url
        let bodies = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let response = try await transport.send(
                        TransportRequest(.get, "\(url)/\(number)", timeout: .seconds(3600)))
                    #expect(response.body == Array("/path/\(number)".utf8))
                    return String(decoding: response.body, as: UTF8.self)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(bodies).count == 200 && server.requestHeads.count == 200)
        #expect(server.connectionCount <= limit)
    }

    @Test("A request that waits is cancelled at once and unsent, and does not delay the next")
    func waitingRequestIsCancelled() async throws {
        let (reached, signal) = AsyncStream<Void>.makeStream()
        let isReleased = Mutex(false)
        let server = ScriptedTCPServer { connection, _ in
            while connection.readRequestHead() != nil {
                signal.yield()
                while !isReleased.withLock({ $0 }) { usleep(1000) }
                connection.respond(status: "200 OK")
            }
        }
        defer { server.stop() }
        let transport = try makeTransport(connections: 1), url = server.url
        let first = Task { try await transport.send(TransportRequest(.get, url, timeout: .seconds(3600))).status }
        for await _ in reached { break }
        let waiting = Task {
            await #expect(throws: TransportError.self) {
                try await transport.send(TransportRequest(.get, url, timeout: .seconds(3600)))
            }
        }
        let last = Task { try await transport.send(TransportRequest(.get, url, timeout: .seconds(3600))).status }
        waiting.cancel()
        let error = await waiting.value
        #expect(error?.code == .cancelled && error?.sendProgress.hasSentEntireBody == false)
        #expect(server.requestHeads.count == 1)
        isReleased.withLock { $0 = true }
        #expect(try await [first.value, last.value] == [200, 200])
        #expect(server.requestHeads.count == 2 && server.connectionCount == 1)
    }
}
