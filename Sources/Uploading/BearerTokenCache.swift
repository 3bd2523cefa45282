/// Caches the token of a batch. The provider is called once at first, and once for each rejected token, however many
/// requests the token was used for. The absence of a token is not cached, because the user may log in later.
actor BearerTokenCache {
    private let provider: (any TokenProvider)?
    private var tokenTask: Task<BearerToken?, any Error>?
    /// The rejected token that `tokenTask` replaces.
    private var rejectedToken: BearerToken?

    init(provider: (any TokenProvider)?) { self.provider = provider }

    /// Returns the cached token, or asks the provider for it; `nil` if there is none.
    ///
    /// - Throws: ``UploadError/Code/unauthorized`` if the provider fails.
    func currentToken() async throws(UploadError) -> BearerToken? {
        guard let provider else { return nil }
        let task = tokenTask ?? Task { try await provider.token(replacing: nil) }
        tokenTask = task
        return try await awaitToken(from: task)
    }

    /// Returns a token other than the rejected one, or `nil` if there is none.
    ///
    /// - Parameter token: The token that the server rejected.
    /// - Throws: ``UploadError/Code/unauthorized`` if the provider fails.
    func replacementToken(for token: BearerToken) async throws(UploadError) -> BearerToken? {
        guard let provider else { return nil }
        if token != rejectedToken {
            if let tokenTask, let current = try? await tokenTask.value, current != token { return current }
        }
        // Another request may have renewed the token during the `await`.
        if token != rejectedToken {
            rejectedToken = token
            tokenTask = Task { try await provider.token(replacing: token) }
        }
        guard let tokenTask else { return nil }
        return try await awaitToken(from: tokenTask)
    }

    private func awaitToken(from task: Task<BearerToken?, any Error>) async throws(UploadError) -> BearerToken? {
        do {
            let token = try await task.value
            if token == nil { discardTokenTask(task) }
            return token
        } catch {
            discardTokenTask(task)
            // The provider's own message is dropped, because it may contain a secret.
            throw UploadError(code: .unauthorized, message: "no token is available")
        }
    }

    private func discardTokenTask(_ task: Task<BearerToken?, any Error>) {
        if tokenTask == task { tokenTask = nil }
    }
}
