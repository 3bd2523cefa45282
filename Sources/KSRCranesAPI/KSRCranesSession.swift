public import HTTPCalls

/// The employee who is signed in, as an app holds it: the token, the name and the role, kept between launches.
///
/// ```swift
/// let cranes = try KSRCranesSession(baseEndpoint: endpoint, transport: transport, store: store)
/// if !cranes.isAuthenticated { try await cranes.login(email: email, password: password) }
/// if cranes.role == .worker { show(try await cranes.client.worker.tasks()) }
/// ```
///
/// A rejected token that cannot be renewed signs the employee out. ``changes`` then has `nil`.
public final class KSRCranesSession: Sendable {
    /// An employee.
    public typealias Employee = KSRCranesClient.Employee

    /// Sends the calls with the employee's token.
    public let client: KSRCranesClient
    /// The session of the client's requests, for example for an `Uploader`. Its account id is the employee's id.
    public let session: Session
    private let store: EmployeeStore

    /// Creates a session, with the employee that an earlier session left in the store.
    ///
    /// - Parameters:
    ///   - baseEndpoint: The URL of the API: `https://host` for `https://host/api/app/login`.
    ///   - transport: Sends the requests.
    ///   - store: Keeps the token, the name and the role. The default keeps them in memory.
    ///   - retryPolicy: Decides which requests are retried, and when.
    ///   - assumptions: The parts of the API that the specification does not define.
    ///   - renewal: Renews rejected credentials, as in `Session`; `nil` if tokens cannot be renewed.
    /// - Throws: The error of the store.
    public init(
        baseEndpoint: Endpoint, transport: any HTTPTransport, store: any SecretStore = InMemorySecretStore(),
        retryPolicy: RetryPolicy = RetryPolicy(),
        assumptions: KSRCranesClient.Assumptions = KSRCranesClient.Assumptions(), renewal: Session.Renewal? = nil
    ) throws {
        self.store = EmployeeStore(store)
        session = try Session(store: self.store, renewal: renewal)
        client = KSRCranesClient(
            baseEndpoint: baseEndpoint,
            client: HTTPClient(transport: transport, session: session, retryPolicy: retryPolicy),
            assumptions: assumptions)
    }

    /// Whether an employee is signed in. The server may reject the token nevertheless: see ``refreshEmployee()``.
    public var isAuthenticated: Bool { session.token != nil }

    /// The employee; `nil` if none is signed in, or if the store has a token without an employee.
    public var employee: Employee? { session.credentials?.accountID.flatMap { store.employee(accountID: $0) } }

    /// The employee's role, which decides about the calls that the server allows; `nil` without an ``employee``.
    public var role: KSRCranesClient.Role? { employee?.role }

    /// The employee of the moment, followed by each later one, and by `nil` after each sign-out.
    public var changes: some AsyncSequence<Employee?, Never> & Sendable {
        session.changes.map { [store] state in
            guard case .signedIn(accountID: let id?) = state else { return nil }
            return store.employee(accountID: id)
        }
    }

    /// Logs an employee in. Another one is signed out first, and the requests in progress are cancelled.
    ///
    /// - Parameters:
    ///   - email: The e-mail address.
    ///   - password: The password.
    /// - Returns: The employee.
    /// - Throws: ``KSRCranesError/authenticationError(message:)`` if the address or the password is wrong; the error of
    ///   the store. The session is then unchanged.
    @discardableResult public func login(email: String, password: String) async throws -> Employee {
        let response = try await client.login(email: email, password: password)
        try adopt(response.employee, credentials: Credentials(token: response.token))
        return response.employee
    }

    /// Signs the employee out, cancels the requests in progress, and empties the store.
    ///
    /// - Throws: The error of the store. The employee is signed out nevertheless.
    public func logout() throws { try session.signOut() }

    /// Asks the server for the employee, for example after a launch: the token may have expired, and the name or the
    /// role may be another one.
    ///
    /// - Returns: The employee; `nil` if none is signed in, also because the server rejected the token.
    /// - Throws: ``KSRCranesError``, for example without a connection, and the error of the store. The employee stays
    ///   signed in.
    @discardableResult public func refreshEmployee() async throws -> Employee? {
        guard let credentials = session.credentials else { return nil }
        let employee: Employee
        do { employee = try await client.profile() } catch KSRCranesError.authenticationError { return self.employee }
        // The answer may be about an employee who was signed out meanwhile.
        guard let current = session.credentials, current.accountID == credentials.accountID else {
            return self.employee
        }
        if current.accountID == EmployeeStore.accountID(of: employee) {
            try store.update(employee)
        } else {
            // The store had a token without an employee.
            try adopt(employee, credentials: current)
        }
        return employee
    }

    /// Signs an employee in with credentials that lack the account id.
    private func adopt(_ employee: Employee, credentials: Credentials) throws {
        var credentials = credentials
        credentials.accountID = EmployeeStore.accountID(of: employee)
        store.remember(employee)
        try session.signIn(credentials)
    }
}
