import Testing

@testable import dev_backend

@Suite("Services, accounts and roles")
struct ServiceTests {
    private struct Token: Decodable {
        struct Content: Decodable { var token: String }
        var token: String?
        var data: Content?
    }

    private func logIn(_ path: String, _ email: String, _ backend: DevBackend) async throws -> String {
        let body = #"{"email":"\#(email)","password":"correct horse"}"#
        let reply = try await backend.rawReply(to: RawHTTPRequest.json("POST", path, body).withToken(nil))
        let token = try reply.json(Token.self)
        return try #require(token.token ?? token.data?.token)
    }

    @Test(
        "each path belongs to one service",
        arguments: [
            ("/upload", .plain), ("/api/analyze", .symptomSentry), ("/api/register", .symptomSentry),
            ("/api/app/tasks", .ksrCranes), ("/api/app/login", .ksrCranes), ("/api/appointments/A", .petVisits),
            ("/api/visits/V/audio", .petVisits), ("/api/messages/unread-count", .messages),
            ("/api/auth/login", .messages), ("/upload/more", nil), ("/api", nil), ("/", nil),
        ] as [(String, Service?)])
    func paths(_ path: String, _ service: Service?) { #expect(Service(path: path) == service) }

    @Test("a service that is not run has no paths")
    func selectedService() async throws {
        let options = DevBackendOptions { $0.services = [.messages] }
        try await DevBackend.withRunningBackend(options: options) { backend in
            let paths = [
                "/api/messages/unread-count", "/api/user-profile", "/api/app/profile", "/api/appointments/ABC123",
            ]
            var statuses: [Int] = []
            for path in paths { statuses.append(try await backend.rawReply(to: .get(path)).status) }
            #expect(statuses == [200, 404, 404, 404])
        }
    }

    @Test("a token is valid for its own service only, and each account has its own profile")
    func tokens() async throws {
        try await DevBackend.withRunningBackend { backend in
            let worker = try await logIn("/api/app/login", "worker@example.com", backend)
            let manager = try await logIn("/api/app/login", "manager@example.com", backend)
            let ana = try await logIn("/api/auth/login", "ana.martinez@example.com", backend)
            let requests = [
                ("/api/app/profile", worker, 200), ("/api/messages", worker, 401), ("/api/app/profile", ana, 401),
                ("/api/messages", ana, 200), ("/api/app/tasks", worker, 200), ("/api/app/tasks", manager, 403),
                ("/api/app/manager/team", manager, 200), ("/api/app/chef/workers", manager, 403),
                ("/api/app/chef/workers?page=0", "dev-token", 400), ("/api/app/chef/workers?limit=1", "dev-token", 200),
                ("/api/app/nothing", manager, 404),
            ]
            for (path, token, status) in requests {
                let reply = try await backend.rawReply(to: RawHTTPRequest.get(path).withToken(token))
                #expect(reply.status == status, "\(path)")
            }
        }
    }

    @Test(
        "appointments can be added, each id once",
        arguments: [
            (#"{"id":"N1","pets":[{"id":"P1","name":"A"}]}"#, 201),
            (#"{"id":"ABC123","pets":[{"id":"P1","name":"A"}]}"#, 409),
            (#"{"id":"N1","pets":[{"id":"Pet1","name":"A"}]}"#, 409),
            (#"{"id":"","pets":[{"id":"P1","name":"A"}]}"#, 400),
            (#"{"id":"N1","pets":[]}"#, 400), (#"{"id":"N1"}"#, 400),
        ])
    func appointments(_ body: String, _ status: Int) async throws {
        try await DevBackend.withRunningBackend { backend in
            let reply = try await backend.rawReply(to: .json("POST", "/api/appointments", body))
            #expect(reply.status == status)
            let added = try await backend.rawReply(to: .get("/api/appointments/N1"))
            #expect(added.status == (status == 201 ? 200 : 404))
        }
    }
}
