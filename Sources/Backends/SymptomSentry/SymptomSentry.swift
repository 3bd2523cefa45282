public import MediaPrep
public import Uploading

/// SymptomSentry: finds conditions in pictures of throats and ears.
///
/// Its keys are in camelCase, `user_id` excepted. All its calls but the login want a token.
public struct SymptomSentry: Sendable {
    private let calls: JSONCalls
    private var base: Endpoint { calls.base }

    /// The API at a URL: `https://host` for `https://host/api/login`.
    ///
    /// - Parameter client: made with `retryPolicy`, so that a used-up quota is known as such.
    public init(_ base: Endpoint, client: HTTPClient) { calls = JSONCalls(base: base, client: client) }

    /// It says no more than 429 when the month's analyses are used up. One that names a wait of 10 minutes or less is only busy.
    public static var retryPolicy: RetryPolicy {
        var policy = RetryPolicy()
        policy.meansQuota = true
        policy.longestRetryAfter = .seconds(600)
        return policy
    }

    /// What its app sends: JPEG at a quality of 0.8.
    public static var imageOptions: ImageOptions { ImageOptions(quality: 80) }

    /// Logs in.
    ///
    /// - Throws: `unauthorized` if the password is wrong.
    public func login(email: String, password: String) async throws(UploadError) -> AuthResponse {
        let body = try JSONCalls.body(["email": email, "password": password])
        return try await calls.call(
            .post, base.appending("api", "login"), body: body, takesToken: false, mayRepeat: true)
    }

    /// Sends a picture to be analyzed, which costs one of the month's analyses. It is sent once: where nothing tells whether it
    /// arrived, it may have been analyzed.
    ///
    /// - Throws: `invalid-item` unless it is a JPEG, `quota-exhausted` if the month's analyses are used up.
    public func analyze(_ item: UploadItem, type: AnalysisType) async throws(UploadError) -> AnalysisResponse {
        try Self.check(item)
        let body = try item.form(part: Self.part, fields: [FormField("type", type.rawValue)])
        return try await calls.call(.post, Self.analyses(base), body: body)
    }

    /// Keeps an analysis in the user's history.
    public func saveAnalysis(_ analysis: AnalysisResponse) async throws(UploadError) -> SaveAnalysisResponse {
        struct Request: Encodable {
            var id: String
            var type: AnalysisType
            var conditions: [Condition]
        }
        let request = Request(id: analysis.id, type: analysis.type, conditions: analysis.conditions)
        return try await calls.call(.post, base.appending("api", "save-analysis"), body: try JSONCalls.body(request))
    }

    /// The user who is logged in.
    public func profile() async throws(UploadError) -> User { try await user(.get, "user-profile") }

    /// Changes the user's name, address or both.
    public func updateProfile(name: String? = nil, email: String? = nil) async throws(UploadError) -> User {
        let changes = ["name": name, "email": email].compactMapValues { $0 }
        return try await user(.put, "update-profile", try JSONCalls.body(changes))
    }

    /// Changes the subscription.
    ///
    /// - Parameter paymentToken: what the payment's provider gave for it. It is sent once.
    public func updateSubscription(
        to subscription: Subscription, paymentToken: String? = nil
    ) async throws(UploadError) -> User {
        let change = ["subscription": subscription.rawValue, "paymentToken": paymentToken].compactMapValues { $0 }
        return try await user(.post, "update-subscription", try JSONCalls.body(change))
    }

    private func user(
        _ method: HTTPRequest.Method, _ call: String, _ body: HTTPRequest.Body = .empty
    ) async throws(UploadError) -> User {
        struct Response: Decodable { var user: User }
        return try await calls.call(method, base.appending("api", call), body: body, as: Response.self).user
    }
}
