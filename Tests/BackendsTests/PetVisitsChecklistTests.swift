import Foundation
import HTTPCalls
import HTTPTestSupport
import HTTPTypes
import MultipartBody
import PetVisitsAPI
import Testing
import TestSupport
import Uploading

/// The rows of the specification's checklist, against dev-backend.
@Suite("The checklist of Pet Visits")
struct PetVisitsChecklistTests {
    @Test("an appointment with three pets, one recording for each, three visits with their own pet")
    func threePets() async throws {
        try await RunningBackend.withBackend { backend in
            let session = Session(BearerToken("dev-token").map { Credentials(token: $0) })
            let http = HTTPClient(transport: try CurlTransport(), session: session)
            let json = JSONAPIClient(baseEndpoint: try Endpoint(backend.url), httpClient: http)
            let created = PetVisitsClient.Appointment(
                id: "NEW1", pets: ["A", "B", "C"].map { PetVisitsClient.Pet(id: $0, name: "Pet \($0)") })
            let answer = try await json.call(
                method: .post, endpoint: json.baseEndpoint.appendingPathSegments("api", "appointments"),
                body: try JSONAPIClient.encodeBody(created), as: PetVisitsClient.Appointment.self)
            #expect(answer == created)
            let client = PetVisitsClient(baseEndpoint: json.baseEndpoint, client: http)
            let audio = try PetVisitsClient.AudioItem(
                MediaFile(
                    content: .bytes(Array(try Data(contentsOf: SampleMedia.goodAudio(named: "visit-note.wav")))),
                    mediaType: "audio/wav", filename: "recording.wav"))
            var visits: [String: String] = [:]
            for pet in created.pets {
                visits[pet.id] = try await client.uploadAudio(audio, petID: pet.id, appointmentID: "NEW1")
            }
            #expect(Set(visits.values).count == 3)
            let listed = try await client.visits(appointmentID: "NEW1")
            #expect(Dictionary(uniqueKeysWithValues: listed.map { ($0.petID, $0.id) }) == visits)
            #expect(listed.allSatisfy { $0.appointmentID == "NEW1" })
            for pet in created.pets {
                #expect(
                    try await client.transcripts(appointmentID: "NEW1", petID: pet.id).map(\.visitID) == [
                        visits[pet.id]
                    ])
            }
            let foreign = await callError { () async throws(CallError) in
                try await client.uploadAudio(audio, petID: "A", appointmentID: "ABC123")
            }
            #expect(foreign?.code == .petNotInAppointment)
        }
    }
}
