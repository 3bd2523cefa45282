import FlyingSocks
import Foundation
import Testing

@testable import dev_backend

/// A client that sends and receives the bytes of one connection. Its calls block.
final class RawHTTPClient {
    struct Reply {
        var status: Int
        var head: HTTPMessageHead
        var body: [UInt8]

        func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try JSONDecoder().decode(type, from: Data(body))
        }

        /// The `code` of an error response.
        var code: String? { try? json(ErrorBody.self).code }
    }

    struct ErrorBody: Decodable {
        var error: Bool
        var message: String
        var code: String?
        var errors: [String]?
    }

    /// How a connection ended.
    enum End: Error, Hashable { case closed, reset }

    private let socket: Socket
    private var received: [UInt8] = []

    init(_ backend: DevBackend) throws {
        let port = try #require(UInt16(backend.url.split(separator: ":").last ?? ""))
        socket = try Socket(domain: Int32(AF_INET))
        try socket.connect(to: sockaddr_in.inet(ip4: "127.0.0.1", port: port))
    }

    deinit { try? socket.close() }

    func send(_ bytes: [UInt8]) throws {
        guard socket.send(bytes) else { throw End.reset }
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Sends as much as possible: the other side may have responded and closed the connection.
    func trySending(_ bytes: [UInt8]) { _ = socket.send(bytes) }

    /// Returns the next complete response.
    ///
    /// - Throws: `End` if there is none.
    func readReply() throws -> Reply {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let index = received.firstIndex(of: end, from: 0),
                let head = HTTPMessageHead(parsing: received[..<index])
            {
                let length = try Int(#require(head.contentLength))
                if received.count >= index + 4 + length {
                    let body = Array(received[(index + 4)..<(index + 4 + length)])
                    received.removeFirst(index + 4 + length)
                    return Reply(status: try #require(head.status), head: head, body: body)
                }
            }
            received += try readMore()
        }
    }

    /// Returns how the connection ends. Nothing more must be readable.
    func readConnectionEnd() -> End {
        do {
            while true { received += try readMore() }
        } catch {
            return error
        }
    }

    private func readMore() throws(End) -> [UInt8] {
        do {
            return try socket.read(atMost: 64 << 10)
        } catch SocketError.disconnected {
            throw .closed
        } catch {
            throw .reset
        }
    }

    /// Returns whether data arrives before the timeout.
    func isReadable(milliseconds: CInt) -> Bool { socket.waitUntilReadable(milliseconds: milliseconds).this }
}

/// The request and its form, which each test varies.
struct RawHTTPRequest {
    var method = "POST"
    var path = "/upload"
    var fields: [(String, String)] = [("Host", "127.0.0.1")]
    var body: [UInt8] = []

    static func get(_ path: String) -> RawHTTPRequest {
        RawHTTPRequest(method: "GET", path: path).withToken("dev-token")
    }

    static func json(_ method: String, _ path: String, _ json: String) -> RawHTTPRequest {
        var request = RawHTTPRequest(method: method, path: path, body: Array(json.utf8)).withToken("dev-token")
        request.fields.append(("Content-Type", "application/json"))
        return request
    }

    static func form(_ path: String, _ form: RawMultipartForm) -> RawHTTPRequest {
        var request = RawHTTPRequest(path: path, body: form.bytes).withToken("dev-token")
        request.fields.append(("Content-Type", "multipart/form-data; boundary=\(form.boundary)"))
        return request
    }

    func withToken(_ token: String?) -> RawHTTPRequest {
        var request = self
        request.fields.removeAll { $0.0 == "Authorization" }
        if let token { request.fields.append(("Authorization", "Bearer \(token)")) }
        return request
    }

    func settingHeader(_ name: String, to value: String) -> RawHTTPRequest {
        var request = self
        request.fields.removeAll { $0.0 == name }
        request.fields.append((name, value))
        return request
    }

    func addingHeader(_ name: String, value: String) -> RawHTTPRequest {
        var request = self
        request.fields.append((name, value))
        return request
    }

    var head: [UInt8] {
        let lines =
            ["\(method) \(path) HTTP/1.1"] + fields.map { "\($0.0): \($0.1)" } + [
                "Content-Length: \(body.count)", "", "",
            ]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    var bytes: [UInt8] { head + body }
}

/// Builds the bytes of a form.
struct RawMultipartForm {
    var boundary = "----boundary7MA4YWxk"
    var parts: [(header: String, content: [UInt8])] = []

    func addingField(_ name: String, value: String) -> RawMultipartForm {
        addingPart(header: "Content-Disposition: form-data; name=\"\(name)\"", content: Array(value.utf8))
    }

    func file(_ name: String, _ filename: String, _ content: [UInt8], type: String = "image/jpeg") -> RawMultipartForm {
        addingPart(
            header:
                "Content-Disposition: form-data; name=\"\(name)\"; filename=\"\(filename)\"\r\nContent-Type: \(type)",
            content: content)
    }

    func addingPart(header: String, content: [UInt8]) -> RawMultipartForm {
        var form = self
        form.parts.append((header, content))
        return form
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for part in parts {
            bytes += Array("--\(boundary)\r\n\(part.header)\r\n\r\n".utf8) + part.content + [13, 10]
        }
        return bytes + Array("--\(boundary)--\r\n".utf8)
    }

    /// Returns a form with one file of `count` random bytes.
    static func withRandomFile(byteCount count: Int, seed: UInt64 = 1) -> RawMultipartForm {
        var numbers = SeededRandomNumbers(seed: seed)
        return RawMultipartForm().file("file", "a.bin", (0..<count).map { _ in UInt8(numbers.nextUnitDouble() * 256) })
    }
}
