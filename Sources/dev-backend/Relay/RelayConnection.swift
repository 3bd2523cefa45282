internal import FlyingSocks
internal import Foundation

/// One client's connection: its requests, one after the other.
struct RelayConnection {
    /// What a request asks for is in few fields; ours have less than 1 KiB.
    private static let maxHeadBytes = 64 << 10
    /// Read at once. A larger buffer is no faster on loopback.
    private static let bufferBytes = 64 << 10
    /// How long a client has to read an answer that came before it had sent all.
    private static let lingerMilliseconds = 2_000

    private let client: Socket
    private let relay: Relay
    private let dice: FaultDice
    private var buffer = [UInt8](repeating: 0, count: bufferBytes)
    /// Read from the client, and of no message yet.
    private var pending: [UInt8] = []

    init(client: Socket, relay: Relay, dice: FaultDice) {
        (self.client, self.relay, self.dice) = (client, relay, dice)
    }

    /// Serves requests until the connection ends.
    mutating func serve() {
        while let head = readHead(from: client), serve(head) {
            switch dice.faults.keepAlive {
            case .kept: continue
            case .closed:
                dice.count(\.deadConnections)
                return
            case .resetOnReuse:
                guard client.waitToRead().this, client.receive(into: &buffer, atMost: 1) > 0 else { return }
                dice.countRequest()
                dice.count(\.deadConnections)
                return client.resetOnClose()
            }
        }
    }

    /// - Returns: whether the connection stays open.
    private mutating func serve(_ head: MessageHead) -> Bool {
        dice.countRequest()
        let faults = dice.faults
        guard let length = head.contentLength else {
            return refuse(411, "length-required", "A body needs a Content-Length.")
        }
        if let tooLarge = faults.tooLarge, length > tooLarge.limit {
            dice.count(\.tooLarge)
            return refuse(tooLarge, length)
        }
        if head["expect"]?.lowercased() == "100-continue" {
            switch faults.expectation {
            case .answered: guard client.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { return false }
            case .ignored: break
            case .refused(let status): return refuse(status, "expectation-failed", "The body is not wanted.")
            }
        }
        let mayChange = head.method != "GET" && head.method != "HEAD"
        let fault = dice.roll(hasBody: length > 0, mayChange: mayChange)
        guard let upstream = relay.connectUpstream() else {
            return refuse(502, "no-backend", "The backend can't be reached.")
        }
        defer { relay.close(upstream) }
        var exchange = Exchange(head: head, length: length, fault: fault, bytesPerSecond: faults.bytesPerSecond)
        return pass(&exchange, to: upstream)
    }
}

// MARK: - Passing on

extension RelayConnection {
    private struct Exchange {
        var head: MessageHead
        /// Bytes of the body.
        var length: Int64
        var fault: Faults.Fault
        var bytesPerSecond: Int?
        /// How many of the body's bytes were read.
        var read: Int64 = 0

        /// As the backend is to see it: alone on its connection, and told what to do.
        var upstreamHead: MessageHead {
            var head = head
            head.replace(["expect", "connection", FaultHeader.name.lowercased()], with: ("Connection", "close"))
            if let order = FaultHeader(fault) { head.fields.append((FaultHeader.name, order.value)) }
            return head
        }

        /// After how many bytes of the body the connection is reset; nil for never.
        var resetAt: Int64? {
            guard case .reset(let share) = fault else { return nil }
            return min(Int64(Double(length) * share), length - 1)
        }
    }

    private enum BodyEnd { case whole, answered, reset, lost }

    private mutating func pass(_ exchange: inout Exchange, to upstream: Socket) -> Bool {
        guard upstream.send(exchange.upstreamHead.bytes) else {
            return refuse(502, "no-backend", "The backend ended the connection.")
        }
        let end = passBody(&exchange, to: upstream)
        switch end {
        case .lost: return false
        case .reset:
            dice.count(\.resets)
            client.resetOnClose()
            return false
        case .whole, .answered: break
        }
        guard let answer = readAnswer(from: upstream) else {
            return refuse(502, "no-answer", "The backend gave no answer.")
        }
        var head = answer.head
        if exchange.fault == .drop, let status = head.status, (200..<300).contains(status) {
            dice.countDrop(head[DigestHeader.name.lowercased()]?.split(separator: ",").map { String($0) } ?? [])
            client.resetOnClose()
            return false
        }
        let closes = exchange.head.closes || end == .answered
        head.replace(["connection"], with: closes ? ("Connection", "close") : nil)
        guard client.send(head.bytes + answer.body) else { return false }
        if closes { client.lingerAndWait(milliseconds: end == .answered ? Self.lingerMilliseconds : 0) }
        return !closes
    }

