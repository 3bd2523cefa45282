public import HTTPCalls
public import Observation

/// The recordings of an appointment as a view shows them: one card for each pet, with the state of its own upload and
/// its own transcripts.
///
/// All requests belong to the account that was signed in when the object was created.
@MainActor @Observable public final class PetRecordings {
    /// The state of the last upload for a pet.
    public enum UploadState: Hashable, Sendable {
        /// Nothing was uploaded.
        case none
        /// The recording is being uploaded.
        case uploading
        /// The recording was uploaded to the visit.
        case uploaded(visitID: String)
        /// The upload failed for the given reason, which can be shown. It can be resumed if the visit's id is not
        /// `nil`.
        case failed(reason: String, visitID: String?)
    }

    /// The appointment; `nil` before ``refresh()``.
    public private(set) var appointment: PetVisitsClient.Appointment?
    private var transcripts: [PetVisitsClient.VisitTranscript] = []
    private var states: [String: UploadState] = [:]
    private var recordings: [String: PetVisitsClient.AudioItem] = [:]
    private let appointmentID: String
    private let client: PetVisitsClient

    /// Creates the recordings of an appointment.
    ///
    /// - Parameters:
    ///   - appointmentID: The appointment's id.
    ///   - client: Sends the requests.
    /// - Throws: `signed-out` if no account is signed in.
    public init(appointmentID: String, client: PetVisitsClient) throws(CallError) {
        self.appointmentID = appointmentID
        self.client = try client.boundToCurrentAccount()
    }

    /// Requests the appointment and the transcripts.
    ///
    /// - Throws: The error of the first request that failed.
    public func refresh() async throws(CallError) {
        appointment = try await client.appointment(id: appointmentID)
        transcripts = try await client.transcripts(appointmentID: appointmentID)
    }

    /// Returns the state of the last upload for a pet.
    ///
    /// - Parameter petID: The pet's id.
    public func uploadState(petID: String) -> UploadState { states[petID] ?? .none }

    /// Returns the transcripts of a pet's visits, and of no other's.
    ///
    /// - Parameter petID: The pet's id.
    public func transcripts(petID: String) -> [PetVisitsClient.VisitTranscript] {
        transcripts.filter { $0.petID == petID }
    }

    /// Uploads a recording for one pet, which creates a visit of this pet. The uploads of several pets are independent.
    /// Nothing happens while one for the same pet is in progress.
    ///
    /// - Parameters:
    ///   - audio: The recording.
    ///   - petID: The pet's id.
    public func upload(_ audio: PetVisitsClient.AudioItem, petID: String) async {
        await upload(audio, petID: petID, visitID: nil)
    }

    /// Resumes an upload that failed, to the visit that it had created. Nothing happens without such an upload, or if
    /// the visit's id is not known: announcing it again could create a second visit.
    ///
    /// - Parameter petID: The pet's id.
    public func resume(petID: String) async {
        guard case .failed(_, let visitID?) = uploadState(petID: petID), let audio = recordings[petID] else { return }
        await upload(audio, petID: petID, visitID: visitID)
    }

    private func upload(_ audio: PetVisitsClient.AudioItem, petID: String, visitID: String?) async {
        guard uploadState(petID: petID) != .uploading else { return }
        states[petID] = .uploading
        recordings[petID] = audio
        do throws(CallError) {
            let id = try await client.uploadAudio(
                audio, petID: petID, appointmentID: appointmentID, visitID: visitID)
            states[petID] = .uploaded(visitID: id)
            recordings[petID] = nil
        } catch {
            states[petID] = .failed(
                reason: error.errorDescription ?? error.message, visitID: error.resumeReference ?? visitID)
        }
    }
}
