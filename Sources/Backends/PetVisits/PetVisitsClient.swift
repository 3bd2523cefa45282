public import Uploading

/// Pet visits: one pet, one visit, one recording.
///
/// A recording is announced for a pet in an appointment, which makes a visit, and then transferred to that visit. There
/// is no call that takes more than one pet. Its document gives no wire: the keys are in snake_case, since its database
/// speaks so.
public struct PetVisitsClient: Sendable {
    private let apiClient: JSONAPIClient
    private var baseEndpoint: Endpoint { apiClient.baseEndpoint }

    /// The API at a URL: `https://host` for `https://host/api/appointments/ABC123`.
    public init(baseEndpoint: Endpoint, client: HTTPClient) {
        apiClient = JSONAPIClient(baseEndpoint: baseEndpoint, httpClient: client)
    }

    /// An appointment with its pets.
    ///
    /// - Throws: `validation-failed` if the id is none.
    public func appointment(id: String) async throws(UploadError) -> Appointment {
        try Self.validate(id, of: "an appointment")
        return try await apiClient.call(method: .get, endpoint: Self.appointmentEndpoint(id: id, base: baseEndpoint))
    }

    /// Checks that a pet belongs to an appointment.
    ///
    /// - Throws: `pet-not-in-appointment`; `validation-failed` if an id is missing.
    public func validatePet(id petID: String, inAppointment appointmentID: String) async throws(UploadError) {
        try Self.validateIDs(petID: petID, appointmentID: appointmentID)
        try await self.appointment(id: appointmentID).validatePet(id: petID)
    }

    /// Announces a recording. This makes a visit, and so is sent once.
    ///
    /// - Returns: the visit's id.
    /// - Throws: `validation-failed` if the request isn't complete.
    public func initiateAudioUpload(_ request: AudioUploadRequest) async throws(UploadError) -> String {
        try request.validate()
        let body = try JSONAPIClient.encodeBody(request)
        return try await apiClient.call(
            method: .post, endpoint: Self.initiationEndpoint(base: baseEndpoint), body: body,
            as: InitiationResponse.self
        ).visitID
    }

    /// Sends a recording that was announced.
    ///
    /// - Parameters:
    ///   - request: what it was announced as.
    ///   - visitID: what `initiateAudioUpload` gave.
    /// - Throws: `validation-failed` if that is no id.
    public func transferAudio(
        _ audio: AudioItem, request: AudioUploadRequest, visitID: String
    ) async throws(UploadError) {
        try Self.validate(visitID, of: "a visit")
        let body = try audio.uploadItem.multipartBody(partName: Self.audioPartName, fields: [])
        let response = try await apiClient.call(
            method: .post, endpoint: Self.audioEndpoint(visitID: visitID, base: baseEndpoint), body: body,
            as: AudioTransferResponse.self)
        try response.validate(visitID: visitID, request: request)
    }

    /// Sends the recording of one pet's visit, once the pet was found to belong to the appointment.
    ///
    /// - Returns: the id of the visit, which is this recording's alone.
    /// - Throws: `validation-failed`, `pet-not-in-appointment`, before anything of it is sent.
    public func uploadAudio(
        _ audio: AudioItem, petID: String, appointmentID: String
    ) async throws(UploadError) -> String {
        let request = AudioUploadRequest(audio: audio, petID: petID, appointmentID: appointmentID)
        try request.validate()
        try await validatePet(id: petID, inAppointment: appointmentID)
        let visitID = try await initiateAudioUpload(request)
        try await transferAudio(audio, request: request, visitID: visitID)
        return visitID
    }

    /// The visits of an appointment's pets.
    ///
    /// - Parameter petID: nil for all of them.
    /// - Throws: `validation-failed` if the appointment's id is none.
    public func visits(appointmentID: String, petID: String? = nil) async throws(UploadError) -> [Visit] {
        try Self.validate(appointmentID, of: "an appointment")
        let endpoint = Self.visitsEndpoint(appointmentID: appointmentID, base: baseEndpoint)
        let visits = try await apiClient.call(method: .get, endpoint: endpoint, as: VisitsResponse.self).visits
        return visits.filter { petID == nil || $0.petID == petID }
    }

    /// What the form calls the recording.
    static let audioPartName = "audio"

    static func appointmentEndpoint(id: String, base: Endpoint) -> Endpoint {
        base.appendingPathSegments("api", "appointments", id)
    }
    static func visitsEndpoint(appointmentID: String, base: Endpoint) -> Endpoint {
        appointmentEndpoint(id: appointmentID, base: base).appendingPathSegments("visits")
    }
    static func initiationEndpoint(base: Endpoint) -> Endpoint {
        base.appendingPathSegments("api", "audio", "initiate")
    }
    static func audioEndpoint(visitID: String, base: Endpoint) -> Endpoint {
        base.appendingPathSegments("api", "visits", visitID, "audio")
    }
}

extension UploadError.Code {
    /// The pet doesn't belong to the appointment.
    public static let petNotInAppointment = Self(rawValue: "pet-not-in-appointment")
    /// What is to be sent lacks something that it must have.
    public static let validationFailed = Self(rawValue: "validation-failed")
}
