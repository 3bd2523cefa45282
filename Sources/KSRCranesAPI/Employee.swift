public import HTTPCalls
internal import HTTPTypes

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension KSRCranesClient {
    /// The logged-in employee.
    public struct Employee: Codable, Hashable, Identifiable, Sendable {
        /// The employee's id.
        public var id: Int
        /// The employee's name.
        public var name: String
        /// The role. The server may add roles.
        public var role: Role
        /// The time of creation; `nil` if the server does not provide it.
        public var createdAt: Date?

        /// Creates an employee.
        ///
        /// - Parameters:
        ///   - id: The employee's id.
        ///   - name: The employee's name.
        ///   - role: The role, such as `worker`.
        ///   - createdAt: The time of creation.
        public init(id: Int, name: String, role: Role, createdAt: Date? = nil) {
            self.id = id
            self.name = name
            self.role = role
            self.createdAt = createdAt
        }

        private enum CodingKeys: String, CodingKey {
            case id = "employee_id"
            case name, role
            case createdAt = "created_at"
        }
    }

    /// The response to a login. It cannot be encoded, because a token belongs in a keychain.
    public struct LoginResponse: Decodable, Hashable, Sendable {
        /// The token for all other calls.
        public var token: BearerToken
        /// The logged-in employee.
        public var employee: Employee

        /// Creates a response.
        ///
        /// - Parameters:
        ///   - token: The token for all other calls.
        ///   - employee: The logged-in employee.
        public init(token: BearerToken, employee: Employee) {
            self.token = token
            self.employee = employee
        }

        private enum CodingKeys: CodingKey { case token, employee }

        /// Decodes the response.
        ///
        /// - Throws: `DecodingError`, also if the token is not a valid bearer token.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            token = try values.decode(DecodableBearerToken.self, forKey: .token).token
            employee = try values.decode(Employee.self, forKey: .employee)
        }
    }

    /// The response to a change.
    public struct MessageResponse: Codable, Hashable, Sendable {
        /// Whether the change was made.
        public var success: Bool
        /// A message for the user.
        public var message: String

        /// Creates a response.
        ///
        /// - Parameters:
        ///   - success: Whether the change was made.
        ///   - message: A message for the user.
        public init(success: Bool, message: String) {
            self.success = success
            self.message = message
        }
    }

    /// Logs in.
    ///
    /// - Parameters:
    ///   - email: The e-mail address.
    ///   - password: The password.
    /// - Returns: The token and the employee.
    /// - Throws: ``KSRCranesError/authenticationError`` if the address or the password is wrong.
    public func login(email: String, password: String) async throws(KSRCranesError) -> LoginResponse {
        struct Request: Encodable {
            var email: String
            var password: String
        }
        let body = try encodeAssumedBody(Request(email: email, password: password))
        return try await callAssumed(method: .post, path: assumptions.loginPath, body: body, usesClientToken: false)
    }

    /// Returns the logged-in employee.
    public func profile() async throws(KSRCranesError) -> Employee {
        try await callAssumed(method: .get, path: assumptions.profilePath)
    }

    /// Changes the employee's name.
    ///
    /// - Parameter name: The new name.
    /// - Returns: The server's message.
    public func updateProfile(name: String) async throws(KSRCranesError) -> String {
        struct Changes: Encodable { var name: String }
        let body = try encodeAssumedBody(Changes(name: name))
        let response: MessageResponse = try await callAssumed(
            method: .put, path: assumptions.profilePath, body: body)
        return response.message
    }

    /// Deletes the employee's profile image.
    ///
    /// - Returns: The server's message.
    public func deleteProfileImage() async throws(KSRCranesError) -> String {
        let response: MessageResponse = try await callAssumed(method: .delete, path: assumptions.profileImagePath)
        return response.message
    }
}
