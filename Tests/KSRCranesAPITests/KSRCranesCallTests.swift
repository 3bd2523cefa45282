import HTTPTestSupport
import Foundation
import HTTPCalls
import HTTPTypes
import KSRCranesAPI
import MultipartBody
import Synchronization
import Testing

private typealias Client = KSRCranesClient

extension StubTransport {
    /// The method, the path with its query, and the body of each request.
    fileprivate var lines: [String] {
        requests.map { "\($0.method.rawValue) \($0.head.path ?? "")" + ($0.bytes.isEmpty ? "" : " \($0.text)") }
    }
}

extension KSRCranesClient {
    init(_ transport: StubTransport, assumptions: Assumptions = Assumptions()) throws {
        var policy = RetryPolicy()
        policy.maxAttempts = 1
        self.init(
            baseEndpoint: try Endpoint("https://cranes.test"),
            client: HTTPClient(
                transport: transport, session: Session(BearerToken("token").map { Credentials(token: $0) }),
                retryPolicy: policy), assumptions: assumptions)
    }
}

/// A call, the JSON with which it is answered, and the expected request.
struct Call: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var json: String
    var expected: String
    var timeout: Duration
    /// Performs the call, and returns whether its result is as expected.
    var perform: @Sendable (KSRCranesClient) async throws -> Bool

    init(
        _ name: String, _ json: String, _ expected: String, timeout: Duration = .seconds(30),
        _ perform: @escaping @Sendable (KSRCranesClient) async throws -> Bool
    ) {
        (testDescription, self.json, self.expected, self.timeout, self.perform) = (
            name, json, expected, timeout, perform
        )
    }
}

@Suite("The requests of the calls by role")
struct KSRCranesCallTests {
    private static let day = Date(timeIntervalSince1970: 1_751_241_600)
    private static let entry = Client.WorkEntry(
        employeeID: 7, workDate: day, normalHours: 7.5, projectID: 3, status: .draft)
    private static let entryJSON =
        #"{"employeeId":7,"normalHours":7.5,"overtimeHours":0,"projectId":3,"status":"DRAFT","#
        + #""weekendHours":0,"workDate":"2025-06-30T00:00:00.000000Z"}"#
    private static let message = #"{"success":true,"message":"Done"}"#

    private static let workerCalls = [
        Call("tasks", KSRCranesFixtures.array(KSRCranesFixtures.task), "GET /api/app/tasks") {
            return try await $0.worker.tasks().map(\.displayTitle) == ["Lift"]
        },
        Call("task", #"{"task":\#(KSRCranesFixtures.task),"assignments":[]}"#, "GET /api/app/tasks/5") {
            return try await $0.worker.task(id: 5).task.taskID == 12
        },
        Call(
            "workEntries", KSRCranesFixtures.array(KSRCranesFixtures.workEntry),
            "GET /api/app/work-entries?startDate=2025-06-30&endDate=2025-07-06"
        ) {
            return try await $0.worker.workEntries(from: "2025-06-30", to: "2025-07-06").map(\.totalHours) == [10]
        },
        Call("submitWorkEntry", message, "POST /api/app/work-entries \(entryJSON)") {
            return try await $0.worker.submitWorkEntry(entry).message == "Done"
        },
        Call("timesheets", #"{"timesheets":[]}"#, "GET /api/app/timesheets") {
            return try await $0.worker.timesheets().timesheets.isEmpty
        },
        Call("submitTimesheet", message, #"POST /api/app/timesheets {"entries":[\#(entryJSON)]}"#) {
            return try await $0.worker.submitTimesheet(entries: [entry]).success
        },
        Call(
            "notifications", #"{"notifications":[\#(KSRCranesFixtures.notification)],"unreadCount":1}"#,
            "GET /api/app/notifications"
        ) { return try await $0.worker.notifications().notifications.first?.notificationType == .workEntryApproved },
        Call("markNotificationAsRead", message, "PUT /api/app/notifications/4/read") {
            return try await $0.worker.markNotificationAsRead(id: 4).success
        },
        Call(
            "submitLeaveRequest", #"{"success":true,"requestId":9}"#,
            #"POST /api/app/leave-requests {"endDate":"2025-06-30T00:00:00.000000Z","#
                + #""startDate":"2025-06-30T00:00:00.000000Z","type":"VACATION"}"#
        ) {
            let request = Client.CreateLeaveRequest(type: .vacation, startDate: day, endDate: day)
            return try await $0.worker.submitLeaveRequest(request).requestID == 9
        },
        Call(
            "leaveBalance", #"{"vacationDaysTotal":25,"vacationDaysUsed":5,"vacationDaysRemaining":20}"#,
            "GET /api/app/leave-balance"
        ) { return try await $0.worker.leaveBalance().vacationDaysRemaining == 20 },
    ]

