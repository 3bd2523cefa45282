internal import HTTPCalls
internal import HTTPTypes

extension KSRCranesClient {
    /// The calls of the chef.
    public var chef: ChefCalls { ChefCalls(client: self) }

    /// The calls of the chef. Another role is
    /// refused: `KSRCranesError.httpError` with 403.
    public struct ChefCalls: Sendable {
        let client: KSRCranesClient
        private var paths: RolePaths { client.assumptions.rolePaths }

        /// Returns the figures of the dashboard.
        public func dashboardStats() async throws(KSRCranesError) -> ChefDashboardStats {
            try await client.send(.get, paths.dashboardStats)
        }

        /// Returns the development of the business.
        public func businessInsights() async throws(KSRCranesError) -> BusinessInsights {
            try await client.send(.get, paths.businessInsights)
        }

        /// Returns a page of customers.
        ///
        /// - Parameters:
        ///   - page: The number of the page, from 1; `nil` for the server's default.
        ///   - limit: The number of customers of a page; `nil` for the server's default.
        ///   - search: A text to search for; `nil` for all customers.
        public func customers(page: Int? = nil, limit: Int? = nil, search: String? = nil) async throws(KSRCranesError)
            -> CustomersResponse
        {
            try await client.send(
                .get, paths.customers, query: client.pageQuery(page: page, limit: limit, search: search))
        }

        /// Creates a customer. The request is not retried if the server may have processed it.
        ///
        /// - Parameter request: The new customer.
        /// - Returns: The customer.
        /// - Throws: ``KSRCranesError/validationError(_:)`` before anything is sent if the name is blank.
        public func createCustomer(_ request: CreateCustomerRequest) async throws(KSRCranesError) -> Customer {
            try request.validate()
            return try await client.send(.post, paths.customers, body: request)
        }

        /// Changes a customer.
        ///
        /// - Parameter request: The changes.
        /// - Returns: The customer after the change.
        public func updateCustomer(_ request: UpdateCustomerRequest) async throws(KSRCranesError) -> Customer {
            try await client.send(.put, paths.customer, id: request.id, body: request)
        }

        /// Returns the figures of the payroll.
        public func payrollStats() async throws(KSRCranesError) -> PayrollDashboardStats {
            try await client.send(.get, paths.payrollStats, timeout: client.longTimeout)
        }

        /// Creates a batch of the payroll. The request is not retried if the server may have processed it.
        ///
        /// - Parameter request: The new batch.
        /// - Returns: The batch.
        public func createPayrollBatch(_ request: CreatePayrollBatchRequest) async throws(KSRCranesError)
            -> PayrollBatch
        {
            try await client.send(.post, paths.payrollBatches, body: request, timeout: client.longTimeout)
        }

        /// Returns the work entries that no batch of the payroll has.
        public func availableWorkEntries() async throws(KSRCranesError) -> [WorkEntryForReview] {
            try await client.send(.get, paths.payrollWorkEntries, timeout: client.longTimeout)
        }

        /// Returns a page of workers.
        ///
        /// - Parameters:
        ///   - page: The number of the page, from 1; `nil` for the server's default.
        ///   - limit: The number of workers of a page; `nil` for the server's default.
        ///   - search: A text to search for; `nil` for all workers.
        public func workers(page: Int? = nil, limit: Int? = nil, search: String? = nil) async throws(KSRCranesError)
            -> WorkersResponse
        {
            try await client.send(
                .get, paths.workers, query: client.pageQuery(page: page, limit: limit, search: search))
        }

        /// Creates a worker. The request is not retried if the server may have processed it.
        ///
        /// - Parameter request: The new worker.
        /// - Returns: The worker.
        public func createWorker(_ request: CreateWorkerRequest) async throws(KSRCranesError) -> WorkerForChef {
            try await client.send(.post, paths.workers, body: request)
        }

        /// Changes a worker.
        ///
        /// - Parameter request: The changes.
        /// - Returns: The worker after the change.
        public func updateWorker(_ request: UpdateWorkerRequest) async throws(KSRCranesError) -> WorkerForChef {
            try await client.send(.put, paths.worker, id: request.id, body: request)
        }

        /// Removes a worker.
        ///
        /// - Parameter id: The worker's id.
        /// - Returns: The server's response.
        public func deleteWorker(id: Int) async throws(KSRCranesError) -> MessageResponse {
            try await client.send(.delete, paths.worker, id: id)
        }
    }
}
