public import HTTPCalls
internal import HTTPTypes
public import Logging

/// The API of Pet Visits: one audio file for each visit of one pet.
///
/// Audio is first announced for a pet in an appointment, which creates a visit, and then transferred to that visit. No
/// call accepts more than one pet. "One pet, one visit, one recording" is read this way: a visit belongs to one pet and
/// has one recording. A pet may have several visits, also in one appointment, because the specification shows a list of
/// visits for each pet; each further recording creates a further visit. The specification defines neither the paths nor
/// the JSON: see ``Assumptions``.
public struct PetVisitsClient: Sendable {
    var apiClient: JSONAPIClient
    let assumptions: Assumptions
    var baseEndpoint: Endpoint { apiClient.baseEndpoint }
    private let logger: Logger

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - baseEndpoint: The URL of the API: `https://host` for `https://host/api/appointments/ABC123`.
    ///   - client: Sends the requests.
    ///   - assumptions: The parts of the API that the specification does not define.
    ///   - logger: Logs at level `info` to which pet, appointment and visit each recording belongs, so that it can be
    ///     verified: the ids of each visit that was created, of each recording that was stored, and of each pet that
    ///     was rejected; never the token, a file's name or content.
    public init(
        baseEndpoint: Endpoint, client: HTTPClient, assumptions: Assumptions = Assumptions(),
        logger: Logger = Logger(label: "pet-visits") { _ in SwiftLogNoOpLogHandler() }
    ) {
        apiClient = JSONAPIClient(
            baseEndpoint: baseEndpoint, httpClient: client, decoder: assumptions.keys.applied())
        self.assumptions = assumptions
        self.logger = logger
    }

    /// Returns a client that makes all calls for the account that is signed in now.
    ///
    /// - Throws: `signed-out` if no account is signed in.
    public func boundToCurrentAccount() throws(CallError) -> PetVisitsClient {
        var client = self
        client.apiClient = try apiClient.boundToCurrentAccount()
        return client
    }

    /// Returns an appointment with its pets.
    ///
    /// - Parameter id: The appointment's id.
    /// - Throws: `validation-failed` if the id is invalid.
    public func appointment(id: String) async throws(CallError) -> Appointment {
        try Self.validate(id, of: "an appointment")
        return try await apiClient.call(
            method: .get, endpoint: assumptions.appointmentEndpoint(id: id, base: baseEndpoint))
    }

    /// Checks that a pet belongs to an appointment, which is requested from the server.
    ///
    /// - Parameters:
    ///   - petID: The pet's id.
    ///   - appointmentID: The appointment's id.
    /// - Throws: `pet-not-in-appointment`; `validation-failed` if an id is invalid.
    public func validatePet(id petID: String, inAppointment appointmentID: String) async throws(CallError) {
        try Self.validateIDs(petID: petID, appointmentID: appointmentID)
        let appointment = try await self.appointment(id: appointmentID)
        do throws(CallError) { try appointment.validatePet(id: petID) } catch {
            log("the pet does not belong to the appointment", petID: petID, appointmentID: appointmentID)
            throw error
        }
    }

    /// Announces an upload, which creates a visit. The request is not retried if the server may have processed it.
    ///
    /// - Parameter request: The announcement.
    /// - Returns: The visit's id.
    /// - Throws: `validation-failed` if the announcement is invalid.
    public func initiateAudioUpload(_ request: AudioUploadRequest) async throws(CallError) -> String {
        try request.validate()
        let body = try JSONAPIClient.encodeBody(request, using: assumptions.keys.applied())
        let visitID = try await apiClient.call(
            method: .post, endpoint: assumptions.initiationEndpoint(base: baseEndpoint), body: body,
            as: InitiationResponse.self
        ).visitID
        log("created a visit", petID: request.petID, appointmentID: request.appointmentID, visitID: visitID)
        return visitID
    }

