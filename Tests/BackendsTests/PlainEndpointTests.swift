import HTTPTestSupport
import Backends
import HTTPCalls
import HTTPTypes
import Testing
import Uploading

@Suite("A plain endpoint")
struct PlainEndpointTests {
    @Test("receives all fields, and the configured part")
    func fieldsAndPartNameAreSent() async throws {
        let transport = StubTransport(.json(201, #"{"id":"x1"}"#))
        let endpoint = FormUploadDestination(
            endpoint: .test, fields: [FormField(name: "a", value: "1")], partName: "upload")
        let (results, receipts) = try await UploadHarness().upload(
            [.makeImage(fields: [FormField(name: "b", value: "2")])], to: endpoint, HTTPClient(stub: transport))
        #expect(results[0].serverID == "x1" && receipts[0].responseBody == Array(#"{"id":"x1"}"#.utf8))
        #expect(transport.calls == ["POST https://backend.test/v1"])
        let text = transport.requests[0].text
        #expect(
            text.matches(of: /name="(\w+)"/).map { String($0.1) } == ["a", "b", "upload"]
                && text.contains(#"filename="image.jpg""#))
    }

    @Test(
        "has the id of the response if it is valid",
        arguments: [
            (#"{"id":"x1"}"#, "x1"), (#"{"id":17}"#, "17"), (#"{"id":9007199254740993}"#, "9007199254740993"),
            (#"{"id":-1}"#, "-1"), (#"{"id":1.5}"#, nil), (#"{"id":null}"#, nil), (#"{"id":true}"#, nil),
            (#"{"id":""}"#, nil), (#"{"id":"a\u001b[2J"}"#, nil), ("{}", nil), ("", nil), ("<html>", nil), ("[7]", nil),
        ] as [(String, String?)])
    func responseIDIsRead(_ body: String, _ id: String?) async throws {
        let (results, _) = try await UploadHarness().upload(
            [.makeImage()], to: FormUploadDestination(endpoint: .test), HTTPClient(stub: StubTransport(.json(body))))
        #expect(results[0].status == .acknowledged && results[0].serverID == id)
    }

    @Test("receives a key if it honors keys", arguments: [false, true])
    func idempotencyKeyIsSentWhereHonored(_ honorsKeys: Bool) async throws {
        let transport = StubTransport(.json(500, "{}"), .json("{}"))
        let (results, _) = try await UploadHarness().upload(
            [.makeImage()], to: FormUploadDestination(endpoint: .test, honorsIdempotencyKeys: honorsKeys),
            HTTPClient(stub: transport))
        #expect(results[0].status == (honorsKeys ? .acknowledged : .outcomeUnknown))
        let keys = Set(transport.requests.map { $0.headerFields[.idempotencyKey] })
        #expect(keys.count == 1 && keys.contains(nil) == !honorsKeys)
        #expect(transport.requests.count == (honorsKeys ? 2 : 1))
    }
}
