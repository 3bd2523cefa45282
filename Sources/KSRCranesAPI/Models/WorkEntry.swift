#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension KSRCranesClient {
    /// The hours of a day of an employee. The keys are in camel case.
    public struct WorkEntry: Codable, Hashable, Identifiable, Sendable {
        /// The id; `nil` before the entry is submitted.
        public var id: Int?
        /// The employee's id.
        public var employeeID: Int
        /// The day.
        public var workDate: Date
        /// The normal hours.
        public var normalHours: Double
        /// The hours of overtime.
        public var overtimeHours: Double
        /// The hours on a weekend.
        public var weekendHours: Double
        /// The project's id; `nil` if there is none.
        public var projectID: Int?
        /// The task's id; `nil` if there is none.
        public var taskID: Int?
        /// Notes; `nil` if there are none.
        public var notes: String?
        /// The state.
        public var status: WorkEntryStatus
        /// The time of the submission; `nil` before it.
        public var submittedAt: Date?
        /// The time of the approval; `nil` before it.
        public var approvedAt: Date?
        /// The id of the manager who approved the entry; `nil` before the approval.
        public var approvedBy: Int?

        /// Creates a work entry.
        ///
        /// - Parameters:
        ///   - id: The id; `nil` before the entry is submitted.
        ///   - employeeID: The employee's id.
        ///   - workDate: The day.
        ///   - normalHours: The normal hours.
        ///   - overtimeHours: The hours of overtime.
        ///   - weekendHours: The hours on a weekend.
        ///   - projectID: The project's id; `nil` if there is none.
        ///   - taskID: The task's id; `nil` if there is none.
        ///   - notes: Notes; `nil` if there are none.
        ///   - status: The state.
        ///   - submittedAt: The time of the submission; `nil` before it.
        ///   - approvedAt: The time of the approval; `nil` before it.
        ///   - approvedBy: The id of the manager who approved the entry; `nil` before the approval.
        public init(
            id: Int? = nil, employeeID: Int, workDate: Date, normalHours: Double, overtimeHours: Double = 0,
            weekendHours: Double = 0, projectID: Int? = nil, taskID: Int? = nil, notes: String? = nil,
            status: WorkEntryStatus = .draft, submittedAt: Date? = nil, approvedAt: Date? = nil,
            approvedBy: Int? = nil
        ) {
            self.id = id
            self.employeeID = employeeID
            self.workDate = workDate
            self.normalHours = normalHours
            self.overtimeHours = overtimeHours
            self.weekendHours = weekendHours
            self.projectID = projectID
            self.taskID = taskID
            self.notes = notes
            self.status = status
            self.submittedAt = submittedAt
            self.approvedAt = approvedAt
            self.approvedBy = approvedBy
        }

        private enum CodingKeys: String, CodingKey {
            case id, workDate, normalHours, overtimeHours, weekendHours, notes, status, submittedAt, approvedAt,
                approvedBy
            case employeeID = "employeeId"
            case projectID = "projectId"
            case taskID = "taskId"
        }

        /// The sum of the hours.
        public var totalHours: Double { normalHours + overtimeHours + weekendHours }
        /// Whether the entry has hours beyond the normal ones.
        public var hasOvertime: Bool { overtimeHours > 0 || weekendHours > 0 }
    }

    /// The state of a work entry.
    public struct WorkEntryStatus: RawRepresentable, CaseIterable, Codable, Hashable, Sendable {
        /// The text in JSON. Values that are not listed here are kept.
        public var rawValue: String

        /// Creates a value from its text in JSON.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The entry is not submitted.
        public static let draft = WorkEntryStatus(rawValue: "DRAFT")
        /// The entry waits for its approval.
        public static let submitted = WorkEntryStatus(rawValue: "SUBMITTED")
        /// The entry is approved.
        public static let approved = WorkEntryStatus(rawValue: "APPROVED")
        /// The entry is rejected.
        public static let rejected = WorkEntryStatus(rawValue: "REJECTED")

        /// The known values.
        public static let allCases: [WorkEntryStatus] = [.draft, .submitted, .approved, .rejected]
    }

    /// A work entry with the name of its employee, for a manager or the payroll. Assumed: the document names it without
    /// its members.
    public struct WorkEntryForReview: Codable, Hashable, Sendable {
        /// The entry.
        public var entry: WorkEntry
        /// The employee's name.
        public var employeeName: String
        /// The title of the project; `nil` if there is none.
        public var projectTitle: String?

        /// Creates a work entry for review.
        ///
        /// - Parameters:
        ///   - entry: The entry.
        ///   - employeeName: The employee's name.
        ///   - projectTitle: The title of the project; `nil` if there is none.
        public init(entry: WorkEntry, employeeName: String, projectTitle: String? = nil) {
            self.entry = entry
            self.employeeName = employeeName
            self.projectTitle = projectTitle
        }

        private enum CodingKeys: CodingKey { case entry, employeeName, projectTitle }
    }
}
