/// One sign-in of a session. Signing out and in again, even with the same account, is another one.
package struct SignIn: Hashable, Sendable {
    var number: Int
    /// The account's id; `nil` if it was not given.
    package var accountID: String?
}

/// The state of a session that its lock protects.
struct SessionState {
    typealias RenewalTask = Task<Result<BearerToken?, CallError>, Never>
    typealias Cancellation = @Sendable () -> Void

    private(set) var credentials: Credentials?
    /// The current sign-in, or the last one.
    private var signIn: SignIn
    /// The error of requests of `signIn` after it has ended.
    private var endError = CallError.signedOut
    private var renewalTask: RenewalTask?
    private var requests: [Int: Cancellation] = [:]
    private var observers: [Int: AsyncStream<Session.State>.Continuation] = [:]
    private var lastID = 0

    init(credentials: Credentials?) {
        self.credentials = credentials
        signIn = SignIn(number: 0, accountID: credentials?.accountID)
    }

    private var publicState: Session.State {
        credentials.map { .signedIn(accountID: $0.accountID) } ?? .signedOut
    }

    // MARK: Signing in and out

    /// Signs an account in.
    ///
    /// - Returns: The cancellations of the requests of another account, and of a renewal.
    mutating func signIn(_ credentials: Credentials) -> [Cancellation] {
        if let current = self.credentials, current.accountID != nil, current.accountID == credentials.accountID {
            self.credentials = credentials
            let renewal = renewalTask
            renewalTask = nil
            return [{ renewal?.cancel() }]
        }
        let cancellations = endSignIn(because: .signedOut)
        self.credentials = credentials
        signIn = SignIn(number: signIn.number + 1, accountID: credentials.accountID)
        notifyObservers()
        return cancellations
    }

    /// Signs the account out.
    ///
    /// - Returns: The cancellations of its requests.
    mutating func signOut(because error: CallError) -> [Cancellation] {
        guard credentials != nil else { return [] }
        let cancellations = endSignIn(because: error)
        notifyObservers()
        return cancellations
    }

    private mutating func endSignIn(because error: CallError) -> [Cancellation] {
        let renewal = renewalTask
        let cancellations = Array(requests.values) + [{ renewal?.cancel() }]
        (credentials, endError, renewalTask, requests) = (nil, error, nil, [:])
        return cancellations
    }

    // MARK: Requests

    func currentSignIn() throws(CallError) -> SignIn {
        if let error = error(of: signIn) { throw error }
        return signIn
    }

    /// Returns the error with which a sign-in ended, or `nil` if it is the current one.
    func error(of signIn: SignIn) -> CallError? {
        if signIn != self.signIn { return .signedOut }
        return credentials == nil ? endError : nil
    }

    func token(of signIn: SignIn) throws(CallError) -> BearerToken {
        if let error = error(of: signIn) { throw error }
        guard let credentials else { throw .signedOut }
        return credentials.token
    }

    /// Adds a request that is cancelled when the account is signed out.
    ///
    /// - Returns: The request's id; `nil` if the account is signed out already.
    mutating func addRequest(of signIn: SignIn, cancellation: @escaping Cancellation) -> Int? {
        guard error(of: signIn) == nil else { return nil }
        lastID += 1
        requests[lastID] = cancellation
        return lastID
    }

    mutating func removeRequest(_ id: Int) { requests[id] = nil }

    // MARK: Renewals

    /// Returns the renewal in progress, or starts one.
    mutating func renewalTask(_ start: () -> RenewalTask) -> RenewalTask {
        let task = renewalTask ?? start()
        renewalTask = task
        return task
    }

    /// Ends a renewal that failed.
    ///
    /// - Returns: The token with which the same account has signed in again meanwhile; `nil` if there is none.
    mutating func endRenewal(of signIn: SignIn, rejected: Credentials) -> BearerToken? {
        guard error(of: signIn) == nil, let token = credentials?.token else { return nil }
        if token != rejected.token { return token }
        renewalTask = nil
        return nil
    }

    /// Adopts renewed credentials, or signs the account out if there are none. Requests in progress are not cancelled
    /// then: they carry the rejected token, so that the server answers them.
    ///
    /// - Returns: The credentials to store; `nil` if they are unchanged.
    mutating func finishRenewal(of signIn: SignIn, rejected: Credentials, renewed: Credentials?) -> Credentials? {
        guard error(of: signIn) == nil else { return nil }
        renewalTask = nil
        // The same account may have signed in again with another token.
        guard credentials?.token == rejected.token else { return nil }
        guard var renewed, renewed.token != rejected.token else {
            let running = requests
            _ = signOut(because: .tokenRefused)
            requests = running
            return nil
        }
        renewed.accountID = rejected.accountID
        renewed.refreshToken = renewed.refreshToken ?? rejected.refreshToken
        credentials = renewed
        return renewed
    }

    // MARK: Observers

    mutating func addObserver(_ observer: AsyncStream<Session.State>.Continuation) -> Int {
        lastID += 1
        observers[lastID] = observer
        observer.yield(publicState)
        return lastID
    }

    mutating func removeObserver(_ id: Int) { observers[id] = nil }

    mutating func removeObservers() -> [AsyncStream<Session.State>.Continuation] {
        defer { observers = [:] }
        return Array(observers.values)
    }

    private func notifyObservers() {
        for observer in observers.values { observer.yield(publicState) }
    }
}

extension CallError {
    static let signedOut = CallError(code: .signedOut, message: "the account is signed out")
    static let tokenRefused = CallError(code: .unauthorized, message: "the token was rejected, and cannot be renewed")
}
