internal import HTTPCalls
internal import PetVisitsAPI

/// Caches the appointments of a run, so that each is requested once, however many items belong to its pets. A pet that
/// the cached answer lacks may have been added since, so that its item asks once more.
actor AppointmentCache {
    typealias AppointmentResult = Result<PetVisitsClient.Appointment, CallError>
    typealias Fetch = @Sendable () async throws(CallError) -> PetVisitsClient.Appointment

    private struct Key: Hashable {
        var endpoint: Endpoint
        /// The answer to one account is not used for another.
        var signIn: SignIn?
    }

    private var fetchTasks: [Key: Task<AppointmentResult, Never>] = [:]

    /// Returns the appointment at `endpoint`, fetched again if the cached one lacks the pet. Concurrent callers share a
    /// request and its failure; a failure is not cached.
    ///
    /// - Parameters:
    ///   - signIn: The sign-in to which the request belongs; `nil` if there is no session.
    ///   - petID: The pet of the item.
    ///   - fetch: Requests the appointment.
    func appointment(
        at endpoint: Endpoint, signIn: SignIn?, containingPet petID: String, fetch: @escaping Fetch
    ) async throws(CallError) -> PetVisitsClient.Appointment {
        let key = Key(endpoint: endpoint, signIn: signIn)
        let cached = fetchTasks[key]
        let appointment = try await appointment(for: key, fetch: fetch)
        guard let cached, !appointment.pets.contains(where: { $0.id == petID }) else { return appointment }
        // Another item may have asked again meanwhile: its answer is new enough for this one.
        if fetchTasks[key] == cached { fetchTasks[key] = nil }
        return try await self.appointment(for: key, fetch: fetch)
    }

    private func appointment(
        for key: Key, fetch: @escaping Fetch
    ) async throws(CallError) -> PetVisitsClient.Appointment {
        let task =
            fetchTasks[key]
            ?? Task {
                do throws(CallError) { return .success(try await fetch()) } catch { return .failure(error) }
            }
        fetchTasks[key] = task
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if case .failure = result, fetchTasks[key] == task { fetchTasks[key] = nil }
        return try result.get()
    }
}
