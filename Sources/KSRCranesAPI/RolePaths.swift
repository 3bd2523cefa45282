extension KSRCranesClient {
    /// The paths of the calls that depend on the role. The document gives those of ``tasks`` and ``workEntries``; all
    /// others, and the methods, are assumed. `{id}` stands for an id.
    public struct RolePaths: Hashable, Sendable {
        // MARK: Workers

        /// GET: the tasks of the worker. Given by the document.
        public var tasks = "/api/app/tasks"
        /// GET: a task.
        public var task = "/api/app/tasks/{id}"
        /// GET: the work entries of a period. POST: a new one, which is given by the document.
        public var workEntries = "/api/app/work-entries"
        /// The fields of the query with the first and the last day of a period.
        public var periodFields = ["startDate", "endDate"]
        /// GET: the timesheets. POST: a new one.
        public var timesheets = "/api/app/timesheets"
        /// GET: the notifications.
        public var notifications = "/api/app/notifications"
        /// PUT: marks a notification as read.
        public var readNotification = "/api/app/notifications/{id}/read"
        /// POST: a request for leave.
        public var leaveRequests = "/api/app/leave-requests"
        /// GET: the leave that remains.
        public var leaveBalance = "/api/app/leave-balance"

        // MARK: Managers

        /// GET: the work entries that wait for their approval.
        public var pendingWorkEntries = "/api/app/manager/work-entries"
        /// PUT: approves a work entry.
        public var approveWorkEntry = "/api/app/manager/work-entries/{id}/approve"
        /// GET: the members of the team.
        public var teamMembers = "/api/app/manager/team"
        /// PUT: changes the state of a member.
        public var teamMemberStatus = "/api/app/manager/team/{id}/status"

        // MARK: The chef

        /// GET: the figures of the dashboard.
        public var dashboardStats = "/api/app/chef/dashboard"
        /// GET: the development of the business.
        public var businessInsights = "/api/app/chef/insights"
        /// GET: a page of customers. POST: a new customer.
        public var customers = "/api/app/chef/customers"
        /// PUT: changes a customer.
        public var customer = "/api/app/chef/customers/{id}"
        /// GET: the figures of the payroll.
        public var payrollStats = "/api/app/chef/payroll/stats"
        /// POST: a new batch of the payroll.
        public var payrollBatches = "/api/app/chef/payroll/batches"
        /// GET: the work entries that no batch has.
        public var payrollWorkEntries = "/api/app/chef/payroll/work-entries"
        /// GET: a page of workers. POST: a new worker.
        public var workers = "/api/app/chef/workers"
        /// PUT: changes a worker. DELETE: removes the worker.
        public var worker = "/api/app/chef/workers/{id}"
        /// The fields of the query with the number of a page, the number of its items, and a text to search for.
        public var pageFields = ["page", "limit", "search"]

        /// Creates the paths that `dev-backend` shares.
        public init() {}
    }
}
