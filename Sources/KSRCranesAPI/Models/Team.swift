extension KSRCranesClient {
    /// A member of a manager's team. Assumed: the document names it without its members.
    public struct TeamMember: Codable, Hashable, Identifiable, Sendable {
        /// The employee's id.
        public var id: Int
        /// The name.
        public var name: String
        /// The e-mail address; `nil` if there is none.
        public var email: String?
        /// The state, such as `active`.
        public var status: String

        /// Creates a team member.
        ///
        /// - Parameters:
        ///   - id: The employee's id.
        ///   - name: The name.
        ///   - email: The e-mail address; `nil` if there is none.
        ///   - status: The state, such as `active`.
        public init(id: Int, name: String, email: String? = nil, status: String) {
            self.id = id
            self.name = name
            self.email = email
            self.status = status
        }

        private enum CodingKeys: CodingKey { case id, name, email, status }
    }

    /// The body of the call that changes the state of a team member. Assumed: the document passes the state.
    public struct StatusChange: Codable, Hashable, Sendable {
        /// The new state.
        public var status: String

        /// Creates a status change.
        ///
        /// - Parameter status: The new state.
        public init(status: String) {
            self.status = status
        }

        private enum CodingKeys: CodingKey { case status }
    }

    /// A worker as the chef sees it. Assumed: the document names it without its members.
    public struct WorkerForChef: Codable, Hashable, Identifiable, Sendable {
        /// The worker's id.
        public var id: Int
        /// The name.
        public var name: String
        /// The e-mail address.
        public var email: String
        /// The telephone number; `nil` if there is none.
        public var phone: String?
        /// The role.
        public var role: Role
        /// Whether the worker can be assigned.
        public var isActive: Bool

        /// Creates a worker for chef.
        ///
        /// - Parameters:
        ///   - id: The worker's id.
        ///   - name: The name.
        ///   - email: The e-mail address.
        ///   - phone: The telephone number; `nil` if there is none.
        ///   - role: The role.
        ///   - isActive: Whether the worker can be assigned.
        public init(id: Int, name: String, email: String, phone: String? = nil, role: Role, isActive: Bool) {
            self.id = id
            self.name = name
            self.email = email
            self.phone = phone
            self.role = role
            self.isActive = isActive
        }

        private enum CodingKeys: CodingKey { case id, name, email, phone, role, isActive }
    }

    /// A page of workers. Assumed: the document names it without its members; they are those of ``CustomersResponse``.
    public struct WorkersResponse: Codable, Hashable, Sendable {
        /// The workers of the page.
        public var workers: [WorkerForChef]
        /// The number of all workers.
        public var total: Int
        /// The number of the page, from 1.
        public var page: Int
        /// The number of workers of a page.
        public var limit: Int

        /// Creates a workers response.
        ///
        /// - Parameters:
        ///   - workers: The workers of the page.
        ///   - total: The number of all workers.
        ///   - page: The number of the page, from 1.
        ///   - limit: The number of workers of a page.
        public init(workers: [WorkerForChef], total: Int, page: Int, limit: Int) {
            self.workers = workers
            self.total = total
            self.page = page
            self.limit = limit
        }

        private enum CodingKeys: CodingKey { case workers, total, page, limit }
    }

    /// A new worker. Assumed: the document names it without its members.
    public struct CreateWorkerRequest: Codable, Hashable, Sendable {
        /// The name.
        public var name: String
        /// The e-mail address.
        public var email: String
        /// The telephone number; `nil` if there is none.
        public var phone: String?
        /// The role.
        public var role: Role

        /// Creates a create worker request.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - email: The e-mail address.
        ///   - phone: The telephone number; `nil` if there is none.
        ///   - role: The role.
        public init(name: String, email: String, phone: String? = nil, role: Role = .worker) {
            self.name = name
            self.email = email
            self.phone = phone
            self.role = role
        }

        private enum CodingKeys: CodingKey { case name, email, phone, role }
    }

    /// A changed worker. Members that are `nil` stay as they are. Assumed: the document names it without its members.
    public struct UpdateWorkerRequest: Codable, Hashable, Identifiable, Sendable {
        /// The worker's id.
        public var id: Int
        /// The new name.
        public var name: String?
        /// The new e-mail address.
        public var email: String?
        /// The new telephone number.
        public var phone: String?
        /// Whether the worker can be assigned.
        public var isActive: Bool?

        /// Creates an update worker request.
        ///
        /// - Parameters:
        ///   - id: The worker's id.
        ///   - name: The new name.
        ///   - email: The new e-mail address.
        ///   - phone: The new telephone number.
        ///   - isActive: Whether the worker can be assigned.
        public init(id: Int, name: String? = nil, email: String? = nil, phone: String? = nil, isActive: Bool? = nil) {
            self.id = id
            self.name = name
            self.email = email
            self.phone = phone
            self.isActive = isActive
        }

        private enum CodingKeys: CodingKey { case id, name, email, phone, isActive }
    }
}
