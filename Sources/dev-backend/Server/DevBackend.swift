internal import FlyingFox
internal import FlyingSocks
internal import Foundation

/// A running backend: the relay, to which clients go, and the server behind it.
final class DevBackend: Sendable {
    private let relay: Relay
    private let server: HTTPServer
    private let running: Task<Void, any Error>
    private let store: Store
    private let dice: FaultDice

    private init(relay: Relay, server: HTTPServer, running: Task<Void, any Error>, store: Store, dice: FaultDice) {
        (self.relay, self.server, self.running, self.store, self.dice) = (relay, server, running, store, dice)
    }

    /// Starts one, which listens on loopback when this returns.
    static func start(_ options: DevBackendOptions = DevBackendOptions()) async throws -> DevBackend {
        let store = try Store(path: options.databasePath)
        let dice = FaultDice(options.faults)
        let service = Service(store: store, dice: dice, options: options)
        let server = HTTPServer(config: try configuration, handler: service)
        let running = Task { try await server.run() }
        // Long: beside tests that hold all threads, it takes its turn.
        try await server.waitUntilListening(timeout: 60)
        guard case .ip4(_, let port) = await server.listeningAddress else { throw SocketError.unsupportedAddress }
        do {
            let relay = try Relay(port: options.port, upstream: port, dice: dice)
            return DevBackend(relay: relay, server: server, running: running, store: store, dice: dice)
        } catch {
            await server.stop()
            throw error
        }
    }

    /// Starts one, and stops it when `body` has come to its end, whichever.
    static func running<Result>(
        _ options: DevBackendOptions = DevBackendOptions(), _ body: (DevBackend) async throws -> Result
    ) async throws -> Result {
        let backend = try await start(options)
        do {
            let result = try await body(backend)
            await backend.stop()
            return result
        } catch {
            await backend.stop()
            throw error
        }
    }

    private static var configuration: HTTPServer.Configuration {
        get throws {
            HTTPServer.Configuration(
                address: try sockaddr_in.inet(ip4: "127.0.0.1", port: 0),
                // A request is as slow as its client.
                timeout: 24 * 60 * 60,
                // What is longer is read as it comes, and never kept to be read again.
                sharedRequestBufferSize: 64 << 10, sharedRequestReplaySize: 0, logger: .disabled)
        }
    }

    /// Where clients go: `http://127.0.0.1:PORT`.
    var url: String { "http://127.0.0.1:\(relay.port)" }

    /// Cuts all connections, and returns when nothing runs any more.
    func stop() async {
        await relay.stop()
        await server.stop()
        _ = await running.result
        store.close()
    }

    /// Everything that was committed, in that order. Blocks.
    func items() throws -> [StoredItem] { try store.items() }

    /// How many requests came, those included that got no further than the relay.
    var requestCount: Int { dice.requestCount }

    var faultCounts: FaultCounts { dice.counts }

    /// SHA-256 of the files of each request that was committed and its answer dropped, in hexadecimal.
    var droppedItems: [String] { dice.dropped }

    /// From the next request on.
    func update(_ faults: Faults) { dice.update(faults) }
}
