internal import FlyingFox
internal import FlyingSocks
internal import Foundation

/// A running backend: the relay, to which clients go, and the server behind it.
final class DevBackend: Sendable {
    private let relay: FaultInjectingRelay
    private let server: HTTPServer
    private let serverTask: Task<Void, any Error>
    private let store: BackendStore
    private let faultInjector: FaultInjector

    private init(
        relay: FaultInjectingRelay, server: HTTPServer, serverTask: Task<Void, any Error>, store: BackendStore,
        faultInjector: FaultInjector
    ) {
        (self.relay, self.server, self.serverTask, self.store, self.faultInjector) = (
            relay, server, serverTask, store, faultInjector
        )
    }

    /// Starts one, which listens on loopback when this returns.
    static func start(options: DevBackendOptions = DevBackendOptions()) async throws -> DevBackend {
        let store = try BackendStore(path: options.databasePath)
        let faultInjector = FaultInjector(faults: options.faults)
        let service = BackendRequestHandler(store: store, faultInjector: faultInjector, options: options)
        let server = HTTPServer(config: try serverConfiguration, handler: service)
        let serverTask = Task { try await server.run() }
        // Long: beside tests that hold all threads, it takes its turn.
        try await server.waitUntilListening(timeout: 60)
        guard case .ip4(_, let port) = await server.listeningAddress else { throw SocketError.unsupportedAddress }
        do {
            let relay = try FaultInjectingRelay(port: options.port, upstreamPort: port, faultInjector: faultInjector)
            return DevBackend(
                relay: relay, server: server, serverTask: serverTask, store: store, faultInjector: faultInjector)
        } catch {
            await server.stop()
            throw error
        }
    }

    /// Starts one, and stops it when `body` has come to its end, whichever.
    static func withRunningBackend<Result>(
        options: DevBackendOptions = DevBackendOptions(), _ body: (DevBackend) async throws -> Result
    ) async throws -> Result {
        let backend = try await start(options: options)
        do {
            let result = try await body(backend)
            await backend.stop()
            return result
        } catch {
            await backend.stop()
            throw error
        }
    }

    private static var serverConfiguration: HTTPServer.Configuration {
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
        _ = await serverTask.result
        store.close()
    }

    /// Everything that was committed, in that order. Blocks.
    func storedForms() throws -> [StoredForm] { try store.storedForms() }

    /// How many requests came, those included that got no further than the relay.
    var requestCount: Int { faultInjector.requestCount }

    var faultCounts: FaultCounts { faultInjector.faultCounts }

    /// SHA-256 of the files of each request that was committed and its answer dropped, in hexadecimal.
    var droppedFileDigests: [String] { faultInjector.droppedFileDigests }

    /// From the next request on.
    func updateFaults(_ faults: FaultConfiguration) { faultInjector.updateFaults(faults) }
}
