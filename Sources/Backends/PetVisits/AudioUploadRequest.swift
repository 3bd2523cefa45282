public import Uploading

extension PetVisitsClient {
    /// Announces a recording of one pet in one appointment.
    public struct AudioUploadRequest: Codable, Hashable, Sendable {
        /// Whose it is.
        public var petID: String
        /// What it will be sent as.
        public var filename: String
        /// Its media type.
        public var contentType: String
        /// How long it plays, in seconds; nil if that isn't known, which is sent as null.
        public var estimatedDurationSeconds: Double?
        /// When.
        public var appointmentID: String

        /// A request of these parts.
        public init(
            petID: String, filename: String, contentType: String, estimatedDurationSeconds: Double? = nil,
            appointmentID: String
        ) {
            self.petID = petID
            self.filename = filename
            self.contentType = contentType
            self.estimatedDurationSeconds = estimatedDurationSeconds
            self.appointmentID = appointmentID
        }

        /// The request for a recording.
        public init(audio: AudioItem, petID: String, appointmentID: String) {
            let item = audio.uploadItem
            self.init(
                petID: petID, filename: item.filename, contentType: item.mediaType,
                estimatedDurationSeconds: item.durationSeconds,
                appointmentID: appointmentID)
        }

        /// Checks that both ids are there, and that the duration is one.
        ///
        /// - Throws: `validation-failed`.
        public func validate() throws(UploadError) {
            try PetVisitsClient.validateIDs(petID: petID, appointmentID: appointmentID)
            if let seconds = estimatedDurationSeconds, !(seconds >= 0 && seconds.isFinite) {
                throw UploadError(code: .validationFailed, message: "a recording can't last \(seconds) s")
            }
        }

        private enum CodingKeys: String, CodingKey {
            case petID = "pet_id"
            case filename
            case contentType = "content_type"
            case estimatedDurationSeconds = "estimated_duration_seconds"
            case appointmentID = "appointment_id"
        }

        /// All members, a duration that isn't known as null.
        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(petID, forKey: .petID)
            try values.encode(filename, forKey: .filename)
            try values.encode(contentType, forKey: .contentType)
            try values.encode(estimatedDurationSeconds, forKey: .estimatedDurationSeconds)
            try values.encode(appointmentID, forKey: .appointmentID)
        }
    }

    /// - Throws: `validation-failed` if one isn't an id.
    static func validateIDs(petID: String, appointmentID: String) throws(UploadError) {
        try validate(petID, of: "a pet")
        try validate(appointmentID, of: "an appointment")
    }

    /// Checks that `id` is one: not only white space, and nothing that leads elsewhere in the path of a URL.
    ///
    /// - Throws: `validation-failed`.
    static func validate(_ id: String, of owner: String) throws(UploadError) {
        if id.allSatisfy(\.isWhitespace) || [".", ".."].contains(id) {
            throw UploadError(code: .validationFailed, message: "a recording needs the id of \(owner)")
        }
    }
}
