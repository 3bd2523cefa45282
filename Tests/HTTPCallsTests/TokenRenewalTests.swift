import HTTPTestSupport
import HTTPTypes
import Testing

@testable import HTTPCalls

@Suite("A client renews a rejected token")
struct TokenRenewalTests {
    @Test("A rejected token is renewed once")
    func rejectedTokenIsRenewedOnce() async throws {
        let tokens = ScriptedTokens("old", "new")
        let transport = ScriptedTransport(401, 200)
        _ = try await HTTPClient(scripted: transport, tokens: tokens).send(.testPost, isIdempotent: false)
        #expect(transport.requests.map(\.bearerToken?.secret) == ["old", "new"])
        #expect(tokens.rejectedTokens == ["old"])
    }

    @Test("A token that the server repeats does not appear in an error", arguments: ["s3cret/token", "s3cret.token"])
    func echoedTokenAppearsInNoError(_ secret: String) async throws {
        for text in [secret, secret.replacing("/", with: "\\/"), secret.replacing("c", with: "\\u0063")] {
            let transport = ScriptedTransport([
                ScriptedTransport.status(403, body: #"{"message":"no \#(text)","details":["\#(text)"]}"#)
            ])
            let error = await #expect(throws: CallError.self) {
                try await HTTPClient(scripted: transport, tokens: ScriptedTokens(secret)).send(
                    .testPost, isIdempotent: true)
            }
            #expect(error?.serverMessage?.message == "no <token>")
            #expect(!"\(String(describing: error))".contains("s3cret"))
        }
    }

    @Test("A rejected token that the server repeats after the renewal appears in no error and in no body")
    func tokenBeforeRenewalAppearsInNoErrorOrBody() async throws {
        let echo = #"{"message":"saw s3cret-one and s3cret-two"}"#
        for status in [400, 401, 200] {
            let transport = ScriptedTransport([
                ScriptedTransport.status(401), ScriptedTransport.status(503),
                ScriptedTransport.status(status, body: echo),
            ])
            let client = HTTPClient(scripted: transport, tokens: ScriptedTokens("s3cret-one", "s3cret-two"))
            do {
                let response = try await client.send(.testPost, isIdempotent: true)
                #expect(
                    String(decoding: response.bodyWithoutTokens, as: UTF8.self)
                        == #"{"message":"saw <token> and <token>"}"#)
            } catch {
                #expect(error.serverMessage?.message == "saw <token> and <token>")
                #expect(!"\(String(describing: error))".contains("s3cret"))
            }
        }
    }

    @Test("A second 401 is final, and so is the first if there is no other token")
    func secondUnauthorizedIsFinal() async {
        for (tokens, sent) in [
            (ScriptedTokens("old", "new"), 2), (ScriptedTokens("old", "old"), 1),
            (ScriptedTokens("old"), 1),
        ] {
            let transport = ScriptedTransport(401)
            let error = await #expect(throws: CallError.self) {
                try await HTTPClient(scripted: transport, tokens: tokens).send(.testPost, isIdempotent: true)
            }
            #expect(error?.code == .unauthorized)
            #expect(transport.requests.count == sent)
        }
    }

    @Test("A request that waits longer than its tokens are valid renews each of them")
    func laterTokensAreRenewed() async throws {
        let tokens = ScriptedTokens("first", "second", "third")
        let transport = ScriptedTransport(401, 503, 401, 200)
        _ = try await HTTPClient(scripted: transport, tokens: tokens).send(.testPost, isIdempotent: false)
        #expect(transport.requests.map(\.bearerToken?.secret) == ["first", "second", "second", "third"])
    }

    @Test("A server that answers 401 and 429 in turn is not asked without end")
    func endlessRenewals() async throws {
        let transport = ScriptedTransport(
            (0..<100).map { ScriptedTransport.status($0 % 2 == 0 ? 401 : 429, [.retryAfter: "0"]) })
        let session = Session(BearerToken("0").map { Credentials(token: $0) }) { rejected in
            BearerToken("\(rejected.token.withSecret { Int($0) ?? 0 } + 1)").map { Credentials(token: $0) }
        }
        let error = await #expect(throws: CallError.self) {
            try await HTTPClient(transport: transport, session: session).send(.testPost, isIdempotent: true)
        }
        #expect(error?.code == .unauthorized)
        #expect(transport.requests.count == 21)
    }

    @Test("Many requests that are answered with 401 at once cause one renewal")
    func concurrentUnauthorizedRequestsShareOneRefresh() async throws {
        let tokens = ScriptedTokens("old", "new", "newer")
        let transport = ScriptedTransport([
            ScriptedTransport.status { $0.bearerToken?.secret == "old" ? 401 : 200 }
        ])
        let client = HTTPClient(scripted: transport, tokens: tokens)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await client.send(.testPost, isIdempotent: true).status } }
            for try await status in group { #expect(status == 200) }
        }
        #expect(tokens.rejectedTokens == ["old"])
    }
}
