/// The token of a batch: asked for once, and once again for each that is refused, however many requests it is refused to. That
/// there is none isn't remembered: a person may log in.
actor TokenStore {
    private let provider: (any TokenProvider)?
    private var known: Task<BearerToken?, any Error>?
    /// What `known` is instead of.
    private var refused: BearerToken?

    init(_ provider: (any TokenProvider)?) { self.provider = provider }

    func current() async throws(UploadError) -> BearerToken? {
        guard let provider else { return nil }
        let task = known ?? Task { try await provider.token(insteadOf: nil) }
        known = task
        return try await value(of: task)
    }

    /// Another than the one that was refused; nil if there is none.
    func replace(_ token: BearerToken) async throws(UploadError) -> BearerToken? {
        guard let provider else { return nil }
        if token != refused {
            if let known, let current = try? await known.value, current != token { return current }
        }
        // Meanwhile another may have asked.
        if token != refused {
            refused = token
            known = Task { try await provider.token(insteadOf: token) }
        }
        guard let known else { return nil }
        return try await value(of: known)
    }

    private func value(of task: Task<BearerToken?, any Error>) async throws(UploadError) -> BearerToken? {
        do {
            let token = try await task.value
            if token == nil { forget(task) }
            return token
        } catch {
            forget(task)
            // What the provider says of its failure may hold what it failed with.
            throw UploadError(.unauthorized, "no token could be had")
        }
    }

    private func forget(_ task: Task<BearerToken?, any Error>) {
        if known == task { known = nil }
    }
}
