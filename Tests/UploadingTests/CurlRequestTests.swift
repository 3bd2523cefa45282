import HTTPCalls
import HTTPTypes
import Testing
import Uploading

/// The bytes of requests.
@Suite struct CurlRequestTests {
    @Test(arguments: [
        (HTTPRequest.Method.get, RequestBody.empty, [String](), ""),
        (.delete, .empty, [], ""),
        (.post, .empty, ["Content-Length: 0"], ""),
        (.put, .empty, ["Content-Length: 0"], ""),
        (.post, .bytes([], mediaType: "text/plain"), ["Content-Type: text/plain", "Content-Length: 0"], ""),
        (
            .post, .bytes(Array("{}".utf8), mediaType: "application/json"),
            ["Content-Type: application/json", "Content-Length: 2"], "{}"
        ),
        (
            .put, .bytes(Array("abc".utf8), mediaType: "text/plain"),
            ["Content-Type: text/plain", "Content-Length: 3"],
            "abc"
        ),
        (
            .delete, .bytes(Array("abc".utf8), mediaType: "text/plain"),
            ["Content-Type: text/plain", "Content-Length: 3"], "abc"
        ),
    ])
    func methodBodyAndContentLengthAreSent(
        method: HTTPRequest.Method, body: RequestBody, headers: [String], content: String
    ) async throws {
        let server = ScriptedTCPServer { connection, _ in
            connection.readRequestHead()
            let body = connection.readBytes(count: content.utf8.count)
            connection.respond(status: "200 OK", body: String(decoding: body, as: UTF8.self))
        }
        defer { server.stop() }
        let response = try await CurlTransport().send(TransportRequest(method, server.url, body: body))
        #expect(response.status == 200)
        #expect(String(decoding: response.body, as: UTF8.self) == content)
        #expect(
            response.sendProgress
                == SendProgress(bytesSent: Int64(content.utf8.count), totalBodyBytes: Int64(content.utf8.count)))
        let lines = try #require(server.requestHeads.first).split(separator: "\r\n").map(String.init)
        #expect(lines.first == "\(method.rawValue) /path HTTP/1.1")
        #expect(
            lines.dropFirst().sorted()
                == (headers + ["Accept: */*", "Host: 127.0.0.1:\(server.port)", "User-Agent: media-prep"]).sorted())
    }

    @Test("The response to HEAD ends with its head, whatever its Content-Length is")
    func headHasNoBody() async throws {
        let server = ScriptedTCPServer { connection, _ in
            connection.readRequestHead()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
            connection.readRequestHead()
        }
        defer { server.stop() }
        let response = try await CurlTransport().send(TransportRequest(.head, server.url))
        #expect(response.status == 200)
        #expect(response.body.isEmpty)
        #expect(server.requestHeads.first?.hasPrefix("HEAD /path HTTP/1.1\r\n") == true)
        #expect(server.requestHeads.first?.contains("Content-Length") == false)
    }

    @Test("The body's type replaces a Content-Type of the caller")
    func bodyDecidesContentType() async throws {
        let server = ScriptedTCPServer { connection, _ in
            connection.readRequestHead()
            _ = connection.readBytes(count: 1)
            connection.respond(status: "200 OK")
        }
        defer { server.stop() }
        let request = try TransportRequest(
            .post, server.url, headerFields: [.contentType: "application/json"],
            body: .bytes([1], mediaType: "text/plain"))
        _ = try await CurlTransport().send(request)
        let fields = server.requestHeads.first?.split(separator: "\r\n").filter { $0.hasPrefix("Content-Type") }
        #expect(fields == ["Content-Type: text/plain"])
    }

    @Test func headersAndTokenAreSent() async throws {
        let server = ScriptedTCPServer { connection, _ in
            connection.readRequestHead()
            connection.respond(status: "200 OK")
        }
        defer { server.stop() }
        let request = try TransportRequest(
            .get, server.url,
            headerFields: [try #require(HTTPField.Name("X-One")): "a b", try #require(HTTPField.Name("X-Empty")): ""],
            token: BearerToken("secret"))
        _ = try await CurlTransport().send(request)
        let head = try #require(server.requestHeads.first)
        #expect(head.contains("\r\nX-One: a b\r\n"))
        #expect((head + "\r\n").contains("\r\nX-Empty:\r\n"))
        #expect(head.contains("\r\nAuthorization: Bearer secret\r\n"))
    }

    @Test(arguments: [
        HTTPField(name: .contentLength, value: "1"), HTTPField(name: .authorization, value: "Bearer a"),
        HTTPField(name: .transferEncoding, value: "chunked"), HTTPField(name: .expect, value: "100-continue"),
        HTTPField(name: .connection, value: "close"),
    ])
    func reservedHeaderIsRejected(header: HTTPField) async throws {
        let error = await #expect(throws: TransportError.self) {
            try await CurlTransport().send(
                TransportRequest(.get, "http://127.0.0.1:1/", headerFields: [header.name: header.value]))
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test func invalidMediaTypeIsRejected() async throws {
        let error = await #expect(throws: TransportError.self) {
            try await CurlTransport().send(
                TransportRequest(.post, "http://127.0.0.1:1/", body: .bytes([1], mediaType: "text/plain\r\nX: y")))
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test("A name below localhost is this machine, whatever name servers return")
    func localhostSubdomainsResolveToLoopback() async throws {
        let server = ScriptedTCPServer { connection, _ in
            connection.readRequestHead()
            connection.respond(status: "200 OK", body: "")
        }
        defer { server.stop() }
        let url = "http://media-prep.localhost:\(server.port)/"
        #expect(try await CurlTransport().send(TransportRequest(.get, url)).status == 200)
    }
}
