import HTTPCalls
import HTTPTestSupport
import InMemoryLogging
import Logging
import PetVisitsAPI
import Testing

@Suite("PetVisits: the log")
struct PetVisitsLogTests {
    private let handler = InMemoryLogHandler()

    private func makeAPI(_ transport: StubTransport) -> PetVisitsClient {
        PetVisitsClient(
            baseEndpoint: .test, client: HTTPClient(stub: transport), logger: Logger(label: "test") { _ in handler })
    }

    /// The messages, each followed by the ids in the order of their names.
    private var lines: [String] {
        handler.entries.map { entry in
            let ids = entry.metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            return (["\(entry.level): \(entry.message)"] + ids).joined(separator: " ")
        }
    }

    @Test("shows one visit for each pet, and the pet, appointment and visit of each recording, but no file")
    func uploads() async throws {
        let api = makeAPI(PetVisitsStub.makeServer())
        for pet in ["Pet1", "Pet2"] {
            _ = try await api.uploadAudio(.init(.makeAudio()), petID: pet, appointmentID: "ABC123")
        }
        #expect(
            lines
                == ["Pet1", "Pet2"].flatMap { pet in
                    ["created a visit", "stored a recording"].map {
                        "info: \($0) appointment_id=ABC123 pet_id=\(pet) visit_id=visit of \(pet)"
                    }
                })
        let text = "\(handler.entries)"
        #expect(["recording.m4a", "SOUND", secret].allSatisfy { !text.contains($0) })
    }

    @Test("shows a pet that was rejected, and no visit")
    func rejectedPet() async throws {
        _ = await callError { () async throws(CallError) in
            try await makeAPI(PetVisitsStub.makeServer()).uploadAudio(
                .init(.makeAudio()), petID: "Pet9", appointmentID: "ABC123")
        }
        #expect(lines == ["info: the pet does not belong to the appointment appointment_id=ABC123 pet_id=Pet9"])
    }

    @Test("has no recording that the server did not store for the announced visit")
    func recordingIsNotStored() async throws {
        let answers = [TransportResponse.json(502, "{}"), PetVisitsStub.takenVisitResponse("Pet2")]
        for answer in answers {
            _ = await callError { () async throws(CallError) in
                try await makeAPI(PetVisitsStub.makeServer(transfer: answer)).uploadAudio(
                    .init(.makeAudio()), petID: "Pet1", appointmentID: "ABC123")
            }
        }
        #expect(
            lines
                == answers.map { _ in
                    "info: created a visit appointment_id=ABC123 pet_id=Pet1 visit_id=visit of Pet1"
                })
    }
}
