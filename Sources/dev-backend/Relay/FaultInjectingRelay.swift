internal import Dispatch
internal import FlyingSocks
internal import Foundation
internal import Synchronization

/// Stands before the backend, and does to connections what an HTTP server can't: resets them, leaves answers out,
/// answers before it has read, reads slowly. Without faults it passes requests on as they are, one connection to the
/// backend for each.
///
/// Each connection has a thread of its own, since all its calls block.
final class FaultInjectingRelay: Sendable {
    private struct State {
        var isStopped = false
        /// What is open, by its number.
        var openSockets: [Socket] = []
    }

    let port: UInt16
    private let listeningSocket: Socket
    private let upstreamPort: UInt16
    private let faultInjector: FaultInjector
    private let state = Mutex(State())
    /// Entered by each thread.
    private let threadGroup = DispatchGroup()

    /// Listens on loopback.
    ///
    /// - Parameters:
    ///   - port: 0 for any that is free.
    ///   - upstreamPort: the backend's port.
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

    /// Cuts all connections, and returns when nothing runs any more.
    func stop() async {
        state.withLock { state in
            state.isStopped = true
            // Under the lock, since a socket that is closed meanwhile leaves its number to another.
            for socket in state.openSockets { socket.shutDown() }
        }
        // To wake the one that accepts, in a way that every system knows.
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
                // Out of descriptors, perhaps: others will be closed.
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

    /// A connection to the backend.
    func connectUpstream() -> Socket? {
        guard let socket = try? Self.connectToLoopback(port: upstreamPort), registerSocket(socket) else { return nil }
        return socket
    }

    /// Gives a socket up; it is closed, or reset if that was asked for.
    func closeSocket(_ socket: Socket) {
        state.withLock { state in
            state.openSockets.removeAll { $0 == socket }
            try? socket.close()
        }
    }

    /// - Returns: whether it may be used; if not, it is closed.
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
