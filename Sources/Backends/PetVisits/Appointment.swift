public import Uploading

extension PetVisitsClient {
    /// An animal.
    public struct Pet: Codable, Hashable, Identifiable, Sendable {
        /// What the server calls it.
        public var id: String
        /// What its people call it; nil if the server doesn't say.
        public var name: String?
    }

    /// An appointment, which may be several pets'.
    public struct Appointment: Codable, Hashable, Identifiable, Sendable {
        /// What the server calls it.
        public var id: String
        /// Who is to come.
        public var pets: [Pet]

        /// Checks that a pet belongs to it.
        ///
        /// - Throws: `pet-not-in-appointment`.
        public func validatePet(id petID: String) throws(UploadError) {
            guard pets.contains(where: { $0.id == petID }) else {
                throw UploadError(code: .petNotInAppointment, message: "the pet doesn't belong to the appointment")
            }
        }
    }

    /// What became of one recording of one pet.
    public struct Visit: Codable, Hashable, Identifiable, Sendable {
        /// What the server calls it.
        public var id: String
        /// Whose it is.
        public var petID: String
        /// When.
        public var appointmentID: String
        /// What the recording was sent as.
        public var filename: String?
        /// The recording's media type.
        public var contentType: String?
        /// How long it plays, in seconds; nil as long as nothing was transferred.
        public var durationSeconds: Double?

        private enum CodingKeys: String, CodingKey {
            case id = "visit_id"
            case petID = "pet_id"
            case appointmentID = "appointment_id"
            case filename
            case contentType = "content_type"
            case durationSeconds = "duration_seconds"
        }
    }

    struct VisitsResponse: Decodable {
        var visits: [Visit]
    }

    /// The answer to an announcement.
    struct InitiationResponse: Decodable {
        var visitID: String

        private enum CodingKeys: String, CodingKey { case visitID = "visit_id" }

        init(from decoder: any Decoder) throws {
            visitID = try decoder.container(keyedBy: CodingKeys.self).decodeServerID(forKey: .visitID)
        }
    }

    /// The answer to a recording.
    struct AudioTransferResponse: Decodable {
        var visitID: String
        var petID: String
        var appointmentID: String

        private enum CodingKeys: String, CodingKey {
            case visitID = "visit_id"
            case petID = "pet_id"
            case appointmentID = "appointment_id"
        }

        /// Checks that the recording became what it was announced as: no pet's recording goes to another.
        ///
        /// - Throws: `outcome-unknown`: it was taken, and a person must see where to.
        func validate(visitID expectedVisitID: String, request: AudioUploadRequest) throws(UploadError) {
            guard (visitID, petID, appointmentID) == (expectedVisitID, request.petID, request.appointmentID) else {
                throw UploadError(
                    code: .outcomeUnknown,
                    message: "the server took the recording for another visit, pet or appointment than it was sent for")
            }
        }
    }
}
