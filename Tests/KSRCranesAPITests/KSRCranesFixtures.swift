/// JSON of models that several tests or several other models use.
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
    static let timesheet = #"""
        {"id": 6, "startDate": "2025-06-30T00:00:00.000000Z", "endDate": "2025-07-06T00:00:00.000000Z",
         "status": "SUBMITTED", "entries": [\#(workEntry)]}
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
        {"id": 3, "title": "Bridge", "description": "Over the Limfjord", "status": "ACTIVE", "customerId": 1}
        """#
    static let projectTask = #"""
        {"id": 12, "title": "Lift", "description": "A beam", "deadline": "2025-06-30T08:15:00.250000Z",
         "status": "OPEN"}
        """#
    static let assignment = #"{"id": 5, "taskId": 12, "employeeId": 7}"#
    static let event = #"{"id": 1, "title": "Begun", "date": "2025-06-30T08:15:00.250000Z"}"#
}
