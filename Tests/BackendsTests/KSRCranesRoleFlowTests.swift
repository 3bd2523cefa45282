import Foundation
import HTTPCalls
import KSRCranesAPI
import Testing

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
            let chef = try await signIn("chef", backend, kind).chef
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
            #expect(try await chef.dashboardStats().pendingWorkEntries == 1)
            #expect(try await chef.availableWorkEntries().isEmpty)
            let entryID = try #require(entry.id)
            #expect(try await manager.approveWorkEntry(id: entryID).success)
            #expect(try await manager.pendingWorkEntries().isEmpty)
            #expect(try await chef.dashboardStats().pendingWorkEntries == 0)
            let available = try await chef.availableWorkEntries()
            #expect(available.map(\.entry.id) == [entryID] && available.map(\.employeeName) == ["Worker"])
            #expect(try await chef.createPayrollBatch(.init(periodID: "p", workEntryIDs: [entryID])).periodID == "p")
            #expect(try await chef.availableWorkEntries().isEmpty)
            let notification = try #require(try await worker.notifications().notifications.first)
            #expect(try await worker.markNotificationAsRead(id: notification.id).success)
            #expect(try await worker.notifications().notifications.first?.isRead == true)
            let timesheet = try #require(try await worker.submitTimesheet(entries: [entry]).timesheet)
            #expect(timesheet.entries == [entry] && timesheet.status == .submitted)
            #expect(timesheet.startDate == entry.workDate && timesheet.endDate == entry.workDate)
            #expect(try await worker.timesheets().timesheets == [timesheet])
            #expect(try await worker.leaveBalance().vacationDaysRemaining == 20)
            let leave = KSRCranesClient.CreateLeaveRequest(
                type: .sick, startDate: entry.workDate, endDate: entry.workDate)
            #expect(try await worker.submitLeaveRequest(leave).requestID == 1)
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
}
