import HTTPCalls
import HTTPTestSupport
import HTTPTypes
import KSRCranesAPI
import Testing

@Suite("The session of an employee")
struct KSRCranesSessionTests {
    private static func employee(_ id: Int = 7, name: String = "Ida", role: String = "worker") -> String {
        #"{"employee_id":\#(id),"name":"\#(name)","role":"\#(role)","created_at":"2025-06-01T00:00:00.250000Z"}"#
    }

    private static func login(_ id: Int = 7, role: String = "worker") -> TransportResponse {
        .json(#"{"token":"token-\#(id)","employee":\#(employee(id, role: role))}"#)
    }

    private func makeSession(
        _ transport: StubTransport, store: any SecretStore = InMemorySecretStore(), renewal: Session.Renewal? = nil
    ) throws -> KSRCranesSession {
        try KSRCranesSession(
            baseEndpoint: .test, transport: transport, store: store, retryPolicy: RetryPolicy().hurried,
            renewal: renewal)
    }

    @Test("a login has the employee with the role, and the calls have the token")
    func login() async throws {
        let transport = StubTransport(Self.login(role: "chef"), .json("[1]"))
        let session = try makeSession(transport)
        #expect(!session.isAuthenticated && session.employee == nil && session.role == nil)
        let employee = try await session.login(email: "e", password: "p")
        #expect(session.isAuthenticated && session.employee == employee && employee.name == "Ida")
        #expect(session.role == .chef && session.session.credentials?.accountID == "7")
        _ = try await session.client.get(path: "/a", as: [Int].self)
        #expect(transport.requests.map(\.bearerToken) == [nil, BearerToken("token-7")])
    }

    @Test("a wrong password changes nothing")
    func wrongPassword() async throws {
        let session = try makeSession(StubTransport(Self.login(), .json(401, "{}")))
        try await session.login(email: "e", password: "p")
        await #expect(throws: KSRCranesError.self) { try await session.login(email: "e", password: "wrong") }
        #expect(session.employee?.id == 7)
    }

    @Test("the employee is kept between launches, with the token, also after its renewal")
    func launches() async throws {
        let store = InMemorySecretStore()
        let first = try makeSession(StubTransport(Self.login(role: "manager")), store: store)
        let employee = try await first.login(email: "e", password: "p")
        let transport = StubTransport(.json(401, "{}"), .json("[1]"))
        let second = try makeSession(transport, store: store) { _ in
            Credentials(account: "another", token: "renewed")
        }
        #expect(second.employee == employee && second.role == .manager && transport.requests.isEmpty)
        _ = try await second.client.get(path: "/a", as: [Int].self)
        let third = try makeSession(StubTransport(.json("{}")), store: store)
        #expect(third.employee == employee && third.session.token == BearerToken("renewed"))
        try third.logout()
        #expect(!third.isAuthenticated && third.employee == nil && store.readSecret() == nil)
        #expect(try makeSession(transport, store: store).employee == nil)
    }

    @Test("a rejected token signs out, which the changes show")
    func rejectedToken() async throws {
        let store = InMemorySecretStore()
        let session = try makeSession(
            StubTransport(Self.login(), Self.login(8, role: "chef"), .json(401, "{}")), store: store)
        var changes = session.changes.makeAsyncIterator()
        #expect(await changes.next(isolation: nil) == .some(nil))
        try await session.login(email: "e", password: "p")
        #expect(await changes.next(isolation: nil)??.id == 7)
        try await session.login(email: "f", password: "p")
        #expect(await changes.next(isolation: nil)??.role == .chef)
        await #expect(throws: KSRCranesError.self) { try await session.client.profile() }
        #expect(await changes.next(isolation: nil) == .some(nil))
        #expect(!session.isAuthenticated && session.employee == nil && store.readSecret() == nil)
    }

    @Test("the server is asked for a changed employee, who is stored")
    func refreshing() async throws {
        let store = InMemorySecretStore()
        let transport = StubTransport(
            Self.login(), .json(Self.employee(name: "Ida B", role: "chef")), .json(503, "{}"), .json(503, "{}"),
            .json(503, "{}"), .json(401, "{}"))
        let session = try makeSession(transport, store: store)
        #expect(try await session.refreshEmployee() == nil)
        try await session.login(email: "e", password: "p")
        #expect(try await session.refreshEmployee()?.name == "Ida B")
        #expect(session.role == .chef)
        let launched = try makeSession(transport, store: store)
        #expect(launched.employee?.name == "Ida B" && launched.session.token == BearerToken("token-7"))
        await #expect(throws: KSRCranesError.self) { try await launched.refreshEmployee() }
        #expect(launched.employee?.name == "Ida B")
        #expect(try await launched.refreshEmployee() == nil)
        #expect(!launched.isAuthenticated)
    }

    @Test("a stored token without an employee is used, and its employee is asked for")
    func tokenWithoutEmployee() async throws {
        let store = InMemorySecretStore()
        let token = try #require(BearerToken("old")), refreshToken = try #require(BearerToken("refresh"))
        try Session(store: store).signIn(Credentials(token: token, refreshToken: refreshToken))
        let session = try makeSession(StubTransport(.json(Self.employee())), store: store)
        #expect(session.isAuthenticated && session.employee == nil)
        #expect(try await session.refreshEmployee()?.id == 7)
        let credentials = Credentials(token: token, refreshToken: refreshToken, accountID: "7")
        #expect(session.role == .worker && session.session.credentials == credentials)
        let launched = try makeSession(StubTransport(.json("{}")), store: store)
        #expect(launched.employee?.id == 7 && launched.session.credentials == credentials)
    }
}
