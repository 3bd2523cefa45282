internal import Uploading

/// Caches the appointments of a run, so that each is requested once, however many items belong to its pets.
actor AppointmentCache {
    typealias AppointmentResult = Result<PetVisitsClient.Appointment, UploadError>

    private var fetchTasksByEndpoint: [Endpoint: Task<AppointmentResult, Never>] = [:]

    /// Returns the appointment at `endpoint`. Concurrent callers share one request and its failure; a failure is not
    /// cached.
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
