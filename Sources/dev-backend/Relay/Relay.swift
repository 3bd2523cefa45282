internal import Dispatch
internal import FlyingSocks
internal import Foundation
internal import Synchronization

/// Stands before the backend, and does to connections what an HTTP server can't: resets them, leaves answers out, answers before
/// it has read, reads slowly. Without faults it passes requests on as they are, one connection to the backend for each.
///
/// Each connection has a thread of its own, since all its calls block.
final class Relay: Sendable {
    private struct State {
        var isStopped = false
        /// What is open, by its number.
        var sockets: [Socket] = []
    }

    let port: UInt16
    private let listener: Socket
    private let upstream: UInt16
    private let dice: FaultDice
    private let state = Mutex(State())
    /// Entered by each thread.
    private let threads = DispatchGroup()

    /// Listens on loopback.
    ///
    /// - Parameters:
    ///   - port: 0 for any that is free.
    ///   - upstream: the backend's port.
    init(port: UInt16, upstream: UInt16, dice: FaultDice) throws {
        (self.upstream, self.dice) = (upstream, dice)
        listener = try Socket(domain: Int32(sockaddr_in.family))
        try listener.setValue(true, for: .localAddressReuse)
        try listener.bind(to: sockaddr_in.inet(ip4: "127.0.0.1", port: port))
        try listener.listen()
        guard case .ip4(_, let port) = try listener.sockname() else { throw SocketError.unsupportedAddress }
        self.port = port
        start { try self.accept() }
    }

    /// Cuts all connections, and returns when nothing runs any more.
    func stop() async {
        state.withLock { state in
            state.isStopped = true
            // Under the lock, since a socket that is closed meanwhile leaves its number to another.
            for socket in state.sockets { socket.wake() }
        }
        // To wake the one that accepts, in a way that every system knows.
        if let waking = try? Self.connect(to: port) { try? waking.close() }
        await withCheckedContinuation { continuation in
            threads.notify(queue: .global()) { continuation.resume() }
        }
    }

    private func start(_ work: @escaping @Sendable () throws -> Void) {
        threads.enter()
        Thread.detachNewThread {
            try? work()
            self.threads.leave()
        }
    }

    private func accept() throws {
        defer { try? listener.close() }
        while true {
            let client: Socket
            do {
                client = Socket(file: try listener.accept().file)
            } catch {
                // Out of descriptors, perhaps: others will be closed.
                if state.withLock({ $0.isStopped }) { return }
                Thread.sleep(forTimeInterval: 0.01)
                continue
            }
            guard open(client) else { return }
            start {
                defer { self.close(client) }
                var connection = RelayConnection(client: client, relay: self, dice: self.dice)
                connection.serve()
            }
        }
    }

    /// A connection to the backend.
    func connectUpstream() -> Socket? {
        guard let socket = try? Self.connect(to: upstream), open(socket) else { return nil }
        return socket
    }

    /// Gives a socket up; it is closed, or reset if that was asked for.
    func close(_ socket: Socket) {
        state.withLock { state in
            state.sockets.removeAll { $0 == socket }
            try? socket.close()
        }
    }

    /// - Returns: whether it may be used; if not, it is closed.
    private func open(_ socket: Socket) -> Bool {
        let isStopped = state.withLock { state in
            if !state.isStopped { state.sockets.append(socket) }
            return state.isStopped
        }
        if isStopped { try? socket.close() }
        return !isStopped
    }

    private static func connect(to port: UInt16) throws -> Socket {
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
