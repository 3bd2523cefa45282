import HTTPTestSupport
import HTTPTypes
import Testing

@testable import HTTPCalls

@Suite("A token")
struct BearerTokenTests {
    @Test(
        "is trimmed, and must not contain a character that ends a header",
        arguments: [
            ("abc", "abc"), (" abc\r\n", "abc"), ("\tA.b-c_d~e+f/g=\n\n", "A.b-c_d~e+f/g="), ("", nil), (" \n", nil),
            ("a b", nil), ("a\r\nX: y", nil), ("a\0b", nil), ("é", nil),
        ] as [(String, String?)])
    func tokenIsTrimmedAndValidated(_ text: String, secret: String?) { #expect(BearerToken(text)?.secret == secret) }

    @Test("is never shown")
    func tokenDescriptionHidesSecret() throws {
        let token = try #require(BearerToken("s3cret-s3cret"))
        var dumped = ""
        dump(token, to: &dumped)
        dump(TransportRequest(method: .get, endpoint: .testEndpoint, bearerToken: token), to: &dumped)
        for text in [
            "\(token)", token.debugDescription, String(reflecting: token), dumped, "\([token])",
            "\(Optional(token) as Any)",
        ] {
            #expect(!text.contains("s3cret"))
        }
    }
}
