internal import Synchronization

/// The account that is signed in to a backend, and its token.
///
/// Every request asks the session for the token. A request, and a batch of an `Uploader`, belongs to the account that
/// was signed in when it began: signing out cancels it, and it never goes on with the token of another account.
public final class Session: Sendable {
    /// Whether an account is signed in.
    public enum State: Hashable, Sendable {
        /// No account is signed in.
        case signedOut
        /// An account is signed in. Its id is `nil` if it was not given.
        case signedIn(accountID: String?)
    }

    /// Returns new credentials for those that the server rejected, or `nil` if the server refuses to renew them.
    ///
    /// Its own requests must not use the session's token: see ``TransportRequest/usesClientToken``.
    public typealias Renewal = @Sendable (Credentials) async throws -> Credentials?

    private let state: Mutex<SessionState>
    private let store: any SecretStore
    /// Serializes the changes of the store with those of the state. Requests wait only for `state`.
    private let storeAccess = Mutex(())
    private let renewal: Renewal?

    /// Creates a session, signed in with the credentials that an earlier session left in the store.
    ///
    /// - Parameters:
    ///   - store: Keeps the credentials.
    ///   - renewal: Called once for each rejected token, however many requests used it. If it returns `nil` or the
    ///     rejected token, or throws ``CallError/Code/unauthorized`` or ``CallError/Code/rejectedByServer``, the
    ///     session signs out. After another error, such as a lost connection, it stays signed in. `nil` if tokens
    ///     cannot be renewed.
    /// - Throws: The error of the store.
    public init(store: any SecretStore, renewal: Renewal? = nil) throws {
        self.store = store
        self.renewal = renewal
        state = Mutex(SessionState(credentials: try store.readSecret().flatMap { Credentials(storedSecret: $0) }))
    }

    /// Creates a session that keeps its credentials in memory.
    ///
    /// - Parameters:
    ///   - credentials: The credentials; `nil` if no account is signed in.
    ///   - renewal: Renews rejected credentials, as in ``init(store:renewal:)``.
    public init(_ credentials: Credentials? = nil, renewal: Renewal? = nil) {
        store = InMemorySecretStore()
        self.renewal = renewal
        state = Mutex(SessionState(credentials: credentials))
    }

    /// Creates a session with a token that cannot be renewed.
    ///
    /// - Parameter token: The token.
    public convenience init(token: BearerToken) { self.init(Credentials(token: token)) }

    deinit {
        for observer in state.withLock({ $0.removeObservers() }) { observer.finish() }
    }

    /// The current credentials; `nil` if no account is signed in.
    public var credentials: Credentials? { state.withLock(\.credentials) }

    /// The current token; `nil` if no account is signed in.
    public var token: BearerToken? { credentials?.token }

    /// The current state, followed by each later one. Each call returns a new sequence.
    public var changes: AsyncStream<State> {
        AsyncStream { continuation in
            let id = state.withLock { $0.addObserver(continuation) }
            continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.removeObserver(id) } }
        }
    }

    // MARK: Signing in and out

    /// Signs an account in. If another account is signed in, it is signed out first, as by ``signOut()``.
    ///
    /// Signing in with the account id of the current credentials, if it is not `nil`, only replaces its tokens.
    ///
    /// - Parameter credentials: The credentials.
    /// - Throws: The error of the store. The session is then unchanged.
    public func signIn(_ credentials: Credentials) throws {
        let cancellations = try storeAccess.withLock { _ in
            try store.writeSecret(credentials.storedSecret())
            return state.withLock { $0.signIn(credentials) }
        }
        for cancel in cancellations { cancel() }
    }

    /// Signs the account out, cancels its requests, and removes its credentials from the store.
    ///
    /// A request that was sent completely fails with ``CallError/Code/outcomeUnknown`` unless it is idempotent. Every
    /// other one fails with ``CallError/Code/signedOut``.
    ///
    /// - Throws: The error of the store, which then still has the credentials. The session is signed out nevertheless.
    public func signOut() throws {
        let (cancellations, removal) = storeAccess.withLock { _ in
            let cancellations = state.withLock { $0.signOut(because: .signedOut) }
            return (cancellations, Result { try store.removeSecret() })
        }
        for cancel in cancellations { cancel() }
        try removal.get()
    }

    // MARK: Requests

    /// The current sign-in.
    ///
    /// - Throws: ``CallError/Code/signedOut``; ``CallError/Code/unauthorized`` if the server refused to renew the
    ///   token.
    func currentSignIn() throws(CallError) -> SignIn {
        try state.withLock { (state) throws(CallError) in try state.currentSignIn() }
    }

    /// Returns the token of a sign-in.
    ///
    /// - Throws: The error with which the sign-in ended.
    func token(of signIn: SignIn) throws(CallError) -> BearerToken {
        try state.withLock { (state) throws(CallError) in try state.token(of: signIn) }
    }

    /// Performs a request of a sign-in, and cancels it when the account is signed out.
    ///
    /// - Throws: The errors of `operation`; the error with which the sign-in ended in place of
    ///   ``CallError/Code/cancelled``.
    func perform<Value: Sendable>(
        during signIn: SignIn, _ operation: @escaping @Sendable () async throws(CallError) -> Value
    ) async throws(CallError) -> Value {
        let task = Task { () async -> Result<Value, CallError> in
            do throws(CallError) { return .success(try await operation()) } catch { return .failure(error) }
        }
        let id = state.withLock { $0.addRequest(of: signIn) { task.cancel() } }
        if id == nil { task.cancel() }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        let end = state.withLock { state in
            if let id { state.removeRequest(id) }
            return state.error(of: signIn)
        }
        if case .failure(let error) = result, error.code == .cancelled, !Task.isCancelled, let end { throw end }
        return try result.get()
    }

    /// Returns a token of the sign-in other than the rejected one, or `nil` if there is none.
    ///
    /// - Throws: ``CallError`` if the renewal failed for another reason than the server's refusal.
    func token(of signIn: SignIn, replacing rejected: BearerToken) async throws(CallError) -> BearerToken? {
        let (token, task) = state.withLock { state -> (BearerToken?, SessionState.RenewalTask?) in
            guard let current = try? state.token(of: signIn), current == rejected, let credentials = state.credentials
            else { return (try? state.token(of: signIn), nil) }
            return (nil, state.renewalTask { Task { await self.renew(credentials, of: signIn) } })
        }
        guard let task else { return token }
        return try await task.value.get()
    }

    private func renew(_ rejected: Credentials, of signIn: SignIn) async -> Result<BearerToken?, CallError> {
        var renewed: Credentials?
        do { renewed = try await renewal?(rejected) } catch {
            let code = (error as? CallError)?.code ?? .unauthorized
            let isRefusal = error is CallError && [.unauthorized, .rejectedByServer].contains(code)
            if !isRefusal {
                let token = state.withLock { $0.endRenewal(of: signIn, rejected: rejected) }
                if let token { return .success(token) }
                // The error's own message is dropped, because it may contain a secret.
                return .failure(CallError(code: code, message: "the token could not be renewed"))
            }
        }
        return storeAccess.withLock { _ in
            let credentials = state.withLock { $0.finishRenewal(of: signIn, rejected: rejected, renewed: renewed) }
            // The store is only a copy: a failure must not fail the request. The next launch signs in again.
            if let credentials, let secret = try? credentials.storedSecret() { try? store.writeSecret(secret) }
            let isSignedOut = state.withLock { $0.credentials == nil }
            if isSignedOut { try? store.removeSecret() }
            return .success(try? token(of: signIn))
        }
    }
}
