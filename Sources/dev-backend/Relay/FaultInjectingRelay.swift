internal import Dispatch
internal import FlyingSocks
internal import Foundation
internal import Synchronization

/// A relay between clients and the backend. It injects faults that an HTTP server cannot: it resets connections, drops
/// responses, responds before it has read the body, and reads slowly. Otherwise requests are forwarded, each on its own
/// connection to the backend.
///
/// Each connection has its own thread, because all calls block.
final class FaultInjectingRelay: Sendable {
    private struct State {
        var isStopped = false
        /// All open sockets, of clients and to the backend.
        var openSockets: [Socket] = []
    }

    let port: UInt16
    private let listeningSocket: Socket
    private let upstreamPort: UInt16
    private let faultInjector: FaultInjector
    private let state = Mutex(State())
    /// Contains all threads, so that `stop()` can wait for them.
    private let threadGroup = DispatchGroup()

    /// Starts to listen on loopback.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for any free port.
    ///   - upstreamPort: The backend's port.
    ///   - faultInjector: Selects the faults.
    init(port: UInt16, upstreamPort: UInt16, faultInjector: FaultInjector) throws {
        (self.upstreamPort, self.faultInjector) = (upstreamPort, faultInjector)
        listeningSocket = try Socket(domain: Int32(sockaddr_in.family))
        try listeningSocket.setValue(true, for: .localAddressReuse)
        try listeningSocket.bind(to: sockaddr_in.inet(ip4: "127.0.0.1", port: port))
        try listeningSocket.listen()
        guard case .ip4(_, let port) = try listeningSocket.sockname() else { throw SocketError.unsupportedAddress }
        self.port = port
        startThread { try self.acceptConnections() }
    }

    /// Closes all connections, and returns when all threads have ended.
    func stop() async {
        state.withLock { state in
            state.isStopped = true
            // Under the lock, because the descriptor of a socket closed in the meantime may be reused.
            for socket in state.openSockets { socket.shutDown() }
        }
        // A connection wakes the thread in accept() on every system.
        if let waking = try? Self.connectToLoopback(port: port) { try? waking.close() }
        await withCheckedContinuation { continuation in
            threadGroup.notify(queue: .global()) { continuation.resume() }
        }
    }

    private func startThread(_ work: @escaping @Sendable () throws -> Void) {
        threadGroup.enter()
        Thread.detachNewThread {
            try? work()
            self.threadGroup.leave()
        }
    }

    private func acceptConnections() throws {
        defer { try? listeningSocket.close() }
        while true {
            let client: Socket
            do {
                client = Socket(file: try listeningSocket.accept().file)
            } catch {
                // The process may be out of descriptors until other connections are closed.
                if state.withLock({ $0.isStopped }) { return }
                Thread.sleep(forTimeInterval: 0.01)
                continue
            }
            guard registerSocket(client) else { return }
            startThread {
                defer { self.closeSocket(client) }
                var connection = RelayConnection(clientSocket: client, relay: self, faultInjector: self.faultInjector)
                connection.serveRequests()
            }
        }
    }

    /// Connects to the backend. Returns `nil` if that fails or the relay is stopped.
    func connectUpstream() -> Socket? {
        guard let socket = try? Self.connectToLoopback(port: upstreamPort), registerSocket(socket) else { return nil }
        return socket
    }

    /// Closes a socket, or resets its connection after `resetOnClose()`.
    func closeSocket(_ socket: Socket) {
        state.withLock { state in
            state.openSockets.removeAll { $0 == socket }
            try? socket.close()
        }
    }

    /// Registers an open socket.
    ///
    /// - Returns: `false` if the relay is stopped. The socket is then closed.
    private func registerSocket(_ socket: Socket) -> Bool {
        let isStopped = state.withLock { state in
            if !state.isStopped { state.openSockets.append(socket) }
            return state.isStopped
        }
        if isStopped { try? socket.close() }
        return !isStopped
    }

    private static func connectToLoopback(port: UInt16) throws -> Socket {
        let socket = try Socket(domain: Int32(sockaddr_in.family))
        do {
            try socket.connect(to: sockaddr_in.inet(ip4: "127.0.0.1", port: port))
        } catch {
            try? socket.close()
            throw error
        }
        return socket
    }
}
