import Foundation
import HTTPCalls
import HTTPTestSupport
import HTTPTypes
import Testing

@Suite("A token can be sent and stored by other code")
struct TokenReaderTests {
    /// A transport as an app writes it, with the public API alone.
    private struct HeaderTransport: HTTPTransport {
        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            let authorization = request.bearerToken?.withSecret { "Bearer \($0)" }
            return .json(#"{"authorization":"\#(authorization ?? "")"}"#)
        }
    }

    private struct Failure: Error {}

    @Test("a transport writes the header from the token, and the body can be stored and shown without it")
    func transportWritesHeader() async throws {
        let token = try #require(BearerToken(secret))
        let request = TransportRequest(method: .get, endpoint: .test, bearerToken: token)
        let answer = try await HeaderTransport().send(request)
        #expect(String(decoding: answer.body, as: UTF8.self) == #"{"authorization":"Bearer \#(secret)"}"#)
        let response = try await HTTPClient(transport: HeaderTransport()).send(request, isIdempotent: true)
        #expect(response.body == answer.body)
        #expect(String(decoding: response.bodyWithoutTokens, as: UTF8.self) == #"{"authorization":"Bearer <token>"}"#)
    }

    @Test("a token that a server returns again is read as it is, and its placeholder is no token")
    func returnedTokenIsRead() async throws {
        let token = try #require(BearerToken(secret))
        let request = TransportRequest(method: .post, endpoint: .test, bearerToken: token)
        let transport = ScriptedTransport([ScriptedTransport.status(200, body: #"{"refresh_token":"\#(secret)"}"#)])
        let response = try await HTTPClient(transport: transport).send(request, isIdempotent: false)
        let fields = try JSONDecoder().decode([String: String].self, from: Data(response.body))
        #expect(fields["refresh_token"].flatMap(BearerToken.init) == token)
        #expect(BearerToken("\(token)") == nil)
    }

    @Test("a stored token is restored, and the error of the reader is passed on")
    func tokenIsStoredAndRestored() throws {
        let token = try #require(BearerToken(" \(secret)\n"))
        let stored = token.withSecret { Array($0.utf8) }
        #expect(BearerToken(String(decoding: stored, as: UTF8.self)) == token)
        #expect(throws: Failure.self) { try token.withSecret { _ throws(Failure) in throw Failure() } }
        #expect(!"\(token) \(String(reflecting: token))".contains(secret))
    }
}
