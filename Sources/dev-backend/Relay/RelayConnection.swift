internal import FlyingSocks
internal import Foundation

/// A client's connection, on which requests are served one after the other.
struct RelayConnection {
    /// The maximum size of a head in bytes. The heads of this project's clients have less than 1 KiB.
    private static let maxHeadBytes = 64 << 10
    /// The size of the buffer in bytes. A larger one is not faster on loopback.
    private static let bufferSize = 64 << 10
    /// The time in milliseconds for which a client can read a response that was sent before the whole body was read.
    private static let lingerMilliseconds = 2_000

    private let clientSocket: Socket
    private let relay: FaultInjectingRelay
    private let faultInjector: FaultInjector
    private var receiveBuffer = [UInt8](repeating: 0, count: bufferSize)
    /// Bytes read from the client that belong to no message yet.
    private var pendingBytes: [UInt8] = []

    init(clientSocket: Socket, relay: FaultInjectingRelay, faultInjector: FaultInjector) {
        (self.clientSocket, self.relay, self.faultInjector) = (clientSocket, relay, faultInjector)
    }

    /// Serves requests until the connection ends.
    mutating func serveRequests() {
        while let head = readMessageHead(from: clientSocket), serveRequest(head) {
            switch faultInjector.faults.keepAliveBehavior {
            case .keepOpen: continue
            case .closeAfterResponse:
                faultInjector.incrementCount(\.deadConnections)
                return
            case .resetOnReuse:
                guard clientSocket.waitUntilReadable().this, clientSocket.receive(into: &receiveBuffer, atMost: 1) > 0
                else { return }
                faultInjector.countRequest()
                faultInjector.incrementCount(\.deadConnections)
                return clientSocket.resetOnClose()
            }
        }
    }

    /// Serves one request.
    ///
    /// - Returns: Whether the connection stays open.
    private mutating func serveRequest(_ head: HTTPMessageHead) -> Bool {
        faultInjector.countRequest()
        let faults = faultInjector.faults
        guard let length = head.contentLength else {
            return reject(status: 411, code: "length-required", message: "A body needs a Content-Length.")
        }
        if let tooLarge = faults.bodySizeLimit, length > tooLarge.maxBodyBytes {
            faultInjector.incrementCount(\.tooLargeResponses)
            return rejectTooLarge(limit: tooLarge, contentLength: length)
        }
        if head["expect"]?.lowercased() == "100-continue" {
            switch faults.continueExpectation {
            case .continued: guard clientSocket.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { return false }
            case .ignored: break
            case .rejected(let status):
                return reject(status: status, code: "expectation-failed", message: "The body was refused.")
            }
        }
        let mayChange = head.method != "GET" && head.method != "HEAD"
        let fault = faultInjector.nextFault(hasBody: length > 0, mayChangeState: mayChange)
        guard let upstream = relay.connectUpstream() else {
            return reject(status: 502, code: "no-backend", message: "The backend can't be reached.")
        }
        defer { relay.closeSocket(upstream) }
        var request = ForwardedRequest(
            requestHead: head, contentLength: length, fault: fault, bytesPerSecond: faults.bodyBytesPerSecond)
        return forward(&request, to: upstream)
    }
}

// MARK: - Forwarding

extension RelayConnection {
    private enum BodyForwardingResult { case complete, upstreamResponded, reset, clientDisconnected }

    private mutating func forward(_ request: inout ForwardedRequest, to upstream: Socket) -> Bool {
        guard upstream.send(request.upstreamHead.serializedBytes) else {
            return reject(status: 502, code: "no-backend", message: "The backend ended the connection.")
        }
        let end = forwardBody(of: &request, to: upstream)
        switch end {
        case .clientDisconnected: return false
        case .reset:
            faultInjector.incrementCount(\.connectionResets)
            clientSocket.resetOnClose()
            return false
        case .complete, .upstreamResponded: break
        }
        guard let response = readResponse(from: upstream) else {
            return reject(status: 502, code: "no-answer", message: "The backend did not answer.")
        }
        var head = response.head
        if request.fault == .dropResponse, let status = head.status, (200..<300).contains(status) {
            faultInjector.recordDroppedResponse(
                fileDigests: head[DigestHeader.fieldName.lowercased()]?.split(separator: ",").map { String($0) } ?? [])
            clientSocket.resetOnClose()
            return false
        }
        if request.fault == .cutResponse, !response.body.isEmpty {
            faultInjector.incrementCount(\.cutResponses)
            _ = clientSocket.send(head.serializedBytes + response.body.prefix(response.body.count / 2))
            clientSocket.shutDownAndDrain(milliseconds: Self.lingerMilliseconds)
            return false
        }
        let closes = request.requestHead.closesConnection || end == .upstreamResponded
        head.replaceFields(named: ["connection"], with: closes ? ("Connection", "close") : nil)
        guard clientSocket.send(head.serializedBytes + response.body) else { return false }
        if closes {
            clientSocket.shutDownAndDrain(milliseconds: end == .upstreamResponded ? Self.lingerMilliseconds : 0)
        }
        return !closes
    }

