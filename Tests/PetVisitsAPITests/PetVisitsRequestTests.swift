import HTTPCalls
import HTTPTestSupport
import HTTPTypes
import PetVisitsAPI
import Testing

@Suite("PetVisits: the requests, byte by byte")
struct PetVisitsRequestTests {
    private static let appointment = #"{"id":"ABC 123","pets":[{"id":"Pet1"}]}"#
    private static let visit = #"{"visit_id":"v/1","pet_id":"Pet1","appointment_id":"ABC 123"}"#
    private static let appointmentRequest = recorded("GET /v1/api/appointments/ABC%20123")
    private static let initiation = recorded(
        "POST /v1/api/audio/initiate",
        json: #"{"appointment_id":"ABC 123","content_type":"audio/mp4","estimated_duration_seconds":12.5,"#
            + #""filename":"recording.m4a","pet_id":"Pet1"}"#)
    private static let transfer = recorded(
        "POST /v1/api/visits/v%2F1/audio",
        form: [
            (
                "Content-Disposition: form-data; name=\"audio\"; filename=\"recording.m4a\"\nContent-Type: audio/mp4",
                "SOUND"
            )
        ])

    private static func announcement() throws -> PetVisitsClient.AudioUploadRequest {
        try PetVisitsClient.AudioUploadRequest(
            audio: .init(.makeAudio()), petID: "Pet1", appointmentID: "ABC 123")
    }

    private static let calls: [RecordedCall<PetVisitsClient>] = [
        RecordedCall("appointment", appointment, appointmentRequest) { _ = try await $0.appointment(id: "ABC 123") },
        RecordedCall("validatePet", appointment, appointmentRequest) {
            try await $0.validatePet(id: "Pet1", inAppointment: "ABC 123")
        },
        RecordedCall("initiateAudioUpload", #"{"visit_id":"v/1"}"#, initiation) {
            _ = try await $0.initiateAudioUpload(try announcement())
        },
        RecordedCall(
            "initiateAudioUpload of an unknown duration", #"{"visit_id":"v/1"}"#,
            recorded(
                "POST /v1/api/audio/initiate",
                json: #"{"appointment_id":"A","content_type":"audio/mp4","filename":"f","pet_id":"P"}"#)
        ) {
            _ = try await $0.initiateAudioUpload(
                .init(petID: "P", filename: "f", contentType: "audio/mp4", appointmentID: "A"))
        },
        RecordedCall("transferAudio", visit, transfer) {
            try await $0.transferAudio(try .init(.makeAudio()), request: try announcement(), visitID: "v/1")
        },
        RecordedCall(
            "uploadAudio", answers: [.json(appointment), .json(#"{"visit_id":"v/1"}"#), .json(visit)],
            requests: [appointmentRequest, initiation, transfer]
        ) {
            _ = try await $0.uploadAudio(try .init(.makeAudio()), petID: "Pet1", appointmentID: "ABC 123")
        },
        RecordedCall(
            "uploadAudio to an earlier visit", answers: [.json(appointment), .json(visit)],
            requests: [appointmentRequest, transfer]
        ) {
            _ = try await $0.uploadAudio(
                try .init(.makeAudio()), petID: "Pet1", appointmentID: "ABC 123", visitID: "v/1")
        },
        RecordedCall("visits", #"{"visits":[]}"#, recorded("GET /v1/api/appointments/ABC%20123/visits")) {
            _ = try await $0.visits(appointmentID: "ABC 123", petID: "Pet1")
        },
        RecordedCall("transcripts", #"{"transcripts":[]}"#, recorded("GET /v1/api/appointments/A/transcripts")) {
            _ = try await $0.transcripts(appointmentID: "A")
        },
    ]

    @Test("are as recorded", arguments: calls)
    func requests(_ call: RecordedCall<PetVisitsClient>) async throws {
        let transport = StubTransport(call.answers)
        try await call.perform(makeAPI(transport))
        #expect(transport.transcripts == call.requests)
    }

    @Test("are recorded for each call")
    func coverage() throws {
        let functions = try ModuleSource.asyncFunctions(in: "PetVisitsAPI", except: ["PetRecordings"])
        #expect(functions == Set(Self.calls.map(\.name)))
    }
}
