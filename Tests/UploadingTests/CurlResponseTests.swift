import HTTPCalls
import HTTPTypes
import Testing
import Uploading

/// Responses that come early, or are invalid.
@Suite struct CurlResponseTests {
    /// A size that exceeds the buffers of both sides.
    static let largeBody = RequestBody.bytes([UInt8](repeating: 7, count: 32 << 20), mediaType: "text/plain")

    @Test(
        arguments: ["401 Unauthorized", "413 Content Too Large", "503 Service Unavailable"],
        ["", "Connection: close\r\n"])
    func errorResponseInsteadOfContinueIsReturned(status: String, headers: String) async throws {
        let server = ScriptedTCPServer { connection, _ in
            connection.readRequestHead()
            connection.respond(status: status, headers: headers, body: "why")
        }
        defer { server.stop() }
        let response = try await CurlTransport().send(TransportRequest(.post, server.url, body: Self.largeBody))
        #expect("\(response.status)" == status.prefix(3))
        #expect(response.body == Array("why".utf8))
        #expect(response.sendProgress.bytesSent < response.sendProgress.totalBodyBytes)
        #expect(server.requestHeads.count == 1)
    }

    @Test(arguments: ["", "Connection: close\r\n"])
    func errorResponseWhileBodyIsSent(headers: String) async throws {
        let server = ScriptedTCPServer { connection, _ in
            connection.readRequestHead()
            connection.write("HTTP/1.1 100 Continue\r\n\r\n")
            connection.readBytes(count: 64 << 10)
            connection.respond(status: "413 Content Too Large", headers: headers, body: "why")
            connection.discardUntilEnd()
        }
        defer { server.stop() }
        let response = try await CurlTransport().send(TransportRequest(.post, server.url, body: Self.largeBody))
        #expect(response.status == 413)
        #expect(response.body == Array("why".utf8))
        #expect(!response.sendProgress.hasSentEntireBody)
    }

    #if os(Linux)
        /// The connection is reset while the response is incomplete and the body is not sent completely. A reset that
        /// arrives before the client has read the response discards it, which no client can prevent.
        @Test(arguments: ["", "Connection: close\r\n"])
        func errorResponseFollowedByReset(headers: String) async throws {
            let server = ScriptedTCPServer { connection, _ in
                connection.readRequestHead()
                connection.write("HTTP/1.1 100 Continue\r\n\r\n")
                connection.readBytes(count: 64 << 10)
                connection.write("HTTP/1.1 413 Too Large\r\n\(headers)Content-Length: 6\r\n\r\nwhy")
                do { try connection.waitUntilRead() } catch { Issue.record(error) }
                connection.reset()
            }
            defer { server.stop() }
            let response = try await CurlTransport().send(TransportRequest(.post, server.url, body: Self.largeBody))
            #expect(response.status == 413)
            #expect(response.body == Array("why".utf8))
            #expect(!response.sendProgress.hasSentEntireBody)
        }
    #endif

    /// The rest of the response comes late. By then libcurl would have sent into a closed connection for a long time.
    @Test func splitErrorResponseIsReturned() async throws {
        let server = ScriptedTCPServer { connection, _ in
            connection.readRequestHead()
            connection.write("HTTP/1.1 100 Continue\r\n\r\n")
            connection.readBytes(count: 64 << 10)
            connection.write("HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 6\r\n\r\nwhy")
            // The bytes in transit. Nothing follows them, because the rest of the body is not read.
            while connection.readBytes(count: 1 << 20, timeoutSeconds: 0.3).count == 1 << 20 {}
            connection.write("not")
            // Closing with unread bytes would be a reset, which may discard the response.
            connection.discardUntilEnd()
        }
        defer { server.stop() }
        let response = try await CurlTransport().send(TransportRequest(.put, server.url, body: Self.largeBody))
        #expect(response.status == 413)
        #expect(response.body == Array("whynot".utf8))
        #expect(!response.sendProgress.hasSentEntireBody)
    }

