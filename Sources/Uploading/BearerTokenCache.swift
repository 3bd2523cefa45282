/// The token of a batch: asked for once, and once again for each that is refused, however many requests it is refused
/// to. That there is none isn't remembered: a person may log in.
actor BearerTokenCache {
    private let provider: (any TokenProvider)?
    private var tokenTask: Task<BearerToken?, any Error>?
    /// What `tokenTask` is instead of.
    private var rejectedToken: BearerToken?

    init(provider: (any TokenProvider)?) { self.provider = provider }

    func currentToken() async throws(UploadError) -> BearerToken? {
        guard let provider else { return nil }
        let task = tokenTask ?? Task { try await provider.token(replacing: nil) }
        tokenTask = task
        return try await awaitToken(from: task)
    }

    /// Another than the one that was refused; nil if there is none.
    func replacementToken(for token: BearerToken) async throws(UploadError) -> BearerToken? {
        guard let provider else { return nil }
        if token != rejectedToken {
            if let tokenTask, let current = try? await tokenTask.value, current != token { return current }
        }
        // Meanwhile another may have asked.
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
            // What the provider says of its failure may hold what it failed with.
            throw UploadError(code: .unauthorized, message: "no token could be had")
        }
    }

    private func discardTokenTask(_ task: Task<BearerToken?, any Error>) {
        if tokenTask == task { tokenTask = nil }
    }
}
