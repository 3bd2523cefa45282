import Foundation
import HTTPTestSupport
import JSONValues
import SymptomSentryAPI
import Testing

@Suite("SymptomSentry: JSON is decoded and encoded without a change")
struct SymptomSentryFixtureTests {
    private static let user = #"""
        {"id": "u1", "email": "a@example.com", "name": "A", "subscription": "premium", "analysisCount": 2,
         "lastResetDate": "2025-06-01T00:00:00.250000Z"}
        """#
    private static let condition = #"""
        {"id": "c1", "name": "Tonsillitis", "confidence": 0.82, "description": "D", "symptoms": ["s", "t"],
         "isPotentiallySerious": true, "recommendConsultation": false, "treatmentInfo": "Rest"}
        """#
    private static let debugInfo = #"{"data_source": "model", "image_data_length": 9, "processing_time": 3}"#
    private static let analysis = #"""
        {"id": "a1", "type": "ear", "conditions": [\#(condition)], "timestamp": "2025-06-01T00:00:00.250000Z",
         "user_id": "u1"}
        """#
    private static let status = #"""
        {"subscription": "free", "analysisCount": 1, "analysisLimit": 5, "analysisRemaining": 4,
         "lastResetDate": "2025-06-01T00:00:00.250000Z"}
        """#

    private static let rows = [
        ModelRow(SymptomSentryClient.User.self, user),
        ModelRow(SymptomSentryClient.SubscriptionType.self, #""premium""#),
        ModelRow(SymptomSentryClient.SubscriptionType.self, #""gold""#),
        ModelRow(SymptomSentryClient.Condition.self, condition),
        ModelRow(SymptomSentryClient.DebugInfo.self, debugInfo),
        ModelRow(
            SymptomSentryClient.AnalysisResponse.self,
            #"""
            {"id": "a1", "type": "throat", "timestamp": "2025-06-01T00:00:00.250000Z", "conditions": [\#(condition)],
             "user": "u1", "debug_info": \#(debugInfo)}
            """#),
        ModelRow(SymptomSentryClient.Analysis.self, analysis),
        ModelRow(SymptomSentryClient.SubscriptionStatus.self, status),
        ModelRow(
            SymptomSentryClient.SaveAnalysisResponse.self,
            #"{"message": "Saved", "analysis": \#(analysis), "subscription": \#(status)}"#),
    ]

    @Test("also values that are not known", arguments: rows)
    func roundTrip(_ row: ModelRow) throws {
        let (before, after) = try row.values(as: JSONValue.self)
        #expect(after == before)
    }

    @Test("each model has a fixture with all members")
    func coverage() throws {
        #expect(try Set(Self.rows.map(\.description)) == ModuleSource.codableStructures(in: "SymptomSentryAPI"))
        for row in Self.rows { #expect(try row.findAbsentMembers().isEmpty, "\(row)") }
    }

    @Test("a subscription without a limit has no numbers")
    func unlimitedStatus() throws {
        let status = SymptomSentryClient.SubscriptionStatus(
            subscription: .premium, analysisCount: 9, analysisLimit: nil, analysisRemaining: nil)
        let encoded = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(status))
        #expect(encoded == .object(["subscription": .string("premium"), "analysisCount": .integer(9)]))
        #expect(
            try JSONDecoder().decode(SymptomSentryClient.SubscriptionStatus.self, from: encoded.encodedJSON())
                == status)
    }
}
