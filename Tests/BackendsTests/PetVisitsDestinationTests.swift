import Backends
import Foundation
import HTTPTestSupport
import HTTPTypes
import MediaPrep
import PetVisitsAPI
import MultipartBody
import Testing
import TestSupport

@testable import HTTPCalls
@testable import Uploading

@Suite("PetVisits: uploads")
struct PetVisitsDestinationTests {
    @Test(
        "both ids are needed", arguments: [("", "ABC123"), ("Pet1", ""), (" \n", "ABC123"), ("Pet1", "\t"), ("", "")])
    func bothIDsAreRequired(_ pet: String, _ appointment: String) {
        let upload = PetVisitsClient.Destination(baseEndpoint: .test, defaultAppointmentID: appointment)
        #expect(throws: CallError.self) { try upload.uploadKey(for: .makeAudio(pet: pet)) }
    }

    @Test("only a recording is uploaded", arguments: ["image/jpeg", "video/mp4", "application/octet-stream"])
    func onlyAudioIsUploaded(_ type: String) {
        let item = UploadItem(
            name: "a", bytes: [1], mediaType: type, filename: "a", fields: [FormField(name: "pet_id", value: "Pet1")])
        #expect(throws: CallError.self) {
            try PetVisitsClient.Destination(baseEndpoint: .test, defaultAppointmentID: "ABC123").uploadKey(for: item)
        }
    }

    @Test(
        "the type, extension and duration of audio are determined from its content",
        arguments: [
            ("visit-note.wav", "audio/wav", "wav"), ("visit-note.flac", "audio/flac", "flac"),
            ("visit-note.opus", "audio/ogg", "opus"), ("visit-note.caf", "audio/x-caf", "caf"),
            ("visit-note-vbr.mp3", "audio/mpeg", "mp3"), ("visit-note-position.m4a", "audio/mp4", "m4a"),
            ("visit-note-live.webm", "audio/webm", "webm"),
        ])
    func typeExtensionAndDurationAreDetected(_ name: String, _ type: String, _ ending: String) async throws {
        let audio = try await AudioPreparer().prepare(contentsOf: SampleMedia.goodAudio(named: name))
        let item = try PetVisitsClient.AudioItem(audio).file
        #expect(item.mediaType == type && item.filename == "recording.\(ending)")
        #expect(try #require(item.durationSeconds) > 1)
        #expect(item.content.byteCount == Int64(audio.byteCount))
    }

    @Test("a response about another visit, pet or appointment is not a receipt")
    func responseForOtherVisitIsNoReceipt() async throws {
        let answer = TransportResponse.json(
            201, #"{"visit_id":"visit of Pet1","pet_id":"Pet2","appointment_id":"ABC123"}"#)
        let upload = PetVisitsClient.Destination(baseEndpoint: .test, defaultAppointmentID: "ABC123")
        let client = HTTPClient(stub: PetVisitsStub.makeServer(transfer: answer))
        let (results, _) = try await UploadHarness().upload([.makeAudio()], to: upload, client)
        #expect(results[0].status == .outcomeUnknown)
    }

    @Test("an appointment is requested once in a run")
    func appointmentIsFetchedOncePerRun() async throws {
        let transport = PetVisitsStub.makeServer()
        let items = (1...3).flatMap { pet in (1...8).map { UploadItem.makeAudio("\($0)", pet: "Pet\(pet)") } }
        let upload = PetVisitsClient.Destination(baseEndpoint: .test, defaultAppointmentID: "ABC123")
        let (results, receipts) = try await UploadHarness().upload(
            items + [.makeAudio(pet: "Pet4")], to: upload, HTTPClient(stub: transport), uploads: 6)
        #expect(results.dropLast().allSatisfy { $0.status == .acknowledged })
        #expect(results.last?.error?.code == .petNotInAppointment)
        #expect(receipts.count == 24)
        // Once for all pets, and once more for Pet4, which the answer lacked.
        #expect(transport.calls.filter { $0.hasPrefix("GET") }.count <= 2)
    }

    @Test("a pet that the remembered appointment lacks is asked for once more, for each item")
    func missingPetIsAskedForOnceMore() async throws {
        let working = PetVisitsStub.makeServer()
        let old = TransportResponse.json(#"{"id":"ABC123","pets":[{"id":"Pet1"}]}"#)
        let answers = StubTransport(old, old, .json(#"{"id":"ABC123","pets":[{"id":"Pet1"},{"id":"Pet2"}]}"#))
        let transport = StubTransport { (request) async throws(TransportError) in
            try await (request.method == .get ? answers : working).send(request)
        }
        // Pet2 is added after its first item, Pet9 never.
        let pets = ["Pet1", "Pet1", "Pet2", "Pet2", "Pet1", "Pet9"]
        let items = pets.enumerated().map { UploadItem.makeAudio("\($0)", pet: $1) }
        let upload = PetVisitsClient.Destination(baseEndpoint: .test, defaultAppointmentID: "ABC123")
        let (results, _) = try await UploadHarness().upload(items, to: upload, HTTPClient(stub: transport))
        #expect(
            results.map { $0.error?.code } == [nil, nil, .petNotInAppointment, nil, nil, .petNotInAppointment])
        #expect(transport.calls.filter { $0.hasPrefix("GET") }.count == 4)
    }

    @Test("a pet of a fresh answer is not asked for again")
    func missingPetOfFreshAnswerIsNotAskedForAgain() async throws {
        let transport = PetVisitsStub.makeServer()
        let upload = PetVisitsClient.Destination(baseEndpoint: .test, defaultAppointmentID: "ABC123")
        let (results, _) = try await UploadHarness().upload(
            [.makeAudio(pet: "Pet9")], to: upload, HTTPClient(stub: transport))
        #expect(results[0].error?.code == .petNotInAppointment)
        #expect(transport.calls.count == 1)
    }

    @Test("the answer to one account is not used for another")
    func appointmentIsCachedPerAccount() async throws {
        let transport = PetVisitsStub.makeServer()
        let session = Session()
        let upload = PetVisitsClient.Destination(baseEndpoint: .test, defaultAppointmentID: "ABC123")
        for account in ["alice", "bob"] {
            let token = try #require(BearerToken(account))
            try session.signIn(Credentials(token: token, accountID: account))
            let (results, _) = try await UploadHarness().upload(
                [.makeAudio()], to: upload, HTTPClient(transport: transport, session: session))
            #expect(results[0].status == .acknowledged)
        }
        let tokens = transport.requests.filter { $0.method == .get }.map(\.bearerToken?.secret)
        #expect(tokens == ["alice", "bob"])
    }
}
