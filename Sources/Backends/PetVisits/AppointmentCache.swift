internal import Uploading

/// The appointments of a run, each asked for once, however many recordings are its pets'.
actor AppointmentCache {
    typealias AppointmentResult = Result<PetVisitsClient.Appointment, UploadError>

    private var fetchTasksByEndpoint: [Endpoint: Task<AppointmentResult, Never>] = [:]

    /// The appointment at `endpoint`. A failure isn't remembered, but for those that wait for the same answer.
    func appointment(
        at endpoint: Endpoint, fetch: @escaping @Sendable () async throws(UploadError) -> PetVisitsClient.Appointment
    ) async throws(UploadError) -> PetVisitsClient.Appointment {
        let task =
            fetchTasksByEndpoint[endpoint]
            ?? Task {
                do throws(UploadError) { return .success(try await fetch()) } catch { return .failure(error) }
            }
        fetchTasksByEndpoint[endpoint] = task
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if case .failure = result, fetchTasksByEndpoint[endpoint] == task { fetchTasksByEndpoint[endpoint] = nil }
        return try result.get()
    }
}
