import Backends
import Foundation
import HTTPTestSupport
import HTTPTypes
import Ledger
import MultipartBody
import PetVisitsAPI
import Testing
import UploadRecords

@testable import HTTPCalls
@testable import Uploading

@Suite("PetVisits: uploads of earlier runs")
struct PetVisitsEarlierRunTests {
    private static let recorded = TransportResponse.json(
        409, #"{"error":true,"message":"Has one.","code":"already-recorded"}"#)

    @Test("a failure to get the appointment is not cached")
    func failedAppointmentFetchIsNotCached() async throws {
        let working = PetVisitsStub.makeServer()
        let failures = StubTransport(.json(404, "{}"), .json(200, "{}"))
        let transport = StubTransport { (request) async throws(TransportError) in
            if request.method == .get && failures.requests.count < 2 {
                return try await failures.send(request)
            }
            return try await working.send(request)
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
