public import HTTPCalls
public import HTTPTypes

/// The API of SymptomSentry, which finds conditions in images of throats and ears.
///
/// Its keys are in camel case, except `user_id`. All calls but the login need a token.
public struct SymptomSentryClient: Sendable {
    private let apiClient: JSONAPIClient
    private let assumptions: Assumptions
    private var baseEndpoint: Endpoint { apiClient.baseEndpoint }

    /// The parts of the API that the specification does not define. All others are as specified.
    public struct Assumptions: Hashable, Sendable {
        /// The path of the call that saves an analysis. The specification has the models of the request and of the
        /// response, but neither a path nor a method: POST is assumed.
        public var saveAnalysisPath = "/api/save-analysis"
        /// The path of the registration. The specification has the model of the request only: POST, and the response of
        /// the login, are assumed.
        public var registrationPath = "/api/register"

        /// Creates the assumptions that `dev-backend` shares.
        public init() {}
    }

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - baseEndpoint: The URL of the API: `https://host` for `https://host/api/login`.
    ///   - client: Sends the requests. Create it with ``retryPolicy``, which recognizes an exhausted quota.
    ///   - assumptions: The parts of the API that the specification does not define.
    public init(baseEndpoint: Endpoint, client: HTTPClient, assumptions: Assumptions = Assumptions()) {
        apiClient = JSONAPIClient(baseEndpoint: baseEndpoint, httpClient: client, userMessage: Self.userMessage(for:))
        self.assumptions = assumptions
    }

    /// The retry policy for SymptomSentry. The server answers 429 without a delay when the month's analyses are used
    /// up. A 429 with a delay of at most 10 minutes means that it is busy.
    public static var retryPolicy: RetryPolicy {
        var policy = RetryPolicy()
        policy.treats429AsQuota = true
        policy.maxRetryAfter = .seconds(600)
        return policy
    }

    /// Logs in.
    ///
    /// - Parameters:
    ///   - email: The e-mail address.
    ///   - password: The password.
    /// - Returns: The token and the user.
    /// - Throws: `unauthorized` if the address or the password is wrong.
    public func login(email: String, password: String) async throws(CallError) -> AuthResponse {
        let body = try JSONAPIClient.encodeBody(["email": email, "password": password])
        return try await apiClient.call(
            method: .post, endpoint: baseEndpoint.appendingPathSegments("api", "login"), body: body,
            usesClientToken: false, isIdempotent: true)
    }

    /// Creates an account and logs it in. The request is not retried if the server may have processed it.
    ///
    /// - Parameters:
    ///   - email: The e-mail address.
    ///   - password: The password.
    ///   - name: The user's name.
    /// - Returns: The token and the user.
    /// - Throws: `refused` if the address is taken or a value is invalid.
    public func register(email: String, password: String, name: String) async throws(CallError) -> AuthResponse {
        let body = try JSONAPIClient.encodeBody(["email": email, "password": password, "name": name])
        return try await apiClient.call(
            method: .post, endpoint: baseEndpoint.appendingPath(assumptions.registrationPath), body: body,
            usesClientToken: false)
    }

    /// Sends any other request with JSON.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, unescaped, such as `/api/user-profile`.
    ///   - method: The method. A POST request is not retried if the server may have processed it.
    ///   - query: The fields of the query.
    ///   - parameters: The value that is sent as JSON; `nil` for none.
    ///   - headerFields: Header fields in addition to `Accept`.
    ///   - type: The type of the response.
    /// - Returns: The decoded response.
    public func request<Response: Decodable>(
        _ path: String, method: HTTPRequest.Method = .get, query: [FormField] = [],
        parameters: (any Encodable)? = nil, headerFields: HTTPFields = [:], as type: Response.Type = Response.self
    ) async throws(CallError) -> Response {
        let body: RequestBody = if let parameters { try JSONAPIClient.encodeBody(parameters) } else { .empty }
        return try await apiClient.call(
            method: method, endpoint: baseEndpoint.appendingPath(path), query: query, headerFields: headerFields,
            body: body)
    }

    /// Uploads an image with any other call. The request is not retried if the server may have processed it.
    ///
    /// - Parameters:
    ///   - file: The image, a JPEG.
    ///   - path: The path below the base URL, unescaped, such as `/api/analyze`.
    ///   - parameters: The form fields, which are sent before the image.
    ///   - type: The type of the response.
    /// - Returns: The decoded response.
    /// - Throws: `invalid-item` if the file is not a JPEG.
    public func uploadImage<Response: Decodable>(
        _ file: MediaFile, to path: String, parameters: [FormField] = [], as type: Response.Type = Response.self
    ) async throws(CallError) -> Response {
        try await apiClient.call(
            method: .post, endpoint: baseEndpoint.appendingPath(path),
            body: try Self.makeImageBody(for: file, fields: parameters))
    }