    /// Transfers announced audio. The request is not retried if the server may have processed it.
    ///
    /// - Parameters:
    ///   - audio: The audio.
    ///   - request: The announcement.
    ///   - visitID: The visit's id, from ``initiateAudioUpload(_:)``.
    /// - Throws: `validation-failed` if the visit's id is invalid; `outcome-unknown` if the server stored the audio for
    ///   another visit.
    public func transferAudio(
        _ audio: AudioItem, request: AudioUploadRequest, visitID: String
    ) async throws(CallError) {
        try Self.validate(visitID, of: "a visit")
        let body = try audio.file.makeMultipartBody(partName: assumptions.audioPartName)
        let response = try await apiClient.call(
            method: .post, endpoint: assumptions.audioEndpoint(visitID: visitID, base: baseEndpoint), body: body,
            as: AudioTransferResponse.self)
        try response.validate(visitID: visitID, request: request)
        log("stored a recording", petID: request.petID, appointmentID: request.appointmentID, visitID: visitID)
    }

    /// Uploads the audio of one pet's visit, after checking that the pet belongs to the appointment.
    ///
    /// All requests belong to the account that is signed in when the upload begins.
    ///
    /// - Parameters:
    ///   - audio: The audio.
    ///   - petID: The pet's id.
    ///   - appointmentID: The appointment's id.
    ///   - visitID: The visit of an upload that failed, from the error's `resumeReference`, to be resumed; `nil` to
    ///     create a visit.
    /// - Returns: The id of the visit.
    /// - Throws: `validation-failed` or `pet-not-in-appointment` before anything is sent; the errors of
    ///   ``initiateAudioUpload(_:)`` and ``transferAudio(_:request:visitID:)``. If the transfer fails, the error's
    ///   `resumeReference` is the visit's id.
    public func uploadAudio(
        _ audio: AudioItem, petID: String, appointmentID: String, visitID: String? = nil
    ) async throws(CallError) -> String {
        let request = AudioUploadRequest(audio: audio, petID: petID, appointmentID: appointmentID)
        try request.validate()
        if let visitID { try Self.validate(visitID, of: "a visit") }
        let client = try boundToCurrentAccount()
        try await client.validatePet(id: petID, inAppointment: appointmentID)
        if let visitID {
            return try await client.resumeTransfer(of: audio, request: request, visitID: visitID)
        }
        let newVisitID = try await client.initiateAudioUpload(request)
        do throws(CallError) {
            try await client.transferAudio(audio, request: request, visitID: newVisitID)
        } catch {
            throw error.resumable(with: newVisitID)
        }
        return newVisitID
    }

    /// Transfers audio to the visit of an upload that failed. The visit may have the audio already, because the answer
    /// to the earlier transfer was lost.
    private func resumeTransfer(
        of audio: AudioItem, request: AudioUploadRequest, visitID: String
    ) async throws(CallError) -> String {
        do throws(CallError) {
            try await transferAudio(audio, request: request, visitID: visitID)
        } catch {
            let isRecorded = error.serverMessage?.code == assumptions.alreadyRecordedCode
            let visits = isRecorded ? try? await visits(appointmentID: request.appointmentID) : nil
            guard let visits, VisitsResponse(visits: visits).contains(visitID: visitID, petID: request.petID) else {
                throw error.resumable(with: visitID)
            }
        }
        return visitID
    }

    private func log(_ event: Logger.Message, petID: String, appointmentID: String, visitID: String? = nil) {
        var ids: Logger.Metadata = ["pet_id": "\(petID)", "appointment_id": "\(appointmentID)"]
        if let visitID { ids["visit_id"] = "\(visitID)" }
        logger.info(event, metadata: ids)
    }

    /// Returns the visits of an appointment.
    ///
    /// - Parameters:
    ///   - appointmentID: The appointment's id.
    ///   - petID: The pet's id; `nil` for the visits of all pets.
    /// - Throws: `validation-failed` if the appointment's id is invalid.
    public func visits(appointmentID: String, petID: String? = nil) async throws(CallError) -> [Visit] {
        try Self.validate(appointmentID, of: "an appointment")
        let endpoint = assumptions.visitsEndpoint(appointmentID: appointmentID, base: baseEndpoint)
        let visits = try await apiClient.call(method: .get, endpoint: endpoint, as: VisitsResponse.self).visits
        return visits.filter { petID == nil || $0.petID == petID }
    }
}

extension CallError.Code {
    /// The pet does not belong to the appointment.
    public static let petNotInAppointment = Self(rawValue: "pet-not-in-appointment")
}

extension CallError {
    /// Returns the error with the reference with which the upload can be resumed.
    fileprivate func resumable(with reference: String) -> CallError {
        var error = self
        error.resumeReference = reference
        return error
    }
}
