import Backends
import Foundation
import HTTPCalls
import KSRCranesAPI
import MediaPrep
import HTTPTestSupport
import Testing
import TestSupport
import Uploading

@Suite("KSRCranes over HTTP")
struct KSRCranesFlowTests {
    private func makeImageItem() async throws -> UploadItem {
        UploadItem(
            try await ImagePreparer(maxDimension: 320).prepare(
                contentsOf: SampleMedia.goodImage(named: "ear-passthrough.jpg")))
    }

    @Test("log in, read and change the profile, send and remove images")
    func loginProfileAndImageFlow() async throws {
        try await RunningBackend.withBackend { backend in
            let session = Session()
            let api = KSRCranesClient(
                baseEndpoint: try Endpoint(backend.url),
                client: HTTPClient(transport: try CurlTransport(), session: session))
            await #expect(throws: KSRCranesError.self) { try await api.profile() }
            await #expect(throws: KSRCranesError.self) {
                try await api.login(email: "worker@example.com", password: "wrong")
            }
            let login = try await api.login(email: "worker@example.com", password: "correct horse")
            try session.signIn(Credentials(token: login.token))
            #expect(login.employee.createdAt != nil)
            _ = try await api.updateProfile(name: "New Name")
            let profile = try await api.profile()
            #expect(profile.name == "New Name" && profile.id == login.employee.id)

            let image = try await api.uploadProfileImage(
                try await makeImageItem().mediaFile, fields: [FormField(name: "caption", value: "me")])
            #expect(image.imageURL.hasSuffix(".jpg"))
            let signature = try await api.uploadSignature(try await makeImageItem().mediaFile)
            #expect(abs(signature.signedAt.timeIntervalSinceNow) < 3600)
            let items = try backend.storedItems()
            #expect(items.map(\.path) == ["/api/app/profile-image", "/api/app/signature"])
            #expect(items[0].fields == ["caption=me"])
            #expect(items[0].files[0].hasPrefix("profile_image profile.jpg image/jpeg "))
            #expect(items[1].files[0].hasPrefix("signature signature.jpg image/jpeg "))
            _ = try await api.deleteProfileImage()
        }
    }

    @Test("validation errors of the server are a list")
    func validationErrorsAreListed() async throws {
        try await RunningBackend.withBackend { backend in
            let client = HTTPClient(
                transport: try CurlTransport(), session: Session(token: "dev-token"))
            let api = KSRCranesClient(baseEndpoint: try Endpoint(backend.url), client: client)
            do throws(KSRCranesError) {
                _ = try await api.updateProfile(name: "")
                Issue.record("nothing was thrown")
            } catch {
                guard case .validationError(let errors) = error else { throw error }
                #expect(errors == ["name is required"])
            }
        }
    }

    @Test("a batch of signatures")
    func signatureBatchIsUploaded() async throws {
        try await RunningBackend.withBackend { backend in
            let client = HTTPClient(
                transport: try CurlTransport(), session: Session(token: "dev-token"))
            let upload = KSRCranesClient.Destination(baseEndpoint: try Endpoint(backend.url), imageKind: .signature)
            let (results, _) = try await UploadHarness().upload([try await makeImageItem()], to: upload, client)
            #expect(results[0].status == .acknowledged && results[0].serverID?.hasPrefix("/signatures/") == true)
        }
    }
}