    private static let managerCalls = [
        Call("pendingWorkEntries", "[]", "GET /api/app/manager/work-entries") {
            return try await $0.manager.pendingWorkEntries().isEmpty
        },
        Call("approveWorkEntry", message, "PUT /api/app/manager/work-entries/8/approve") {
            return try await $0.manager.approveWorkEntry(id: 8).success
        },
        Call("teamMembers", #"[{"id":1,"name":"Ida","status":"active"}]"#, "GET /api/app/manager/team") {
            return try await $0.manager.teamMembers().map(\.name) == ["Ida"]
        },
        Call("updateTeamMember", message, #"PUT /api/app/manager/team/1/status {"status":"away"}"#) {
            return try await $0.manager.updateTeamMember(id: 1, status: "away").success
        },
        Call(
            "submitSignature",
            #"{"message":"Saved","signature_url":"/s.jpg","signed_at":"2025-06-30T00:00:00.000000Z"}"#,
            "POST /api/app/signature \(KSRCranesFixtures.form("signature", "signature.jpg"))", timeout: .seconds(300)
        ) {
            return try await $0.manager.submitSignature(.makeImage()).signedAt == day
        },
    ]

    private static let chefCalls = [
        Call(
            "dashboardStats", #"{"activeProjects":1,"activeWorkers":2,"pendingWorkEntries":3}"#,
            "GET /api/app/chef/dashboard"
        ) { return try await $0.chef.dashboardStats().activeWorkers == 2 },
        Call("businessInsights", #"{"totalHours":7.5}"#, "GET /api/app/chef/insights") {
            return try await $0.chef.businessInsights().totalHours == 7.5
        },
        Call(
            "customers", KSRCranesFixtures.customers,
            "GET /api/app/chef/customers?page=2&limit=25&search=S%C3%B8n%20%26%20Co"
        ) { return try await $0.chef.customers(page: 2, limit: 25, search: "Søn & Co").total == 1 },
        Call(
            "createCustomer", #"{"id":1,"name":"Søn"}"#,
            #"POST /api/app/chef/customers {"email":"a@b","name":"Søn","phone":"1"}"#
        ) {
            return try await $0.chef.createCustomer(.init(name: "Søn", email: "a@b", phone: "1")).id == 1
        },
        Call("updateCustomer", #"{"id":1,"name":"B"}"#, #"PUT /api/app/chef/customers/1 {"id":1,"name":"B"}"#) {
            return try await $0.chef.updateCustomer(.init(id: 1, name: "B")).name == "B"
        },
        Call(
            "payrollStats", #"{"pendingHours":1.5,"readyEmployees":2}"#, "GET /api/app/chef/payroll/stats",
            timeout: .seconds(300)
        ) { return try await $0.chef.payrollStats().pendingHours == 1.5 },
        Call(
            "createPayrollBatch", #"{"id":1,"periodId":"p","status":"new","totalHours":3}"#,
            #"POST /api/app/chef/payroll/batches {"periodId":"p","workEntryIds":[1,2]}"#, timeout: .seconds(300)
        ) { return try await $0.chef.createPayrollBatch(.init(periodID: "p", workEntryIDs: [1, 2])).totalHours == 3 },
        Call(
            "availableWorkEntries", "[]", "GET /api/app/chef/payroll/work-entries", timeout: .seconds(300)
        ) { return try await $0.chef.availableWorkEntries().isEmpty },
        Call("workers", #"{"workers":[],"total":0,"page":1,"limit":50}"#, "GET /api/app/chef/workers") {
            return try await $0.chef.workers().workers.isEmpty
        },
        Call(
            "createWorker", KSRCranesFixtures.worker,
            #"POST /api/app/chef/workers {"email":"a@b","name":"Bo","role":"worker"}"#
        ) { return try await $0.chef.createWorker(.init(name: "Bo", email: "a@b")).role == .worker },
        Call("updateWorker", KSRCranesFixtures.worker, #"PUT /api/app/chef/workers/2 {"id":2,"isActive":false}"#) {
            return try await $0.chef.updateWorker(.init(id: 2, isActive: false)).id == 2
        },
        Call("deleteWorker", message, "DELETE /api/app/chef/workers/2") {
            return try await $0.chef.deleteWorker(id: 2).success
        },
    ]

