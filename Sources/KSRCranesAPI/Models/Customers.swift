extension KSRCranesClient {
    /// A customer. Assumed: the document names it without its members. Its name, e-mail address and telephone number
    /// are those of ``CreateCustomerRequest``.
    public struct Customer: Codable, Hashable, Identifiable, Sendable {
        /// The customer's id.
        public var id: Int
        /// The name.
        public var name: String
        /// The e-mail address; `nil` if there is none.
        public var email: String?
        /// The telephone number; `nil` if there is none.
        public var phone: String?

        /// Creates a customer.
        ///
        /// - Parameters:
        ///   - id: The customer's id.
        ///   - name: The name.
        ///   - email: The e-mail address; `nil` if there is none.
        ///   - phone: The telephone number; `nil` if there is none.
        public init(id: Int, name: String, email: String? = nil, phone: String? = nil) {
            self.id = id
            self.name = name
            self.email = email
            self.phone = phone
        }

        private enum CodingKeys: CodingKey { case id, name, email, phone }
    }

    /// A page of customers.
    public struct CustomersResponse: Codable, Hashable, Sendable {
        /// The customers of the page.
        public var customers: [Customer]
        /// The number of all customers.
        public var total: Int
        /// The number of the page, from 1.
        public var page: Int
        /// The number of customers of a page.
        public var limit: Int

        /// Creates a customers response.
        ///
        /// - Parameters:
        ///   - customers: The customers of the page.
        ///   - total: The number of all customers.
        ///   - page: The number of the page, from 1.
        ///   - limit: The number of customers of a page.
        public init(customers: [Customer], total: Int, page: Int, limit: Int) {
            self.customers = customers
            self.total = total
            self.page = page
            self.limit = limit
        }

        private enum CodingKeys: CodingKey { case customers, total, page, limit }
    }

    /// A new customer.
    public struct CreateCustomerRequest: Codable, Hashable, Sendable {
        /// The name.
        public var name: String
        /// The e-mail address; `nil` if there is none.
        public var email: String?
        /// The telephone number; `nil` if there is none.
        public var phone: String?

        /// Creates a create customer request.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - email: The e-mail address; `nil` if there is none.
        ///   - phone: The telephone number; `nil` if there is none.
        public init(name: String, email: String? = nil, phone: String? = nil) {
            self.name = name
            self.email = email
            self.phone = phone
        }

        private enum CodingKeys: CodingKey { case name, email, phone }

        /// Checks the name, as the document asks before any call.
        ///
        /// - Throws: ``KSRCranesError/validationError(_:)`` if the name is blank.
        public func validate() throws(KSRCranesError) {
            if name.allSatisfy(\.isWhitespace) { throw .validationError(["name is required"]) }
        }
    }

    /// A changed customer. Members that are `nil` stay as they are. Assumed: the document names it without its members.
    public struct UpdateCustomerRequest: Codable, Hashable, Identifiable, Sendable {
        /// The customer's id.
        public var id: Int
        /// The new name.
        public var name: String?
        /// The new e-mail address.
        public var email: String?
        /// The new telephone number.
        public var phone: String?

        /// Creates an update customer request.
        ///
        /// - Parameters:
        ///   - id: The customer's id.
        ///   - name: The new name.
        ///   - email: The new e-mail address.
        ///   - phone: The new telephone number.
        public init(id: Int, name: String? = nil, email: String? = nil, phone: String? = nil) {
            self.id = id
            self.name = name
            self.email = email
            self.phone = phone
        }

        private enum CodingKeys: CodingKey { case id, name, email, phone }
    }
}
