public import HTTPCalls
public import HTTPTypes
internal import Synchronization

/// A transport that returns the responses that a test gives, and records the requests.
public final class StubTransport: HTTPTransport {
    /// Returns the response to a request.
    public typealias Answer = @Sendable (TransportRequest) async throws(TransportError) -> TransportResponse

    private let answer: Answer
    private let sent = Mutex<[TransportRequest]>([])

    /// Creates a transport that responds with the result of `answer`.
    public init(answer: @escaping Answer) { self.answer = answer }

    /// Creates a transport that responds with each of `responses` in turn, and then always with the last.
    public convenience init(_ responses: [TransportResponse]) {
        let left = Mutex(responses)
        self.init { _ in left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
    }

    /// Creates a transport that responds with each of `responses` in turn, and then always with the last.
    public convenience init(_ responses: TransportResponse...) { self.init(responses) }

    /// Creates a transport that responds with each of the texts in turn, and then always with the last.
    public convenience init(_ json: String...) { self.init(json.map { TransportResponse.json($0) }) }

    /// The requests, in order.
    public var requests: [TransportRequest] { sent.withLock { $0 } }
    /// The methods and URLs of the requests, in order.
    public var calls: [String] { requests.map { "\($0.method.rawValue) \($0.endpoint)" } }
    /// The requests as text, in order.
    public var transcripts: [String] { requests.map(\.transcript) }

    /// Records the request, and returns the response to it, after its whole body was sent.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        sent.withLock { $0.append(request) }
        var response = try await answer(request)
        let length = Int64(request.bytes.count)
        response.sendProgress = SendProgress(bytesSent: length, totalBodyBytes: length)
        return response
    }
}

extension TransportResponse {
    /// A response in JSON.
    public static func json(_ status: Int, _ body: String, _ headerFields: HTTPFields = [:]) -> TransportResponse {
        TransportResponse(status: status, headerFields: headerFields, body: Array(body.utf8))
    }

    /// The same with a status of 200.
    public static func json(_ body: String) -> TransportResponse { json(200, body) }
}
