import Testing

@testable import HTTPCalls

@Suite("Endpoints")
struct EndpointTests {
    @Test(
        "Plain http is only allowed to this machine by default",
        arguments: [
            "http://example.com/", "http://127.0.0.1.example.com/", "http://128.0.0.1/",
            "http://localhost.example.com/",
            "http://10.0.0.1:8080", "HTTP://EXAMPLE.COM", "http://[::2]/", "http://127.1/", "http://0.0.0.0/",
            "http://127.0.0.+1/", "http://127.+0.0.1/", "http://127.0.0.01/", "http://127.0.0.-0/",
        ])
    func plainHTTPToRemoteHostIsRejectedUnlessAllowed(_ url: String) throws {
        let error = #expect(throws: CallError.self) { try Endpoint(url) }
        #expect(error?.code == .insecureURL)
        _ = try Endpoint(url, allowsPlainHTTP: true)
    }

    @Test(
        "https, and http to this machine, are accepted",
        arguments: [
            "https://example.com", "http://localhost:8080/upload", "http://127.0.0.1:1/", "http://127.255.0.9/",
            "http://[::1]:8080/a?b=c", "http://dev.localhost/",
        ])
    func httpsAndLocalHTTPAreAccepted(_ url: String) throws { #expect(try Endpoint(url).description == url) }

    @Test(
        "A URL that is not absolute, or has invalid parts, is rejected",
        arguments: [
            "", "example.com", "/upload", "ftp://example.com/", "file:///etc/passwd", "https://", "https:///path",
            "https://user@example.com/", "https://user:password@example.com/", "https://example.com/#part",
            "https://exa mple.com/", "https://example.com:0/", "https://example.com:65536/",
        ])
    func invalidURLIsRejected(_ url: String) {
        let error = #expect(throws: CallError.self) { try Endpoint(url, allowsPlainHTTP: true) }
        #expect(error?.code == .invalidURL)
        #expect(error?.message.contains("password@") == false)
    }

    @Test(
        "Equal URLs are normalized to the same text",
        arguments: [
            ("HTTPS://Example.COM/A", "https://example.com/A"), ("https://example.com:443/", "https://example.com/"),
            ("http://localhost:80", "http://localhost"), ("https://example.com:8443/", "https://example.com:8443/"),
        ])
    func equivalentURLsAreNormalized(_ url: String, _ name: String) throws {
        #expect(try Endpoint(url).description == name)
    }

    @Test("An appended segment is one path segment, whatever it contains")
    func appendedTextIsOnePathComponent() throws {
        let base = try Endpoint("https://example.com/v1")
        #expect(base.appendingPathSegments("api", "login").description == "https://example.com/v1/api/login")
        #expect(
            base.appendingPathSegments("a/../b?c#d", "ü").description
                == "https://example.com/v1/a%2F..%2Fb%3Fc%23d/%C3%BC")
        #expect(try Endpoint("https://example.com/").appendingPathSegments("x").description == "https://example.com/x")
    }

    @Test(
        "A query stays after the path, and further fields follow its own",
        arguments: [
            ("https://example.com/v1?key=a/b", "https://example.com/v1/x?key=a/b&n=2"),
            ("https://example.com/v1?", "https://example.com/v1/x?n=2"),
            ("https://example.com", "https://example.com/x?n=2"),
        ])
    func queryStaysAtEnd(_ base: String, _ extended: String) throws {
        let endpoint = try Endpoint(base).appendingPathSegments("x").appendingQuery([FormField(name: "n", value: "2")])
        #expect(endpoint.description == extended)
    }

    @Test(
        "Redirects stay within the origin",
        arguments: [
            ("/b", "https://example.com/b"), ("b?x=1", "https://example.com/a/b?x=1"),
            ("https://example.com:443/c", "https://example.com:443/c"),
            ("https://EXAMPLE.com/c", "https://EXAMPLE.com/c"),
            ("http://example.com/c", nil), ("https://other.com/c", nil), ("https://example.com:8443/c", nil),
            ("//other.com/c", nil), ("https://user@example.com/c", nil), ("javascript:alert(1)", nil),
        ] as [(String, String?)])
    func redirectsStayWithinOrigin(_ location: String, target: String?) throws {
        #expect(try Endpoint("https://example.com/a/").sameOriginRedirect(to: location)?.description == target)
    }
}
