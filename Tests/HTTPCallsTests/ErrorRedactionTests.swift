import Foundation
import HTTPTestSupport
import HTTPTypes
import Testing

@testable import HTTPCalls

@Suite("The errors of a client show no secret of the URL")
struct ErrorRedactionTests {
    private func makeClient(_ transport: ScriptedTransport) -> HTTPClient {
        HTTPClient(transport: transport, retryPolicy: .withoutDelays)
    }

    @Test(
        "The query of the URL, which may contain a secret, is in no error", arguments: ["/", "\\/"],
        ["&", "&amp;", "\\u0026"])
    func urlQueryAppearsInNoError(_ slash: String, _ ampersand: String) async throws {
        let echo = "Cannot POST \(slash)a?key=SECRET\(slash)1\(ampersand)b=c"
        let transport = ScriptedTransport([ScriptedTransport.status(404, body: #"{"message":"\#(echo)"}"#)])
        let endpoint = try Endpoint("https://example.com/a?key=SECRET/1&b=c")
        let error = await #expect(throws: CallError.self) {
            try await makeClient(transport).send(
                TransportRequest(method: .post, endpoint: endpoint), isIdempotent: true)
        }
        #expect(error?.message == "the server answered 404: Cannot POST /a?<query>")
    }

    /// Returns the message of the error for a server's error message.
    private func message(_ echo: String, from url: String, redirecting location: String? = nil) async throws -> String?
    {
        let body = String(decoding: try JSONEncoder().encode(["message": echo]), as: UTF8.self)
        let redirect = location.map { ScriptedTransport.status(307, [.location: $0]) }
        let transport = ScriptedTransport([redirect, ScriptedTransport.status(404, body: body)].compactMap { $0 })
        let endpoint = try Endpoint(url).appendingPathSegments("api", "visit-4711-4712-4713")
        let error = await #expect(throws: CallError.self) {
            try await makeClient(transport).send(
                TransportRequest(method: .post, endpoint: endpoint), isIdempotent: true)
        }
        return error?.serverMessage?.message
    }

    @Test(
        "A segment of the path or a value of the query that may be a secret is in no error, in whatever form",
        arguments: [
            ("https://b.test/hooks/T0KENT0KEN", "no hook T0KENT0KEN", "no hook <path>"),
            ("https://b.test/hooks/abcdefghijklmnop/v1", "no /hooks/abcdefghijklmnop/v1", "no /hooks/<path>/v1"),
            ("https://b.test/profile-image/v1", "no profile-image of v1", "no profile-image of v1"),
            ("https://b.test/%73%65cret%2Fkey9", "no secret/key9", "no <path>"),
            ("https://b.test/%73%65cret%2Fkey9", "no %73%65cret%2Fkey9 or secret%2Fkey9", "no <path> or <path>"),
            ("https://b.test/a?key=pass+word&b=c", "pass+word, pass word, pass%20word", "<query>, <query>, <query>"),
            ("https://b.test/a?key=%3Cs%26cret%3E&b=c", "no &lt;s&amp;cret&gt;", "no <query>"),
            ("https://b.test/a?secretsecret", "no secretsecret", "no <query>"),
            ("https://b.test/bot12:T0KENT0KEN/a", "bot12 has no T0KENT0KEN", "bot12 has no <path>"),
            ("https://b.test/key=T0KENT0KEN", "no /key=T0KENT0KEN or T0KENT0KEN", "no /<path> or <path>"),
            ("https://b.test/a?", "no? /a?", "no? /a?"),
            ("https://b.test", "no visit-4711-4712-4713", "no visit-4711-4712-4713"),
        ])
    func partsOfURL(_ url: String, _ echo: String, _ shown: String) async throws {
        #expect(try await message(echo, from: url) == shown)
    }

    @Test(
        "A percent sign without two hexadecimal digits is part of the secret",
        arguments: [
            ("100%+5secret", "100%25%2B5secret"), ("100%-5secret", "100%25-5secret"), ("secret100%5", "secret100%255"),
            ("secret100%", "secret100%25"),
        ])
    func invalidPercentEscapeIsKept(_ secret: String, _ echo: String) {
        #expect(RequestSecrets(query: "key=\(secret)").redactedText(from: "no \(echo)") == "no <query>")
    }

    @Test("A secret stays redacted after a redirect, as does a secret in the redirect's URL")
    func redirectedSecret() async throws {
        let echo = "T0KENT0KEN and an0thert0ken?key=one"
        let message = try await message(echo, from: "https://b.test/T0KENT0KEN", redirecting: "/an0thert0ken?key=one")
        #expect(message == "<path> and <path>?<query>")
    }

    @Test("A secret is redacted before a message is shortened, in each of its parts")
    func secretInEachPart() async throws {
        let padding = String(repeating: "x", count: 490)
        #expect(
            try await message(padding + "abcdefghijklmnop", from: "https://b.test/abcdefghijklmnop") == padding
                + "<path>")
        let body = #"{"code":"abcdefghijklmnop","details":{"abcdefghijklmnop":1},"errors":["abcdefghij\u006blmnop"]}"#
        let transport = ScriptedTransport([ScriptedTransport.status(404, body: body)])
        let endpoint = try Endpoint("https://b.test/abcdefghijklmnop")
        let error = await #expect(throws: CallError.self) {
            try await makeClient(transport).send(
                TransportRequest(method: .post, endpoint: endpoint), isIdempotent: true)
        }
        #expect(
            error?.serverMessage
                == ServerErrorMessage(code: "<path>", details: #"{"<path>":1}"#, validationErrors: ["<path>"]))
    }
}
