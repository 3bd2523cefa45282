import HTTPTypes
import Testing

@testable import HTTPCalls
@testable import Uploading

@Suite("Error messages of servers")
struct ServerMessageTests {
    @Test(
        "is read in each format",
        arguments: [
            (
                #"{"error":true,"message":"No","code":"x","details":"y"}"#,
                ServerErrorMessage(message: "No", code: "x", details: "y")
            ),
            (#"{"message":"No"}"#, ServerErrorMessage(message: "No")),
            (#"{"error":"No"}"#, ServerErrorMessage(message: "No")),
            (#"{"code":17}"#, ServerErrorMessage(code: "17")),
            (
                #"{"message":"No","details":{"b":[1,2.5,null],"a":"/"}}"#,
                ServerErrorMessage(message: "No", details: #"{"a":"/","b":[1,2.5,null]}"#)
            ),
            (#"{"message":"a\u001b[2Jb\u202ec"}"#, ServerErrorMessage(message: "a [2Jb c")),
            (#"{"message":17}"#, nil), (#"{"error":true}"#, nil), (#"[1]"#, nil), ("", nil), ("<html>", nil),
            ("null", nil),
        ] as [(String, ServerErrorMessage?)])
    func everyErrorFormatIsParsed(_ body: String, message: ServerErrorMessage?) {
        #expect(TransportResponse(status: 400, body: Array(body.utf8)).serverMessage == message)
    }

    @Test("is shortened to 500 characters")
    func messageIsTruncatedAt500Characters() {
        let body = #"{"message":"\#(String(repeating: "x", count: 10_000))"}"#
        #expect(TransportResponse(status: 400, body: Array(body.utf8)).serverMessage?.message?.count == 500)
    }

    @Test("is ignored if it is nested too deeply")
    func deeplyNestedMessageIsIgnored() {
        let body =
            #"{"details":"# + String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000) + "}"
        #expect(TransportResponse(status: 400, body: Array(body.utf8)).serverMessage == nil)
    }
}

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
