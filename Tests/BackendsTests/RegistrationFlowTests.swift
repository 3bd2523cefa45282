import HTTPCalls
import HTTPTestSupport
import SymptomSentryAPI
import Testing

@Suite("Registration with SymptomSentry")
struct RegistrationFlowTests {
    @Test("accounts are apart: each has its own profile and count", arguments: TransportKind.allCases)
    func accounts(_ kind: TransportKind) async throws {
        try await RunningBackend.withBackend { backend in
            let session = Session()
            let client = SymptomSentryClient(
                baseEndpoint: try Endpoint(backend.url),
                client: HTTPClient(transport: try kind.makeTransport(), session: session))
            let account = try await client.register(email: "new@example.com", password: "long enough", name: "New")
            #expect(account.user.name == "New" && account.user.subscription == .free)
            try session.signIn(Credentials(token: account.token, accountID: account.user.id))
            #expect(try await client.updateProfile(name: "Newer").name == "Newer")
            let first = try await client.login(email: "patient@example.com", password: "correct horse")
            #expect(first.user.name == "Patient" && first.user.id != account.user.id)
            let taken = await callError { () async throws(CallError) in
                try await client.register(email: "new@example.com", password: "long enough", name: "N")
            }
            #expect(taken?.status == 409)
        }
    }
}
