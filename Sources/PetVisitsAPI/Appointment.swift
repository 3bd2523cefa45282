public import HTTPCalls

extension PetVisitsClient {
    /// A pet.
    public struct Pet: Codable, Hashable, Identifiable, Sendable {
        /// The pet's id.
        public var id: String
        /// The pet's name; `nil` if the server does not provide it.
        public var name: String?

        /// Creates a pet.
        ///
        /// - Parameters:
        ///   - id: The pet's id.
        ///   - name: The pet's name.
        public init(id: String, name: String? = nil) {
            self.id = id
            self.name = name
        }
    }

    /// An appointment for one or more pets.
    public struct Appointment: Codable, Hashable, Identifiable, Sendable {
        /// The appointment's id.
        public var id: String
        /// The pets of the appointment.
        public var pets: [Pet]

        /// Creates an appointment.
        ///
        /// - Parameters:
        ///   - id: The appointment's id.
        ///   - pets: The pets of the appointment.
        public init(id: String, pets: [Pet]) {
            self.id = id
            self.pets = pets
        }

        /// Checks that a pet belongs to the appointment.
        ///
        /// - Parameter petID: The pet's id.
        /// - Throws: `pet-not-in-appointment`.
        /// - Complexity: O(*n*) in the number of pets.
        public func validatePet(id petID: String) throws(CallError) {
            guard pets.contains(where: { $0.id == petID }) else {
                throw CallError(code: .petNotInAppointment, message: "the pet doesn't belong to the appointment")
            }
        }
    }

    /// The visit of one pet, with one audio file.
    public struct Visit: Codable, Hashable, Identifiable, Sendable {
        /// The visit's id.
        public var id: String
        /// The pet's id.
        public var petID: String
        /// The appointment's id.
        public var appointmentID: String
        /// The audio's file name.
        public var filename: String?
        /// The audio's media type.
        public var contentType: String?
        /// The audio's duration in seconds; `nil` until the audio was transferred.
        public var durationSeconds: Double?

        /// Creates a visit.
        ///
        /// - Parameters:
        ///   - id: The visit's id.
        ///   - petID: The pet's id.
        ///   - appointmentID: The appointment's id.
        ///   - filename: The audio's file name.
        ///   - contentType: The audio's media type.
        ///   - durationSeconds: The audio's duration in seconds.
        public init(
            id: String, petID: String, appointmentID: String, filename: String? = nil, contentType: String? = nil,
            durationSeconds: Double? = nil
        ) {
            self.id = id
            self.petID = petID
            self.appointmentID = appointmentID
            self.filename = filename
            self.contentType = contentType
            self.durationSeconds = durationSeconds
        }

        private enum CodingKeys: String, CodingKey {
            case id = "visit_id"
            case petID = "pet_id"
            case appointmentID = "appointment_id"
            case filename
            case contentType = "content_type"
            case durationSeconds = "duration_seconds"
        }
    }

    package struct VisitsResponse: Decodable {
        package var visits: [Visit]

        package init(visits: [Visit]) { self.visits = visits }

        /// Whether the server lists the visit for the pet.
        package func contains(visitID: String, petID: String) -> Bool {
            visits.contains { $0.id == visitID && $0.petID == petID }
        }
    }

    /// The response to the announcement of an upload.
    package struct InitiationResponse: Decodable {
        package var visitID: String

        private enum CodingKeys: String, CodingKey { case visitID = "visit_id" }

        package init(from decoder: any Decoder) throws {
            visitID = try decoder.container(keyedBy: CodingKeys.self).decodeServerID(forKey: .visitID)
        }
    }

    /// The response to the transfer of the audio.
    package struct AudioTransferResponse: Decodable {
        var visitID: String
        var petID: String
        var appointmentID: String

        private enum CodingKeys: String, CodingKey {
            case visitID = "visit_id"
            case petID = "pet_id"
            case appointmentID = "appointment_id"
        }

        /// Checks that the server stored the audio for the announced visit, pet and appointment.
        ///
        /// - Throws: `outcome-unknown` if not: the audio was stored elsewhere, so the user must check.
        package func validate(visitID expectedVisitID: String, request: AudioUploadRequest) throws(CallError) {
            guard (visitID, petID, appointmentID) == (expectedVisitID, request.petID, request.appointmentID) else {
                throw CallError(
                    code: .outcomeUnknown,
                    message: "the server accepted the recording for another visit, pet or appointment")
            }
        }
    }
}
