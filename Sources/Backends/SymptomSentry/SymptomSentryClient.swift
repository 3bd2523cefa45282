public import MediaPrep
public import Uploading

/// SymptomSentry: finds conditions in pictures of throats and ears.
///
/// Its keys are in camelCase, `user_id` excepted. All its calls but the login want a token.
public struct SymptomSentryClient: Sendable {
    private let apiClient: JSONAPIClient
    private var baseEndpoint: Endpoint { apiClient.baseEndpoint }

    /// The API at a URL: `https://host` for `https://host/api/login`.
    ///
    /// - Parameter client: made with `retryPolicy`, so that a used-up quota is known as such.
    public init(baseEndpoint: Endpoint, client: HTTPClient) {
        apiClient = JSONAPIClient(baseEndpoint: baseEndpoint, httpClient: client)
    }

    /// It says no more than 429 when the month's analyses are used up. One that names a wait of 10 minutes or less is
    /// only busy.
    public static var retryPolicy: RetryPolicy {
        var policy = RetryPolicy()
        policy.treats429AsQuota = true
        policy.maxRetryAfter = .seconds(600)
        return policy
    }

    /// What its app sends: JPEG at a quality of 0.8.
    public static var imageOptions: ImageOptions { ImageOptions(quality: 80) }

    /// Logs in.
    ///
    /// - Throws: `unauthorized` if the password is wrong.
    public func login(email: String, password: String) async throws(UploadError) -> AuthResponse {
        let body = try JSONAPIClient.encodeBody(["email": email, "password": password])
        return try await apiClient.call(
            method: .post, endpoint: baseEndpoint.appendingPathSegments("api", "login"), body: body,
            usesClientToken: false, isIdempotent: true)
    }

    /// Sends a picture to be analyzed, which costs one of the month's analyses. It is sent once: where nothing tells
    /// whether it arrived, it may have been analyzed.
    ///
    /// - Throws: `invalid-item` unless it is a JPEG, `quota-exhausted` if the month's analyses are used up.
    public func analyze(_ item: UploadItem, type: AnalysisType) async throws(UploadError) -> AnalysisResponse {
        try Self.requireJPEG(item)
        let body = try item.multipartBody(
            partName: Self.imagePartName, fields: [FormField(name: "type", value: type.rawValue)])
        return try await apiClient.call(method: .post, endpoint: Self.analyzeEndpoint(base: baseEndpoint), body: body)
    }

    /// Keeps an analysis in the user's history.
    public func saveAnalysis(_ analysis: AnalysisResponse) async throws(UploadError) -> SaveAnalysisResponse {
        struct Request: Encodable {
            var id: String
            var type: AnalysisType
            var conditions: [Condition]
        }
        let request = Request(id: analysis.id, type: analysis.type, conditions: analysis.conditions)
        return try await apiClient.call(
            method: .post, endpoint: baseEndpoint.appendingPathSegments("api", "save-analysis"),
            body: try JSONAPIClient.encodeBody(request))
    }

    /// The user who is logged in.
    public func profile() async throws(UploadError) -> User {
        try await requestUser(method: .get, pathSegment: "user-profile")
    }

    /// Changes the user's name, address or both.
    public func updateProfile(name: String? = nil, email: String? = nil) async throws(UploadError) -> User {
        let changes = ["name": name, "email": email].compactMapValues { $0 }
        return try await requestUser(
            method: .put, pathSegment: "update-profile", body: try JSONAPIClient.encodeBody(changes))
    }

    /// Changes the subscription.
    ///
    /// - Parameter paymentToken: what the payment's provider gave for it. It is sent once.
    public func updateSubscription(
        to subscription: SubscriptionType, paymentToken: String? = nil
    ) async throws(UploadError) -> User {
        let change = ["subscription": subscription.rawValue, "paymentToken": paymentToken].compactMapValues { $0 }
        return try await requestUser(
            method: .post, pathSegment: "update-subscription", body: try JSONAPIClient.encodeBody(change))
    }

    private func requestUser(
        method: HTTPRequest.Method, pathSegment: String, body: HTTPRequest.Body = .empty
    ) async throws(UploadError) -> User {
        struct Response: Decodable { var user: User }
        return try await apiClient.call(
            method: method, endpoint: baseEndpoint.appendingPathSegments("api", pathSegment), body: body,
            as: Response.self
        ).user
    }
}
