public import Uploading

/// Pet visits: one pet, one visit, one recording.
///
/// A recording is announced for a pet in an appointment, which makes a visit, and then transferred to that visit. There is no call
/// that takes more than one pet. Its document gives no wire: the keys are in snake_case, since its database speaks so.
public struct PetVisits: Sendable {
    private let calls: JSONCalls
    private var base: Endpoint { calls.base }

    /// The API at a URL: `https://host` for `https://host/api/appointments/ABC123`.
    public init(_ base: Endpoint, client: HTTPClient) { calls = JSONCalls(base: base, client: client) }

    /// An appointment with its pets.
    ///
    /// - Throws: `validation-failed` if the id is none.
    public func appointment(_ id: String) async throws(UploadError) -> Appointment {
        try Self.validate(id, of: "an appointment")
        return try await calls.call(.get, Self.appointment(id, base))
    }

    /// Checks that a pet belongs to an appointment.
    ///
    /// - Throws: `pet-not-in-appointment`; `validation-failed` if an id is missing.
    public func validate(_ pet: String, in appointment: String) async throws(UploadError) {
        try Self.validate(pet: pet, appointment: appointment)
        try await self.appointment(appointment).validate(pet)
    }

    /// Announces a recording. This makes a visit, and so is sent once.
    ///
    /// - Returns: the visit's id.
    /// - Throws: `validation-failed` if the request isn't complete.
    public func initiate(_ request: AudioUploadRequest) async throws(UploadError) -> String {
        try request.validate()
        let body = try JSONCalls.body(request)
        return try await calls.call(.post, Self.initiation(base), body: body, as: Initiation.self).visitID
    }

    /// Sends a recording that was announced.
    ///
    /// - Parameters:
    ///   - request: what it was announced as.
    ///   - visit: what `initiate` gave.
    /// - Throws: `validation-failed` if that is no id.
    public func transfer(
        _ recording: Recording, _ request: AudioUploadRequest, to visit: String
    ) async throws(UploadError) {
        try Self.validate(visit, of: "a visit")
        let body = try recording.item.form(part: Self.part, fields: [])
        let answer = try await calls.call(.post, Self.audio(of: visit, base), body: body, as: Transfer.self)
        try answer.validate(visit, request)
    }

    /// Sends the recording of one pet's visit, once the pet was found to belong to the appointment.
    ///
    /// - Returns: the id of the visit, which is this recording's alone.
    /// - Throws: `validation-failed`, `pet-not-in-appointment`, before anything of it is sent.
    public func upload(
        _ recording: Recording, pet: String, appointment: String
    ) async throws(UploadError) -> String {
        let request = AudioUploadRequest(recording, pet: pet, appointment: appointment)
        try request.validate()
        try await validate(pet, in: appointment)
        let visit = try await initiate(request)
        try await transfer(recording, request, to: visit)
        return visit
    }

    /// The visits of an appointment's pets.
    ///
    /// - Parameter pet: nil for all of them.
    /// - Throws: `validation-failed` if the appointment's id is none.
    public func visits(of appointment: String, pet: String? = nil) async throws(UploadError) -> [Visit] {
        try Self.validate(appointment, of: "an appointment")
        let endpoint = Self.visits(of: appointment, base)
        let visits = try await calls.call(.get, endpoint, as: VisitList.self).visits
        return visits.filter { pet == nil || $0.petID == pet }
    }

    /// What the form calls the recording.
    static let part = "audio"

    static func appointment(_ id: String, _ base: Endpoint) -> Endpoint { base.appending("api", "appointments", id) }
    static func visits(of id: String, _ base: Endpoint) -> Endpoint { appointment(id, base).appending("visits") }
    static func initiation(_ base: Endpoint) -> Endpoint { base.appending("api", "audio", "initiate") }
    static func audio(of visit: String, _ base: Endpoint) -> Endpoint {
        base.appending("api", "visits", visit, "audio")
    }
}

extension UploadError.Code {
    /// The pet doesn't belong to the appointment.
    public static let petNotInAppointment = Self(rawValue: "pet-not-in-appointment")
    /// What is to be sent lacks something that it must have.
    public static let validationFailed = Self(rawValue: "validation-failed")
}
