public import HTTPCalls
internal import HTTPTypes

extension KSRCranesClient {
    /// The timeout of the calls of the payroll, that of uploads. Assumed: the document has it for heavy operations.
    var longTimeout: Duration { uploadTimeout }

    /// Sends a request of a call that depends on the role.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path, in which `{id}` stands for `id`.
    ///   - id: The id in the path; `nil` if it has none.
    ///   - query: The fields of the query.
    ///   - body: The value that is sent as JSON; `nil` for none.
    ///   - timeout: The timeout; `nil` for that of API calls.
    func send<Response: Decodable>(
        _ method: HTTPRequest.Method, _ path: String, id: Int? = nil, query: [FormField] = [],
        body: (any Encodable)? = nil, timeout: Duration? = nil
    ) async throws(KSRCranesError) -> Response {
        let encoded: RequestBody = if let body { try encodeAssumedBody(body) } else { .empty }
        return try await callAssumed(
            method: method, path: path, values: id.map { ["{id}": String($0)] } ?? [:], query: query, body: encoded,
            timeout: timeout)
    }

    /// Returns the fields of a query that have a value.
    func fields(_ names: [String], _ values: [String?]) -> [FormField] {
        zip(names, values).compactMap { name, value in value.map { FormField(name: name, value: $0) } }
    }

    func pageQuery(page: Int?, limit: Int?, search: String?) -> [FormField] {
        fields(assumptions.rolePaths.pageFields, [page.map(String.init), limit.map(String.init), search])
    }
}

extension KSRCranesClient.ChefCalls {
    /// The pages of the customers.
    ///
    /// - Parameters:
    ///   - limit: The number of customers of a page.
    ///   - search: A text to search for; `nil` for all customers.
    public func customerPages(
        limit: Int = 50, search: String? = nil
    ) -> Pages<KSRCranesClient.Customer, KSRCranesError> {
        Pages { number async throws(KSRCranesError) in
            let response = try await self.customers(page: number, limit: limit, search: search)
            return try Page(
                items: response.customers, page: response.page, limit: response.limit, total: response.total,
                requestedNumber: number)
        }
    }

    /// The pages of the workers.
    ///
    /// - Parameters:
    ///   - limit: The number of workers of a page.
    ///   - search: A text to search for; `nil` for all workers.
    public func workerPages(
        limit: Int = 50, search: String? = nil
    ) -> Pages<KSRCranesClient.WorkerForChef, KSRCranesError> {
        Pages { number async throws(KSRCranesError) in
            let response = try await self.workers(page: number, limit: limit, search: search)
            return try Page(
                items: response.workers, page: response.page, limit: response.limit, total: response.total,
                requestedNumber: number)
        }
    }
}

extension KSRCranesClient {
    /// The pages of a list that the server answers as ``PaginatedResponse``.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, unescaped.
    ///   - query: The fields of the query, without the number of the page.
    ///   - type: The type of the items.
    public func pages<Item: Codable & Sendable>(
        path: String, query: [FormField] = [], as type: Item.Type = Item.self
    ) -> Pages<Item, KSRCranesError> {
        Pages { number async throws(KSRCranesError) in
            let field = FormField(name: self.assumptions.rolePaths.pageFields[0], value: String(number))
            let response = try await self.get(path: path, query: query + [field], as: PaginatedResponse<Item>.self)
            return try Page(
                items: response.data, pageNumber: response.pagination.currentPage,
                hasNext: response.pagination.hasNext, requestedNumber: number)
        }
    }
}

extension Page {
    /// Creates a page from its number, which begins with 1, and the number of all items.
    fileprivate init(
        items: [Item], page: Int, limit: Int, total: Int, requestedNumber: Int
    ) throws(KSRCranesError) {
        let (end, overflows) = page.multipliedReportingOverflow(by: limit)
        try self.init(
            items: items, pageNumber: page, hasNext: !overflows && end < total, requestedNumber: requestedNumber)
    }

    fileprivate init(
        items: [Item], pageNumber: Int, hasNext: Bool, requestedNumber: Int
    ) throws(KSRCranesError) {
        do throws(CallError) {
            try self.init(items: items, hasNext: hasNext, number: pageNumber, requestedNumber: requestedNumber)
        } catch {
            throw KSRCranesError(error)
        }
    }
}