    /// Uploads an image for analysis, which uses up one of the month's analyses. The request is not retried if the
    /// server may have processed it.
    ///
    /// - Parameters:
    ///   - file: The image, a JPEG.
    ///   - type: The part of the body that the image shows.
    /// - Returns: The analysis.
    /// - Throws: `invalid-item` if the file is not a JPEG; `quota-exhausted` if the month's analyses are used up;
    ///   `refused` if the response is a message without an analysis; `outcome-unknown` if the image may have been
    ///   analyzed.
    public func analyze(_ file: MediaFile, type: AnalysisType) async throws(CallError) -> AnalysisResponse {
        let body = try Self.makeImageBody(for: file, fields: [FormField(name: "type", value: type.rawValue)])
        return try await apiClient.call(
            method: .post, endpoint: Self.analyzeEndpoint(base: baseEndpoint), body: body
        ) { (response, isIdempotent) throws(CallError) in
            try response.decodeAnalysis(isIdempotent: isIdempotent)
        }
    }

    /// Saves an analysis in the user's history.
    ///
    /// - Parameter analysis: The analysis. Its id, type and conditions are sent.
    /// - Returns: The saved analysis and the use of the subscription.
    public func saveAnalysis(_ analysis: AnalysisResponse) async throws(CallError) -> SaveAnalysisResponse {
        struct Request: Encodable {
            var id: String
            var type: AnalysisType
            var conditions: [Condition]
        }
        let request = Request(id: analysis.id, type: analysis.type, conditions: analysis.conditions)
        return try await apiClient.call(
            method: .post, endpoint: baseEndpoint.appendingPath(assumptions.saveAnalysisPath),
            body: try JSONAPIClient.encodeBody(request))
    }

    private static func makeImageBody(for file: MediaFile, fields: [FormField]) throws(CallError) -> RequestBody {
        try requireJPEG(file)
        return try file.makeMultipartBody(partName: imagePartName, fields: fields)
    }

    /// The name of the part that contains the image.
    package static let imagePartName = "image"

    package static func analyzeEndpoint(base: Endpoint) -> Endpoint { base.appendingPathSegments("api", "analyze") }

    /// Checks that the file is a JPEG, the only format that is analyzed.
    ///
    /// - Throws: `invalid-item`.
    package static func requireJPEG(_ file: MediaFile) throws(CallError) { try file.requireJPEG(for: "analyzed") }

    /// Returns the logged-in user.
    public func profile() async throws(CallError) -> User {
        try await requestUser(method: .get, pathSegment: "user-profile")
    }

    /// Changes the user's name, e-mail address or both.
    ///
    /// - Parameters:
    ///   - name: The new name; `nil` to keep it.
    ///   - email: The new e-mail address; `nil` to keep it.
    /// - Returns: The user after the change.
    public func updateProfile(name: String? = nil, email: String? = nil) async throws(CallError) -> User {
        let changes = ["name": name, "email": email].compactMapValues { $0 }
        return try await requestUser(
            method: .put, pathSegment: "update-profile", body: try JSONAPIClient.encodeBody(changes))
    }

    /// Changes the subscription. The request is not retried if the server may have processed it.
    ///
    /// - Parameters:
    ///   - subscription: The new subscription.
    ///   - paymentToken: The token of the payment provider; `nil` for none.
    /// - Returns: The user after the change.
    public func updateSubscription(
        to subscription: SubscriptionType, paymentToken: String? = nil
    ) async throws(CallError) -> User {
        let change = ["subscription": subscription.rawValue, "paymentToken": paymentToken].compactMapValues { $0 }
        return try await requestUser(
            method: .post, pathSegment: "update-subscription", body: try JSONAPIClient.encodeBody(change))
    }

    private func requestUser(
        method: HTTPRequest.Method, pathSegment: String, body: RequestBody = .empty
    ) async throws(CallError) -> User {
        struct Response: Decodable { var user: User }
        return try await apiClient.call(
            method: method, endpoint: baseEndpoint.appendingPathSegments("api", pathSegment), body: body,
            as: Response.self
        ).user
    }
}
