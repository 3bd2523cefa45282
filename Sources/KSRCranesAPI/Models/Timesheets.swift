#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension KSRCranesClient {
    /// The response to submitting a work entry. Assumed: the document names it without its members.
    public struct WorkEntryResponse: Codable, Hashable, Sendable {
        /// Whether the entry was accepted.
        public var success: Bool
        /// A message for the user; `nil` if there is none.
        public var message: String?
        /// The entry as the server stored it; `nil` if the server did not include it.
        public var entry: WorkEntry?

        /// Creates a work entry response.
        ///
        /// - Parameters:
        ///   - success: Whether the entry was accepted.
        ///   - message: A message for the user; `nil` if there is none.
        ///   - entry: The entry as the server stored it; `nil` if the server did not include it.
        public init(success: Bool, message: String? = nil, entry: WorkEntry? = nil) {
            self.success = success
            self.message = message
            self.entry = entry
        }

        private enum CodingKeys: CodingKey { case success, message, entry }
    }

    /// The entries of a period. Assumed: the document has no such type.
    public struct Timesheet: Codable, Hashable, Identifiable, Sendable {
        /// The timesheet's id.
        public var id: Int
        /// The first day.
        public var startDate: Date
        /// The last day.
        public var endDate: Date
        /// The state.
        public var status: WorkEntryStatus
        /// The entries.
        public var entries: [WorkEntry]

        /// Creates a timesheet.
        ///
        /// - Parameters:
        ///   - id: The timesheet's id.
        ///   - startDate: The first day.
        ///   - endDate: The last day.
        ///   - status: The state.
        ///   - entries: The entries.
        public init(id: Int, startDate: Date, endDate: Date, status: WorkEntryStatus, entries: [WorkEntry]) {
            self.id = id
            self.startDate = startDate
            self.endDate = endDate
            self.status = status
            self.entries = entries
        }

        private enum CodingKeys: CodingKey { case id, startDate, endDate, status, entries }
    }

    /// The timesheets of an employee. Assumed: the document names it without its members.
    public struct TimesheetResponse: Codable, Hashable, Sendable {
        /// The timesheets.
        public var timesheets: [Timesheet]

        /// Creates a timesheet response.
        ///
        /// - Parameter timesheets: The timesheets.
        public init(timesheets: [Timesheet]) {
            self.timesheets = timesheets
        }

        private enum CodingKeys: CodingKey { case timesheets }
    }

    /// The body of the call that submits a timesheet. Assumed: the document passes the entries.
    public struct TimesheetSubmission: Codable, Hashable, Sendable {
        /// The entries.
        public var entries: [WorkEntry]

        /// Creates a timesheet submission.
        ///
        /// - Parameter entries: The entries.
        public init(entries: [WorkEntry]) {
            self.entries = entries
        }

        private enum CodingKeys: CodingKey { case entries }
    }

    /// The response to submitting a timesheet. Assumed: the document names it without its members.
    public struct TimesheetSubmissionResponse: Codable, Hashable, Sendable {
        /// Whether the timesheet was accepted.
        public var success: Bool
        /// A message for the user; `nil` if there is none.
        public var message: String?
        /// The timesheet as the server stored it; `nil` if the server did not include it.
        public var timesheet: Timesheet?

        /// Creates a timesheet submission response.
        ///
        /// - Parameters:
        ///   - success: Whether the timesheet was accepted.
        ///   - message: A message for the user; `nil` if there is none.
        ///   - timesheet: The timesheet as the server stored it; `nil` if the server did not include it.
        public init(success: Bool, message: String? = nil, timesheet: Timesheet? = nil) {
            self.success = success
            self.message = message
            self.timesheet = timesheet
        }

        private enum CodingKeys: CodingKey { case success, message, timesheet }
    }
}
