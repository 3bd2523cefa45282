internal import Uploading

/// The appointments of a run, each asked for once, however many recordings are its pets'.
actor AppointmentCache {
    typealias Answer = Result<PetVisits.Appointment, UploadError>

    private var asked: [Endpoint: Task<Answer, Never>] = [:]

    /// The appointment at `endpoint`. A failure isn't remembered, but for those that wait for the same answer.
    func appointment(
        at endpoint: Endpoint, ask: @escaping @Sendable () async throws(UploadError) -> PetVisits.Appointment
    ) async throws(UploadError) -> PetVisits.Appointment {
        let task =
            asked[endpoint]
            ?? Task {
                do throws(UploadError) { return .success(try await ask()) } catch { return .failure(error) }
            }
        asked[endpoint] = task
        let answer = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if case .failure = answer, asked[endpoint] == task { asked[endpoint] = nil }
        return try answer.get()
    }
}
