import HTTPTestSupport
import HTTPTypes
import PetVisitsAPI
import Testing

@testable import HTTPCalls

@Suite("PetVisits: uploads that failed")
struct PetVisitsResumeTests {
    private static let recorded = TransportResponse.json(
        409, #"{"error":true,"message":"Has one.","code":"already-recorded"}"#)

    @Test(
        "the error of a failed transfer has the visit, and the upload is resumed to it",
        arguments: [TransportResponse.json(502, "{}"), .json(422, "{}"), .json(503, "{}"), .json(201, "[]")])
    func failedTransferIsResumed(_ failure: TransportResponse) async throws {
        let audio = try PetVisitsClient.AudioItem(.makeAudio())
        let error = await callError { () async throws(CallError) in
            try await makeAPI(PetVisitsStub.makeServer(transfer: failure)).uploadAudio(
                audio, petID: "Pet1", appointmentID: "ABC123")
        }
        let visit = try #require(error?.resumeReference)
        #expect(visit == "visit of Pet1")
        let again = await callError { () async throws(CallError) in
            try await makeAPI(PetVisitsStub.makeServer(transfer: failure)).uploadAudio(
                audio, petID: "Pet1", appointmentID: "ABC123", visitID: visit)
        }
        #expect(again?.resumeReference == visit)
        let transport = PetVisitsStub.makeServer()
        #expect(
            try await makeAPI(transport).uploadAudio(
                audio, petID: "Pet1", appointmentID: "ABC123", visitID: visit)
                == visit)
        #expect(
            transport.calls == [
                "GET \(PetVisitsStub.base)/appointments/ABC123",
                "POST \(PetVisitsStub.base)/visits/visit%20of%20Pet1/audio",
            ])
    }

    @Test("a failed announcement has no visit")
    func failedAnnouncementHasNoVisit() async throws {
        let error = await callError { () async throws(CallError) in
            try await makeAPI(PetVisitsStub.makeServer(initiate: .json(502, "{}"))).uploadAudio(
                .init(.makeAudio()), petID: "Pet1", appointmentID: "ABC123")
        }
        #expect(error?.code == .outcomeUnknown && error?.resumeReference == nil)
    }

    @Test(
        "if the visit has audio already, the earlier transfer succeeded, but only for the same pet",
        arguments: [("Pet1", true), ("Pet2", false)])
    func resumedVisitMayBeRecorded(_ pet: String, _ isRecorded: Bool) async throws {
        let visit = #"{"visit_id":"visit of Pet1","pet_id":"\#(pet)","appointment_id":"ABC123"}"#
        let api = makeAPI(PetVisitsStub.makeServer(transfer: Self.recorded, visits: visit))
        let audio = try PetVisitsClient.AudioItem(.makeAudio())
        do throws(CallError) {
            _ = try await api.uploadAudio(
                audio, petID: "Pet1", appointmentID: "ABC123", visitID: "visit of Pet1")
            #expect(isRecorded)
        } catch {
            #expect(!isRecorded && error.serverMessage?.code == "already-recorded")
            #expect(error.resumeReference == "visit of Pet1")
        }
    }

    @Test("all requests of an upload belong to one account")
    func uploadBelongsToOneAccount() async throws {
        let token = try #require(BearerToken("alice")), other = try #require(BearerToken("bob"))
        let session = Session(Credentials(token: token, accountID: "alice"))
        let working = PetVisitsStub.makeServer()
        let transport = StubTransport { (request) async throws(TransportError) in
            // Bob signs in while the announcement is answered.
            if "\(request.endpoint)".hasSuffix("initiate") {
                try? session.signIn(Credentials(token: other, accountID: "bob"))
            }
            return try await working.send(request)
        }
        let api = PetVisitsClient(baseEndpoint: .test, client: HTTPClient(transport: transport, session: session))
        let error = await callError { () async throws(CallError) in
            try await api.uploadAudio(.init(.makeAudio()), petID: "Pet1", appointmentID: "ABC123")
        }
        #expect(error?.code == .signedOut && error?.resumeReference == "visit of Pet1")
        #expect(transport.requests.map(\.bearerToken?.secret) == ["alice", "alice"])
    }

    @Test("no call is made with an id that would change the URL's path", arguments: [".", "..", " ", ""])
    func idsInPaths(_ id: String) async throws {
        let transport = PetVisitsStub.makeServer()
        let api = makeAPI(transport)
        let request = PetVisitsClient.AudioUploadRequest(
            audio: try .init(.makeAudio()), petID: "Pet1", appointmentID: "ABC123")
        let errors = [
            await callError { () async throws(CallError) in try await api.appointment(id: id) },
            await callError { () async throws(CallError) in try await api.visits(appointmentID: id) },
            await callError { () async throws(CallError) in
                try await api.transferAudio(.init(.makeAudio()), request: request, visitID: id)
            },
        ]
        #expect(errors.allSatisfy { $0?.code == .validationFailed })
        #expect(transport.requests.isEmpty)
    }
}
