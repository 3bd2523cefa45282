import Foundation
import HTTPCalls
import HTTPTestSupport
import KSRCranesAPI
import MessagesAPI
import PetVisitsAPI
import SymptomSentryAPI
import MultipartBody
import Testing
import TestSupport

/// The refusals of the services themselves.
@Suite("Refusals of each service, over HTTP")
struct ServiceRefusalTests {
    private func makeClient(_ kind: TransportKind, _ session: Session, _ policy: RetryPolicy = RetryPolicy()) throws
        -> HTTPClient
    {
        HTTPClient(transport: try kind.makeTransport(), session: session, retryPolicy: policy.hurried)
    }

    @Test("SymptomSentry", arguments: TransportKind.allCases)
    func symptomSentry(_ kind: TransportKind) async throws {
        try await RunningBackend.withBackend(freeAnalysesPerMonth: 0) { backend in
            let session = Session()
            let client = SymptomSentryClient(
                baseEndpoint: try Endpoint(backend.url),
                client: try makeClient(kind, session, SymptomSentryClient.retryPolicy))
            let signedOut = await failure { _ = try await client.profile() }
            #expect(signedOut == "signed-out: Authentication failed. Please log in again.")
            let login = await failure { _ = try await client.login(email: "patient@example.com", password: "p") }
            #expect(login == "unauthorized 401: The email address or the password is wrong.")
            let account = try await client.login(email: "patient@example.com", password: "correct horse")
            try session.signIn(Credentials(token: account.token))
            let taken = await failure {
                _ = try await client.register(email: "patient@example.com", password: "long enough", name: "N")
            }
            #expect(taken == "refused 409: There is an account of this address.")
            let unknown = await failure { _ = try await client.request("/api/login", as: [Int].self) }
            #expect(unknown == "refused 404: There is nothing here.")
            let image = await failure { _ = try await client.analyze(.makeImage("no image"), type: .ear) }
            #expect(image == "refused 400: The image is not a decodable JPEG.")
            let jpeg = try Data(contentsOf: SampleMedia.goodImage(named: "ear-passthrough.jpg"))
            let file = MediaFile(content: .bytes(Array(jpeg)), mediaType: "image/jpeg", filename: "image.jpg")
            let quota = await failure { _ = try await client.analyze(file, type: .ear) }
            #expect(quota == "quota-exhausted 429: You've reached your analysis limit for this month.")
        }
    }

    @Test("Pet visits", arguments: TransportKind.allCases)
    func petVisits(_ kind: TransportKind) async throws {
        try await RunningBackend.withBackend { backend in
            let endpoint = try Endpoint(backend.url)
            let client = PetVisitsClient(
                baseEndpoint: endpoint, client: try makeClient(kind, Session(token: "dev-token")))
            let token = await failure {
                let stranger = PetVisitsClient(
                    baseEndpoint: endpoint, client: try makeClient(kind, Session(token: "x")))
                _ = try await stranger.appointment(id: "ABC123")
            }
            #expect(token == "unauthorized 401: A valid token is required.")
            let unknown = await failure { _ = try await client.appointment(id: "XYZ") }
            #expect(unknown == "refused 404: There is nothing here.")
            let audio = try PetVisitsClient.AudioItem(.makeAudio())
            let foreign = PetVisitsClient.AudioUploadRequest(audio: audio, petID: "Pet4", appointmentID: "ABC123")
            let pet = await failure { _ = try await client.initiateAudioUpload(foreign) }
            #expect(pet == "refused 422: The pet doesn't belong to the appointment.")
            let request = PetVisitsClient.AudioUploadRequest(audio: audio, petID: "Pet1", appointmentID: "ABC123")
            let visit = try await client.initiateAudioUpload(request)
            let noise = await failure { try await client.transferAudio(audio, request: request, visitID: visit) }
            #expect(noise == "refused 400: The file is not a recording.")
        }
    }

    @Test("KSR Cranes", arguments: TransportKind.allCases)
    func ksrCranes(_ kind: TransportKind) async throws {
        try await RunningBackend.withBackend { backend in
            let session = Session()
            let client = KSRCranesClient(
                baseEndpoint: try Endpoint(backend.url), client: try makeClient(kind, session))
            let login = await failure { _ = try await client.login(email: "worker@example.com", password: "p") }
            #expect(login == "authenticationError: The email address or the password is wrong.")
            let account = try await client.login(email: "worker@example.com", password: "correct horse")
            try session.signIn(Credentials(token: account.token))
            for role in [
                await failure { _ = try await client.chef.customers() },
                await failure { _ = try await client.manager.approveWorkEntry(id: 1) },
            ] { #expect(role == "httpError 403: Server error (403): Your role may not do this.") }
            let unknown = await failure { _ = try await client.worker.task(id: 99) }
            #expect(unknown == "httpError 404: Server error (404): There is nothing here.")
            let invalid = await failure {
                let body = ["type": "SICK", "startDate": "today"]
                _ = try await client.post(path: "/api/app/leave-requests", body: body, as: [Int].self)
            }
            #expect(invalid == "validationError: Validation failed: endDate is required, startDate is not a date")
        }
    }

    @Test("Messages", arguments: TransportKind.allCases)
    func messages(_ kind: TransportKind) async throws {
        try await RunningBackend.withBackend { backend in
            let session = Session()
            let client = MessagesClient(
                baseEndpoint: try Endpoint(backend.url), client: try makeClient(kind, session))
            let login = await failure { _ = try await client.login(email: "ana.martinez@example.com", password: "p") }
            #expect(login == "unauthorized 401: The email address or the password is wrong.")
            let account = try await client.login(email: "ana.martinez@example.com", password: "correct horse")
            try session.signIn(Credentials(token: account.token))
            for unknown in [
                await failure { _ = try await client.send("a", to: "nobody") },
                await failure { _ = try await client.conversation(with: "nobody") },
            ] { #expect(unknown == "refused 404: Usuario no encontrado") }
            let own = await failure { _ = try await client.send("a", to: account.user.id) }
            #expect(own == "refused 400: No puedes enviarte mensajes")
            let page = await failure { _ = try await client.messages(page: 0) }
            #expect(page == "refused 400: page is invalid: 0.")
            let message = try #require(try await client.messages(.sent).messages.first)
            let foreign = await failure { _ = try await client.markAsRead(messageID: message.id) }
            #expect(foreign == "refused 403: Your role may not do this.")
        }
    }
}
