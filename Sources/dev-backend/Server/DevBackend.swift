internal import FlyingFox
internal import FlyingSocks
internal import Foundation

/// A running backend: the relay to which clients connect, and the server to which the relay forwards.
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

    /// Starts a backend. It listens on loopback when this returns.
    static func start(options: DevBackendOptions = DevBackendOptions()) async throws -> DevBackend {
        let store = try BackendStore(path: options.databasePath, services: options.services)
        let faultInjector = FaultInjector(faults: options.faults)
        let service = BackendRequestHandler(store: store, faultInjector: faultInjector, options: options)
        let server = HTTPServer(config: try serverConfiguration, handler: service)
        // In seconds. In a test, this task goes on only after other tests have left a thread to it.
        let listening = Task { try await server.waitUntilListening(timeout: 3600) }
        let serverTask = Task {
            // If the server cannot start, nothing else ends the wait.
            defer { listening.cancel() }
            try await server.run()
        }
        do {
            try await listening.value
        } catch {
            await server.stop()
            // Its error says more.
            try await serverTask.value
            throw error
        }
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

    /// Starts a backend, calls `body` and stops the backend, also if `body` throws.
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
                // In seconds. A request takes as long as its client.
                timeout: 24 * 60 * 60,
                // Longer bodies are streamed, and nothing is buffered for a second reading.
                sharedRequestBufferSize: 64 << 10, sharedRequestReplaySize: 0, logger: .disabled)
        }
    }

    /// The URL for clients: `http://127.0.0.1:PORT`.
    var url: String { "http://127.0.0.1:\(relay.port)" }

    /// Closes all connections, and returns when all threads and tasks have ended.
    func stop() async {
        await relay.stop()
        await server.stop()
        _ = await serverTask.result
        store.close()
    }

    /// Returns all committed forms in order. Blocks on the database.
    func storedForms() throws -> [StoredForm] { try store.storedForms() }

    /// The number of requests received, including those that the relay did not forward.
    var requestCount: Int { faultInjector.requestCount }

    var faultCounts: FaultCounts { faultInjector.faultCounts }

    /// The SHA-256 digests in hexadecimal of the files of requests that were committed without a response.
    var droppedFileDigests: [String] { faultInjector.droppedFileDigests }

    /// Replaces the faults from the next request on.
    func updateFaults(_ faults: FaultConfiguration) { faultInjector.updateFaults(faults) }
}
