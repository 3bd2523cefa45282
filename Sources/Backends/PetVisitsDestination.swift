public import HTTPCalls
public import PetVisitsAPI
public import Uploading

extension PetVisitsClient {
    /// Uploads audio, each item for one pet. The receipt's id is the visit's.
    ///
    /// An item's field `pet_id` names the pet. An upload takes two requests. The visit that the first one creates is
    /// saved, so that a later run resumes the upload to that visit and does not create another.
    public struct Destination: UploadDestination {
        /// The URL of the API.
        public var baseEndpoint: Endpoint
        /// The appointment of items without a field `appointment_id`; `nil` if all items must have one.
        public var defaultAppointmentID: String?
        /// Whether the server processes requests with the same `Idempotency-Key` only once. Its specification does not
        /// say so.
        public var honorsIdempotencyKeys: Bool
        /// What the specification does not say.
        public var assumptions: Assumptions
        private let appointmentCache = AppointmentCache()

        /// Creates a destination.
        ///
        /// - Parameters:
        ///   - baseEndpoint: The URL of the API.
        ///   - defaultAppointmentID: The appointment of items without a field `appointment_id`.
        ///   - honorsIdempotencyKeys: Whether the server processes requests with the same `Idempotency-Key` only once.
        ///   - assumptions: What the specification does not say.
        public init(
            baseEndpoint: Endpoint, defaultAppointmentID: String? = nil, honorsIdempotencyKeys: Bool = false,
            assumptions: Assumptions = Assumptions()
        ) {
            self.baseEndpoint = baseEndpoint
            self.defaultAppointmentID = defaultAppointmentID
            self.honorsIdempotencyKeys = honorsIdempotencyKeys
            self.assumptions = assumptions
        }

        /// Returns the key of the announcement's URL with the pet and the appointment. The same audio can thus be sent
        /// for two pets.
        ///
        /// - Parameter item: The audio.
        /// - Throws: `invalid-item` if the item is not audio; `validation-failed` if an id is missing or invalid.
        public func uploadKey(for item: UploadItem) throws(CallError) -> UploadKey {
            let request = try makeAudioUploadRequest(for: item)
            let fields = [
                FormField(name: "appointment_id", value: request.appointmentID),
                FormField(name: "pet_id", value: request.petID),
            ]
            return UploadKey(
                endpoint: assumptions.initiationEndpoint(base: baseEndpoint), fields: fields,
                partName: assumptions.audioPartName)
        }

        /// Announces the audio, unless an earlier run did, and transfers it.
        ///
        /// - Parameters:
        ///   - item: The audio.
        ///   - uploadKey: The item's key, from ``uploadKey(for:)``.
        ///   - session: Sends the requests and saves the visit's id.
        /// - Returns: The receipt.
        /// - Throws: `pet-not-in-appointment` before anything is sent; `journal` if the ledger fails or its visit id is
        ///   invalid; `outcome-unknown` if the server stored the audio for another visit; the errors of `session`.
        public func upload(
            _ item: UploadItem, uploadKey: UploadKey, session: UploadSession
        ) async throws(CallError) -> UploadReceipt {
            let request = try makeAudioUploadRequest(for: item)
            try await validatePet(of: request, session: session)
            if let visitID = session.resumeReference {
                guard visitID.isValidServerID else {
                    throw CallError(code: .journalFailed, message: "the journal is damaged: it has no visit ID")
                }
                do throws(CallError) {
                    return try await transferAudio(item, request: request, visitID: visitID, session: session)
                } catch  where error.serverMessage?.code == assumptions.alreadyRecordedCode {
                    return try await confirmRecorded(
                        visitID: visitID, request: request, session: session, orThrow: error)
                }
            }
            let body = try JSONAPIClient.encodeBody(request, using: assumptions.keys.applied())
            let response = try await session.post(
                to: uploadKey.endpoint, body: body, step: "initiate", carriesItem: false)
            let visitID = try response.decodeBody(
                as: InitiationResponse.self, using: assumptions.keys.applied(), isIdempotent: honorsIdempotencyKeys
            ).visitID
            // The id is stored and shown.
            guard response.textWithoutTokens(visitID) == visitID else {
                throw response.invalidResponseError(
                    reason: "has the token as its visit ID", isIdempotent: honorsIdempotencyKeys)
            }
            try await session.saveResumeReference(visitID)
            return try await transferAudio(item, request: request, visitID: visitID, session: session)
        }

        private func makeAudioUploadRequest(for item: UploadItem) throws(CallError) -> AudioUploadRequest {
            let request = AudioUploadRequest(
                audio: try AudioItem(item.mediaFile), petID: item.fieldValue(named: "pet_id") ?? "",
                appointmentID: item.fieldValue(named: "appointment_id") ?? defaultAppointmentID ?? "")
            try request.validate()
            return request
        }

        private func validatePet(of request: AudioUploadRequest, session: UploadSession) async throws(CallError) {
            let endpoint = assumptions.appointmentEndpoint(id: request.appointmentID, base: baseEndpoint)
            let appointment = try await appointmentCache.appointment(
                at: endpoint, signIn: session.signIn, containingPet: request.petID
            ) { [keys = assumptions.keys] () async throws(CallError) in
                try await session.get(from: endpoint).decodeBody(using: keys.applied(), isIdempotent: true)
            }
            try appointment.validatePet(id: request.petID)
        }

        private func transferAudio(
            _ item: UploadItem, request: AudioUploadRequest, visitID: String, session: UploadSession
        ) async throws(CallError) -> UploadReceipt {
            let form = try item.makeMultipartBody(partName: assumptions.audioPartName, fields: [])
            let response = try await session.post(
                to: assumptions.audioEndpoint(visitID: visitID, base: baseEndpoint), body: form, step: "transfer")
            try response.decodeBody(
                as: AudioTransferResponse.self, using: assumptions.keys.applied(), isIdempotent: honorsIdempotencyKeys
            ).validate(visitID: visitID, request: request)
            return UploadReceipt(serverID: visitID, response: response)
        }

        /// Confirms that the visit created for this audio already has audio, so that an earlier run's transfer
        /// succeeded.
        ///
        /// - Throws: `rejection` if the server does not list the visit for the pet.
        private func confirmRecorded(
            visitID: String, request: AudioUploadRequest, session: UploadSession, orThrow rejection: CallError
        ) async throws(CallError) -> UploadReceipt {
            let endpoint = assumptions.visitsEndpoint(appointmentID: request.appointmentID, base: baseEndpoint)
            let list = try await session.get(from: endpoint).decodeBody(
                as: VisitsResponse.self, using: assumptions.keys.applied(), isIdempotent: true)
            guard list.contains(visitID: visitID, petID: request.petID) else { throw rejection }
            return UploadReceipt(serverID: visitID, responseBody: [])
        }
    }
}
