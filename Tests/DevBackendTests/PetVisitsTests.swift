import Foundation
import TestSupport
import Testing

@testable import dev_backend

@Suite("Pet visits")
struct PetVisitsTests {
    private struct Initiated: Decodable { var visit_id: String }

    private struct Visit: Decodable {
        var visit_id: String
        var pet_id: String
        var appointment_id: String
        var duration_seconds: Double?
    }

    private struct Visits: Decodable { var visits: [Visit] }

    private struct Appointment: Decodable {
        struct Pet: Decodable { var id: String }
        var pets: [Pet]
    }

    /// A file of 1.5 s.
    private static let sound = Array(makeWAV([Int16](repeating: 0, count: 12_000)))

    private func makeVisitRequest(pet: String, appointment: String, seconds: String = "1.5") -> RawHTTPRequest {
        .json(
            "POST", "/api/audio/initiate",
            #"{"pet_id":"\#(pet)","filename":"recording.wav","content_type":"audio/wav","#
                + #""estimated_duration_seconds":\#(seconds),"appointment_id":"\#(appointment)"}"#)
    }

    private func makeTransferRequest(visit: String, content: [UInt8] = sound) -> RawHTTPRequest {
        .form(
            "/api/visits/\(visit)/audio", RawMultipartForm().file("audio", "recording.wav", content, type: "audio/wav"))
    }

    @Test("One pet, one visit, one recording")
    func onePetOneVisitOneRecording() async throws {
        try await DevBackend.withRunningBackend { (backend) async throws in
            let appointment = try await backend.rawReply(to: .get("/api/appointments/ABC123")).json(Appointment.self)
            #expect(appointment.pets.map(\.id) == ["Pet1", "Pet2", "Pet3"])
            for pet in appointment.pets.map(\.id) {
                let initiated = try await backend.rawReply(to: makeVisitRequest(pet: pet, appointment: "ABC123"))
                #expect(initiated.status == 201)
                let visit = try initiated.json(Initiated.self).visit_id
                let reply = try await backend.rawReply(to: makeTransferRequest(visit: visit))
                #expect(reply.status == 201)
                let recorded = try reply.json(Visit.self)
                #expect([recorded.visit_id, recorded.pet_id, recorded.appointment_id] == [visit, pet, "ABC123"])
                #expect(recorded.duration_seconds == 1.5)
                let again = try await backend.rawReply(to: makeTransferRequest(visit: visit))
                #expect(again.status == 409)
                #expect(again.code == "already-recorded")
            }
            let visits = try await backend.rawReply(to: .get("/api/appointments/ABC123/visits")).json(Visits.self)
                .visits
            #expect(visits.map(\.pet_id) == ["Pet1", "Pet2", "Pet3"])
            #expect(Set(visits.map(\.visit_id)).count == 3)
            #expect(try backend.storedForms().count == 3)
            #expect(
                try await backend.rawReply(to: .get("/api/appointments/DEF456/visits")).json(Visits.self).visits.isEmpty
            )
        }
    }

    @Test("Both ids are required, and the pet must belong to the appointment")
    func bothIDsAreRequiredAndChecked() async throws {
        try await DevBackend.withRunningBackend { (backend) async throws in
            let requests: [(RawHTTPRequest, Int, String)] = [
                (makeVisitRequest(pet: "", appointment: "ABC123"), 400, "missing-id"),
                (makeVisitRequest(pet: "Pet1", appointment: ""), 400, "missing-id"),
                (.json("POST", "/api/audio/initiate", #"{"filename":"a","content_type":"b"}"#), 400, "missing-id"),
                (makeVisitRequest(pet: "Pet4", appointment: "ABC123"), 422, "pet-not-in-appointment"),
                (makeVisitRequest(pet: "Pet1", appointment: "XYZ"), 404, "not-found"),
                (.get("/api/appointments/XYZ"), 404, "not-found"),
                (makeTransferRequest(visit: "none"), 404, "not-found"),
            ]
            for (request, status, code) in requests {
                let reply = try await backend.rawReply(to: request)
                #expect(reply.status == status)
                #expect(reply.code == code)
            }
            #expect(try backend.storedForms().isEmpty)
        }
    }

    @Test("The audio is valid, and as long as announced", arguments: ["2.5", "0.5", "null"], [true, false])
    func recordingWithinDurationToleranceIsAcceptedOnce(_ seconds: String, isWhole: Bool) async throws {
        try await DevBackend.withRunningBackend { (backend) async throws in
            let visit = try await backend.rawReply(
                to: makeVisitRequest(pet: "Pet1", appointment: "ABC123", seconds: seconds)
            ).json(Initiated.self)
                .visit_id
            let content = isWhole ? Self.sound : Array("no recording".utf8)
            #expect(
                try await backend.rawReply(to: makeTransferRequest(visit: visit, content: content)).status
                    == (isWhole ? 201 : 400))
        }
    }

    @Test("Audio whose duration differs by more than a second is rejected", arguments: ["2.6", "0.4"])
    func recordingOutsideDurationToleranceIsRejected(_ seconds: String) async throws {
        try await DevBackend.withRunningBackend { (backend) async throws in
            let visit = try await backend.rawReply(
                to: makeVisitRequest(pet: "Pet1", appointment: "ABC123", seconds: seconds)
            ).json(Initiated.self)
                .visit_id
            let reply = try await backend.rawReply(to: makeTransferRequest(visit: visit))
            #expect(reply.status == 422)
            #expect(reply.code == "duration-mismatch")
        }
    }
}
