import HTTPTestSupport
import HTTPCalls
import HTTPTypes
import PetVisitsAPI
import Synchronization
import Testing

@MainActor @Suite("The recordings of an appointment, pet by pet")
struct PetRecordingsTests {
    nonisolated private static let appointment = #"{"id":"ABC123","pets":[{"id":"Pet1"},{"id":"Pet2"}]}"#
    nonisolated private static let transcripts = #"""
        {"transcripts":[{"visit_id":"v1","pet_id":"Pet1","appointment_id":"ABC123","transcript":"Rex eats."},
         {"visit_id":"v2","pet_id":"Pet2","appointment_id":"ABC123"},
         {"visit_id":"v3","pet_id":"Pet1","appointment_id":"ABC123"}]}
        """#

    private func makeRecordings(
        announcement: TransportResponse = .json(201, #"{"visit_id":"v9"}"#),
        transfer: @escaping @Sendable () -> TransportResponse?
    ) throws -> (PetRecordings, StubTransport) {
        let transport = StubTransport { request throws(TransportError) in
            let path = "\(request.endpoint)"
            if path.hasSuffix("/transcripts") { return .json(Self.transcripts) }
            if path.hasSuffix("/initiate") { return announcement }
            if path.hasSuffix("/audio") {
                return transfer() ?? .json(201, #"{"visit_id":"v9","pet_id":"Pet1","appointment_id":"ABC123"}"#)
            }
            return .json(Self.appointment)
        }
        let client = makeAPI(transport)
        return (try PetRecordings(appointmentID: "ABC123", client: client), transport)
    }

    @Test("each pet has its own transcripts and its own state")
    func perPet() async throws {
        let (recordings, _) = try makeRecordings { nil }
        #expect(recordings.appointment == nil && recordings.transcripts(petID: "Pet1").isEmpty)
        try await recordings.refresh()
        #expect(recordings.appointment?.pets.map(\.id) == ["Pet1", "Pet2"])
        #expect(recordings.transcripts(petID: "Pet1").map(\.id) == ["v1", "v3"])
        #expect(recordings.transcripts(petID: "Pet1").map(\.text) == ["Rex eats.", nil])
        #expect(recordings.transcripts(petID: "Pet2").map(\.id) == ["v2"])
        await recordings.upload(try .init(.makeAudio()), petID: "Pet1")
        #expect(recordings.uploadState(petID: "Pet1") == .uploaded(visitID: "v9"))
        #expect(recordings.uploadState(petID: "Pet2") == .none)
    }

    @Test("an upload that failed is resumed to its visit")
    func resume() async throws {
        let isBroken = Mutex(true)
        let (recordings, transport) = try makeRecordings {
            isBroken.withLock { $0 } ? .json(422, #"{"message":"Too quiet"}"#) : nil
        }
        await recordings.resume(petID: "Pet1")
        #expect(transport.calls.isEmpty)
        await recordings.upload(try .init(.makeAudio()), petID: "Pet1")
        #expect(recordings.uploadState(petID: "Pet1") == .failed(reason: "Too quiet", visitID: "v9"))
        isBroken.withLock { $0 = false }
        await recordings.resume(petID: "Pet1")
        #expect(recordings.uploadState(petID: "Pet1") == .uploaded(visitID: "v9"))
        #expect(transport.calls.filter { $0.hasSuffix("/initiate") }.count == 1)
        await recordings.resume(petID: "Pet1")
        #expect(recordings.uploadState(petID: "Pet1") == .uploaded(visitID: "v9"))
    }

    @Test("an upload is not resumed if it is unknown whether its announcement created a visit")
    func unknownVisit() async throws {
        let (recordings, transport) = try makeRecordings(announcement: .json(500, #"{"message":"Late"}"#)) { nil }
        await recordings.upload(try .init(.makeAudio()), petID: "Pet1")
        #expect(recordings.uploadState(petID: "Pet1") == .failed(reason: "Late", visitID: nil))
        let calls = transport.calls
        await recordings.resume(petID: "Pet1")
        #expect(transport.calls == calls && calls.filter { $0.hasSuffix("/initiate") }.count == 1)
        #expect(recordings.uploadState(petID: "Pet1") == .failed(reason: "Late", visitID: nil))
    }

    @Test("a pet of another appointment fails before anything is announced, and needs an account")
    func refusals() async throws {
        let (recordings, transport) = try makeRecordings { nil }
        await recordings.upload(try .init(.makeAudio()), petID: "Pet9")
        #expect(
            recordings.uploadState(petID: "Pet9")
                == .failed(reason: "the pet doesn't belong to the appointment", visitID: nil))
        #expect(transport.calls == ["GET https://backend.test/v1/api/appointments/ABC123"])
        let client = PetVisitsClient(baseEndpoint: .test, client: HTTPClient(transport: transport, session: Session()))
        #expect(throws: CallError.self) { try PetRecordings(appointmentID: "ABC123", client: client) }
    }
}
