public import HTTPCalls

extension PetVisitsClient {
    /// The announcement of an audio upload for one pet in one appointment.
    public struct AudioUploadRequest: Codable, Hashable, Sendable {
        /// The pet's id.
        public var petID: String
        /// The file name that will be sent.
        public var filename: String
        /// The media type.
        public var contentType: String
        /// The duration in seconds; `nil` if it is unknown, which is not sent.
        public var estimatedDurationSeconds: Double?
        /// The appointment's id.
        public var appointmentID: String

        /// Creates an announcement.
        ///
        /// - Parameters:
        ///   - petID: The pet's id.
        ///   - filename: The file name that will be sent.
        ///   - contentType: The media type.
        ///   - estimatedDurationSeconds: The duration in seconds; `nil` if it is unknown.
        ///   - appointmentID: The appointment's id.
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

        /// Creates the announcement of an audio item.
        ///
        /// - Parameters:
        ///   - audio: The audio. Its file name, media type and duration are announced.
        ///   - petID: The pet's id.
        ///   - appointmentID: The appointment's id.
        public init(audio: AudioItem, petID: String, appointmentID: String) {
            let file = audio.file
            self.init(
                petID: petID, filename: file.filename, contentType: file.mediaType,
                estimatedDurationSeconds: file.durationSeconds, appointmentID: appointmentID)
        }

        /// Checks both ids, and that the duration is finite and not negative.
        ///
        /// - Throws: `validation-failed`.
        public func validate() throws(CallError) {
            try PetVisitsClient.validateIDs(petID: petID, appointmentID: appointmentID)
            if let seconds = estimatedDurationSeconds, !(seconds >= 0 && seconds.isFinite) {
                throw CallError(
                    code: .validationFailed, message: "the duration of a recording cannot be \(seconds) s")
            }
        }

        private enum CodingKeys: String, CodingKey {
            case petID = "pet_id"
            case filename
            case contentType = "content_type"
            case estimatedDurationSeconds = "estimated_duration_seconds"
            case appointmentID = "appointment_id"
        }
    }

    /// Checks both ids.
    ///
    /// - Throws: `validation-failed`.
    static func validateIDs(petID: String, appointmentID: String) throws(CallError) {
        try validate(petID, of: "a pet", userMessage: "Pet ID is required")
        try validate(appointmentID, of: "an appointment", userMessage: "Appointment ID is required")
    }

    /// Checks that an id is not blank, and not `.` or `..`, which would change the path of the URL.
    ///
    /// - Parameter userMessage: The specification's sentence for the user; `nil` if it has none.
    /// - Throws: `validation-failed`.
    static func validate(_ id: String, of owner: String, userMessage: String? = nil) throws(CallError) {
        try id.requireValidID(message: "a recording needs the id of \(owner)", userMessage: userMessage)
    }
}
