import Foundation
import HTTPCalls
import KSRCranesAPI
import MessagesAPI
import SymptomSentryAPI
import Synchronization
import Testing
import Uploading
import URLSessionTransport

/// The two transports that the package has.
enum TransportKind: CaseIterable, Sendable {
    case curl, urlSession

    func makeTransport() throws -> any HTTPTransport {
        switch self {
        case .curl: try CurlTransport()
        case .urlSession: URLSessionTransport()
        }
    }
}

@Suite("Messages over HTTP")
struct MessagesFlowTests {
    private struct User {
        var client: MessagesClient
        var id: String
        var session: Session
    }

    private func signIn(_ email: String, _ backend: RunningBackend, _ kind: TransportKind) async throws -> User {
        let session = Session()
        let client = MessagesClient(
            baseEndpoint: try Endpoint(backend.url),
            client: HTTPClient(transport: try kind.makeTransport(), session: session))
        let login = try await client.login(email: email, password: "correct horse")
        try session.signIn(Credentials(token: login.token, accountID: login.user.id))
        return User(client: client, id: login.user.id, session: session)
    }

    @Test("two users send, list, count and read messages", arguments: TransportKind.allCases)
    func conversation(_ kind: TransportKind) async throws {
        try await RunningBackend.withBackend { backend in
            let ana = try await signIn("ana.martinez@example.com", backend, kind)
            let carlos = try await signIn("carlos.rodriguez@example.com", backend, kind)
            #expect(ana.id == "6844f811e5125c9652a0498c" && carlos.id == "6844f811e5125c9652a0498f")
            let unread = try await carlos.client.unreadCount()
            let sent = try await ana.client.send("¿Cómo estás? 🩺", to: carlos.id)
            #expect(sent.fromUser.nombre == "Ana Martínez" && sent.readAt == nil && sent.createdAt != nil)
            #expect(try await carlos.client.unreadCount() == unread + 1)
            let conversation = try await carlos.client.conversation(with: ana.id, page: 1, limit: 1)
            #expect(conversation.messages.map(\.content) == ["¿Cómo estás? 🩺"])
            #expect(conversation.messages[0].createdAt == nil && conversation.otherUser?.id == ana.id)
            #expect(conversation.pagination.hasNext && conversation.pagination.totalMessages == 3)
            let all = try await carlos.client.conversationPages(with: ana.id, limit: 2).collectItems()
            #expect(all.count == 3 && Set(all.map(\.id)).count == 3)
            #expect(try await carlos.client.messages(.sent).messages.allSatisfy { $0.fromUser.id == carlos.id })
            #expect(try await carlos.client.messages(.received).messages.allSatisfy { $0.toUser.id == carlos.id })
            #expect(try await carlos.client.messages(.unread, page: 1, limit: 10).messages.count == unread + 1)
            #expect(try await carlos.client.markAsRead(messageID: sent.id).isRead)
            #expect(try await carlos.client.unreadCount() == unread)
        }
    }

    @Test("refusals have the server's sentences", arguments: TransportKind.allCases)
    func refusals(_ kind: TransportKind) async throws {
        try await RunningBackend.withBackend { backend in
            let ana = try await signIn("ana.martinez@example.com", backend, kind)
            let errors = [
                await callError { () async throws(CallError) in try await ana.client.send("a", to: "nobody") },
                await callError { () async throws(CallError) in try await ana.client.conversation(with: "nobody") },
                await callError { () async throws(CallError) in try await ana.client.send("a", to: ana.id) },
                await callError { () async throws(CallError) in try await ana.client.messages(page: 0) },
                await callError { () async throws(CallError) in
                    try await ana.client.login(email: "ana.martinez@example.com", password: "wrong")
                },
            ]
            #expect(errors.map { $0?.status } == [404, 404, 400, 400, 401])
            #expect(errors[0]?.errorDescription == "Usuario no encontrado")
            let message = try #require(try await ana.client.messages(.sent).messages.first)
            let foreign = await callError { () async throws(CallError) in
                try await ana.client.markAsRead(messageID: message.id)
            }
            #expect(foreign?.status == 403)
        }
    }

