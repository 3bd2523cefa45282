import HTTPTestSupport
import HTTPTypes
import Testing

@testable import HTTPCalls

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
