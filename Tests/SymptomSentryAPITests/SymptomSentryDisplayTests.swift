import HTTPTestSupport
import Foundation
import HTTPCalls
import HTTPTypes
import SymptomSentryAPI
import Testing

@Suite("The display values of SymptomSentry's models")
struct SymptomSentryDisplayTests {
    private func makeCondition(_ confidence: Double) -> SymptomSentryClient.Condition {
        SymptomSentryClient.Condition(
            id: "c", name: "N", confidence: confidence, description: "d", symptoms: [], isPotentiallySerious: false,
            recommendConsultation: false)
    }

    @Test(
        "a confidence has a percentage without fraction digits, and a band",
        arguments: [
            (0.82, "82%", .veryHigh), (0.8, "80%", .veryHigh), (1, "100%", .veryHigh), (0.7999, "80%", .high),
            (0.6, "60%", .high), (0.4, "40%", .medium), (0.399, "40%", .low), (0, "0%", .low), (0.005, "0%", .low),
            (0.015, "2%", .low), (1.2, "100%", .low), (-1, "0%", .low), (.nan, "0%", .low), (.infinity, "100%", .low),
        ] as [(Double, String, SymptomSentryClient.Condition.ConfidenceLevel)])
    func confidence(_ value: Double, _ text: String, _ level: SymptomSentryClient.Condition.ConfidenceLevel) {
        #expect(makeCondition(value).confidencePercentage == text && makeCondition(value).confidenceLevel == level)
    }

    @Test("names and icons are those of the specification")
    func names() {
        #expect(SymptomSentryClient.AnalysisType.allCases.map(\.displayName) == ["Throat", "Ear"])
        #expect(SymptomSentryClient.AnalysisType.allCases.map(\.iconName) == ["throat-icon", "ear-icon"])
        #expect(SymptomSentryClient.SubscriptionType.allCases.map(\.displayName) == ["Basic", "Premium"])
        #expect(SymptomSentryClient.SubscriptionType(rawValue: "gold").displayName == "gold")
    }

    @Test("an unknown subscription survives decoding and encoding, and grants what the free one does")
    func unknownSubscription() throws {
        let decoded = try JSONDecoder().decode(
            [SymptomSentryClient.SubscriptionType].self, from: Data(#"["gold"]"#.utf8))
        #expect(decoded.map(\.analysisLimit) == [5])
        #expect(String(decoding: try JSONEncoder().encode(decoded), as: UTF8.self) == #"["gold"]"#)
    }

    @Test(
        "the debug information is decoded if it is readable, and encoded",
        arguments: [
            (#"{"data_source":"model","image_data_length":9,"processing_time":3}"#, true), (#"{}"#, true),
            (#"{"processing_time":"soon"}"#, false), ("null", false),
        ])
    func debugInformation(_ json: String, _ isReadable: Bool) throws {
        let text = #"{"id":"a","type":"ear","conditions":[],"debug_info":\#(json)}"#
        let analysis = try JSONDecoder().decode(SymptomSentryClient.AnalysisResponse.self, from: Data(text.utf8))
        #expect((analysis.debugInfo != nil) == isReadable)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let encoded = String(decoding: try encoder.encode(analysis), as: UTF8.self)
        #expect(encoded.contains(#""debug_info":\#(json)"#) == isReadable)
    }

    @Test("the registration, and any other request")
    func requests() async throws {
        let user = SymptomSentryModelTests.userJSON(#""subscription":"free""#)
        let transport = StubTransport(.json(#"{"token":"t","user":\#(user)}"#), .json("[1]"))
        let client = SymptomSentryClient(baseEndpoint: .test, client: HTTPClient(stub: transport))
        #expect(try await client.register(email: "e", password: "p", name: "n").token == BearerToken("t"))
        let name = try #require(HTTPField.Name("X-App"))
        let numbers: [Int] = try await client.request(
            "/api/a b", method: .put, query: [FormField(name: "q", value: "ö")], parameters: ["k": 1],
            headerFields: [name: "1"])
        #expect(numbers == [1])
        #expect(
            transport.calls == [
                "POST https://backend.test/v1/api/register", "PUT https://backend.test/v1/api/a%20b?q=%C3%B6",
            ])
        #expect(transport.requests.map(\.text) == [#"{"email":"e","name":"n","password":"p"}"#, #"{"k":1}"#])
        #expect(transport.requests[1].headerFields == [.accept: "application/json", name: "1"])
        #expect(transport.requests.map { $0.bearerToken == nil } == [true, false])
    }
}
