import HTTPCalls
import HTTPTestSupport
import HTTPTypes
import KSRCranesAPI
import MultipartBody
import Testing

@Suite("KSR Cranes: the requests of the other calls, byte by byte")
struct KSRCranesRequestTests {
    private static let employee = #"{"employee_id":7,"name":"W","role":"worker"}"#
    private static let message = #"{"success":true,"message":"Done."}"#

    private static let calls: [RecordedCall<KSRCranesClient>] = [
        RecordedCall(
            "login", #"{"token":"t","employee":\#(employee)}"#,
            recorded("POST /v1/api/app/login", hasToken: false, json: #"{"email":"w@b","password":"p"}"#)
        ) { _ = try await $0.login(email: "w@b", password: "p") },
        RecordedCall("profile", employee, recorded("GET /v1/api/app/profile")) { _ = try await $0.profile() },
        RecordedCall(
            "updateProfile", message, recorded("PUT /v1/api/app/profile", json: #"{"name":"Søren"}"#)
        ) { _ = try await $0.updateProfile(name: "Søren") },
        RecordedCall("deleteProfileImage", message, recorded("DELETE /v1/api/app/profile-image")) {
            _ = try await $0.deleteProfileImage()
        },
        RecordedCall(
            "uploadSignature", #"{"message":"m","signature_url":"/s","signed_at":"2025-06-30T08:15:00.000000Z"}"#,
            recorded(
                "POST /v1/api/app/signature",
                form: [
                    (
                        "Content-Disposition: form-data; name=\"signature\"; filename=\"signature.jpg\"\n"
                            + "Content-Type: image/jpeg", "JPEG"
                    )
                ])
        ) { _ = try await $0.uploadSignature(.makeImage()) },
        RecordedCall("get", "[1]", recorded("GET /v1/api/app/days?from%20day=1%262")) {
            let query = [FormField(name: "from day", value: "1&2")]
            _ = try await $0.get(path: "/api/app/days", query: query, as: [Int].self)
        },
        RecordedCall("post", "[1]", recorded("POST /v1/api/app/days", json: #"{"hours":7.5}"#)) {
            _ = try await $0.post(path: "/api/app/days", body: ["hours": 7.5], as: [Int].self)
        },
        RecordedCall("put", "[1]", recorded("PUT /v1/api/app/days/7", json: #"{"hours":8}"#)) {
            _ = try await $0.put(path: "api/app/days/7", body: ["hours": 8], as: [Int].self)
        },
        RecordedCall("delete", "[1]", recorded("DELETE /v1/api/app/days/7")) {
            _ = try await $0.delete(path: "/api/app/days/7", as: [Int].self)
        },
        RecordedCall(
            "uploadMultipart", "[1]",
            recorded(
                "POST /v1/api/app/scans",
                form: [
                    (#"Content-Disposition: form-data; name="a""#, "1"),
                    (
                        "Content-Disposition: form-data; name=\"scan\"; filename=\"a.pdf\"\n"
                            + "Content-Type: application/pdf", "A"
                    ),
                ])
        ) {
            let file = MultipartPart.file(
                name: "scan", filename: "a.pdf", mediaType: "application/pdf", content: .bytes([65]))
            _ = try await $0.uploadMultipart(
                path: "/api/app/scans", fields: [FormField(name: "a", value: "1")], files: [file], as: [Int].self)
        },
    ]

    @Test("are as recorded", arguments: calls)
    func requests(_ call: RecordedCall<KSRCranesClient>) async throws {
        let transport = StubTransport(call.answers)
        try await call.perform(KSRCranesClient(baseEndpoint: .test, client: HTTPClient(stub: transport)))
        #expect(transport.transcripts == call.requests)
    }

    @Test("are recorded for each call, with the calls by role")
    func coverage() throws {
        let functions = try ModuleSource.asyncFunctions(in: "KSRCranesAPI", except: ["KSRCranesSession"])
        #expect(functions == KSRCranesCallTests.names.union(Self.calls.map(\.name)))
    }
}
