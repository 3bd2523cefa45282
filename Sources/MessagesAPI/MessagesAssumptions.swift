public import HTTPCalls

extension MessagesClient {
    /// The parts of the API that the document does not define. In the paths, `{message_id}` stands for an id.
    public struct Assumptions: Hashable, Sendable {
        /// The path of the call that marks a message as read. The document has none: PUT is assumed.
        public var readPath = "/api/messages/{message_id}/read"
        /// The path of the login. The document has none, only its token: POST is assumed.
        public var loginPath = "/api/auth/login"

        /// Creates the assumptions that `dev-backend` shares.
        public init() {}
    }

    /// The response to a login. Assumed: the document has none. It cannot be encoded, because a token belongs in a
    /// keychain.
    public struct LoginResponse: Decodable, Hashable, Sendable {
        /// The token for all other calls.
        public var token: BearerToken
        /// The logged-in user.
        public var user: User

        /// Creates a response.
        ///
        /// - Parameters:
        ///   - token: The token for all other calls.
        ///   - user: The logged-in user.
        public init(token: BearerToken, user: User) {
            self.token = token
            self.user = user
        }

        private enum CodingKeys: CodingKey { case data }
        private enum DataKeys: CodingKey { case token, user }

        /// Decodes the response.
        ///
        /// - Throws: `DecodingError`, also if the token is not a valid bearer token.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
                .nestedContainer(keyedBy: DataKeys.self, forKey: .data)
            token = try values.decode(DecodableBearerToken.self, forKey: .token).token
            user = try values.decode(User.self, forKey: .user)
        }
    }
}
