import Backends
import Foundation
import Ledger
import MediaPrep
import MultipartBody
import TestSupport
import Testing

@testable import Uploading
import UploadRecords

@Suite("PetVisits: requests")
struct PetVisitsTests {
    private static let base = "https://backend.test/v1/api"

    /// A server with one appointment of three pets. Its visits are named after the pets.
    private func makeServer(
        initiate: HTTPResponse? = nil, transfer: HTTPResponse? = nil, visits: String = ""
    ) -> StubTransport {
        StubTransport { request in
            let path = "\(request.endpoint)".dropFirst(Self.base.count)
            let pet = request.text.firstMatch(of: /"pet_id":"(\w+)"/).map { String($0.1) } ?? "?"
            return switch path {
            case "/appointments/ABC123":
                .json(#"{"id":"ABC123","pets":[{"id":"Pet1","name":"A"},{"id":"Pet2","name":"B"},{"id":"Pet3"}]}"#)
            case "/appointments/ABC123/visits": .json(#"{"visits":[\#(visits)]}"#)
            case "/audio/initiate": initiate ?? .json(201, #"{"visit_id":"visit of \#(pet)"}"#)
            case "/visits/visit%20of%20Pet1/audio": transfer ?? Self.takenVisitResponse("Pet1")
            case "/visits/visit%20of%20Pet2/audio": transfer ?? Self.takenVisitResponse("Pet2")
            case "/visits/visit%20of%20Pet3/audio": transfer ?? Self.takenVisitResponse("Pet3")
            default: .json(404, #"{"error":true,"message":"Not there.","code":"not-found"}"#)
            }
        }
    }

    private static func takenVisitResponse(_ pet: String) -> HTTPResponse {
        .json(201, #"{"visit_id":"visit of \#(pet)","pet_id":"\#(pet)","appointment_id":"ABC123"}"#)
    }

    private func makeAPI(_ transport: StubTransport) -> PetVisitsClient {
        PetVisitsClient(baseEndpoint: .test, client: HTTPClient(stub: transport))
    }

    @Test("a recording is announced for one pet, and sent to its visit")
    func recordingIsAnnouncedAndTransferred() async throws {
        let transport = makeServer()
        let visit = try await makeAPI(transport).uploadAudio(
            .init(.makeAudio()), petID: "Pet1", appointmentID: "ABC123")
        #expect(visit == "visit of Pet1")
        #expect(
            transport.calls == [
                "GET \(Self.base)/appointments/ABC123", "POST \(Self.base)/audio/initiate",
                "POST \(Self.base)/visits/visit%20of%20Pet1/audio",
            ])
        #expect(
            transport.requests[1].text == #"""
                {"appointment_id":"ABC123","content_type":"audio/mp4","estimated_duration_seconds":12.5,\#
                "filename":"recording.m4a","pet_id":"Pet1"}
                """#)
        #expect(
            transport.requests[2].text == """
                --B\r
                Content-Disposition: form-data; name="audio"; filename="recording.m4a"\r
                Content-Type: audio/mp4\r
                \r
                SOUND\r
                --B--\r\n
                """)
    }

    @Test("an unknown duration is not sent")
    func unknownDurationIsOmitted() async throws {
        let transport = makeServer()
        _ = try await makeAPI(transport).uploadAudio(
            .init(.makeAudio(duration: nil)), petID: "Pet1", appointmentID: "ABC123")
        #expect(
            transport.requests[1].text == #"""
                {"appointment_id":"ABC123","content_type":"audio/mp4","filename":"recording.m4a","pet_id":"Pet1"}
                """#)
    }

    @Test(
        "both ids are validated before any request",
        arguments: [("", "ABC123"), ("Pet1", ""), (" \n", "ABC123"), ("Pet1", "\t"), ("", "")])
    func bothIDsAreRequired(_ pet: String, _ appointment: String) async throws {
        let transport = makeServer()
        let error = await uploadError { () async throws(UploadError) in
            try await makeAPI(transport).uploadAudio(.init(.makeAudio()), petID: pet, appointmentID: appointment)
        }
        #expect(error?.code == .validationFailed)
        let request = PetVisitsClient.AudioUploadRequest(
            petID: pet, filename: "recording.m4a", contentType: "audio/mp4", appointmentID: appointment)
        #expect(throws: UploadError.self) { try request.validate() }
        let upload = PetVisitsClient.Destination(baseEndpoint: .test, defaultAppointmentID: appointment)
        #expect(throws: UploadError.self) { try upload.uploadKey(for: .makeAudio(pet: pet)) }
        #expect(transport.requests.isEmpty)
    }

    @Test("a duration is a number of seconds", arguments: [-1, .nan, .infinity])
    func invalidDurationIsRejected(_ seconds: Double) {
        let request = PetVisitsClient.AudioUploadRequest(
            petID: "Pet1", filename: "a", contentType: "audio/mp4", estimatedDurationSeconds: seconds,
            appointmentID: "ABC123")
        #expect(throws: UploadError.self) { try request.validate() }
    }

    @Test("a pet of another appointment is rejected before any byte of the audio is sent")
    func petOfOtherAppointmentIsRejectedBeforeSending() async throws {
        let transport = makeServer()
        let error = await uploadError { () async throws(UploadError) in
            try await makeAPI(transport).uploadAudio(.init(.makeAudio()), petID: "Pet4", appointmentID: "ABC123")
        }
        #expect(error?.code == .petNotInAppointment)
        #expect(transport.calls == ["GET \(Self.base)/appointments/ABC123"])
    }

    @Test("only a recording makes a visit", arguments: ["image/jpeg", "video/mp4", "application/octet-stream"])
    func onlyAudioMakesVisit(_ type: String) {
        let item = UploadItem(
            name: "a", bytes: [1], mediaType: type, filename: "a", fields: [FormField(name: "pet_id", value: "Pet1")])
        #expect(throws: UploadError.self) { try PetVisitsClient.AudioItem(item) }
        #expect(throws: UploadError.self) {
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
        let item = try PetVisitsClient.AudioItem(audio).uploadItem
        #expect(item.mediaType == type && item.filename == "recording.\(ending)")
        #expect(try #require(item.durationSeconds) > 1)
        #expect(item.content.byteCount == Int64(audio.byteCount))
    }

    @Test("a response about another visit, pet or appointment is not a receipt")
    func responseForOtherVisitIsNoReceipt() async throws {
        let answer = HTTPResponse.json(
            201, #"{"visit_id":"visit of Pet1","pet_id":"Pet2","appointment_id":"ABC123"}"#)
        let error = await uploadError { () async throws(UploadError) in
            try await makeAPI(makeServer(transfer: answer)).uploadAudio(
                .init(.makeAudio()), petID: "Pet1", appointmentID: "ABC123")
        }
        #expect(error?.code == .outcomeUnknown)
        let upload = PetVisitsClient.Destination(baseEndpoint: .test, defaultAppointmentID: "ABC123")
        let client = HTTPClient(stub: makeServer(transfer: answer))
        let (results, _) = try await UploadHarness().upload([.makeAudio()], to: upload, client)
        #expect(results[0].status == .outcomeUnknown)
    }

    @Test("an appointment is requested once in a run")
    func appointmentIsFetchedOncePerRun() async throws {
        let transport = makeServer()
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
        let working = makeServer()
        let old = HTTPResponse.json(#"{"id":"ABC123","pets":[{"id":"Pet1"}]}"#)
        let answers = StubTransport(old, old, .json(#"{"id":"ABC123","pets":[{"id":"Pet1"},{"id":"Pet2"}]}"#))
        let transport = StubTransport { (request) throws(TransportError) in
            try (request.method == .get ? answers : working).nextResponse(for: request)
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
        let transport = makeServer()
        let upload = PetVisitsClient.Destination(baseEndpoint: .test, defaultAppointmentID: "ABC123")
        let (results, _) = try await UploadHarness().upload(
            [.makeAudio(pet: "Pet9")], to: upload, HTTPClient(stub: transport))
        #expect(results[0].error?.code == .petNotInAppointment)
        #expect(transport.calls.count == 1)
    }

    @Test("the answer to one account is not used for another")
    func appointmentIsCachedPerAccount() async throws {
        let transport = makeServer()
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

    @Test(
        "the error of a failed transfer has the visit, and the upload is resumed to it",
        arguments: [HTTPResponse.json(502, "{}"), .json(422, "{}"), .json(503, "{}"), .json(201, "[]")])
    func failedTransferIsResumed(_ failure: HTTPResponse) async throws {
        let audio = try PetVisitsClient.AudioItem(.makeAudio())
        let error = await uploadError { () async throws(UploadError) in
            try await makeAPI(makeServer(transfer: failure)).uploadAudio(
                audio, petID: "Pet1", appointmentID: "ABC123")
        }
        let visit = try #require(error?.resumeReference)
        #expect(visit == "visit of Pet1")
        let again = await uploadError { () async throws(UploadError) in
            try await makeAPI(makeServer(transfer: failure)).uploadAudio(
                audio, petID: "Pet1", appointmentID: "ABC123", visitID: visit)
        }
        #expect(again?.resumeReference == visit)
        let transport = makeServer()
        #expect(
            try await makeAPI(transport).uploadAudio(audio, petID: "Pet1", appointmentID: "ABC123", visitID: visit)
                == visit)
        #expect(
            transport.calls == [
                "GET \(Self.base)/appointments/ABC123", "POST \(Self.base)/visits/visit%20of%20Pet1/audio",
            ])
    }

    @Test("a failed announcement has no visit")
    func failedAnnouncementHasNoVisit() async throws {
        let error = await uploadError { () async throws(UploadError) in
            try await makeAPI(makeServer(initiate: .json(502, "{}"))).uploadAudio(
                .init(.makeAudio()), petID: "Pet1", appointmentID: "ABC123")
        }
        #expect(error?.code == .outcomeUnknown && error?.resumeReference == nil)
    }

    @Test(
        "if the visit has audio already, the earlier transfer succeeded, but only for the same pet",
        arguments: [("Pet1", true), ("Pet2", false)])
    func resumedVisitMayBeRecorded(_ pet: String, _ isRecorded: Bool) async throws {
        let visit = #"{"visit_id":"visit of Pet1","pet_id":"\#(pet)","appointment_id":"ABC123"}"#
        let api = makeAPI(makeServer(transfer: Self.recorded, visits: visit))
        let audio = try PetVisitsClient.AudioItem(.makeAudio())
        do throws(UploadError) {
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
        let working = makeServer()
        let transport = StubTransport { (request) throws(TransportError) in
            // Bob signs in while the announcement is answered.
            if "\(request.endpoint)".hasSuffix("initiate") {
                try? session.signIn(Credentials(token: other, accountID: "bob"))
            }
            return try working.nextResponse(for: request)
        }
        let api = PetVisitsClient(baseEndpoint: .test, client: HTTPClient(transport: transport, session: session))
        let error = await uploadError { () async throws(UploadError) in
            try await api.uploadAudio(.init(.makeAudio()), petID: "Pet1", appointmentID: "ABC123")
        }
        #expect(error?.code == .signedOut && error?.resumeReference == "visit of Pet1")
        #expect(transport.requests.map(\.bearerToken?.secret) == ["alice", "alice"])
    }

    @Test("a failure to get the appointment is not cached")
    func failedAppointmentFetchIsNotCached() async throws {
        let working = makeServer()
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
        let transport = makeServer()
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
        let broken = makeServer(transfer: .json(503, "{}"))
        let first = try await journal.upload([.makeAudio()], to: upload, HTTPClient(stub: broken))
        #expect(first.results[0].error?.code == .serverUnreachable)
        let transport = makeServer()
        let second = try await journal.upload([.makeAudio()], to: upload, HTTPClient(stub: transport))
        #expect(second.results[0].status == .acknowledged && second.results[0].serverID == "visit of Pet1")
        #expect(!transport.calls.contains { $0.hasSuffix("initiate") })
        let keys = [broken.requests.last, broken.requests[2], transport.requests.last].map {
            $0?.headerValue(named: "Idempotency-Key")
        }
        #expect(Set(keys).count == 1 && (keys[0] != nil) == honorsKeys)
    }

    @Test("the uncertainty of an announcement ends when a later one returns a visit")
    func uncertainAnnouncementIsResolvedByLaterVisit() async throws {
        let journal = try UploadHarness()
        let upload = PetVisitsClient.Destination(baseEndpoint: .test, defaultAppointmentID: "ABC123")
        let lost = makeServer(initiate: .json(502, "{}"))
        let first = try await journal.upload([.makeAudio()], to: upload, HTTPClient(stub: lost))
        #expect(first.results[0].status == .outcomeUnknown)
        let refusing = makeServer(transfer: .json(422, "{}"))
        let second = try await journal.upload(
            [.makeAudio()], to: upload, HTTPClient(stub: refusing), retriesUnknown: true)
        #expect(second.results[0].status == .failed)
        let transport = makeServer()
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
        let transport = makeServer()
        let (results, _) = try await journal.upload([item], to: upload, HTTPClient(stub: transport))
        #expect(results[0].error?.code == .journalFailed)
        #expect(transport.calls == ["GET \(Self.base)/appointments/ABC123"])
    }

    @Test("no call is made with an id that would change the URL's path", arguments: [".", "..", " ", ""])
    func idsInPaths(_ id: String) async throws {
        let transport = makeServer()
        let api = makeAPI(transport)
        let request = PetVisitsClient.AudioUploadRequest(
            audio: try .init(.makeAudio()), petID: "Pet1", appointmentID: "ABC123")
        let errors = [
            await uploadError { () async throws(UploadError) in try await api.appointment(id: id) },
            await uploadError { () async throws(UploadError) in try await api.visits(appointmentID: id) },
            await uploadError { () async throws(UploadError) in
                try await api.transferAudio(.init(.makeAudio()), request: request, visitID: id)
            },
        ]
        #expect(errors.allSatisfy { $0?.code == .validationFailed })
        #expect(transport.requests.isEmpty)
    }

    private static let recorded = HTTPResponse.json(
        409, #"{"error":true,"message":"Has one.","code":"already-recorded"}"#)

    @Test(
        "if the server lists the visit with audio, an earlier run sent it",
        arguments: [("Pet1", UploadResult.Status.acknowledged), ("Pet2", .outcomeUnknown)])
    func recordedVisitIsRecognizedFromEarlierRun(_ pet: String, _ status: UploadResult.Status) async throws {
        let journal = try UploadHarness()
        let upload = PetVisitsClient.Destination(baseEndpoint: .test, defaultAppointmentID: "ABC123")
        let lost = makeServer(transfer: .json(502, "{}"))
        let first = try await journal.upload([.makeAudio()], to: upload, HTTPClient(stub: lost))
        #expect(first.results[0].status == .outcomeUnknown)
        let visit =
            #"{"visit_id":"visit of Pet1","pet_id":"\#(pet)","appointment_id":"ABC123","duration_seconds":null}"#
        let transport = makeServer(transfer: Self.recorded, visits: visit)
        let second = try await journal.upload(
            [.makeAudio()], to: upload, HTTPClient(stub: transport), retriesUnknown: true)
        #expect(second.results[0].status == status)
        #expect(transport.calls.filter { $0.hasPrefix("POST") }.count == 1)
    }

    @Test("a visit that was created just now and has audio belongs to another upload")
    func newVisitWithRecordingIsRejected() async throws {
        let visit = #"{"visit_id":"visit of Pet1","pet_id":"Pet1","appointment_id":"ABC123"}"#
        let transport = makeServer(transfer: Self.recorded, visits: visit)
        let upload = PetVisitsClient.Destination(baseEndpoint: .test, defaultAppointmentID: "ABC123")
        let (results, _) = try await UploadHarness().upload([.makeAudio()], to: upload, HTTPClient(stub: transport))
        #expect(
            results[0].error?.code == .rejectedByServer && results[0].error?.serverMessage?.code == "already-recorded")
    }

    @Test("visits are identified by their pets")
    func visitsAreIdentifiedByPet() async throws {
        let list = ["1", "2", "1"].enumerated().map { place, pet in
            #"{"visit_id":"v\#(place)","pet_id":"Pet\#(pet)","appointment_id":"ABC123","duration_seconds":null}"#
        }
        let api = makeAPI(makeServer(visits: list.joined(separator: ",")))
        #expect(try await api.visits(appointmentID: "ABC123").map(\.id) == ["v0", "v1", "v2"])
        #expect(try await api.visits(appointmentID: "ABC123", petID: "Pet1").map(\.id) == ["v0", "v2"])
        #expect(try await api.visits(appointmentID: "ABC123", petID: "Pet3").isEmpty)
    }
}
