#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension KSRCranesClient {
    /// A period of the payroll. The keys are in snake case.
    public struct PayrollPeriod: Codable, Hashable, Identifiable, Sendable {
        /// The period's id.
        public var id: String
        /// The first day.
        public var startDate: Date
        /// The last day.
        public var endDate: Date
        /// The numbers of its weeks.
        public var weekNumbers: String

        /// Creates a payroll period.
        ///
        /// - Parameters:
        ///   - id: The period's id.
        ///   - startDate: The first day.
        ///   - endDate: The last day.
        ///   - weekNumbers: The numbers of its weeks.
        public init(id: String, startDate: Date, endDate: Date, weekNumbers: String) {
            self.id = id
            self.startDate = startDate
            self.endDate = endDate
            self.weekNumbers = weekNumbers
        }

        private enum CodingKeys: String, CodingKey {
            case id = "period_id"
            case startDate = "start_date"
            case endDate = "end_date"
            case weekNumbers = "week_numbers"
        }
    }

    /// The figures of the payroll. Assumed: the document names it without its members.
    public struct PayrollDashboardStats: Codable, Hashable, Sendable {
        /// The hours that wait for a batch.
        public var pendingHours: Double
        /// The number of employees with approved hours.
        public var readyEmployees: Int
        /// The current period; `nil` if there is none.
        public var currentPeriod: PayrollPeriod?

        /// Creates figures.
        ///
        /// - Parameters:
        ///   - pendingHours: The hours that wait for a batch.
        ///   - readyEmployees: The number of employees with approved hours.
        ///   - currentPeriod: The current period; `nil` if there is none.
        public init(pendingHours: Double, readyEmployees: Int, currentPeriod: PayrollPeriod? = nil) {
            self.pendingHours = pendingHours
            self.readyEmployees = readyEmployees
            self.currentPeriod = currentPeriod
        }

        private enum CodingKeys: CodingKey { case pendingHours, readyEmployees, currentPeriod }
    }

    /// A new batch of the payroll. Assumed: the document names it without its members.
    public struct CreatePayrollBatchRequest: Codable, Hashable, Sendable {
        /// The period's id.
        public var periodID: String
        /// The ids of the work entries.
        public var workEntryIDs: [Int]
        /// Notes; `nil` if there are none.
        public var notes: String?

        /// Creates a create payroll batch request.
        ///
        /// - Parameters:
        ///   - periodID: The period's id.
        ///   - workEntryIDs: The ids of the work entries.
        ///   - notes: Notes; `nil` if there are none.
        public init(periodID: String, workEntryIDs: [Int], notes: String? = nil) {
            self.periodID = periodID
            self.workEntryIDs = workEntryIDs
            self.notes = notes
        }

        private enum CodingKeys: String, CodingKey {
            case notes
            case periodID = "periodId"
            case workEntryIDs = "workEntryIds"
        }
    }

    /// A batch of the payroll. Assumed: the document names it without its members.
    public struct PayrollBatch: Codable, Hashable, Identifiable, Sendable {
        /// The batch's id.
        public var id: Int
        /// The period's id.
        public var periodID: String
        /// The state.
        public var status: String
        /// The sum of the hours.
        public var totalHours: Double
        /// The time of creation; `nil` if the server did not include it.
        public var createdAt: Date?

        /// Creates a payroll batch.
        ///
        /// - Parameters:
        ///   - id: The batch's id.
        ///   - periodID: The period's id.
        ///   - status: The state.
        ///   - totalHours: The sum of the hours.
        ///   - createdAt: The time of creation; `nil` if the server did not include it.
        public init(id: Int, periodID: String, status: String, totalHours: Double, createdAt: Date? = nil) {
            self.id = id
            self.periodID = periodID
            self.status = status
            self.totalHours = totalHours
            self.createdAt = createdAt
        }

        private enum CodingKeys: String, CodingKey {
            case id, status, totalHours, createdAt
            case periodID = "periodId"
        }
    }
}
