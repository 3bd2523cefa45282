internal import HTTPCalls
internal import HTTPTypes

extension KSRCranesClient {
    /// The calls of a worker.
    public var worker: WorkerCalls { WorkerCalls(client: self) }

    /// The calls of a worker. Another role is
    /// refused: `KSRCranesError.httpError` with 403.
    public struct WorkerCalls: Sendable {
        let client: KSRCranesClient
        private var paths: RolePaths { client.assumptions.rolePaths }

        /// Returns the tasks of the worker.
        public func tasks() async throws(KSRCranesError) -> [WorkerTask] {
            try await client.send(.get, paths.tasks)
        }

        /// Returns a task with its circumstances.
        ///
        /// - Parameter id: The task's id.
        public func task(id: Int) async throws(KSRCranesError) -> WorkerTaskDetail {
            try await client.send(.get, paths.task, id: id)
        }

        /// Returns the work entries of a period.
        ///
        /// - Parameters:
        ///   - startDate: The first day, such as `2025-06-30`.
        ///   - endDate: The last day.
        public func workEntries(from startDate: String, to endDate: String) async throws(KSRCranesError) -> [WorkEntry]
        {
            try await client.send(
                .get, paths.workEntries, query: client.fields(paths.periodFields, [startDate, endDate]))
        }

        /// Submits a work entry. The request is not retried if the server may have processed it.
        ///
        /// - Parameter entry: The entry.
        /// - Returns: The server's response.
        public func submitWorkEntry(_ entry: WorkEntry) async throws(KSRCranesError) -> WorkEntryResponse {
            try await client.send(.post, paths.workEntries, body: entry)
        }

        /// Returns the timesheets.
        public func timesheets() async throws(KSRCranesError) -> TimesheetResponse {
            try await client.send(.get, paths.timesheets)
        }

        /// Submits a timesheet. The request is not retried if the server may have processed it.
        ///
        /// - Parameter entries: The entries.
        /// - Returns: The server's response.
        public func submitTimesheet(entries: [WorkEntry]) async throws(KSRCranesError) -> TimesheetSubmissionResponse {
            try await client.send(.post, paths.timesheets, body: TimesheetSubmission(entries: entries))
        }

        /// Returns the notifications.
        public func notifications() async throws(KSRCranesError) -> NotificationsResponse {
            try await client.send(.get, paths.notifications)
        }

        /// Marks a notification as read.
        ///
        /// - Parameter id: The notification's id.
        /// - Returns: The server's response.
        public func markNotificationAsRead(id: Int) async throws(KSRCranesError) -> MessageResponse {
            try await client.send(.put, paths.readNotification, id: id)
        }

        /// Requests leave. The request is not retried if the server may have processed it.
        ///
        /// - Parameter request: The leave.
        /// - Returns: The server's response.
        public func submitLeaveRequest(_ request: CreateLeaveRequest) async throws(KSRCranesError)
            -> LeaveRequestResponse
        {
            try await client.send(.post, paths.leaveRequests, body: request)
        }

        /// Returns the leave that remains.
        public func leaveBalance() async throws(KSRCranesError) -> LeaveBalanceResponse {
            try await client.send(.get, paths.leaveBalance)
        }
    }
}
