import Backends
import Foundation
import HTTPTypes
import Ledger
import MediaPrep
import MultipartBody
import PetVisitsAPI
import Testing
import TestSupport
import UploadRecords

@testable import HTTPCalls
@testable import Uploading

@Suite("PetVisits: uploads that failed, and those of earlier runs")
struct PetVisitsResumeTests {
    @Test(
        "the error of a failed transfer has the visit, and the upload is resumed to it",
        arguments: [TransportResponse.json(502, "{}"), .json(422, "{}"), .json(503, "{}"), .json(201, "[]")])
    func failedTransferIsResumed(_ failure: TransportResponse) async throws {
        let audio = try PetVisitsClient.AudioItem(.makeAudio())
        let error = await callError { () async throws(CallError) in
            try await PetVisitsStub.makeAPI(PetVisitsStub.makeServer(transfer: failure)).uploadAudio(
                audio, petID: "Pet1", appointmentID: "ABC123")
        }
        let visit = try #require(error?.resumeReference)
        #expect(visit == "visit of Pet1")
        let again = await callError { () async throws(CallError) in
            try await PetVisitsStub.makeAPI(PetVisitsStub.makeServer(transfer: failure)).uploadAudio(
                audio, petID: "Pet1", appointmentID: "ABC123", visitID: visit)
        }
        #expect(again?.resumeReference == visit)
        let transport = PetVisitsStub.makeServer()
        #expect(
            try await PetVisitsStub.makeAPI(transport).uploadAudio(
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
            try await PetVisitsStub.makeAPI(PetVisitsStub.makeServer(initiate: .json(502, "{}"))).uploadAudio(
                .init(.makeAudio()), petID: "Pet1", appointmentID: "ABC123")
        }
        #expect(error?.code == .outcomeUnknown && error?.resumeReference == nil)
    }

    @Test(
        "if the visit has audio already, the earlier transfer succeeded, but only for the same pet",
        arguments: [("Pet1", true), ("Pet2", false)])
    func resumedVisitMayBeRecorded(_ pet: String, _ isRecorded: Bool) async throws {
        let visit = #"{"visit_id":"visit of Pet1","pet_id":"\#(pet)","appointment_id":"ABC123"}"#
        let api = PetVisitsStub.makeAPI(PetVisitsStub.makeServer(transfer: Self.recorded, visits: visit))
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
        let transport = StubTransport { (request) throws(TransportError) in
            // Bob signs in while the announcement is answered.
            if "\(request.endpoint)".hasSuffix("initiate") {
                try? session.signIn(Credentials(token: other, accountID: "bob"))
            }
            return try working.nextResponse(for: request)
        }
        let api = PetVisitsClient(baseEndpoint: .test, client: HTTPClient(transport: transport, session: session))
        let error = await callError { () async throws(CallError) in
            try await api.uploadAudio(.init(.makeAudio()), petID: "Pet1", appointmentID: "ABC123")
        }
        #expect(error?.code == .signedOut && error?.resumeReference == "visit of Pet1")
        #expect(transport.requests.map(\.bearerToken?.secret) == ["alice", "alice"])
    }

    @Test("a failure to get the appointment is not cached")
    func failedAppointmentFetchIsNotCached() async throws {
        let working = PetVisitsStub.makeServer()
        let failures = StubTransport(.json(404, "{}"), .json(200, "{}"))
        let transport = StubTransport { (request) throws(TransportError) in
            if request.method == .get && failures.requests.count < 2 {
                return try failures.nextResponse(for: request)
            }
            return try working.nextResponse(for: request)
        }
        let items = (1...3).map { UploadItem.makeAudio("\($0)") }
        let upload = PetVisitsClient.Destination(baseEndpoint: .test, defaultAppointmentID: "ABC123")
        let (results, _) = try await UploadHarness().upload(items, to: upload, HTTPClient(stub: transport))
        #expect(results.map { $0.error?.code } == [.rejectedByServer, .invalidResponse, nil])
    }

    @Test("equal recordings of two pets are two visits, of one pet one")
    func equalRecordingsOfTwoPetsAreDistinct() async throws {
        let transport = PetVisitsStub.makeServer()
        let items: [UploadItem] = [.makeAudio(), .makeAudio(pet: "Pet2"), .makeAudio()]
        let upload = PetVisitsClient.Destination(baseEndpoint: .test, defaultAppointmentID: "ABC123")
        let (results, _) = try await UploadHarness().upload(items, to: upload, HTTPClient(stub: transport))
        #expect(results.map(\.status) == [.acknowledged, .acknowledged, .duplicate])
        #expect(results.map(\.serverID) == ["visit of Pet1", "visit of Pet2", "visit of Pet1"])
    }

