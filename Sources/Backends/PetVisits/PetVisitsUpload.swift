public import Uploading

extension PetVisits {
    /// Sends recordings, each for one pet; the receipt's id is the visit's.
    ///
    /// An item's field `pet_id` says whose it is. An upload takes two requests, and what the first gives, the visit, is noted: a later
    /// run sends to that visit what this one couldn't, and makes no second.
    public struct Upload: Destination {
        /// The API.
        public var base: Endpoint
        /// When, but for items whose field `appointment_id` says otherwise.
        public var appointment: String?
        /// Whether it does once what bears one `Idempotency-Key`. Its document doesn't say so.
        public var honoursKeys: Bool
        private let appointments = AppointmentCache()

        /// The API at a URL.
        public init(_ base: Endpoint, appointment: String? = nil, honoursKeys: Bool = false) {
            self.base = base
            self.appointment = appointment
            self.honoursKeys = honoursKeys
        }

        /// Where recordings are announced, with the pet and the appointment: the same recording may be sent for two pets.
        ///
        /// - Throws: `invalid-item` unless it is a recording; `validation-failed` if an id is missing.
        public func address(of item: UploadItem) throws(UploadError) -> UploadAddress {
            let request = try request(for: item)
            let fields = [FormField("appointment_id", request.appointmentID), FormField("pet_id", request.petID)]
            return UploadAddress(PetVisits.initiation(base), fields: fields, part: PetVisits.part)
        }

        /// Announces the recording, unless that was done before, and sends it.
        ///
        /// - Throws: `pet-not-in-appointment` before anything of it is sent.
        public func deliver(
            _ item: UploadItem, to address: UploadAddress, by delivery: Delivery
        ) async throws(UploadError) -> Receipt {
            let request = try request(for: item)
            try await check(request, by: delivery)
            if let visit = delivery.reference {
                guard visit.isUsableID else {
                    throw UploadError(.journal, "the ledger is damaged: it holds no visit's id")
                }
                do throws(UploadError) {
                    return try await transfer(item, request, to: visit, by: delivery)
                } catch  where error.server?.code == "already-recorded" {
                    return try await confirm(visit, request, by: delivery, or: error)
                }
            }
            let body = try JSONCalls.body(request)
            let response = try await delivery.post(address.endpoint, body, step: "initiate", isUpload: false)
            let visit = try response.answer(as: Initiation.self, mayRepeat: honoursKeys).visitID
            try await delivery.note(visit)
            return try await transfer(item, request, to: visit, by: delivery)
        }

        private func request(for item: UploadItem) throws(UploadError) -> AudioUploadRequest {
            let request = AudioUploadRequest(
                try Recording(item), pet: item.field("pet_id") ?? "",
                appointment: item.field("appointment_id") ?? appointment ?? "")
            try request.validate()
            return request
        }

        private func check(_ request: AudioUploadRequest, by delivery: Delivery) async throws(UploadError) {
            let endpoint = PetVisits.appointment(request.appointmentID, base)
            let appointment = try await appointments.appointment(at: endpoint) { () async throws(UploadError) in
                try await delivery.ask(endpoint).answer(mayRepeat: true)
            }
            try appointment.validate(request.petID)
        }

        private func transfer(
            _ item: UploadItem, _ request: AudioUploadRequest, to visit: String, by delivery: Delivery
        ) async throws(UploadError) -> Receipt {
            let form = try item.form(part: PetVisits.part, fields: [])
            let response = try await delivery.post(PetVisits.audio(of: visit, base), form, step: "transfer")
            try response.answer(as: Transfer.self, mayRepeat: honoursKeys).validate(visit, request)
            return Receipt(id: visit, response: response.body)
        }

        /// A visit that was made for this recording alone, and has one: it arrived when an earlier run sent it.
        private func confirm(
            _ visit: String, _ request: AudioUploadRequest, by delivery: Delivery, or refusal: UploadError
        ) async throws(UploadError) -> Receipt {
            let endpoint = PetVisits.visits(of: request.appointmentID, base)
            let list = try await delivery.ask(endpoint).answer(as: VisitList.self, mayRepeat: true)
            guard list.visits.contains(where: { $0.id == visit && $0.petID == request.petID }) else { throw refusal }
            return Receipt(id: visit, response: [])
        }
    }
}
