import Foundation
import TestSupport
import Testing

@testable import dev_backend

@Suite("SymptomSentry")
struct SymptomSentryTests {
    private struct User: Decodable {
        var name: String
        var email: String
        var subscription: String
        var analysisCount: Int
    }

    private struct LoggedIn: Decodable {
        var token: String
        var user: User
    }

    private struct Profile: Decodable { var user: User }

    private struct Analysis: Decodable {
        struct Debug: Decodable { var image_data_length: Int }
        struct Found: Decodable { var confidence: Double }
        var id: String
        var type: String
        var conditions: [Found]
        var debug_info: Debug
    }

    private struct Saved: Decodable {
        struct Kept: Decodable { var user_id: String }
        struct Status: Decodable {
            var analysisCount: Int
            var analysisLimit: Int
            var analysisRemaining: Int
        }
        var analysis: Kept
        var subscription: Status
    }

    private static func sampleImageBytes() throws -> [UInt8] {
        Array(try Data(contentsOf: SampleMedia.goodImage(named: "ear-passthrough.jpg")))
    }

    private func makeAnalyzeRequest(image: [UInt8], type: String = "throat") -> RawHTTPRequest {
        .form("/api/analyze", RawMultipartForm().addingField("type", value: type).file("image", "image.jpg", image))
    }

    private func makeLoginRequest(password: String) -> RawHTTPRequest {
        .json("POST", "/api/login", #"{"email":"patient@example.com","password":"\#(password)"}"#).withToken(nil)
    }

    @Test("Logging in, analyzing, saving")
    func loginAnalyzeAndSaveFlow() async throws {
        try await DevBackend.withRunningBackend { (backend) async throws in
            #expect(try await backend.rawReply(to: makeLoginRequest(password: "wrong")).status == 401)
            let loggedIn = try await backend.rawReply(to: makeLoginRequest(password: "correct horse")).json(
                LoggedIn.self)
            #expect(loggedIn.user.subscription == "free")
            let image = try Self.sampleImageBytes()
            let reply = try await backend.rawReply(
                to: makeAnalyzeRequest(image: image, type: "ear").withToken(loggedIn.token))
            #expect(reply.status == 200)
            let analysis = try reply.json(Analysis.self)
            #expect(analysis.type == "ear")
            #expect(analysis.debug_info.image_data_length == image.count)
            #expect(analysis.conditions.count == 2)
            let save = RawHTTPRequest.json(
                "POST", "/api/save-analysis", #"{"id":"\#(analysis.id)","type":"ear","conditions":[]}"#)
            let saved = try await backend.rawReply(to: save).json(Saved.self)
            #expect(saved.analysis.user_id == "user-1")
            #expect(saved.subscription.analysisCount == 1)
            #expect(saved.subscription.analysisLimit == 5)
            #expect(saved.subscription.analysisRemaining == 4)
        }
    }

    @Test("Five analyses are free, and further ones need another subscription")
    func freeQuotaIsFiveAnalyses() async throws {
        try await DevBackend.withRunningBackend { (backend) async throws in
            let image = try Self.sampleImageBytes()
            for _ in 0..<5 { #expect(try await backend.rawReply(to: makeAnalyzeRequest(image: image)).status == 200) }
            let reply = try await backend.rawReply(to: makeAnalyzeRequest(image: image))
            #expect(reply.status == 429)
            #expect(reply.code == "quota-exceeded")
            #expect(reply.head["retry-after"] == nil)
            #expect(try backend.storedForms().count == 5)
            let premium = RawHTTPRequest.json("POST", "/api/update-subscription", #"{"subscription":"premium"}"#)
            #expect(try await backend.rawReply(to: premium).json(Profile.self).user.subscription == "premium")
            #expect(try await backend.rawReply(to: makeAnalyzeRequest(image: image)).status == 200)
        }
    }

    @Test("A repeated key does not use up an analysis")
    func repeatedKeyConsumesNoAnalysis() async throws {
        try await DevBackend.withRunningBackend { (backend) async throws in
            let request = makeAnalyzeRequest(image: try Self.sampleImageBytes()).addingHeader(
                "Idempotency-Key", value: "k")
            let replies = try await [backend.rawReply(to: request), backend.rawReply(to: request)]
            #expect(replies[0].body == replies[1].body)
            let profile = try await backend.rawReply(to: .get("/api/user-profile")).json(Profile.self)
            #expect(profile.user.analysisCount == 1)
        }
    }

    @Test("An invalid JPEG, analysis or profile is rejected")
    func invalidRequestIsRejected() async throws {
        let image = try Self.sampleImageBytes()
        let requests: [(RawHTTPRequest, Int, String)] = [
            (makeAnalyzeRequest(image: image, type: "nose"), 400, "invalid-type"),
            (makeAnalyzeRequest(image: Array("no image".utf8)), 400, "invalid-image"),
            (makeAnalyzeRequest(image: Array(image.prefix(image.count / 2))), 400, "invalid-image"),
            (
                .form(
                    "/api/analyze",
                    RawMultipartForm().addingField("type", value: "ear").file("photo", "image.jpg", image)), 400,
                "invalid-image"
            ),
            (.json("POST", "/api/save-analysis", #"{"id":"","type":"ear","conditions":[]}"#), 400, "invalid-analysis"),
            (.json("POST", "/api/save-analysis", #"{"id":"#), 400, "invalid-json"),
            (.json("PUT", "/api/update-profile", #"{"name":""}"#), 400, "invalid-profile"),
            (.json("POST", "/api/update-subscription", #"{"subscription":"gold"}"#), 400, "invalid-subscription"),
            (RawHTTPRequest.get("/api/user-profile").withToken("wrong"), 401, "unauthorized"),
        ]
        try await DevBackend.withRunningBackend { (backend) async throws in
            for (request, status, code) in requests {
                let reply = try await backend.rawReply(to: request)
                #expect(reply.status == status)
                #expect(reply.code == code)
            }
            let profile = try await backend.rawReply(to: .get("/api/user-profile")).json(Profile.self)
            #expect(profile.user.analysisCount == 0)
        }
    }

    @Test("The members of a profile can be changed one by one")
    func profilePartsAreChangedIndividually() async throws {
        try await DevBackend.withRunningBackend { (backend) async throws in
            _ = try await backend.rawReply(to: .json("PUT", "/api/update-profile", #"{"name":"Ada"}"#))
            let user = try await backend.rawReply(to: .get("/api/user-profile")).json(Profile.self).user
            #expect(user.name == "Ada")
            #expect(user.email == "patient@example.com")
        }
    }
}
