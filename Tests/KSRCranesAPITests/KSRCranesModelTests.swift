import Foundation
import JSONValues
import KSRCranesAPI
import Testing

/// JSON of the models whose members the document gives.
enum KSRCranesFixtures {
    static func array(_ json: String) -> String { "[\(json)]" }

    /// The body of a form with an image.
    static func form(_ name: String, _ filename: String) -> String {
        "--B\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"\(filename)\"\r\n"
            + "Content-Type: image/jpeg\r\n\r\nJPEG\r\n--B--\r\n"
    }

    static let task = #"""
        {"id": 5, "task_id": 12, "title": "Lift", "description": "A beam", "deadline": "2025-06-30T08:15:00.250000Z",
         "status": "IN_PROGRESS"}
        """#
    static let workEntry = #"""
        {"id": 1, "employeeId": 7, "workDate": "2025-06-30T00:00:00.000000Z", "normalHours": 7.5, "overtimeHours": 2,
         "weekendHours": 0.5, "projectId": 3, "taskId": 12, "notes": "Rain", "status": "APPROVED",
         "submittedAt": "2025-06-30T16:00:00.000000Z", "approvedAt": "2025-07-01T08:00:00.000000Z", "approvedBy": 2}
        """#
    static let notification = #"""
        {"id": 4, "employeeId": 7, "notificationType": "WORK_ENTRY_APPROVED", "title": "T", "message": "M",
         "category": "HOURS", "priority": "HIGH", "isRead": false, "actionRequired": true,
         "createdAt": "2025-06-30T08:15:00.250000Z", "actionUrl": "/x", "metadata": {"a": [1, 2.5, null, {"b": true}]}}
        """#
    static let period = #"""
        {"period_id": "2025-13", "start_date": "2025-06-16T00:00:00.000000Z",
         "end_date": "2025-06-29T00:00:00.000000Z", "week_numbers": "25-26"}
        """#
    static let customer = #"{"id": 1, "name": "Søn", "email": "a@b", "phone": "1"}"#
    static let customers = #"{"customers": [\#(customer)], "total": 1, "page": 2, "limit": 25}"#
    static let worker = #"""
        {"id": 2, "name": "Bo", "email": "a@b", "phone": "2", "role": "worker", "isActive": true}
        """#
    static let pagination =
        #"{"currentPage": 1, "totalPages": 1, "totalCount": 2, "hasNext": false, "hasPrevious": false}"#
    static let paginated = #"{"data": [1, 2], "pagination": \#(pagination)}"#
    static let project = #"""
        {"project": {"id": 3, "title": "Bridge", "status": "ACTIVE", "customerId": 1},
         "tasks": [{"id": 12, "title": "Lift", "status": "OPEN"}],
         "assignments": [{"id": 5, "taskId": 12, "employeeId": 7}],
         "customer": \#(customer), "timeline": [{"id": 1, "title": "Begun", "date": "2025-06-30T08:15:00.250000Z"}]}
        """#
}

@Suite("The models of KSR Cranes")
struct KSRCranesModelTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let json: String
        let reencode: @Sendable () throws -> JSONValue

        init<Model: Codable & SendableMetatype>(_ type: Model.Type, _ json: String) {
            testDescription = "\(type)"
            self.json = json
            reencode = {
                let model = try KSRCranesClient.makeJSONDecoder().decode(type, from: Data(json.utf8))
                return try JSONDecoder().decode(
                    JSONValue.self, from: try KSRCranesClient.makeJSONEncoder().encode(model))
            }
        }
    }

    private static let rows: [Row] = [
        Row(KSRCranesClient.WorkerTask.self, KSRCranesFixtures.task),
        Row(KSRCranesClient.WorkEntry.self, KSRCranesFixtures.workEntry),
        Row(KSRCranesClient.AppNotification.self, KSRCranesFixtures.notification),
        Row(KSRCranesClient.PayrollPeriod.self, KSRCranesFixtures.period),
        Row(KSRCranesClient.CustomersResponse.self, KSRCranesFixtures.customers),
        Row(KSRCranesClient.CreateCustomerRequest.self, #"{"name": "A", "email": "b", "phone": "c"}"#),
        Row(KSRCranesClient.MessageResponse.self, #"{"success": true, "message": "Done"}"#),
        Row(KSRCranesClient.PaginatedResponse<Int>.self, KSRCranesFixtures.paginated),
        Row(KSRCranesClient.PaginationInfo.self, KSRCranesFixtures.pagination),
        Row(KSRCranesClient.ProjectDetailResponse.self, KSRCranesFixtures.project),
        Row(KSRCranesClient.WorkerForChef.self, KSRCranesFixtures.worker),
        // Values that are not known.
        Row(KSRCranesClient.TaskStatus.self, #""PAUSED""#), Row(KSRCranesClient.WorkEntryStatus.self, #""LOST""#),
        Row(KSRCranesClient.NotificationType.self, #""NEW_TYPE""#), Row(KSRCranesClient.Role.self, #""system""#),
        Row(KSRCranesClient.NotificationCategory.self, #""X""#),
        Row(KSRCranesClient.NotificationPriority.self, #""Y""#),
    ]

    @Test("JSON is decoded and encoded without a change", arguments: rows)
    func roundTrip(_ row: Row) throws {
        #expect(try row.reencode() == JSONDecoder().decode(JSONValue.self, from: Data(row.json.utf8)))
    }

    @Test("the values of the document's enumerations")
    func enumerations() {
        #expect(
            KSRCranesClient.WorkEntryStatus.allCases.map(\.rawValue) == ["DRAFT", "SUBMITTED", "APPROVED", "REJECTED"])
        #expect(
            KSRCranesClient.NotificationType.allCases.map(\.rawValue) == [
                "WORK_ENTRY_SUBMITTED", "WORK_ENTRY_APPROVED", "LEAVE_REQUEST_SUBMITTED", "LEAVE_REQUEST_APPROVED",
            ])
    }

    @Test(
        "the hours of an entry", arguments: [(7.5, 0.0, 0.0, 7.5, false), (7, 1, 0, 8, true), (0, 0, 2, 2, true)])
    func hours(_ normal: Double, _ overtime: Double, _ weekend: Double, _ total: Double, _ hasOvertime: Bool) {
        let entry = KSRCranesClient.WorkEntry(
            employeeID: 1, workDate: Date(), normalHours: normal, overtimeHours: overtime, weekendHours: weekend)
        #expect(entry.totalHours == total && entry.hasOvertime == hasOvertime)
    }

    @Test("a task without a title has a placeholder")
    func displayTitle() {
        let task = KSRCranesClient.WorkerTask(id: 1, taskID: 2, title: "", status: .open)
        #expect(task.displayTitle == "Untitled Task")
    }
}
