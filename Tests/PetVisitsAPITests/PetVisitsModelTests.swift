import HTTPTestSupport
import JSONValues
import PetVisitsAPI
import Testing

@Suite("PetVisits: JSON is decoded and encoded without a change")
struct PetVisitsModelTests {
    private static let pet = #"{"id": "Pet1", "name": "Rex"}"#

    private static let rows = [
        ModelRow(PetVisitsClient.Pet.self, pet),
        ModelRow(PetVisitsClient.Appointment.self, #"{"id": "ABC123", "pets": [\#(pet)]}"#),
        ModelRow(
            PetVisitsClient.Visit.self,
            #"""
            {"visit_id": "v1", "pet_id": "Pet1", "appointment_id": "ABC123", "filename": "recording.m4a",
             "content_type": "audio/mp4", "duration_seconds": 12.5}
            """#),
        ModelRow(
            PetVisitsClient.AudioUploadRequest.self,
            #"""
            {"pet_id": "Pet1", "filename": "recording.m4a", "content_type": "audio/mp4",
             "estimated_duration_seconds": 12.5, "appointment_id": "ABC123"}
            """#),
        ModelRow(
            PetVisitsClient.VisitTranscript.self,
            #"{"visit_id": "v1", "pet_id": "Pet1", "appointment_id": "ABC123", "transcript": "Rex eats."}"#),
    ]

    @Test(arguments: rows)
    func roundTrip(_ row: ModelRow) throws {
        let (before, after) = try row.values(as: JSONValue.self)
        #expect(after == before)
    }

    @Test("each model has a fixture with all members")
    func coverage() throws {
        #expect(try Set(Self.rows.map(\.description)) == ModuleSource.codableStructures(in: "PetVisitsAPI"))
        for row in Self.rows { #expect(try row.findAbsentMembers().isEmpty, "\(row)") }
    }
}
