import HTTPTestSupport
import Backends
import Foundation
import HTTPCalls
import MediaPrep
import PetVisitsAPI
import Testing
import TestSupport
import Uploading

@Suite("PetVisits over HTTP: the checklist of its specification")
struct PetVisitsFlowTests {
    private func makeClient() throws -> HTTPClient {
        HTTPClient(transport: try CurlTransport(), session: Session(token: "dev-token"))
    }

    private func makeRecording(_ name: String) async throws -> PetVisitsClient.AudioItem {
        try PetVisitsClient.AudioItem(try await AudioPreparer().prepare(contentsOf: SampleMedia.goodAudio(named: name)))
    }

    @Test("one pet, one visit, one recording")
    func onePetOneVisitOneRecording() async throws {
        try await RunningBackend.withBackend { backend in
            let api = PetVisitsClient(baseEndpoint: try Endpoint(backend.url), client: try makeClient())
            let appointment = try await api.appointment(id: "ABC123")
            #expect(appointment.pets.map(\.id) == ["Pet1", "Pet2", "Pet3"])

            // Separate sessions: the audio of each pet is a separate upload.
            let names = ["visit-note.wav", "visit-note-position.m4a", "visit-note.opus"]
            var visits: [String: String] = [:]
            for (pet, name) in zip(appointment.pets, names) {
                visits[pet.id] = try await api.uploadAudio(
                    try await makeRecording(name), petID: pet.id, appointmentID: "ABC123")
            }
            #expect(Set(visits.values).count == 3)

            let listed = try await api.visits(appointmentID: "ABC123")
            #expect(listed.count == 3)
            for (pet, name) in zip(appointment.pets, names) {
                let own = try await api.visits(appointmentID: "ABC123", petID: pet.id)
                #expect(own.map(\.id) == [visits[pet.id]] && own[0].appointmentID == "ABC123")
                let item = try await makeRecording(name).file
                #expect(own[0].contentType == item.mediaType && own[0].filename == item.filename)
                let duration = try #require(own[0].durationSeconds)
                #expect(abs(duration - (try #require(item.durationSeconds))) < 0.1)
            }
            #expect(
                try backend.storedItems().map(\.files).allSatisfy {
                    $0.count == 1 && $0[0].hasPrefix("audio recording.")
                })
            #expect(try backend.storedItems().allSatisfy { $0.fields.isEmpty })
        }
    }

    @Test("a pet of another appointment, and missing ids, are rejected before any byte of the audio is sent")
    func mismatchedPetIsRejectedBeforeSending() async throws {
        try await RunningBackend.withBackend { backend in
            let api = PetVisitsClient(baseEndpoint: try Endpoint(backend.url), client: try makeClient())
            let recording = try await makeRecording("visit-note.wav")
            let cases: [(String, String, CallError.Code)] = [
                ("Pet4", "ABC123", .petNotInAppointment), ("Pet1", "DEF456", .petNotInAppointment),
                ("Pet1", "XYZ", .rejectedByServer), ("", "ABC123", .validationFailed), ("Pet1", " ", .validationFailed),
            ]
            for (pet, appointment, code) in cases {
                let error = await callError { () async throws(CallError) in
                    try await api.uploadAudio(recording, petID: pet, appointmentID: appointment)
                }
                #expect(error?.code == code)
            }
            // The three items with both ids requested the appointment, and nothing else.
            #expect(backend.requestCount == 3)
            #expect(try backend.storedItems().isEmpty)
            for appointment in ["ABC123", "DEF456"] {
                #expect(try await api.visits(appointmentID: appointment).isEmpty)
            }
        }
    }

    @Test("the server rejects input that the client did not check")
    func serverRejectionsAreReported() async throws {
        try await RunningBackend.withBackend { backend in
            let api = PetVisitsClient(baseEndpoint: try Endpoint(backend.url), client: try makeClient())
            let recording = try await makeRecording("visit-note.wav")
            let other = PetVisitsClient.AudioUploadRequest(audio: recording, petID: "Pet4", appointmentID: "ABC123")
            let foreign = await callError { () async throws(CallError) in try await api.initiateAudioUpload(other) }
            #expect(foreign?.status == 422 && foreign?.serverMessage?.code == "pet-not-in-appointment")

            var long = PetVisitsClient.AudioUploadRequest(audio: recording, petID: "Pet1", appointmentID: "ABC123")
            long.estimatedDurationSeconds = 3600
            let visit = try await api.initiateAudioUpload(long)
            let mismatch = await callError { () async throws(CallError) in
                try await api.transferAudio(recording, request: long, visitID: visit)
            }
            #expect(mismatch?.code == .rejectedByServer && mismatch?.serverMessage?.code == "duration-mismatch")

            let request = PetVisitsClient.AudioUploadRequest(audio: recording, petID: "Pet1", appointmentID: "ABC123")
            let second = try await api.initiateAudioUpload(request)
            try await api.transferAudio(recording, request: request, visitID: second)
            let again = await callError { () async throws(CallError) in
                try await api.transferAudio(recording, request: request, visitID: second)
            }
            #expect(again?.status == 409 && again?.serverMessage?.code == "already-recorded")
        }
    }

    @Test("a batch of recordings, each for its pet", arguments: [false, true])
    func recordingBatchIsUploadedPerPet(_ honorsKeys: Bool) async throws {
        try await RunningBackend.withBackend(honorsKeys: honorsKeys) { backend in
            let pets = [
                ("Pet1", "ABC123"), ("Pet2", "ABC123"), ("Pet3", "ABC123"), ("Pet4", "DEF456"), ("Pet4", "ABC123"),
            ]
            var items: [UploadItem] = []
            for (pet, appointment) in pets {
                var item = try UploadItem(
                    try await AudioPreparer().prepare(contentsOf: SampleMedia.goodAudio(named: "visit-note-vbr.mp3")))
                item.fields = [
                    FormField(name: "pet_id", value: pet), FormField(name: "appointment_id", value: appointment),
                ]
                items.append(item)
            }
            let upload = PetVisitsClient.Destination(
                baseEndpoint: try Endpoint(backend.url), honorsIdempotencyKeys: honorsKeys)
            let journal = try UploadHarness()
            let (results, _) = try await journal.upload(items, to: upload, try makeClient(), uploads: 3)
            #expect(results.dropLast().allSatisfy { $0.status == .acknowledged })
            #expect(results[4].error?.code == .petNotInAppointment)
            #expect(Set(results.dropLast().map(\.serverID)).count == 4)
            // Two appointments, one of them possibly once more for the pet that it lacks, and two requests for each
            // audio file whose pet belongs to them.
            #expect([2 + 2 * 4, 3 + 2 * 4].contains(backend.requestCount))
            let api = PetVisitsClient(baseEndpoint: try Endpoint(backend.url), client: try makeClient())
            for (result, (pet, appointment)) in zip(results, pets).dropLast() {
                #expect(try await api.visits(appointmentID: appointment, petID: pet).map(\.id) == [result.serverID])
            }
            let again = try await journal.upload(items, to: upload, try makeClient())
            #expect(again.results.dropLast().allSatisfy { $0.status == .acknowledged && $0.isFromEarlierRun })
            #expect(try backend.storedItems().count == 4)
        }
    }
}
