public import HTTPCalls
internal import HTTPTypes

extension PetVisitsClient {
    /// The transcript of the recording of a visit. The specification filters transcripts by their pet; their other
    /// members are assumed.
    public struct VisitTranscript: Codable, Hashable, Identifiable, Sendable {
        /// The visit's id.
        public var visitID: String
        /// The pet's id.
        public var petID: String
        /// The appointment's id.
        public var appointmentID: String
        /// The text; `nil` until the recording was transcribed.
        public var text: String?
        /// The visit's id.
        public var id: String { visitID }

        /// Creates a transcript.
        ///
        /// - Parameters:
        ///   - visitID: The visit's id.
        ///   - petID: The pet's id.
        ///   - appointmentID: The appointment's id.
        ///   - text: The text.
        public init(visitID: String, petID: String, appointmentID: String, text: String? = nil) {
            self.visitID = visitID
            self.petID = petID
            self.appointmentID = appointmentID
            self.text = text
        }

        private enum CodingKeys: String, CodingKey {
            case visitID = "visit_id"
            case petID = "pet_id"
            case appointmentID = "appointment_id"
            case text = "transcript"
        }
    }

    private struct TranscriptsResponse: Decodable { var transcripts: [VisitTranscript] }

    /// Returns the transcripts of an appointment's visits.
    ///
    /// - Parameters:
    ///   - appointmentID: The appointment's id.
    ///   - petID: The pet's id; `nil` for the transcripts of all pets.
    /// - Throws: `validation-failed` if the appointment's id is invalid.
    public func transcripts(
        appointmentID: String, petID: String? = nil
    ) async throws(CallError) -> [VisitTranscript] {
        try Self.validate(appointmentID, of: "an appointment")
        let endpoint = assumptions.transcriptsEndpoint(appointmentID: appointmentID, base: baseEndpoint)
        let response = try await apiClient.call(method: .get, endpoint: endpoint, as: TranscriptsResponse.self)
        return response.transcripts.filter { petID == nil || $0.petID == petID }
    }
}
