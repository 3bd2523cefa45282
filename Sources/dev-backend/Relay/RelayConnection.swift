internal import FlyingSocks
internal import Foundation

/// One client's connection: its requests, one after the other.
struct RelayConnection {
    /// What a request asks for is in few fields; ours have less than 1 KiB.
    private static let maxHeadBytes = 64 << 10
    /// Read at once. A larger buffer is no faster on loopback.
    private static let bufferSize = 64 << 10
    /// How long a client has to read an answer that came before it had sent all.
    private static let lingerMilliseconds = 2_000

    private let clientSocket: Socket
    private let relay: FaultInjectingRelay
    private let faultInjector: FaultInjector
    private var receiveBuffer = [UInt8](repeating: 0, count: bufferSize)
    /// Read from the client, and of no message yet.
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

    /// - Returns: whether the connection stays open.
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
                return reject(status: status, code: "expectation-failed", message: "The body is not wanted.")
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

// MARK: - Passing on

extension RelayConnection {
    private struct ForwardedRequest {
        var requestHead: HTTPMessageHead
        /// Bytes of the body.
        var contentLength: Int64
        var fault: FaultConfiguration.Fault
        var bytesPerSecond: Int?
        /// How many of the body's bytes were read.
        var bodyBytesRead: Int64 = 0

        /// As the backend is to see it: alone on its connection, and told what to do.
        var upstreamHead: HTTPMessageHead {
            var head = requestHead
            head.replaceFields(
                named: ["expect", "connection", FaultHeader.fieldName.lowercased()], with: ("Connection", "close"))
            if let faultHeader = FaultHeader(fault: fault) {
                head.fields.append((FaultHeader.fieldName, faultHeader.fieldValue))
            }
            return head
        }

        /// After how many bytes of the body the connection is reset; nil for never.
        var resetOffset: Int64? {
            guard case .resetWithinBody(let share) = fault else { return nil }
            return min(Int64(Double(contentLength) * share), contentLength - 1)
        }
    }

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
            return reject(status: 502, code: "no-answer", message: "The backend gave no answer.")
        }
        var head = response.head
        if request.fault == .dropResponse, let status = head.status, (200..<300).contains(status) {
            faultInjector.recordDroppedResponse(
                fileDigests: head[DigestHeader.fieldName.lowercased()]?.split(separator: ",").map { String($0) } ?? [])
            clientSocket.resetOnClose()
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

    /// Passes the body on as it comes, unless it is cut or the answer comes first.
    private mutating func forwardBody(of request: inout ForwardedRequest, to upstream: Socket) -> BodyForwardingResult {
        let limit = request.bytesPerSecond.map { min(max($0 / 20, 1), Self.bufferSize) } ?? Self.bufferSize
        while request.bodyBytesRead < request.contentLength {
            let wanted = Int(min(request.contentLength, request.resetOffset ?? .max) - request.bodyBytesRead)
            if wanted == 0 { return .reset }
            let count = receiveBody(atMost: min(wanted, limit), unlessReadable: upstream)
            guard let count else { return .upstreamResponded }
            guard count > 0 else { return .clientDisconnected }
            request.bodyBytesRead += Int64(count)
            // An error here means that the backend has answered.
            guard upstream.send(receiveBuffer, count: count) else { return .upstreamResponded }
            if let rate = request.bytesPerSecond { Thread.sleep(forTimeInterval: Double(count) / Double(rate)) }
        }
        return .complete
    }

    /// Puts some of the body at the buffer's beginning.
    ///
    /// - Returns: how many bytes, 0 if the client is gone; nil if `upstream` answers first.
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

// MARK: - Reading heads and answers

extension RelayConnection {
    /// - Returns: nil if the connection ends before, or what comes is no head.
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

    /// The backend's answer, which ends with its connection.
    private mutating func readResponse(from upstream: Socket) -> (head: HTTPMessageHead, body: [UInt8])? {
        // What the client may have sent of its next request.
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

// MARK: - Refusing

extension RelayConnection {
    /// Answers in the backend's place.
    ///
    /// - Returns: false: the connection ends with that.
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
        let refusal = JSONResponse(error: ErrorResponse(status: status, code: code, message: message))
        let head = HTTPMessageHead(
            startLine: "HTTP/1.1 \(status) \(refusal.reasonPhrase)",
            fields: [
                ("Content-Type", "application/json"), ("Content-Length", "\(refusal.body.count)"),
                ("Connection", "close"),
            ])
        _ = clientSocket.send(head.serializedBytes + refusal.body)
    }
}