    /// Forwards the body until it is complete, the fault resets it, or the backend responds.
    private mutating func forwardBody(of request: inout ForwardedRequest, to upstream: Socket) -> BodyForwardingResult {
        let limit = request.bytesPerSecond.map { min(max($0 / 20, 1), Self.bufferSize) } ?? Self.bufferSize
        while request.bodyBytesRead < request.contentLength {
            let wanted = Int(min(request.contentLength, request.resetOffset ?? .max) - request.bodyBytesRead)
            if wanted == 0 { return .reset }
            let count = receiveBody(atMost: min(wanted, limit), unlessReadable: upstream)
            guard let count else { return .upstreamResponded }
            guard count > 0 else { return .clientDisconnected }
            request.bodyBytesRead += Int64(count)
            // An error here means that the backend has responded.
            guard upstream.send(receiveBuffer, count: count) else { return .upstreamResponded }
            if let rate = request.bytesPerSecond { Thread.sleep(forTimeInterval: Double(count) / Double(rate)) }
        }
        return .complete
    }

    /// Reads some bytes of the body into `receiveBuffer`.
    ///
    /// - Returns: The number of bytes, or 0 if the client has disconnected; `nil` if `upstream` responds first.
    private mutating func receiveBody(atMost limit: Int, unlessReadable upstream: Socket) -> Int? {
        if !pendingBytes.isEmpty {
            let count = min(limit, pendingBytes.count)
            receiveBuffer.replaceSubrange(..<count, with: pendingBytes[..<count])
            pendingBytes.removeFirst(count)
            return count
        }
        let ready = clientSocket.waitUntilReadable(or: upstream)
        if ready.other { return nil }
        return clientSocket.receive(into: &receiveBuffer, atMost: limit)
    }
}

// MARK: - Reading heads and responses

extension RelayConnection {
    /// Reads a message head.
    ///
    /// - Returns: `nil` if the connection ends first, or if the bytes are not a message head.
    private mutating func readMessageHead(from socket: Socket) -> HTTPMessageHead? {
        let end: [UInt8] = [13, 10, 13, 10]
        var searched = 0
        while true {
            if let index = pendingBytes.firstIndex(of: end, from: searched) {
                let head = HTTPMessageHead(parsing: pendingBytes[..<index])
                pendingBytes.removeFirst(index + end.count)
                return head
            }
            searched = max(0, pendingBytes.count - end.count + 1)
            guard pendingBytes.count < Self.maxHeadBytes else { return nil }
            let count = socket.receive(into: &receiveBuffer, atMost: Self.bufferSize)
            guard count > 0 else { return nil }
            pendingBytes += receiveBuffer[..<count]
        }
    }

    /// Reads the backend's response.
    ///
    /// - Returns: `nil` if it is incomplete or has no valid length.
    private mutating func readResponse(from upstream: Socket) -> (head: HTTPMessageHead, body: [UInt8])? {
        // Bytes of the client's next request, which must be kept.
        let next = pendingBytes
        defer { pendingBytes = next }
        pendingBytes = []
        guard let head = readMessageHead(from: upstream), let length = head.contentLength else { return nil }
        var body = pendingBytes
        while body.count < length {
            let count = upstream.receive(into: &receiveBuffer, atMost: Self.bufferSize)
            guard count > 0 else { return nil }
            body += receiveBuffer[..<count]
        }
        return (head, body)
    }
}

// MARK: - Rejecting

extension RelayConnection {
    /// Responds instead of the backend and closes the connection.
    ///
    /// - Returns: `false`, because the connection does not stay open.
    private func reject(status: Int, code: String, message: String) -> Bool {
        sendErrorResponse(status: status, code: code, message: message)
        clientSocket.shutDownAndDrain(milliseconds: Self.lingerMilliseconds)
        return false
    }

    private mutating func rejectTooLarge(limit tooLarge: FaultConfiguration.BodySizeLimit, contentLength: Int64) -> Bool
    {
        var remaining = min(tooLarge.bytesReadBeforeResponse, Int(contentLength)) - pendingBytes.count
        while remaining > 0 {
            let count = clientSocket.receive(into: &receiveBuffer, atMost: min(remaining, Self.bufferSize))
            guard count > 0 else { return false }
            remaining -= count
        }
        sendErrorResponse(
            status: 413, code: "too-large", message: "The body has more than \(tooLarge.maxBodyBytes) bytes.")
        if tooLarge.resetsConnection {
            clientSocket.resetOnClose()
        } else {
            clientSocket.shutDownAndDrain(milliseconds: Self.lingerMilliseconds)
        }
        return false
    }

    private func sendErrorResponse(status: Int, code: String, message: String) {
        let response = JSONResponse(error: ErrorResponse(status: status, code: code, message: message))
        let head = HTTPMessageHead(
            startLine: "HTTP/1.1 \(status) \(response.reasonPhrase)",
            fields: [
                ("Content-Type", "application/json"), ("Content-Length", "\(response.body.count)"),
                ("Connection", "close"),
            ])
        _ = clientSocket.send(head.serializedBytes + response.body)
    }
}