    /// The body of an error response may be lost, but its status is not.
    @Test func incompleteErrorResponseIsReturned() async throws {
        let server = ScriptedTCPServer { connection, _ in
            connection.readRequestHead()
            connection.write("HTTP/1.1 500 Oh\r\nContent-Length: 6\r\n\r\nwhy")
        }
        defer { server.stop() }
        let response = try await CurlTransport().send(TransportRequest(.get, server.url))
        #expect(response.status == 500)
        #expect(response.body == Array("why".utf8))
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nwhy", "HTTP/1.1 200 OK\r\nContent-Le",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "",
    ])
    func incompleteSuccessResponseFails(answer: String) async throws {
        let server = ScriptedTCPServer { connection, _ in
            connection.readRequestHead()
            connection.write(answer)
        }
        defer { server.stop() }
        let error = await #expect(throws: TransportError.self) {
            try await CurlTransport().send(
                TransportRequest(.post, server.url, body: .bytes([1, 2, 3], mediaType: "text/plain")))
        }
        #expect(error?.code == .connectionLost)
        #expect(error?.sendProgress.hasSentEntireBody == true)
    }

    /// An invalid response, and the error that it causes.
    struct InvalidResponse: CustomTestStringConvertible {
        var testDescription: String
        var text: String

        init(_ description: String, _ text: String) {
            testDescription = description
            self.text = text
        }
    }

    @Test(arguments: [
        InvalidResponse("no HTTP", "garbage\r\n\r\n"), InvalidResponse("no status", "HTTP/1.1 abc\r\n\r\n"),
        InvalidResponse("status of two digits", "HTTP/1.1 20\r\n\r\n"),
        InvalidResponse("body too large", "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 1_001)),
        InvalidResponse(
            "length too large",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\n" + String(repeating: "x", count: 2_000)),
        InvalidResponse(
            "head too large",
            "HTTP/1.1 200 OK\r\n" + String(repeating: "X: \(String(repeating: "y", count: 996))\r\n", count: 270)
                + "\r\n"),
        InvalidResponse(
            "line too long", "HTTP/1.1 200 OK\r\nX: " + String(repeating: "y", count: 300_000) + "\r\n\r\n"),
        InvalidResponse("endless heads", String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 11_000)),
    ])
    func invalidResponseFails(answer: InvalidResponse) async throws {
        let server = ScriptedTCPServer { connection, _ in
            connection.readRequestHead()
            connection.write(answer.text)
            connection.discardUntilEnd()
        }
        defer { server.stop() }
        var options = CurlTransport.Options()
        options.maxResponseBytes = 1_000
        let transport = try CurlTransport(options: options)
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(TransportRequest(.get, server.url))
        }
        #expect(error?.code == .invalidResponse)
    }

    @Test func responseBodyLimitIsExact() async throws {
        let server = ScriptedTCPServer { connection, _ in
            connection.readRequestHead()
            connection.respond(status: "200 OK", body: String(repeating: "x", count: 1_000))
        }
        defer { server.stop() }
        var options = CurlTransport.Options()
        options.maxResponseBytes = 1_000
        let response = try await CurlTransport(options: options).send(TransportRequest(.get, server.url))
        #expect(response.body.count == 1_000)
    }

    @Test func onlyFinalResponseHeadersAreReturned() async throws {
        let server = ScriptedTCPServer { connection, _ in
            connection.readRequestHead()
            connection.write(
                "HTTP/1.1 103 Early Hints\r\nX: early\r\n\r\nHTTP/1.1 302 Found\r\nLocation: /other\r\n"
                    + "X:  one \r\nX: two\r\nFolded: a\r\n b\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "3\r\nabc\r\n0\r\nTrailer: x\r\n\r\n")
        }
        defer { server.stop() }
        let response = try await CurlTransport().send(TransportRequest(.get, server.url))
        #expect(response.status == 302)
        #expect(response.body == Array("abc".utf8))
        #expect(response.head.headerFields[values: try #require(HTTPField.Name("X"))] == ["one", "two"])
        #expect(response.head.headerFields[try #require(HTTPField.Name("folded"))] == "a b")
        #expect(response.head.headerFields[try #require(HTTPField.Name("trailer"))] == nil)
        #expect(server.requestHeads.count == 1)
    }
}
