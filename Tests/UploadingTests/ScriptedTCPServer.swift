// `unsafe`: BSD sockets.

import Foundation
import Synchronization

/// A server on loopback that handles each connection as the test specifies, byte for byte.
final class ScriptedTCPServer: Sendable {
    let port: UInt16
    private let listeningSocket: Int32
    private let acceptedConnectionCount = Mutex(0)
    private let recordedHeads = Mutex<[String]>([])

    /// - Parameter serve: handles the connection with the given index, which starts at 0. The connection is then
    ///   closed.
    init(handler serve: @escaping @Sendable (inout ScriptedTCPConnection, Int) -> Void) {
        (listeningSocket, port) = bindLoopbackSocket()
        precondition(Foundation.listen(listeningSocket, 64) == 0)
        Thread.detachNewThread { [self] in
            while true {
                let descriptor = accept(listeningSocket, nil, nil)
                guard descriptor >= 0 else {
                    // These say nothing of the next connection. Others, such as the end of listening, would repeat.
                    if errno == ECONNABORTED || errno == EINTR { continue }
                    return
                }
                let number = acceptedConnectionCount.withLock { count in
                    defer { count += 1 }
                    return count
                }
                Thread.detachNewThread { [self] in
                    var connection = ScriptedTCPConnection(descriptor: descriptor) { head in
                        self.recordedHeads.withLock { $0.append(head) }
                    }
                    serve(&connection, number)
                    connection.close()
                }
            }
        }
    }

    /// Stops accepting connections. This ends the thread, which keeps this object alive until then.
    func stop() { shutdown(listeningSocket, Int32(SHUT_RDWR)) }

    deinit { close(listeningSocket) }

    var url: String { "http://127.0.0.1:\(port)/path" }

    /// The received heads, in their order.
    var requestHeads: [String] { recordedHeads.withLock { $0 } }

    /// The number of connections.
    var connectionCount: Int { acceptedConnectionCount.withLock { $0 } }

}

/// A port on loopback that refuses connections. It is bound, so that no other socket gets it, but does not listen.
final class RefusingPort: Sendable {
    private let descriptor: Int32
    let url: String

    init() {
        let (descriptor, port) = bindLoopbackSocket()
        (self.descriptor, url) = (descriptor, "http://127.0.0.1:\(port)")
    }

    /// Gives the port back.
    func close() { Foundation.close(descriptor) }
}

/// Binds a socket to a free port on loopback.
private func bindLoopbackSocket() -> (descriptor: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, streamSocket, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            precondition(unsafe bind(descriptor, address, size) == 0)
            precondition(unsafe getsockname(descriptor, address, &size) == 0)
        }
    }
    return (descriptor, UInt16(bigEndian: address.sin_port))
}

#if canImport(Glibc)
    private let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
    private let streamSocket = SOCK_STREAM
#endif

/// A connection of a scripted server.
struct ScriptedTCPConnection {
    private var descriptor: Int32
    private var unreadBytes: [UInt8] = []
    private let recordHead: (String) -> Void

    init(descriptor: Int32, recordHead: @escaping (String) -> Void) {
        self.descriptor = descriptor
        self.recordHead = recordHead
    }

    /// Reads a request's head and records it. Returns `nil` if the connection ends first.
    @discardableResult mutating func readRequestHead() -> String? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if unreadBytes.count >= end.count,
                let start = (0...(unreadBytes.count - end.count)).first(where: {
                    Array(unreadBytes[$0..<($0 + 4)]) == end
                })
            {
                let head = String(decoding: unreadBytes[..<start], as: UTF8.self)
                unreadBytes.removeFirst(start + 4)
                recordHead(head)
                return head
            }
            guard receiveMore() else { return nil }
        }
    }

    /// Reads `count` bytes, or fewer at the end.
    @discardableResult mutating func readBytes(count: Int) -> [UInt8] {
        while unreadBytes.count < count, receiveMore() {}
        let bytes = Array(unreadBytes.prefix(count))
        unreadBytes.removeFirst(bytes.count)
        return bytes
    }

    /// Reads `count` bytes, or fewer if nothing arrives before the timeout.
    mutating func readBytes(count: Int, timeoutSeconds seconds: Double) -> [UInt8] {
        setReceiveTimeout(seconds: seconds)
        defer { setReceiveTimeout(seconds: 0) }
        return readBytes(count: count)
    }

    private func setReceiveTimeout(seconds: Double) {
        var time = timeval(tv_sec: 0, tv_usec: .init(seconds * 1_000_000))
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Reads until the other side closes, and returns the number of bytes.
    @discardableResult mutating func discardUntilEnd() -> Int {
        var total = unreadBytes.count
        unreadBytes = []
        while receiveMore() {
            total += unreadBytes.count
            unreadBytes = []
        }
        return total
    }

    private mutating func receiveMore() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        unreadBytes += buffer[..<count]
        return true
    }

    func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            #if canImport(Glibc)
                let flags = Int32(MSG_NOSIGNAL)
            #else
                let flags: Int32 = 0
            #endif
            let count = unsafe bytes.withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, flags) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Returns a response with a body. The headers include their line ends.
    func respond(status: String, headers: String = "", body: String = "") {
        write("HTTP/1.1 \(status)\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    #if os(Linux)
        /// Waits until the other side has read all written bytes or has closed, because a reset would discard the rest.
        func waitUntilRead() throws {
            let own = unsafe try port(getsockname), peer = unsafe try port(getpeername)
            while try Self.queues(own, peer).sent > 0 || Self.queues(peer, own).received > 0 { usleep(1000) }
        }

        private func port(
            _ name: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
        ) throws -> UInt16 {
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe name(descriptor, $0, &size) }
            }
            guard status == 0 else { throw CocoaError(.fileReadUnknown) }
            return UInt16(bigEndian: address.sin_port)
        }

        /// The number of bytes that the socket between two ports has sent without an acknowledgement, and that it has
        /// received and not read, as in `proc_net_tcp(5)`; 0 if there is no such socket.
        private static func queues(_ local: UInt16, _ remote: UInt16) throws -> (sent: Int, received: Int) {
            for line in try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8).split(separator: "\n").dropFirst()
            {
                let fields = line.split(separator: " ")
                let ports = fields[1...2].map { UInt16($0.suffix(4), radix: 16) }
                guard ports == [local, remote] else { continue }
                let queues = fields[4].split(separator: ":").map { Int($0, radix: 16) ?? 0 }
                return (queues[0], queues[1])
            }
            return (0, 0)
        }
    #endif

    /// Closes the connection in the orderly way.
    mutating func close() {
        guard descriptor >= 0 else { return }
        Foundation.close(descriptor)
        descriptor = -1
    }

    /// Resets the connection.
    mutating func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }
}
