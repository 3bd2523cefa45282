import Backends
import Foundation
import MediaPrep
import TestSupport
import Testing
import Uploading

@Suite("PetVisits over HTTP: the checklist of its document")
struct PetVisitsFlowTests {
    private func client() throws -> HTTPClient {
        HTTPClient(try CurlTransport(), tokens: Tokens(BearerToken("dev-token")))
    }

    private func recording(_ name: String) async throws -> PetVisits.Recording {
        try PetVisits.Recording(try await AudioPreparer().prepare(contentsOf: Samples.recording(name)))
    }

    @Test("one pet, one visit, one recording")
    func flow() async throws {
        try await RunningBackend.run { backend in
            let api = PetVisits(try Endpoint(backend.url), client: try client())
            let appointment = try await api.appointment("ABC123")
            #expect(appointment.pets.map(\.id) == ["Pet1", "Pet2", "Pet3"])

            // Separate sessions: each pet's recording is an upload of its own.
            let names = ["visit-note.wav", "visit-note-position.m4a", "visit-note.opus"]
            var visits: [String: String] = [:]
            for (pet, name) in zip(appointment.pets, names) {
                visits[pet.id] = try await api.upload(try await recording(name), pet: pet.id, appointment: "ABC123")
            }
            #expect(Set(visits.values).count == 3)

            let listed = try await api.visits(of: "ABC123")
            #expect(listed.count == 3)
            for (pet, name) in zip(appointment.pets, names) {
                let own = try await api.visits(of: "ABC123", pet: pet.id)
                #expect(own.map(\.id) == [visits[pet.id]] && own[0].appointmentID == "ABC123")
                let item = try await recording(name).item
                #expect(own[0].contentType == item.type && own[0].filename == item.filename)
                let duration = try #require(own[0].durationSeconds)
                #expect(abs(duration - (try #require(item.duration))) < 0.1)
            }
            #expect(
                try backend.items().map(\.files).allSatisfy { $0.count == 1 && $0[0].hasPrefix("audio recording.") })
            #expect(try backend.items().allSatisfy { $0.fields.isEmpty })
        }
    }

    @Test("a pet of another appointment, and missing ids, are refused before any byte of the recording")
    func refusals() async throws {
        try await RunningBackend.run { backend in
            let api = PetVisits(try Endpoint(backend.url), client: try client())
            let recording = try await recording("visit-note.wav")
            let cases: [(String, String, UploadError.Code)] = [
                ("Pet4", "ABC123", .petNotInAppointment), ("Pet1", "DEF456", .petNotInAppointment),
                ("Pet1", "XYZ", .refused), ("", "ABC123", .validationFailed), ("Pet1", " ", .validationFailed),
            ]
            for (pet, appointment, code) in cases {
                let error = await uploadError { () async throws(UploadError) in
                    try await api.upload(recording, pet: pet, appointment: appointment)
                }
                #expect(error?.code == code)
            }
            // The three that have both ids asked for the appointment, and no more.
            #expect(backend.requestCount == 3)
            #expect(try backend.items().isEmpty)
            for appointment in ["ABC123", "DEF456"] { #expect(try await api.visits(of: appointment).isEmpty) }
        }
    }

    @Test("the server refuses what a client didn't check")
    func serverRefusals() async throws {
        try await RunningBackend.run { backend in
            let api = PetVisits(try Endpoint(backend.url), client: try client())
            let recording = try await recording("visit-note.wav")
            let other = PetVisits.AudioUploadRequest(recording, pet: "Pet4", appointment: "ABC123")
            let foreign = await uploadError { () async throws(UploadError) in try await api.initiate(other) }
            #expect(foreign?.status == 422 && foreign?.server?.code == "pet-not-in-appointment")

            var long = PetVisits.AudioUploadRequest(recording, pet: "Pet1", appointment: "ABC123")
            long.estimatedDurationSeconds = 3600
            let visit = try await api.initiate(long)
            let mismatch = await uploadError { () async throws(UploadError) in
                try await api.transfer(recording, long, to: visit)
            }
            #expect(mismatch?.code == .refused && mismatch?.server?.code == "duration-mismatch")

            let request = PetVisits.AudioUploadRequest(recording, pet: "Pet1", appointment: "ABC123")
            let second = try await api.initiate(request)
            try await api.transfer(recording, request, to: second)
            let again = await uploadError { () async throws(UploadError) in
                try await api.transfer(recording, request, to: second)
            }
            #expect(again?.status == 409 && again?.server?.code == "already-recorded")
        }
    }

    @Test("a batch of recordings, each for its pet", arguments: [false, true])
    func batch(_ honoursKeys: Bool) async throws {
        try await RunningBackend.run(honoursKeys: honoursKeys) { backend in
            let pets = [
                ("Pet1", "ABC123"), ("Pet2", "ABC123"), ("Pet3", "ABC123"), ("Pet4", "DEF456"), ("Pet4", "ABC123"),
            ]
            var items: [UploadItem] = []
            for (pet, appointment) in pets {
                var item = try await recording("visit-note-vbr.mp3").item
                item.fields = [FormField("pet_id", pet), FormField("appointment_id", appointment)]
                items.append(item)
            }
            let upload = PetVisits.Upload(try Endpoint(backend.url), honoursKeys: honoursKeys)
            let journal = try Journal()
            let (results, _) = try await journal.upload(items, to: upload, try client(), uploads: 3)
            #expect(results.dropLast().allSatisfy { $0.status == .acknowledged })
            #expect(results[4].error?.code == .petNotInAppointment)
            #expect(Set(results.dropLast().map(\.id)).count == 4)
            // Two appointments, and two requests for each recording that has its pet there.
            #expect(backend.requestCount == 2 + 2 * 4)
            let api = PetVisits(try Endpoint(backend.url), client: try client())
            for (result, (pet, appointment)) in zip(results, pets).dropLast() {
                #expect(try await api.visits(of: appointment, pet: pet).map(\.id) == [result.id])
            }
            let again = try await journal.upload(items, to: upload, try client())
            #expect(again.results.dropLast().allSatisfy { $0.status == .acknowledged && $0.isFromEarlierRun })
            #expect(try backend.items().count == 4)
        }
    }
}
