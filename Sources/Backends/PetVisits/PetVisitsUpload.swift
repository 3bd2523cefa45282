public import Uploading

extension PetVisitsClient {
    /// Sends recordings, each for one pet; the receipt's id is the visit's.
    ///
    /// An item's field `pet_id` says whose it is. An upload takes two requests, and what the first gives, the visit, is
    /// noted: a later run sends to that visit what this one couldn't, and makes no second.
    public struct Destination: UploadDestination {
        /// The API.
        public var baseEndpoint: Endpoint
        /// When, but for items whose field `appointment_id` says otherwise.
        public var defaultAppointmentID: String?
        /// Whether it does once what bears one `Idempotency-Key`. Its document doesn't say so.
        public var honorsIdempotencyKeys: Bool
        private let appointmentCache = AppointmentCache()

        /// The API at a URL.
        public init(baseEndpoint: Endpoint, defaultAppointmentID: String? = nil, honorsIdempotencyKeys: Bool = false) {
            self.baseEndpoint = baseEndpoint
            self.defaultAppointmentID = defaultAppointmentID
            self.honorsIdempotencyKeys = honorsIdempotencyKeys
        }

        /// Where recordings are announced, with the pet and the appointment: the same recording may be sent for two
        /// pets.
        ///
        /// - Throws: `invalid-item` unless it is a recording; `validation-failed` if an id is missing.
        public func uploadKey(for item: UploadItem) throws(UploadError) -> UploadKey {
            let request = try audioUploadRequest(for: item)
            let fields = [
                FormField(name: "appointment_id", value: request.appointmentID),
                FormField(name: "pet_id", value: request.petID),
            ]
            return UploadKey(
                endpoint: PetVisitsClient.initiationEndpoint(base: baseEndpoint), fields: fields,
                partName: PetVisitsClient.audioPartName)
        }

        /// Announces the recording, unless that was done before, and sends it.
        ///
        /// - Throws: `pet-not-in-appointment` before anything of it is sent.
        public func upload(
            _ item: UploadItem, uploadKey: UploadKey, session: UploadSession
        ) async throws(UploadError) -> UploadReceipt {
            let request = try audioUploadRequest(for: item)
            try await validatePet(of: request, session: session)
            if let visitID = session.resumeReference {
                guard visitID.isValidServerID else {
                    throw UploadError(code: .ledgerFailed, message: "the ledger is damaged: it holds no visit's id")
                }
                do throws(UploadError) {
                    return try await transferAudio(item, request: request, visitID: visitID, session: session)
                } catch  where error.serverMessage?.code == "already-recorded" {
                    return try await confirmRecorded(
                        visitID: visitID, request: request, session: session, orThrow: error)
                }
            }
            let body = try JSONAPIClient.encodeBody(request)
            let response = try await session.post(
                to: uploadKey.endpoint, body: body, step: "initiate", carriesItem: false)
            let visitID = try response.decodeBody(as: InitiationResponse.self, isIdempotent: honorsIdempotencyKeys)
                .visitID
            try await session.saveResumeReference(visitID)
            return try await transferAudio(item, request: request, visitID: visitID, session: session)
        }

        private func audioUploadRequest(for item: UploadItem) throws(UploadError) -> AudioUploadRequest {
            let request = AudioUploadRequest(
                audio: try AudioItem(item), petID: item.fieldValue(named: "pet_id") ?? "",
                appointmentID: item.fieldValue(named: "appointment_id") ?? defaultAppointmentID ?? "")
            try request.validate()
            return request
        }

        private func validatePet(of request: AudioUploadRequest, session: UploadSession) async throws(UploadError) {
            let endpoint = PetVisitsClient.appointmentEndpoint(id: request.appointmentID, base: baseEndpoint)
            let appointment = try await appointmentCache.appointment(at: endpoint) { () async throws(UploadError) in
                try await session.sendGetRequest(to: endpoint).decodeBody(isIdempotent: true)
            }
            try appointment.validatePet(id: request.petID)
        }

        private func transferAudio(
            _ item: UploadItem, request: AudioUploadRequest, visitID: String, session: UploadSession
        ) async throws(UploadError) -> UploadReceipt {
            let form = try item.multipartBody(partName: PetVisitsClient.audioPartName, fields: [])
            let response = try await session.post(
                to: PetVisitsClient.audioEndpoint(visitID: visitID, base: baseEndpoint), body: form, step: "transfer")
            try response.decodeBody(as: AudioTransferResponse.self, isIdempotent: honorsIdempotencyKeys).validate(
                visitID: visitID, request: request)
            return UploadReceipt(serverID: visitID, responseBody: response.body)
        }

        /// A visit that was made for this recording alone, and has one: it arrived when an earlier run sent it.
        private func confirmRecorded(
            visitID: String, request: AudioUploadRequest, session: UploadSession, orThrow refusal: UploadError
        ) async throws(UploadError) -> UploadReceipt {
            let endpoint = PetVisitsClient.visitsEndpoint(appointmentID: request.appointmentID, base: baseEndpoint)
            let list = try await session.sendGetRequest(to: endpoint).decodeBody(
                as: VisitsResponse.self, isIdempotent: true)
            guard list.visits.contains(where: { $0.id == visitID && $0.petID == request.petID }) else { throw refusal }
            return UploadReceipt(serverID: visitID, responseBody: [])
        }
    }
}