    @Test("a token belongs to one user of one service", arguments: TransportKind.allCases)
    func tokens(_ kind: TransportKind) async throws {
        try await RunningBackend.withBackend { backend in
            let ana = try await signIn("ana.martinez@example.com", backend, kind)
            let http = HTTPClient(transport: try kind.makeTransport(), session: ana.session)
            let cranes = KSRCranesClient(baseEndpoint: try Endpoint(backend.url), client: http)
            let error = await #expect(throws: KSRCranesError.self) { try await cranes.profile() }
            guard case .authenticationError? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test("a rejected token is renewed once, and the call is repeated", arguments: TransportKind.allCases)
    func renewal(_ kind: TransportKind) async throws {
        try await RunningBackend.withBackend { backend in
            let ana = try await signIn("ana.martinez@example.com", backend, kind)
            let valid = try #require(ana.session.token), expired = try #require(BearerToken("expired"))
            let renewals = Mutex(0)
            let session = Session(Credentials(token: expired, accountID: ana.id)) { credentials in
                renewals.withLock { $0 += 1 }
                return Credentials(token: valid, accountID: credentials.accountID)
            }
            let client = MessagesClient(
                baseEndpoint: try Endpoint(backend.url),
                client: HTTPClient(transport: try kind.makeTransport(), session: session))
            #expect(try await client.unreadCount() >= 0)
            #expect(try await client.send("a", to: "6844f812e5125c9652a04992").toUser.nombre == "María González")
            #expect(renewals.withLock { $0 } == 1)
        }
    }
}

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

@Suite("KSR Cranes over HTTP, by role")
struct KSRCranesRoleFlowTests {
    private func signIn(
        _ role: String, _ backend: RunningBackend, _ kind: TransportKind
    ) async throws -> KSRCranesClient {
        let session = Session()
        let client = KSRCranesClient(
            baseEndpoint: try Endpoint(backend.url),
            client: HTTPClient(transport: try kind.makeTransport(), session: session))
        let login = try await client.login(email: "\(role)@example.com", password: "correct horse")
        #expect(login.employee.role == KSRCranesClient.Role(rawValue: role))
        try session.signIn(Credentials(token: login.token, accountID: "\(login.employee.id)"))
        return client
    }

    @Test("a worker's entry is approved by the manager", arguments: TransportKind.allCases)
    func workEntry(_ kind: TransportKind) async throws {
        try await RunningBackend.withBackend { backend in
            let worker = try await signIn("worker", backend, kind).worker
            let manager = try await signIn("manager", backend, kind).manager
            let tasks = try await worker.tasks()
            #expect(tasks.map(\.taskID) == [12])
            #expect(try await worker.task(id: tasks[0].id).task == tasks[0])
            let day = try KSRCranesClient.makeJSONDecoder().decode(
                [KSRCranesClient.WorkEntry].self,
                from: Data(#"[{"employeeId":1,"workDate":"2025-06-30T00:00:00.000000Z","normalHours":7.5,"#.utf8)
                    + Data(#""overtimeHours":1,"weekendHours":0,"status":"DRAFT"}]"#.utf8))
            let answer = try await worker.submitWorkEntry(day[0])
            let entry = try #require(answer.entry)
            #expect(answer.success && entry.status == .submitted && entry.totalHours == 8.5)
            #expect(try await worker.workEntries(from: "2025-06-30", to: "2025-06-30").map(\.id) == [entry.id])
            #expect(try await worker.workEntries(from: "2025-07-01", to: "2025-07-02").isEmpty)
            #expect(try await manager.pendingWorkEntries().map(\.id) == [entry.id])
            #expect(try await manager.approveWorkEntry(id: try #require(entry.id)).success)
            #expect(try await manager.pendingWorkEntries().isEmpty)
            let notification = try #require(try await worker.notifications().notifications.first)
            #expect(try await worker.markNotificationAsRead(id: notification.id).success)
            #expect(try await worker.notifications().notifications.first?.isRead == true)
            #expect(try await worker.submitTimesheet(entries: [entry]).success)
            #expect(try await worker.timesheets().timesheets.isEmpty)
            #expect(try await worker.leaveBalance().vacationDaysRemaining == 20)
            let leave = KSRCranesClient.CreateLeaveRequest(
                type: .sick, startDate: entry.workDate, endDate: entry.workDate)
            #expect(try await worker.submitLeaveRequest(leave).success)
            let member = try #require(try await manager.teamMembers().first)
            #expect(try await manager.updateTeamMember(id: member.id, status: "away").success)
            #expect(try await manager.teamMembers().first?.status == "away")
        }
    }

    @Test("the chef manages customers, workers and the payroll", arguments: TransportKind.allCases)
    func chef(_ kind: TransportKind) async throws {
        try await RunningBackend.withBackend { backend in
            let chef = try await signIn("chef", backend, kind).chef
            for name in ["Søn & Co", "Bro", "Kran"] {
                #expect(try await chef.createCustomer(.init(name: name, email: "a@b", phone: "1")).name == name)
            }
            #expect(try await chef.customers(search: "søn &").customers.map(\.name) == ["Søn & Co"])
            #expect(try await chef.customerPages(limit: 2).collectItems().count == 3)
            #expect(try await chef.updateCustomer(.init(id: 2, phone: "2")).phone == "2")
            let worker = try await chef.createWorker(.init(name: "Bo", email: "bo@b"))
            #expect(try await chef.updateWorker(.init(id: worker.id, isActive: false)).isActive == false)
            #expect(try await chef.deleteWorker(id: worker.id).success)
            #expect(try await chef.workers().workers.map(\.name) == ["Worker"])
            #expect(try await chef.payrollStats().readyEmployees == 1)
            #expect(try await chef.createPayrollBatch(.init(periodID: "p", workEntryIDs: [1])).periodID == "p")
            #expect(try await chef.availableWorkEntries().isEmpty)
            #expect(try await chef.dashboardStats().activeWorkers == 1)
            #expect(try await chef.businessInsights().totalHours == 7.5)
        }
    }

    @Test("another role is refused with 403, and an unknown object with 404", arguments: TransportKind.allCases)
    func refusals(_ kind: TransportKind) async throws {
        try await RunningBackend.withBackend { backend in
            let worker = try await signIn("worker", backend, kind), chef = try await signIn("chef", backend, kind)
            let errors = [
                await #expect(throws: KSRCranesError.self) { try await worker.chef.customers() },
                await #expect(throws: KSRCranesError.self) { try await worker.manager.teamMembers() },
                await #expect(throws: KSRCranesError.self) { try await chef.worker.tasks() },
                await #expect(throws: KSRCranesError.self) { try await worker.worker.task(id: 99) },
            ]
            let statuses = errors.map { error -> Int? in
                if case .httpError(let status, _)? = error { return status }
                return nil
            }
            #expect(statuses == [403, 403, 403, 404])
        }
    }
}
