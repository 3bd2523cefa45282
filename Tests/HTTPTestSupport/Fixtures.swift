public import HTTPCalls
internal import HTTPTypes
internal import MultipartBody

/// A secret that no error, result or description may show.
public let secret = "s3cret-token"

extension Endpoint {
    /// The base URL of tests.
    public static let test: Endpoint = {
        do { return try Endpoint("https://backend.test/v1") } catch { fatalError("\(error)") }
    }()

    /// The URL of tests that upload.
    public static let testEndpoint: Endpoint = {
        do { return try Endpoint("https://backend.test/upload") } catch { fatalError("\(error)") }
    }()
}

extension Session {
    /// Creates a session with a token.
    public convenience init(token: String) { self.init(BearerToken(token).map { Credentials(token: $0) }) }

    /// Creates a session of an account.
    public convenience init(account: String, token: String) { self.init(Credentials(account: account, token: token)) }
}

extension Credentials {
    /// Creates the credentials of an account.
    public init(account: String, token: String) {
        guard let token = BearerToken(token) else { fatalError("no token") }
        self.init(token: token, accountID: account)
    }
}

extension RetryPolicy {
    /// The same policy with delays that are too short to slow down a test, and three attempts.
    public var hurried: RetryPolicy {
        var policy = self
        policy.maxAttempts = 3
        policy.initialRetryDelayLimit = .milliseconds(1)
        policy.maxRetryDelay = .milliseconds(4)
        return policy
    }

    /// Delays that are too short to slow down a test.
    public static let withoutDelays: RetryPolicy = {
        var policy = RetryPolicy()
        policy.initialRetryDelayLimit = .milliseconds(1)
        policy.maxRetryDelay = .milliseconds(4)
        return policy
    }()
}

extension TransportRequest {
    /// A POST request with a body of three bytes.
    public static let testPost = TransportRequest(
        method: .post, endpoint: .testEndpoint, body: .bytes([1, 2, 3], mediaType: "text/plain"))
}

extension HTTPClient {
    /// Creates a client with delays that are too short to slow down a test, and with a session if there are tokens.
    public convenience init(scripted transport: ScriptedTransport, tokens: ScriptedTokens? = nil) {
        self.init(transport: transport, session: tokens?.makeSession(), retryPolicy: .withoutDelays)
    }

    /// Creates a client with a token and short delays.
    public convenience init(stub: StubTransport, policy: RetryPolicy = RetryPolicy()) {
        self.init(transport: stub, session: Session(token: secret), retryPolicy: policy.hurried)
    }
}

extension MediaFile {
    /// Returns a file with the media type of an image.
    public static func makeImage(_ text: String = "JPEG") -> MediaFile {
        MediaFile(content: .bytes(Array(text.utf8)), mediaType: "image/jpeg", filename: "image.jpg")
    }

    /// Returns a file with the media type of audio.
    public static func makeAudio(_ text: String = "SOUND", duration: Double? = 12.5) -> MediaFile {
        MediaFile(
            content: .bytes(Array(text.utf8)), mediaType: "audio/mp4", filename: "recording.m4a",
            durationSeconds: duration)
    }
}

/// Returns the error that `body` throws, or `nil` if it throws none.
public func callError(_ body: () async throws(CallError) -> some Any) async -> CallError? {
    do throws(CallError) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}
