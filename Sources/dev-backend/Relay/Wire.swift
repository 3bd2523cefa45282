// `unsafe`: recv, send and poll with the memory of the caller's array.

internal import FlyingSocks

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Operations on blocking sockets that FlyingSocks lacks: reading into existing memory, and control over closing.
extension Socket {
    /// Reads available bytes into the beginning of `buffer`. Blocks until there are any.
    ///
    /// - Returns: The number of bytes; 0 at the end or if the connection is lost.
    func receive(into buffer: inout [UInt8], atMost limit: Int) -> Int {
        let limit = min(limit, buffer.count)
        return unsafe buffer.withUnsafeMutableBytes { bytes in
            while true {
                let count = unsafe recv(file.rawValue, bytes.baseAddress, limit, 0)
                if count >= 0 { return count }
                if errno != EINTR { return 0 }
            }
        }
    }

    /// Writes the first `count` bytes.
    ///
    /// - Returns: `false` if the connection is lost.
    func send(_ bytes: [UInt8], count: Int) -> Bool {
        precondition(count <= bytes.count)
        return unsafe bytes.withUnsafeBytes { bytes in
            var sent = 0
            while sent < count {
                let written = unsafe Self.sendWithoutSignal(
                    descriptor: file.rawValue, bytes: bytes.baseAddress.map { unsafe $0 + sent }, count: count - sent)
                if written >= 0 { sent += written } else if errno != EINTR { return false }
            }
            return true
        }
    }

    func send(_ bytes: [UInt8]) -> Bool { send(bytes, count: bytes.count) }

    /// Writes bytes; on Linux without SIGPIPE if the connection is lost.
    private static func sendWithoutSignal(descriptor: CInt, bytes: UnsafeRawPointer?, count: Int) -> Int {
        #if canImport(Glibc)
            unsafe Glibc.send(descriptor, bytes, count, CInt(MSG_NOSIGNAL))
        #elseif canImport(Musl)
            unsafe Musl.send(descriptor, bytes, count, CInt(MSG_NOSIGNAL))
        #else
            unsafe Darwin.send(descriptor, bytes, count, 0)
        #endif
    }

    /// Waits until this socket or the other one is readable, which includes the end of the connection.
    ///
    /// - Parameters:
    ///   - other: Another socket.
    ///   - milliseconds: The timeout in milliseconds; -1 for none.
    func waitUntilReadable(or other: Socket? = nil, milliseconds: CInt = -1) -> (this: Bool, other: Bool) {
        var polled = [pollfd(fd: file.rawValue, events: Int16(POLLIN), revents: 0)]
        if let other { polled.append(pollfd(fd: other.file.rawValue, events: Int16(POLLIN), revents: 0)) }
        while unsafe poll(&polled, nfds_t(polled.count), milliseconds) < 0, errno == EINTR {}
        return (polled[0].revents != 0, polled.count > 1 && polled[1].revents != 0)
    }

    /// Ends sending, then reads until the other side ends too, or until the timeout in milliseconds. Closing with
    /// unread bytes would reset the connection, and the other side might lose the last bytes that were sent.
    func shutDownAndDrain(milliseconds: Int) {
        _ = shutdown(file.rawValue, CInt(SHUT_WR))
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let start = ContinuousClock.now
        while true {
            let remaining = .milliseconds(milliseconds) - (ContinuousClock.now - start)
            guard remaining > .zero, waitUntilReadable(milliseconds: CInt(remaining / .milliseconds(1)) + 1).this,
                receive(into: &buffer, atMost: buffer.count) > 0
            else { return }
        }
    }

    /// Ends reading and writing, which wakes threads that wait for the socket.
    func shutDown() { _ = shutdown(file.rawValue, CInt(SHUT_RDWR)) }

    /// Makes `close()` reset the connection immediately and discard unsent bytes.
    func resetOnClose() { try? setValue(linger(l_onoff: 1, l_linger: 0), for: LingerOption()) }
}

/// The `SO_LINGER` option, which controls how a socket is closed.
private struct LingerOption: SocketOption {
    var name: CInt { SO_LINGER }
    func makeValue(from value: linger) -> linger { value }
    func makeSocketValue(from value: linger) -> linger { value }
}
