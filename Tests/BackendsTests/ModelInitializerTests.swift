import Backends
import Foundation
import HTTPCalls
import KSRCranesAPI
import PetVisitsAPI
import SymptomSentryAPI
import Testing
import TestSupport
import Uploading

@Suite("An app can make every model itself, for previews and tests")
struct ModelInitializerTests {
    private static func decode<Value: Decodable>(_ json: String) throws -> Value {
        try KSRCranesClient.makeJSONDecoder().decode(Value.self, from: Data(json.utf8))
    }

    private static let date = Date(timeIntervalSince1970: 1_748_736_000)
    private static let time = "2025-06-01T00:00:00Z"

    @Test("a model that is made is equal to one that is decoded")
    func madeModelsEqualDecodedOnes() throws {
        let token = try #require(BearerToken("t"))
        let condition = SymptomSentryClient.Condition(
            id: "c", name: "n", confidence: 0.5, description: "d", symptoms: [], isPotentiallySerious: false,
            recommendConsultation: true)
        let conditionJSON = """
            {"id":"c","name":"n","confidence":0.5,"description":"d","symptoms":[],"isPotentiallySerious":false,
            "recommendConsultation":true}
            """
        let user = SymptomSentryClient.User(id: "u", email: "e", name: "n", lastResetDate: Self.date)
        let userJSON = """
            {"id":"u","email":"e","name":"n","subscription":"free","analysisCount":0,"lastResetDate":"\(Self.time)"}
            """
        #expect(
            try SymptomSentryClient.AuthResponse(token: token, user: user)
                == Self.decode(#"{"token":"t","user":\#(userJSON)}"#))
        let analysis = SymptomSentryClient.Analysis(
            id: "a", type: .ear, conditions: [condition], timestamp: Self.date, userID: "u")
        let status = SymptomSentryClient.SubscriptionStatus(
            subscription: .free, analysisCount: 1, analysisLimit: 5, analysisRemaining: 4, lastResetDate: Self.date)
        #expect(
            try SymptomSentryClient.SaveAnalysisResponse(message: "m", analysis: analysis, subscription: status)
                == Self.decode(
                    """
                    {"message":"m","analysis":{"id":"a","type":"ear","conditions":[\(conditionJSON)],
                    "timestamp":"\(Self.time)","user_id":"u"},"subscription":{"subscription":"free","analysisCount":1,
                    "analysisLimit":5,"analysisRemaining":4,"lastResetDate":"\(Self.time)"}}
                    """))

        let pet = PetVisitsClient.Pet(id: "Pet1", name: "A")
        #expect(
            try PetVisitsClient.Appointment(id: "ABC123", pets: [pet])
                == Self.decode(#"{"id":"ABC123","pets":[{"id":"Pet1","name":"A"}]}"#))
        #expect(
            try PetVisitsClient.Visit(
                id: "v", petID: "Pet1", appointmentID: "ABC123", filename: "f", contentType: "audio/mp4",
                durationSeconds: 2)
                == Self.decode(
                    """
                    {"visit_id":"v","pet_id":"Pet1","appointment_id":"ABC123","filename":"f",
                    "content_type":"audio/mp4","duration_seconds":2}
                    """))

        let employee = KSRCranesClient.Employee(id: 7, name: "n", role: "worker", createdAt: Self.date)
        #expect(
            try KSRCranesClient.LoginResponse(token: token, employee: employee)
                == Self.decode(
                    """
                    {"token":"t","employee":{"employee_id":7,"name":"n","role":"worker","created_at":"\(Self.time)"}}
                    """))
        #expect(
            try KSRCranesClient.MessageResponse(success: true, message: "m")
                == Self.decode(#"{"success":true,"message":"m"}"#))
        #expect(
            try KSRCranesClient.ProfileImageResponse(message: "m", imageURL: "/i")
                == Self.decode(#"{"message":"m","image_url":"/i"}"#))
        #expect(
            try KSRCranesClient.SignatureResponse(message: "m", signatureURL: "/s", signedAt: Self.date)
                == Self.decode(#"{"message":"m","signature_url":"/s","signed_at":"\#(Self.time)"}"#))
    }

    @Test("every public structure has a public initializer")
    func everyPublicStructureHasInitializer() throws {
        let sources = SampleMedia.repositoryURL.appending(path: "Sources")
        let modules = ["Backends", "SymptomSentryAPI", "PetVisitsAPI", "KSRCranesAPI", "MessagesAPI", "GameModels"]
        let paths = modules.flatMap { module in
            let files = FileManager.default.enumerator(atPath: sources.appending(path: module).path)
            return files?.compactMap { ($0 as? String).map { "\(module)/\($0)" } } ?? []
        }
        var count = 0
        for path in paths where path.hasSuffix(".swift") {
            let source = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
            // Groups of calls are made by their client.
            for match in source.matches(of: #/(?m)^( *)public struct (\w+)/#) where !match.2.hasSuffix("Calls") {
                // The body ends at the next line with the same indentation.
                let body = source[match.range.upperBound...]
                let end = body.firstRange(of: "\n\(match.1)}")?.lowerBound ?? body.endIndex
                let initializers = body[..<end].matches(of: #/(?m)^\s*public init\((?!from decoder)/#)
                #expect(!initializers.isEmpty, "\(path): \(match.2)")
                count += 1
            }
        }
        #expect(count > 20)
    }
}
