public import Uploading

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension KSRCranesClient {
    /// Who is logged in.
    public struct Employee: Codable, Hashable, Identifiable, Sendable {
        /// What the server calls it.
        public var id: Int
        /// A person's name.
        public var name: String
        /// What the employee may do, such as `worker`, `manager` or `chef`. Open: the server adds some.
        public var role: String
        /// Since when the server knows of it; nil if it doesn't say.
        public var createdAt: Date?

        private enum CodingKeys: String, CodingKey {
            case id = "employee_id"
            case name, role
            case createdAt = "created_at"
        }
    }

    /// What a login gives. Not to be written: what keeps a token keeps it in a key chain.
    public struct LoginResponse: Decodable, Hashable, Sendable {
        /// Sent with all other calls.
        public var token: BearerToken
        /// Who is logged in.
        public var employee: Employee

        private enum CodingKeys: CodingKey { case token, employee }

        /// - Throws: if the token can't stand in a header.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            token = try values.decode(DecodableBearerToken.self, forKey: .token).token
            employee = try values.decode(Employee.self, forKey: .employee)
        }
    }

    /// That something was done, or why not.
    public struct MessageResponse: Codable, Hashable, Sendable {
        /// Whether it was done.
        public var success: Bool
        /// A sentence for a person.
        public var message: String
    }

    /// Logs in.
    ///
    /// - Throws: `authentication` if the password is wrong.
    public func login(email: String, password: String) async throws(KSRCranesError) -> LoginResponse {
        let body = try Self.encodeBody(["email": email, "password": password])
        return try await call(method: .post, path: "/api/app/login", body: body, usesClientToken: false)
    }

    /// The employee who is logged in.
    public func profile() async throws(KSRCranesError) -> Employee { try await get(path: "/api/app/profile") }

    /// Changes the employee's name.
    ///
    /// - Returns: the server's sentence.
    public func updateProfile(name: String) async throws(KSRCranesError) -> String {
        try await put(path: "/api/app/profile", body: ["name": name], as: MessageResponse.self).message
    }

    /// Removes the employee's picture.
    ///
    /// - Returns: the server's sentence.
    public func deleteProfileImage() async throws(KSRCranesError) -> String {
        try await delete(path: Self.uploadPath(for: .profileImage), as: MessageResponse.self).message
    }
}