    private static let uploads = [
        Call(
            "uploadProfileImage", #"{"message":"Saved","image_url":"/i.jpg"}"#,
            "POST /api/app/profile-image \(KSRCranesFixtures.form("profile_image", "profile.jpg"))",
            timeout: .seconds(300)
        ) {
            return try await $0.uploadProfileImage(.makeImage()).imageURL == "/i.jpg"
        }
    ]

    @Test("the 28 calls", arguments: workerCalls + managerCalls + chefCalls + uploads)
    func requests(_ call: Call) async throws {
        let transport = StubTransport(call.json)
        let isExpected = try await call.perform(try KSRCranesClient(transport))
        #expect(isExpected)
        #expect(transport.lines == [call.expected])
        let request = try #require(transport.requests.first)
        #expect(request.timeout == call.timeout && request.headerFields == [.accept: "application/json"])
        #expect(request.bearerToken == BearerToken("token"))
    }

    /// The names of the calls.
    static let names = Set((workerCalls + managerCalls + chefCalls + uploads).map(\.testDescription))

    @Test("there are 28 of them")
    func count() { #expect(Self.names.count == 28) }

    @Test("another role is refused with 403", arguments: workerCalls + managerCalls + chefCalls)
    func refusedRole(_ call: Call) async throws {
        let client = try KSRCranesClient(StubTransport(.json(403, #"{"error":true,"message":"Not your role"}"#)))
        let error = await #expect(throws: KSRCranesError.self) { try await call.perform(client) }
        guard case .httpError(status: 403, message: "Not your role")? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("paths and the keys of assumed members can be set")
    func assumptions() async throws {
        var assumptions = KSRCranesClient.Assumptions()
        assumptions.rolePaths.task = "/v2/tasks/{id}/all"
        assumptions.rolePaths.pageFields = ["side", "antal", "tekst"]
        assumptions.fieldNames["customers"] = "kunder"
        let transport = StubTransport(#"{"kunder":[],"total":0,"page":1,"limit":50}"#)
        let client = try KSRCranesClient(transport, assumptions: assumptions)
        #expect(try await client.chef.customers(page: 1, search: "a").customers.isEmpty)
        _ = try? await client.worker.task(id: 3)
        #expect(transport.lines == ["GET /api/app/chef/customers?side=1&tekst=a", "GET /v2/tasks/3/all"])
    }

    @Test("a customer without a name is not sent")
    func validation() async throws {
        let transport = StubTransport("{}")
        let client = try KSRCranesClient(transport)
        let error = await #expect(throws: KSRCranesError.self) {
            try await client.chef.createCustomer(.init(name: " "))
        }
        #expect(error?.errorDescription == "Validation failed: name is required" && transport.requests.isEmpty)
    }

    @Test("a server that ignores the number of the page is not asked without end", arguments: [50, 0])
    func repeatedPages(limit: Int) async throws {
        let transport = StubTransport(
            #"{"customers":[{"id":1,"name":"A"}],"total":120,"page":1,"limit":\#(limit)}"#)
        let client = try KSRCranesClient(transport)
        let error = await #expect(throws: KSRCranesError.self) {
            try await client.chef.customerPages().collectItems()
        }
        guard case .decodingError(let cause) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.message == "the server answered page 1 instead of 2")
        #expect(transport.requests.count == 2)
    }

    @Test("pages end with the last item, by the total or by hasNext")
    func pages() async throws {
        let customers = StubTransport(#"{"customers":[{"id":1,"name":"A"}],"total":1,"page":1,"limit":1}"#)
        #expect(try await KSRCranesClient(customers).chef.customerPages(limit: 1).collectItems().map(\.id) == [1])
        #expect(customers.lines == ["GET /api/app/chef/customers?page=1&limit=1"])
        let workers = StubTransport { request in
            let page = "\(request.endpoint)".contains("page=1") ? 1 : 2
            return .json(#"{"workers":[\#(KSRCranesFixtures.worker)],"total":2,"page":\#(page),"limit":1}"#)
        }
        #expect(try await KSRCranesClient(workers).chef.workerPages(limit: 1).collectItems().count == 2)
        #expect(workers.lines.last == "GET /api/app/chef/workers?page=2&limit=1")
        let numbers = StubTransport(KSRCranesFixtures.paginated)
        let pages = try KSRCranesClient(numbers).pages(path: "/api/numbers", as: Int.self)
        #expect(try await pages.collectItems() == [1, 2])
        #expect(numbers.lines == ["GET /api/numbers?page=1"])
    }
}
