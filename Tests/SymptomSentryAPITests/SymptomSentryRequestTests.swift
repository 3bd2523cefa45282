import HTTPCalls
import HTTPTestSupport
import HTTPTypes
import MultipartBody
import SymptomSentryAPI
import Testing

@Suite("SymptomSentry: the requests, byte by byte")
struct SymptomSentryRequestTests {
    private static let user = SymptomSentryModelTests.userJSON(#""subscription":"free""#)
    private static let userResponse = #"{"user":\#(user)}"#
    private static let analysis = SymptomSentryClient.AnalysisResponse(
        id: "a1", type: .ear, timestamp: nil,
        conditions: [
            SymptomSentryClient.Condition(
                id: "c1", name: "N", confidence: 0.5, description: "d", symptoms: ["s"], isPotentiallySerious: false,
                recommendConsultation: true)
        ])
    private static let savedResponse = """
        {"message":"Saved.","analysis":\(SymptomSentryModelTests.analysisJSON()),"subscription":{"subscription":"free",
        "analysisCount":1,"analysisLimit":5,"analysisRemaining":4,"lastResetDate":"2025-06-01T00:00:00Z"}}
        """

    private static let calls: [RecordedCall<SymptomSentryClient>] = [
        RecordedCall(
            "login", #"{"token":"t","user":\#(user)}"#,
            recorded("POST /v1/api/login", hasToken: false, json: #"{"email":"a@b","password":"p\"ö"}"#)
        ) { _ = try await $0.login(email: "a@b", password: "p\"ö") },
        RecordedCall(
            "register", #"{"token":"t","user":\#(user)}"#,
            recorded("POST /v1/api/register", hasToken: false, json: #"{"email":"a@b","name":"N","password":"p"}"#)
        ) { _ = try await $0.register(email: "a@b", password: "p", name: "N") },
        RecordedCall(
            "request", "[1]",
            recorded("PUT /v1/api/a%20b?q=%C3%B6%26&r=", fields: ["x-app: 1"], json: #"{"k":1}"#)
        ) {
            let name = try #require(HTTPField.Name("X-App"))
            let query = [FormField(name: "q", value: "ö&"), FormField(name: "r", value: "")]
            _ = try await $0.request(
                "/api/a b", method: .put, query: query, parameters: ["k": 1], headerFields: [name: "1"], as: [Int].self)
        },
        RecordedCall("request without a body", "[1]", recorded("GET /v1/api/numbers")) {
            _ = try await $0.request("/api/numbers", as: [Int].self)
        },
        RecordedCall(
            "analyze", SymptomSentryModelTests.analysisJSON(),
            recorded(
                "POST /v1/api/analyze",
                form: [
                    (#"Content-Disposition: form-data; name="type""#, "throat"),
                    (
                        "Content-Disposition: form-data; name=\"image\"; filename=\"image.jpg\"\n"
                            + "Content-Type: image/jpeg", "JPEG"
                    ),
                ])
        ) { _ = try await $0.analyze(.makeImage(), type: .throat) },
        RecordedCall(
            "uploadImage", "[1]",
            recorded(
                "POST /v1/api/a%20b",
                form: [
                    (#"Content-Disposition: form-data; name="side""#, "left"),
                    (#"Content-Disposition: form-data; name="note""#, "ö"),
                    (
                        "Content-Disposition: form-data; name=\"image\"; filename=\"image.jpg\"\n"
                            + "Content-Type: image/jpeg", "JPEG"
                    ),
                ])
        ) {
            let parameters = [FormField(name: "side", value: "left"), FormField(name: "note", value: "ö")]
            _ = try await $0.uploadImage(.makeImage(), to: "/api/a b", parameters: parameters, as: [Int].self)
        },
        RecordedCall(
            "saveAnalysis", savedResponse,
            recorded(
                "POST /v1/api/save-analysis",
                json: #"{"conditions":[{"confidence":0.5,"description":"d","id":"c1","isPotentiallySerious":false,"#
                    + #""name":"N","recommendConsultation":true,"symptoms":["s"]}],"id":"a1","type":"ear"}"#)
        ) { _ = try await $0.saveAnalysis(analysis) },
        RecordedCall("profile", userResponse, recorded("GET /v1/api/user-profile")) { _ = try await $0.profile() },
        RecordedCall(
            "updateProfile", userResponse,
            recorded("PUT /v1/api/update-profile", json: #"{"email":"b@c","name":"B"}"#)
        ) { _ = try await $0.updateProfile(name: "B", email: "b@c") },
        RecordedCall(
            "updateProfile of the name", userResponse, recorded("PUT /v1/api/update-profile", json: #"{"name":"B"}"#)
        ) { _ = try await $0.updateProfile(name: "B") },
        RecordedCall(
            "updateSubscription", userResponse,
            recorded(
                "POST /v1/api/update-subscription", json: #"{"paymentToken":"pay","subscription":"premium"}"#)
        ) { _ = try await $0.updateSubscription(to: .premium, paymentToken: "pay") },
    ]

    @Test("are as recorded", arguments: calls)
    func requests(_ call: RecordedCall<SymptomSentryClient>) async throws {
        let transport = StubTransport(call.answers)
        let client = HTTPClient(stub: transport, policy: SymptomSentryClient.retryPolicy)
        try await call.perform(SymptomSentryClient(baseEndpoint: .test, client: client))
        #expect(transport.transcripts == call.requests)
    }

    @Test("are not sent for an image that is not a JPEG")
    func otherFormatsAreRejected() async throws {
        let transport = StubTransport(.json("[1]"))
        let file = MediaFile(content: .bytes([1]), mediaType: "image/png", filename: "image.png")
        let client = SymptomSentryClient(baseEndpoint: .test, client: HTTPClient(stub: transport))
        let error = await callError { () async throws(CallError) in
            try await client.uploadImage(file, to: "/api/other", as: [Int].self)
        }
        #expect(error?.code == .invalidItem)
        #expect(transport.requests.isEmpty)
    }

    @Test("are recorded for each call")
    func coverage() throws {
        #expect(try ModuleSource.asyncFunctions(in: "SymptomSentryAPI") == Set(Self.calls.map(\.name)))
    }
}