    @Test("an announced visit is not announced again", arguments: [false, true])
    func announcedVisitIsNotAnnouncedAgain(_ honorsKeys: Bool) async throws {
        let journal = try UploadHarness()
        let upload = PetVisitsClient.Destination(
            baseEndpoint: .test, defaultAppointmentID: "ABC123", honorsIdempotencyKeys: honorsKeys)
        let broken = PetVisitsStub.makeServer(transfer: .json(503, "{}"))
        let first = try await journal.upload([.makeAudio()], to: upload, HTTPClient(stub: broken))
        #expect(first.results[0].error?.code == .serverUnreachable)
        let transport = PetVisitsStub.makeServer()
        let second = try await journal.upload([.makeAudio()], to: upload, HTTPClient(stub: transport))
        #expect(second.results[0].status == .acknowledged && second.results[0].serverID == "visit of Pet1")
        #expect(!transport.calls.contains { $0.hasSuffix("initiate") })
        let keys = [broken.requests.last, broken.requests[2], transport.requests.last].map {
            $0?.headerFields[.idempotencyKey]
        }
        #expect(Set(keys).count == 1 && (keys[0] != nil) == honorsKeys)
    }

    @Test("the uncertainty of an announcement ends when a later one returns a visit")
    func uncertainAnnouncementIsResolvedByLaterVisit() async throws {
        let journal = try UploadHarness()
        let upload = PetVisitsClient.Destination(baseEndpoint: .test, defaultAppointmentID: "ABC123")
        let lost = PetVisitsStub.makeServer(initiate: .json(502, "{}"))
        let first = try await journal.upload([.makeAudio()], to: upload, HTTPClient(stub: lost))
        #expect(first.results[0].status == .outcomeUnknown)
        let refusing = PetVisitsStub.makeServer(transfer: .json(422, "{}"))
        let second = try await journal.upload(
            [.makeAudio()], to: upload, HTTPClient(stub: refusing), retriesUnknown: true)
        #expect(second.results[0].status == .failed)
        let transport = PetVisitsStub.makeServer()
        let third = try await journal.upload([.makeAudio()], to: upload, HTTPClient(stub: transport))
        #expect(third.results[0].status == .acknowledged)
        #expect(!transport.calls.contains { $0.hasSuffix("initiate") })
    }

    @Test(
        "a visit in the ledger that would change the URL's path is treated as damage",
        arguments: [".", "..", "", "a\n"])
    func plantedVisit(_ visit: String) async throws {
        let journal = try UploadHarness()
        let upload = PetVisitsClient.Destination(baseEndpoint: .test, defaultAppointmentID: "ABC123")
        let item = UploadItem.makeAudio()
        var record = UploadRecord(identity: try upload.uploadKey(for: item).uploadIdentity(sha256: item.sha256))
        record.resumeReference = visit
        try await journal.keep(record)
        let transport = PetVisitsStub.makeServer()
        let (results, _) = try await journal.upload([item], to: upload, HTTPClient(stub: transport))
        #expect(results[0].error?.code == .journalFailed)
        #expect(transport.calls == ["GET \(PetVisitsStub.base)/appointments/ABC123"])
    }

    @Test("no call is made with an id that would change the URL's path", arguments: [".", "..", " ", ""])
    func idsInPaths(_ id: String) async throws {
        let transport = PetVisitsStub.makeServer()
        let api = PetVisitsStub.makeAPI(transport)
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

    private static let recorded = TransportResponse.json(
        409, #"{"error":true,"message":"Has one.","code":"already-recorded"}"#)

    @Test(
        "if the server lists the visit with audio, an earlier run sent it",
        arguments: [("Pet1", UploadResult.Status.acknowledged), ("Pet2", .outcomeUnknown)])
    func recordedVisitIsRecognizedFromEarlierRun(_ pet: String, _ status: UploadResult.Status) async throws {
        let journal = try UploadHarness()
        let upload = PetVisitsClient.Destination(baseEndpoint: .test, defaultAppointmentID: "ABC123")
        let lost = PetVisitsStub.makeServer(transfer: .json(502, "{}"))
        let first = try await journal.upload([.makeAudio()], to: upload, HTTPClient(stub: lost))
        #expect(first.results[0].status == .outcomeUnknown)
        let visit =
            #"{"visit_id":"visit of Pet1","pet_id":"\#(pet)","appointment_id":"ABC123","duration_seconds":null}"#
        let transport = PetVisitsStub.makeServer(transfer: Self.recorded, visits: visit)
        let second = try await journal.upload(
            [.makeAudio()], to: upload, HTTPClient(stub: transport), retriesUnknown: true)
        #expect(second.results[0].status == status)
        #expect(transport.calls.filter { $0.hasPrefix("POST") }.count == 1)
    }

    @Test("a visit that was created just now and has audio belongs to another upload")
    func newVisitWithRecordingIsRejected() async throws {
        let visit = #"{"visit_id":"visit of Pet1","pet_id":"Pet1","appointment_id":"ABC123"}"#
        let transport = PetVisitsStub.makeServer(transfer: Self.recorded, visits: visit)
        let upload = PetVisitsClient.Destination(baseEndpoint: .test, defaultAppointmentID: "ABC123")
        let (results, _) = try await UploadHarness().upload([.makeAudio()], to: upload, HTTPClient(stub: transport))
        #expect(
            results[0].error?.code == .rejectedByServer && results[0].error?.serverMessage?.code == "already-recorded")
    }
}
