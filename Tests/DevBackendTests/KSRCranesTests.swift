import Foundation
import TestSupport
import Testing

@testable import dev_backend

@Suite("KSR Cranes")
struct KSRCranesTests {
    private struct Employee: Decodable {
        var employee_id: Int
        var name: String
        var created_at: String
    }

    private struct LoggedIn: Decodable {
        var token: String
        var employee: Employee
    }

    private struct Done: Decodable {
        var success: Bool
        var image_url: String?
        var signature_url: String?
        var signed_at: String?
    }

    @Test("Logging in, the profile, the image, the signature")
    func loginProfileImageAndSignatureFlow() async throws {
        let date = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/
        try await DevBackend.withRunningBackend { (backend) async throws in
            let login = RawHTTPRequest.json(
                "POST", "/api/app/login", #"{"email":"worker@example.com","password":"correct horse"}"#)
            let loggedIn = try await backend.rawReply(to: login.withToken(nil)).json(LoggedIn.self)
            #expect(loggedIn.employee.created_at.wholeMatch(of: date) != nil)
            let token = loggedIn.token
            let renamed = RawHTTPRequest.json("PUT", "/api/app/profile", #"{"name":"Bo"}"#).withToken(token)
            #expect(try await backend.rawReply(to: renamed).json(Done.self).success)
            let profile = try await backend.rawReply(to: RawHTTPRequest.get("/api/app/profile").withToken(token)).json(
                Employee.self)
            #expect(profile.name == "Bo")
            let image = Array(try Data(contentsOf: SampleMedia.goodImage(named: "ear-passthrough.jpg")))
            let photo = RawMultipartForm().addingField("note", value: "x").file("profile_image", "profile.jpg", image)
            let uploaded = try await backend.rawReply(to: .form("/api/app/profile-image", photo)).json(Done.self)
            #expect(uploaded.success && uploaded.image_url != nil)
            let signature = RawMultipartForm().file("signature", "signature.jpg", image)
            let signed = try await backend.rawReply(to: .form("/api/app/signature", signature)).json(Done.self)
            #expect(signed.signed_at?.wholeMatch(of: date) != nil)
            #expect(signed.signature_url != nil)
            var delete = RawHTTPRequest.get("/api/app/profile-image")
            delete.method = "DELETE"
            #expect(try await backend.rawReply(to: delete).json(Done.self).success)
            #expect(try backend.storedForms().map(\.requestPath) == ["/api/app/profile-image", "/api/app/signature"])
        }
    }

    @Test("All invalid values are listed")
    func invalidValuesAreListed() async throws {
        try await DevBackend.withRunningBackend { (backend) async throws in
            let requests: [(RawHTTPRequest, Int)] = [
                (.json("PUT", "/api/app/profile", #"{"name":""}"#), 422),
                (
                    .form(
                        "/api/app/profile-image", RawMultipartForm().file("profile_image", "profile.jpg", [1, 2, 3])),
                    422
                ),
                (.form("/api/app/signature", RawMultipartForm().file("image", "signature.jpg", [1, 2, 3])), 422),
                (RawHTTPRequest.get("/api/app/profile").withToken("wrong"), 401),
            ]
            for (request, status) in requests {
                let reply = try await backend.rawReply(to: request)
                #expect(reply.status == status)
                let refused = try reply.json(RawHTTPClient.ErrorBody.self)
                #expect(refused.error)
                #expect((refused.errors?.count ?? 0) == (status == 422 ? 1 : 0))
            }
            #expect(try backend.storedForms().isEmpty)
        }
    }
}
