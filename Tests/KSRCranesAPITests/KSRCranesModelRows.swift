import HTTPTestSupport
import KSRCranesAPI

/// A hand-made JSON of every model, with all optional members.
enum KSRCranesModelRows {
    private typealias Client = KSRCranesClient
    private typealias Fixtures = KSRCranesFixtures

    private static func row<Model: Codable & SendableMetatype>(_ type: Model.Type, _ json: String) -> ModelRow {
        ModelRow(type, json, makeDecoder: Client.makeJSONDecoder, makeEncoder: Client.makeJSONEncoder)
    }

    static let all: [ModelRow] = [
        account, tasks, hours, notifications, leave, team, customers, payroll, lists, others,
    ].flatMap(\.self)

    private static let account = [
        row(
            Client.Employee.self,
            #"""
            {"employee_id": 7, "name": "Ida", "role": "worker", "created_at": "2025-06-01T00:00:00.250000Z"}
            """#),
        row(Client.Role.self, #""chef""#),
        row(Client.MessageResponse.self, #"{"success": true, "message": "Done"}"#),
        row(Client.ProfileImageResponse.self, #"{"message": "Saved", "image_url": "/i.jpg"}"#),
        row(
            Client.SignatureResponse.self,
            #"{"message": "Saved", "signature_url": "/s.jpg", "signed_at": "2025-06-30T08:15:00.250000Z"}"#),
    ]

    private static let tasks = [
        row(Client.WorkerTask.self, Fixtures.task),
        row(Client.TaskStatus.self, #""OPEN""#),
        row(
            Client.WorkerTaskDetail.self,
            #"""
            {"task": \#(Fixtures.task), "project": \#(Fixtures.project), "assignments": [\#(Fixtures.assignment)]}
            """#),
        row(Client.Project.self, Fixtures.project),
        row(Client.ProjectTask.self, Fixtures.projectTask),
        row(Client.TaskAssignment.self, Fixtures.assignment),
        row(Client.TimelineEvent.self, Fixtures.event),
        row(
            Client.ProjectDetailResponse.self,
            #"""
            {"project": \#(Fixtures.project), "tasks": [\#(Fixtures.projectTask)],
             "assignments": [\#(Fixtures.assignment)], "customer": \#(Fixtures.customer),
             "timeline": [\#(Fixtures.event)]}
            """#),
    ]

    private static let hours = [
        row(Client.WorkEntry.self, Fixtures.workEntry),
        row(Client.WorkEntryStatus.self, #""DRAFT""#),
        row(
            Client.WorkEntryResponse.self,
            #"{"success": true, "message": "Saved", "entry": \#(Fixtures.workEntry)}"#),
        row(
            Client.WorkEntryForReview.self,
            #"{"entry": \#(Fixtures.workEntry), "employeeName": "Ida", "projectTitle": "Bridge"}"#),
        row(Client.Timesheet.self, Fixtures.timesheet),
        row(Client.TimesheetResponse.self, #"{"timesheets": [\#(Fixtures.timesheet)]}"#),
        row(Client.TimesheetSubmission.self, #"{"entries": [\#(Fixtures.workEntry)]}"#),
        row(
            Client.TimesheetSubmissionResponse.self,
            #"{"success": true, "message": "Saved", "timesheet": \#(Fixtures.timesheet)}"#),
    ]

    private static let notifications = [
        row(Client.AppNotification.self, Fixtures.notification),
        row(Client.NotificationType.self, #""LEAVE_REQUEST_SUBMITTED""#),
        row(Client.NotificationCategory.self, #""LEAVE""#),
        row(Client.NotificationPriority.self, #""URGENT""#),
        row(
            Client.NotificationsResponse.self,
            #"{"notifications": [\#(Fixtures.notification)], "unreadCount": 1}"#),
        row(
            Client.Announcement.self,
            #"{"id": 1, "title": "Closed", "message": "On Friday", "createdAt": "2025-06-30T08:15:00.250000Z"}"#),
    ]

    private static let leave = [
        row(Client.LeaveType.self, #""SICK""#),
        row(
            Client.CreateLeaveRequest.self,
            #"""
            {"type": "VACATION", "startDate": "2025-07-07T00:00:00.000000Z",
             "endDate": "2025-07-11T00:00:00.000000Z", "reason": "Summer"}
            """#),
        row(Client.LeaveRequestResponse.self, #"{"success": true, "message": "Saved", "requestId": 9}"#),
        row(
            Client.LeaveBalanceResponse.self,
            #"{"vacationDaysTotal": 25, "vacationDaysUsed": 4.5, "vacationDaysRemaining": 20.5}"#),
    ]

    private static let team = [
        row(Client.TeamMember.self, #"{"id": 7, "name": "Ida", "email": "a@b", "status": "active"}"#),
        row(Client.StatusChange.self, #"{"status": "away"}"#),
        row(Client.WorkerForChef.self, Fixtures.worker),
        row(
            Client.WorkersResponse.self,
            #"{"workers": [\#(Fixtures.worker)], "total": 3, "page": 2, "limit": 1}"#),
        row(
            Client.CreateWorkerRequest.self,
            #"{"name": "Bo", "email": "a@b", "phone": "2", "role": "manager"}"#),
        row(
            Client.UpdateWorkerRequest.self,
            #"{"id": 2, "name": "Bo", "email": "a@b", "phone": "2", "isActive": false}"#),
        row(
            Client.Certificate.self, #"{"id": 1, "name": "Crane A", "expiresAt": "2026-06-30T00:00:00.000000Z"}"#),
    ]

    private static let customers = [
        row(Client.Customer.self, Fixtures.customer),
        row(Client.CustomersResponse.self, Fixtures.customers),
        row(Client.CreateCustomerRequest.self, #"{"name": "A", "email": "b", "phone": "c"}"#),
        row(Client.UpdateCustomerRequest.self, #"{"id": 1, "name": "A", "email": "b", "phone": "c"}"#),
        row(
            Client.ChefDashboardStats.self, #"{"activeProjects": 1, "activeWorkers": 2, "pendingWorkEntries": 3}"#),
        row(
            Client.BusinessInsights.self, #"{"totalHours": 7.5, "revenue": 1000, "trends": {"hours": -0.5}}"#),
    ]

    private static let payroll = [
        row(Client.PayrollPeriod.self, Fixtures.period),
        row(
            Client.PayrollDashboardStats.self,
            #"{"pendingHours": 7.5, "readyEmployees": 1, "currentPeriod": \#(Fixtures.period)}"#),
        row(
            Client.CreatePayrollBatchRequest.self,
            #"{"periodId": "2025-13", "workEntryIds": [1, 2], "notes": "Early"}"#),
        row(
            Client.PayrollBatch.self,
            #"""
            {"id": 1, "periodId": "2025-13", "status": "NEW", "totalHours": 9.5,
             "createdAt": "2025-06-30T08:15:00.250000Z"}
            """#),
    ]

    private static let lists = [
        row(Client.PaginatedResponse<Int>.self, Fixtures.paginated),
        row(Client.PaginationInfo.self, Fixtures.pagination),
    ]

    /// Values that are not known.
    private static let others = [
        row(Client.TaskStatus.self, #""PAUSED""#), row(Client.WorkEntryStatus.self, #""LOST""#),
        row(Client.NotificationType.self, #""NEW_TYPE""#), row(Client.Role.self, #""system""#),
        row(Client.NotificationCategory.self, #""X""#), row(Client.NotificationPriority.self, #""Y""#),
        row(Client.LeaveType.self, #""MOVING""#),
    ]
}
