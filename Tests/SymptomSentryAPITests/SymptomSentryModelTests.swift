import HTTPTestSupport
import Foundation
import HTTPCalls
import SymptomSentryAPI
import Testing

@Suite("SymptomSentry: responses")
struct SymptomSentryModelTests {
    private typealias API = SymptomSentryClient

    private func decode<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(json.utf8))
    }

    static func userJSON(_ members: String) -> String {
        #"{"id":"u1","email":"a@example.com","name":"A","analysisCount":2,\#(members)}"#
    }

    @Test(
        "a subscription is a string or an enumeration; an unknown one is kept, and grants what the free one does",
        arguments: [
            (#""free""#, SymptomSentryClient.SubscriptionType.free), (#""premium""#, .premium),
            (#"{"premium":{}}"#, .premium),
            (#"{"free":{}}"#, .free), (#""platinum""#, .init(rawValue: "platinum")), (#""""#, .init(rawValue: "")),
            ("{}", .free),
        ])
    func subscriptionIsReadAsTextOrEnumeration(_ json: String, _ expected: SymptomSentryClient.SubscriptionType) throws
    {
        let user: API.User = try decode(Self.userJSON(#""subscription":\#(json)"#))
        #expect(user.subscription == expected)
    }

    @Test(
        "the date of a reset is a string, a number or missing",
        arguments: [
            (#""2025-06-01T00:00:00Z""#, 1_748_736_000), (#""2025-06-01T00:00:00.125Z""#, 1_748_736_000.125),
            (#""2025-06-01T02:00:00.125000+02:00""#, 1_748_736_000.125), ("1748736000", 1_748_736_000),
            ("1748736000.125", 1_748_736_000.125), ("null", nil), (#""yesterday""#, nil), ("1e300", nil), ("{}", nil),
        ] as [(String, Double?)])
    func resetDateIsReadInEveryForm(_ json: String, _ seconds: Double?) throws {
        let user: API.User = try decode(Self.userJSON(#""subscription":"free","lastResetDate":\#(json)"#))
        #expect(user.lastResetDate?.timeIntervalSince1970 == seconds)
    }

    @Test(
        "only the date of a user is optional",
        arguments: ["id", "email", "name", "subscription", "analysisCount"])
    func onlyResetDateMayBeMissing(_ member: String) throws {
        let whole = Self.userJSON(#""subscription":"free""#)
        let user: API.User = try decode(whole)
        #expect(user.lastResetDate == nil)
        let damaged = whole.replacing("\"\(member)\":", with: "\"other\":")
        #expect(throws: DecodingError.self) { try decode(damaged, as: API.User.self) }
    }

    @Test("an encoded user is decoded unchanged")
    func userRoundTrips() throws {
        let user = API.User(
            id: "u1", email: "a@example.com", name: "A", subscription: .premium, analysisCount: 7,
            lastResetDate: Date(timeIntervalSince1970: 1_748_736_000.25))
        let json = try JSONEncoder().encode(user)
        #expect(String(decoding: json, as: UTF8.self).contains(#""2025-06-01T00:00:00.250000Z""#))
        #expect(try JSONDecoder().decode(API.User.self, from: json) == user)
    }

    @Test(
        "five analyses per month are free",
        arguments: [(.free, 0, 5), (.free, 4, 1), (.free, 5, 0), (.free, 9, 0), (.free, -1, 5), (.premium, 900, nil)]
            as [(SymptomSentryClient.SubscriptionType, Int, Int?)])
    func freePlanHasFiveAnalyses(_ subscription: SymptomSentryClient.SubscriptionType, _ count: Int, _ left: Int?) {
        let user = API.User(id: "u", email: "e", name: "n", subscription: subscription, analysisCount: count)
        #expect(user.remainingAnalyses == left)
    }

    static func conditionJSON(_ id: String) -> String {
        #"""
        {"id":"\#(id)","name":"N","confidence":0.8,"description":"D","symptoms":["s"],
        "isPotentiallySerious":false,"recommendConsultation":true}
        """#
    }

    static func analysisJSON(_ more: String = "", conditions: String...) -> String {
        let list = conditions.map(conditionJSON).joined(separator: ",")
        return #"{"id":"a1","type":"ear","conditions":[\#(list)]\#(more)}"#
    }

    @Test(
        "the time of an analysis is a string or a number, or nil if it is missing",
        arguments: [
            (#""2025-06-01T00:00:00Z""#, 1_748_736_000), (#""2025-06-01T00:00:00.5Z""#, 1_748_736_000.5),
            ("1748736000", 1_748_736_000), ("null", nil), (#""soon""#, nil),
        ] as [(String, Double?)])
    func analysisTimestampIsReadInEveryForm(_ json: String, _ seconds: Double?) throws {
        let body = Self.analysisJSON(#","timestamp":\#(json),"user":"u1","user_id":"u1""#)
        let response: API.AnalysisResponse = try decode(body)
        #expect(response.timestamp?.timeIntervalSince1970 == seconds)
        #expect(response.userID == "u1")
        let saved: API.Analysis = try decode(body)
        #expect(saved.timestamp?.timeIntervalSince1970 == seconds)
        #expect(saved.userID == "u1")
    }

    @Test("the first two conditions are the primary and the secondary one")
    func firstTwoConditionsArePrimaryAndSecondary() throws {
        let none: API.AnalysisResponse = try decode(Self.analysisJSON())
        #expect(none.primaryCondition == nil && none.secondaryCondition == nil)
        let one: API.AnalysisResponse = try decode(Self.analysisJSON(conditions: "c1"))
        #expect(one.primaryCondition?.id == "c1" && one.secondaryCondition == nil)
        let three: API.AnalysisResponse = try decode(Self.analysisJSON(conditions: "c1", "c2", "c3"))
        #expect(three.primaryCondition?.id == "c1" && three.secondaryCondition?.id == "c2")
        #expect(three.primaryCondition?.treatmentInfo == nil)
    }

    @Test(
        "an analysis without its required values is invalid",
        arguments: [
            #"{"type":"ear","conditions":[]}"#, #"{"id":"a","conditions":[]}"#, #"{"id":"a","type":"ear"}"#,
            #"{"id":"a","type":"nose","conditions":[]}"#, #"{"id":"","type":"ear","conditions":[]}"#,
            #"{"id":"a\u001b[2J","type":"ear","conditions":[]}"#, #"{"id":"a","type":"ear","conditions":[{"id":"c"}]}"#,
            #"{"id":null,"type":"ear","conditions":[]}"#,
        ])
    func incompleteAnalysisIsRejected(_ json: String) {
        #expect(throws: DecodingError.self) { try decode(json, as: API.AnalysisResponse.self) }
        #expect(throws: DecodingError.self) { try decode(json, as: API.Analysis.self) }
    }

    @Test(
        "the counts of a subscription without a limit are ignored",
        arguments: [
            ("free", "5", "3", 5, 3), ("premium", "9223372036854775807", "9223372036854775000", nil, nil),
            ("premium", "9223372036854776000", "null", nil, nil),
        ] as [(String, String, String, Int?, Int?)])
    func unlimitedPlanIgnoresCounts(
        _ plan: String, _ limit: String, _ remaining: String, _ expected: Int?, _ left: Int?
    ) throws {
        let status: API.SubscriptionStatus = try decode(
            """
            {"subscription":"\(plan)","analysisCount":2,"analysisLimit":\(limit),"analysisRemaining":\(remaining),
            "lastResetDate":"2025-06-01T00:00:00Z"}
            """)
        #expect(status.analysisLimit == expected && status.analysisRemaining == left)
    }

    @Test("the token of a login is not shown", arguments: ["tok en", "", "tök"])
    func loginTokenIsNotShown(_ bad: String) throws {
        let user = Self.userJSON(#""subscription":"free""#)
        let response: API.AuthResponse = try decode(#"{"token":"\#(secret)","user":\#(user)}"#)
        #expect(response.token == BearerToken(secret))
        var dumped = "\(response)"
        dump(response, to: &dumped)
        #expect(!dumped.contains(secret))
        #expect(throws: DecodingError.self) {
            try decode(#"{"token":"\#(bad)","user":\#(user)}"#, as: API.AuthResponse.self)
        }
    }
}