    /// Passes the body on as it comes, unless it is cut or the answer comes first.
    private mutating func passBody(_ exchange: inout Exchange, to upstream: Socket) -> BodyEnd {
        let limit = exchange.bytesPerSecond.map { min(max($0 / 20, 1), Self.bufferBytes) } ?? Self.bufferBytes
        while exchange.read < exchange.length {
            let wanted = Int(min(exchange.length, exchange.resetAt ?? .max) - exchange.read)
            if wanted == 0 { return .reset }
            let count = takeBody(min(wanted, limit), unless: upstream)
            guard let count else { return .answered }
            guard count > 0 else { return .lost }
            exchange.read += Int64(count)
            // An error here means that the backend has answered.
            guard upstream.send(buffer, count: count) else { return .answered }
            if let rate = exchange.bytesPerSecond { Thread.sleep(forTimeInterval: Double(count) / Double(rate)) }
        }
        return .whole
    }

    /// Puts some of the body at the buffer's beginning.
    ///
    /// - Returns: how many bytes, 0 if the client is gone; nil if `upstream` answers first.
    private mutating func takeBody(_ limit: Int, unless upstream: Socket) -> Int? {
        if !pending.isEmpty {
            let count = min(limit, pending.count)
            buffer.replaceSubrange(..<count, with: pending[..<count])
            pending.removeFirst(count)
            return count
        }
        let ready = client.waitToRead(or: upstream)
        if ready.other { return nil }
        return client.receive(into: &buffer, atMost: limit)
    }
}

// MARK: - Reading heads and answers

extension RelayConnection {
    /// - Returns: nil if the connection ends before, or what comes is no head.
    private mutating func readHead(from socket: Socket) -> MessageHead? {
        let end: [UInt8] = [13, 10, 13, 10]
        var searched = 0
        while true {
            if let index = pending.firstIndex(of: end, from: searched) {
                let head = MessageHead(pending[..<index])
                pending.removeFirst(index + end.count)
                return head
            }
            searched = max(0, pending.count - end.count + 1)
            guard pending.count < Self.maxHeadBytes else { return nil }
            let count = socket.receive(into: &buffer, atMost: Self.bufferBytes)
            guard count > 0 else { return nil }
            pending += buffer[..<count]
        }
    }

    /// The backend's answer, which ends with its connection.
    private mutating func readAnswer(from upstream: Socket) -> (head: MessageHead, body: [UInt8])? {
        // What the client may have sent of its next request.
        let next = pending
        defer { pending = next }
        pending = []
        guard let head = readHead(from: upstream), let length = head.contentLength else { return nil }
        var body = pending
        while body.count < length {
            let count = upstream.receive(into: &buffer, atMost: Self.bufferBytes)
            guard count > 0 else { return nil }
            body += buffer[..<count]
        }
        return (head, body)
    }
}

// MARK: - Refusing

extension RelayConnection {
    /// Answers in the backend's place.
    ///
    /// - Returns: false: the connection ends with that.
    private func refuse(_ status: Int, _ code: String, _ message: String) -> Bool {
        send(status, code, message)
        client.lingerAndWait(milliseconds: Self.lingerMilliseconds)
        return false
    }

    private mutating func refuse(_ tooLarge: Faults.TooLarge, _ length: Int64) -> Bool {
        var left = min(tooLarge.readBytes, Int(length)) - pending.count
        while left > 0 {
            let count = client.receive(into: &buffer, atMost: min(left, Self.bufferBytes))
            guard count > 0 else { return false }
            left -= count
        }
        send(413, "too-large", "The body has more than \(tooLarge.limit) bytes.")
        if tooLarge.isAbrupt {
            client.resetOnClose()
        } else {
            client.lingerAndWait(milliseconds: Self.lingerMilliseconds)
        }
        return false
    }

    private func send(_ status: Int, _ code: String, _ message: String) {
        let refusal = Answer(refusing: Refusal(status, code, message))
        let head = MessageHead(
            startLine: "HTTP/1.1 \(status) \(refusal.reason)",
            fields: [
                ("Content-Type", "application/json"), ("Content-Length", "\(refusal.body.count)"),
                ("Connection", "close"),
            ])
        _ = client.send(head.bytes + refusal.body)
    }
}
