import HTTPTestSupport
import Foundation
import HTTPCalls
import HTTPTypes
import SymptomSentryAPI
import MultipartBody
import Testing

@Suite("SymptomSentry: requests")
struct SymptomSentryTests {
    private static let user = SymptomSentryModelTests.userJSON(#""subscription":"free""#)
    private static let analysis = SymptomSentryModelTests.analysisJSON(conditions: "c1", "c2")

    private func makeAPI(_ transport: StubTransport) -> SymptomSentryClient {
        SymptomSentryClient(
            baseEndpoint: .test, client: HTTPClient(stub: transport, policy: SymptomSentryClient.retryPolicy))
    }

    @Test("a login is sent without a token, and the error for a wrong password shows no secret")
    func loginSendsNoTokenAndHidesPassword() async throws {
        let transport = StubTransport(
            .json(#"{"token":"\#(secret)","user":\#(Self.user)}"#),
            .json(401, #"{"error":true,"message":"Wrong password.","code":"invalid-credentials"}"#))
        let api = makeAPI(transport)
        let response = try await api.login(email: "a@example.com", password: "hunter2")
        #expect(response.user.name == "A")
        let request = try #require(transport.requests.first)
        #expect(transport.calls == ["POST https://backend.test/v1/api/login"])
        #expect(request.text == #"{"email":"a@example.com","password":"hunter2"}"#)
        #expect(request.type == "application/json" && request.headerFields[.accept] == "application/json")
        #expect(request.bearerToken == nil)
        let error = await callError { () async throws(CallError) in
            try await api.login(email: "a@example.com", password: "hunter2")
        }
        #expect(error?.code == .unauthorized && error?.serverMessage?.code == "invalid-credentials")
        #expect(!"\(String(describing: error))".contains("hunter2"))
        #expect(transport.requests.count == 2)
    }

    @Test("an image is sent as a form that begins with its type")
    func imageFormStartsWithType() async throws {
        let transport = StubTransport(.json(Self.analysis))
        let response = try await makeAPI(transport).analyze(.makeImage(), type: .throat)
        #expect(response.primaryCondition?.id == "c1")
        let request = try #require(transport.requests.first)
        #expect(transport.calls == ["POST https://backend.test/v1/api/analyze"])
        #expect(request.bearerToken == BearerToken(secret))
        #expect(
            request.text == """
                --B\r
                Content-Disposition: form-data; name="type"\r
                \r
                throat\r
                --B\r
                Content-Disposition: form-data; name="image"; filename="image.jpg"\r
                Content-Type: image/jpeg\r
                \r
                JPEG\r
                --B--\r\n
                """)
    }

    @Test("the other calls are as in the specification")
    func otherCallsMatchDocument() async throws {
        let transport = StubTransport { request in
            "\(request.endpoint)".hasSuffix("save-analysis")
                ? .json(
                    """
                    {"message":"Saved.","analysis":\(Self.analysis),"subscription":{"subscription":"free",
                    "analysisCount":1,"analysisLimit":5,"analysisRemaining":4,"lastResetDate":"2025-06-01T00:00:00Z"}}
                    """) : .json(#"{"user":\#(Self.user)}"#)
        }
        let api = makeAPI(transport)
        _ = try await api.profile()
        _ = try await api.updateProfile(name: "B")
        _ = try await api.updateProfile(email: "b@example.com")
        _ = try await api.updateSubscription(to: .premium, paymentToken: "pay")
        _ = try await api.updateSubscription(to: .free)
        let analysis = try JSONDecoder().decode(
            SymptomSentryClient.AnalysisResponse.self, from: Data(Self.analysis.utf8))
        let saved = try await api.saveAnalysis(analysis)
        #expect(saved.subscription.analysisRemaining == 4)
        let sent = transport.requests.map { "\($0.method.rawValue) \($0.endpoint) \($0.text)" }
        let base = "https://backend.test/v1/api"
        #expect(
            sent.dropLast() == [
                "GET \(base)/user-profile ", #"PUT \#(base)/update-profile {"name":"B"}"#,
                #"PUT \#(base)/update-profile {"email":"b@example.com"}"#,
                #"POST \#(base)/update-subscription {"paymentToken":"pay","subscription":"premium"}"#,
                #"POST \#(base)/update-subscription {"subscription":"free"}"#,
            ])
        #expect(sent.last?.hasPrefix(#"POST \#(base)/save-analysis {"conditions":[{"confidence":0.8,"#) == true)
        #expect(transport.requests.allSatisfy { $0.bearerToken == BearerToken(secret) })
    }

    @Test("only a JPEG is analyzed, and nothing else is sent", arguments: ["image/png", "audio/mp4", "text/html"])
    func onlyJPEGIsAnalyzed(_ type: String) async throws {
        let transport = StubTransport(.json(Self.analysis))
        let file = MediaFile(content: .bytes([1]), mediaType: type, filename: "a")
        let error = await callError { () async throws(CallError) in
            try await makeAPI(transport).analyze(file, type: .ear)
        }
        #expect(error?.code == .invalidItem)
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "after an invalid response, the analysis may have been counted",
        arguments: [
            (#"{"id":"a1"}"#, CallError.Code.outcomeUnknown, "lacks type"),
            ("<html>", .outcomeUnknown, "is not JSON"),
            (#"{"error":true,"message":"Blurred."}"#, .rejectedByServer, "Blurred."),
            ("[]", .outcomeUnknown, "wrong form"),
            (#"{"id":"a","type":"ear","conditions":[{"id":"c"}]}"#, .outcomeUnknown, "conditions.0.name"),
        ])
    func invalidAnalysisResponseIsUnconfirmed(_ body: String, _ code: CallError.Code, _ hint: String) async throws {
        let error = await callError { () async throws(CallError) in
            try await makeAPI(StubTransport(.json(body))).analyze(.makeImage(), type: .ear)
        }
        #expect(error?.code == code)
        #expect(error?.message.contains(hint) == true, "\(error?.message ?? "")")
        #expect(error?.status == 200)
    }

    @Test(
        "a successful response with a message and without an analysis is a refusal",
        arguments: [
            (#"{"message":"Blurred."}"#, "Blurred."),
            (#"{"error":false,"message":"Blurred.","user":"u1"}"#, "Blurred."),
            (#"{"id":null,"type":null,"conditions":null,"message":"Blurred."}"#, "Blurred."),
            (#"{"message":null}"#, "Analysis failed"), (#"{"message":""}"#, "Analysis failed"),
            (#"{"error":true}"#, "Analysis failed"), (#"{"error":true,"message":"Blurred."}"#, "Blurred."),
        ])
    func messageWithoutAnalysisIsRefusal(_ body: String, _ text: String) async throws {
        let error = await callError { () async throws(CallError) in
            try await makeAPI(StubTransport(.json(body))).analyze(.makeImage(), type: .ear)
        }
        #expect(error?.code == .rejectedByServer && error?.status == 200)
        #expect(error?.localizedDescription == text)
    }

    @Test(
        "a message beside parts of an analysis is not a refusal",
        arguments: [
            #"{"id":"a1","message":"m"}"#, #"{"type":"ear","message":"m"}"#, #"{"conditions":[],"message":"m"}"#, "{}",
        ])
    func partialAnalysisIsUnconfirmed(_ body: String) async throws {
        let error = await callError { () async throws(CallError) in
            try await makeAPI(StubTransport(.json(body))).analyze(.makeImage(), type: .ear)
        }
        #expect(error?.code == .outcomeUnknown)
    }

    @Test("an error in a successful response does not contain a secret of the URL")
    func secretInBadAnswer() async throws {
        let transport = StubTransport(.json(#"{"error":true,"message":"No /T0KENT0KEN/api/analyze"}"#))
        let api = SymptomSentryClient(
            baseEndpoint: try Endpoint("https://b.test/T0KENT0KEN"), client: HTTPClient(stub: transport))
        let error = await callError { () async throws(CallError) in try await api.analyze(.makeImage(), type: .ear)
        }
        #expect(error?.message == "the server answered 200, and an error: No /<path>/api/analyze")
        #expect(error?.serverMessage?.message == "No /<path>/api/analyze")
    }

    @Test("an invalid response is reported without its content")
    func invalidProfileResponseShowsNothing() async throws {
        let body = #"{"user":{"id":"u1","email":"\#(secret)","name":7}}"#
        let error = await callError { () async throws(CallError) in
            try await makeAPI(StubTransport(.json(body))).profile()
        }
        #expect(error?.code == .invalidResponse && error?.message.contains("user.name") == true)
        #expect(!"\(String(describing: error))".contains(secret))
    }

    @Test("the server's error message is kept")
    func serverErrorMessagesAreReported() async throws {
        let body = #"{"error":true,"message":"Blurred.","code":"invalid-image","details":{"sharpness":0.1}}"#
        let error = await callError { () async throws(CallError) in
            try await makeAPI(StubTransport(.json(400, body))).analyze(.makeImage(), type: .ear)
        }
        #expect(error?.code == .rejectedByServer && error?.status == 400)
        let expected = ServerErrorMessage(message: "Blurred.", code: "invalid-image", details: #"{"sharpness":0.1}"#)
        #expect(error?.serverMessage == expected)
        #expect(!"\(String(describing: error))".contains(secret))
    }

    @Test("429 with a short delay pauses the requests")
    func short429IsWaitedFor() async throws {
        let transport = StubTransport(
            .json(429, "{}", [.retryAfter: "0"]), .json(Self.analysis))
        _ = try await makeAPI(transport).analyze(.makeImage(), type: .throat)
        #expect(transport.requests.count == 2)
    }
}
