import HTTPTestSupport
import HTTPTypes
import PetVisitsAPI
import MultipartBody
import Testing

@testable import HTTPCalls

@Suite("PetVisits: requests")
struct PetVisitsTests {
    @Test("a recording is announced for one pet, and sent to its visit")
    func recordingIsAnnouncedAndTransferred() async throws {
        let transport = PetVisitsStub.makeServer()
        let visit = try await makeAPI(transport).uploadAudio(
            .init(.makeAudio()), petID: "Pet1", appointmentID: "ABC123")
        #expect(visit == "visit of Pet1")
        #expect(
            transport.calls == [
                "GET \(PetVisitsStub.base)/appointments/ABC123", "POST \(PetVisitsStub.base)/audio/initiate",
                "POST \(PetVisitsStub.base)/visits/visit%20of%20Pet1/audio",
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
        let transport = PetVisitsStub.makeServer()
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
        let transport = PetVisitsStub.makeServer()
        let error = await callError { () async throws(CallError) in
            try await makeAPI(transport).uploadAudio(
                .init(.makeAudio()), petID: pet, appointmentID: appointment)
        }
        #expect(error?.code == .validationFailed)
        let request = PetVisitsClient.AudioUploadRequest(
            petID: pet, filename: "recording.m4a", contentType: "audio/mp4", appointmentID: appointment)
        #expect(throws: CallError.self) { try request.validate() }
        #expect(transport.requests.isEmpty)
    }

    @Test("a duration is a number of seconds", arguments: [-1, .nan, .infinity])
    func invalidDurationIsRejected(_ seconds: Double) {
        let request = PetVisitsClient.AudioUploadRequest(
            petID: "Pet1", filename: "a", contentType: "audio/mp4", estimatedDurationSeconds: seconds,
            appointmentID: "ABC123")
        #expect(throws: CallError.self) { try request.validate() }
    }

    @Test("a pet of another appointment is rejected before any byte of the audio is sent")
    func petOfOtherAppointmentIsRejectedBeforeSending() async throws {
        let transport = PetVisitsStub.makeServer()
        let error = await callError { () async throws(CallError) in
            try await makeAPI(transport).uploadAudio(
                .init(.makeAudio()), petID: "Pet4", appointmentID: "ABC123")
        }
        #expect(error?.code == .petNotInAppointment)
        #expect(transport.calls == ["GET \(PetVisitsStub.base)/appointments/ABC123"])
    }

    @Test("only a recording makes a visit", arguments: ["image/jpeg", "video/mp4", "application/octet-stream"])
    func onlyAudioMakesVisit(_ type: String) {
        let file = MediaFile(content: .bytes([1]), mediaType: type, filename: "a")
        #expect(throws: CallError.self) { try PetVisitsClient.AudioItem(file) }
    }

    @Test("a response about another visit, pet or appointment is not a receipt")
    func responseForOtherVisitIsNoReceipt() async throws {
        let answer = TransportResponse.json(
            201, #"{"visit_id":"visit of Pet1","pet_id":"Pet2","appointment_id":"ABC123"}"#)
        let error = await callError { () async throws(CallError) in
            try await makeAPI(PetVisitsStub.makeServer(transfer: answer)).uploadAudio(
                .init(.makeAudio()), petID: "Pet1", appointmentID: "ABC123")
        }
        #expect(error?.code == .outcomeUnknown)
    }

    @Test("visits are identified by their pets")
    func visitsAreIdentifiedByPet() async throws {
        let list = ["1", "2", "1"].enumerated().map { place, pet in
            #"{"visit_id":"v\#(place)","pet_id":"Pet\#(pet)","appointment_id":"ABC123","duration_seconds":null}"#
        }
        let api = makeAPI(PetVisitsStub.makeServer(visits: list.joined(separator: ",")))
        #expect(try await api.visits(appointmentID: "ABC123").map(\.id) == ["v0", "v1", "v2"])
        #expect(try await api.visits(appointmentID: "ABC123", petID: "Pet1").map(\.id) == ["v0", "v2"])
        #expect(try await api.visits(appointmentID: "ABC123", petID: "Pet3").isEmpty)
    }
}
