#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension KSRCranesClient {
    /// The kind of leave. Assumed: the document has no such type.
    public struct LeaveType: RawRepresentable, CaseIterable, Codable, Hashable, Sendable {
        /// The text in JSON. Values that are not listed here are kept.
        public var rawValue: String

        /// Creates a value from its text in JSON.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Vacation.
        public static let vacation = LeaveType(rawValue: "VACATION")
        /// Sick leave.
        public static let sick = LeaveType(rawValue: "SICK")
        /// A personal day.
        public static let personal = LeaveType(rawValue: "PERSONAL")

        /// The known values.
        public static let allCases: [LeaveType] = [.vacation, .sick, .personal]
    }

    /// A request for leave. Assumed: the document names it without its members.
    public struct CreateLeaveRequest: Codable, Hashable, Sendable {
        /// The kind of leave.
        public var type: LeaveType
        /// The first day.
        public var startDate: Date
        /// The last day.
        public var endDate: Date
        /// The reason; `nil` if none is given.
        public var reason: String?

        /// Creates a create leave request.
        ///
        /// - Parameters:
        ///   - type: The kind of leave.
        ///   - startDate: The first day.
        ///   - endDate: The last day.
        ///   - reason: The reason; `nil` if none is given.
        public init(type: LeaveType, startDate: Date, endDate: Date, reason: String? = nil) {
            self.type = type
            self.startDate = startDate
            self.endDate = endDate
            self.reason = reason
        }

        private enum CodingKeys: CodingKey { case type, startDate, endDate, reason }
    }

    /// The response to a request for leave. Assumed: the document names it without its members.
    public struct LeaveRequestResponse: Codable, Hashable, Sendable {
        /// Whether the request was accepted.
        public var success: Bool
        /// A message for the user; `nil` if there is none.
        public var message: String?
        /// The request's id; `nil` if the server did not include it.
        public var requestID: Int?

        /// Creates a leave request response.
        ///
        /// - Parameters:
        ///   - success: Whether the request was accepted.
        ///   - message: A message for the user; `nil` if there is none.
        ///   - requestID: The request's id; `nil` if the server did not include it.
        public init(success: Bool, message: String? = nil, requestID: Int? = nil) {
            self.success = success
            self.message = message
            self.requestID = requestID
        }

        private enum CodingKeys: String, CodingKey {
            case success, message
            case requestID = "requestId"
        }
    }

    /// The leave that an employee has left. Assumed: the document names it without its members.
    public struct LeaveBalanceResponse: Codable, Hashable, Sendable {
        /// The days of vacation in a year.
        public var vacationDaysTotal: Double
        /// The days of vacation that were taken.
        public var vacationDaysUsed: Double
        /// The days of vacation that remain.
        public var vacationDaysRemaining: Double

        /// Creates a leave balance response.
        ///
        /// - Parameters:
        ///   - vacationDaysTotal: The days of vacation in a year.
        ///   - vacationDaysUsed: The days of vacation that were taken.
        ///   - vacationDaysRemaining: The days of vacation that remain.
        public init(vacationDaysTotal: Double, vacationDaysUsed: Double, vacationDaysRemaining: Double) {
            self.vacationDaysTotal = vacationDaysTotal
            self.vacationDaysUsed = vacationDaysUsed
            self.vacationDaysRemaining = vacationDaysRemaining
        }

        private enum CodingKeys: CodingKey { case vacationDaysTotal, vacationDaysUsed, vacationDaysRemaining }
    }
}
