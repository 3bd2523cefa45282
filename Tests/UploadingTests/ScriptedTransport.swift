import MultipartBody
import Synchronization

@testable import Uploading

/// Counts from any thread.
final class Counter: Sendable {
    let value = Atomic(0)
}

/// Answers as it is told, in order, and keeps what it was sent.
final class ScriptedTransport: HTTPTransport {
    typealias Answer = @Sendable (HTTPRequest) async throws(TransportError) -> HTTPResponse

    private let state: Mutex<(answers: [Answer], requests: [HTTPRequest], running: Int, most: Int)>

    /// - Parameter answers: the last answers all that follow.
    init(_ answers: [Answer]) { state = Mutex((answers, [], 0, 0)) }

    convenience init(_ statuses: Int...) { self.init(statuses.map { ScriptedTransport.status($0) }) }

    /// What was sent, in order.
    var requests: [HTTPRequest] { state.withLock(\.requests) }
    /// The most requests that were on their way at once.
    var mostAtOnce: Int { state.withLock(\.most) }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let answer = state.withLock { state in
            state.requests.append(request)
            state.running += 1
            state.most = max(state.most, state.running)
            return state.answers.count > 1 ? state.answers.removeFirst() : state.answers[0]
        }
        defer { state.withLock { $0.running -= 1 } }
        return try await answer(request)
    }

    /// Answers with a status, after all or nothing of the body was sent.
    static func status(
        _ status: Int, _ headers: [HTTPHeader] = [], body: String = "{}", isWhole: Bool = true
    ) -> Answer {
        { (request) throws(TransportError) in
            HTTPResponse(
                status: status, headers: headers, body: Array(body.utf8),
                sendProgress: request.progress(isWhole: isWhole))
        }
    }

    /// Answers as the request deserves.
    static func status(_ status: @escaping @Sendable (HTTPRequest) -> Int) -> Answer {
        { (request) throws(TransportError) in HTTPResponse(status: status(request)) }
    }

    /// Answers after a time; cancelled before, nothing was sent.
    static func status(_ status: Int, after time: Duration) -> Answer {
        { (request) async throws(TransportError) in
            do { try await Task.sleep(for: time) } catch {
                throw TransportError(
                    code: .cancelled, message: "cancelled", sendProgress: request.progress(isWhole: false))
            }
            return HTTPResponse(status: status)
        }
    }

    /// Answers once so many requests came; refuses if they don't within ten seconds.
    static func status(_ status: Int, whenSent count: Int, of counter: Counter) -> Answer {
        { (_) async throws(TransportError) in
            counter.value.add(1, ordering: .relaxed)
            for _ in 0..<2000 where counter.value.load(ordering: .relaxed) < count {
                try? await Task.sleep(for: .milliseconds(5))
            }
            return HTTPResponse(status: counter.value.load(ordering: .relaxed) < count ? 400 : status)
        }
    }

    /// Fails, after all or nothing of the body was sent.
    static func failure(_ code: TransportError.Code, isWhole: Bool = false) -> Answer {
        { (request) throws(TransportError) in
            throw TransportError(code: code, message: "it failed", sendProgress: request.progress(isWhole: isWhole))
        }
    }
}

extension HTTPRequest {
    fileprivate func progress(isWhole: Bool) -> SendProgress {
        let total: Int64 =
            switch body {
            case .empty: 0
            case .bytes(let bytes, _): Int64(bytes.count)
            case .multipart(let form): form.contentLength
            }
        // A request without a body is whole once it was sent.
        return SendProgress(
            bytesSent: isWhole ? total : 0, totalBodyBytes: max(total, isWhole ? 0 : 1), attemptCount: 1)
    }

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// Gives these tokens, one after the other.
final class ScriptedTokens: TokenProvider {
    private let state: Mutex<(tokens: [String], asked: [String])>

    init(_ tokens: String...) { state = Mutex((tokens, [])) }

    /// What each was asked for instead of.
    var asked: [String] { state.withLock(\.asked) }

    func token(replacing refused: BearerToken?) throws -> BearerToken? {
        state.withLock { state in
            state.asked.append(refused?.secret ?? "")
            return state.tokens.isEmpty ? nil : BearerToken(state.tokens.removeFirst())
        }
    }
}

extension RetryPolicy {
    /// So short that no test waits.
    static let quick: RetryPolicy = {
        var policy = RetryPolicy()
        policy.initialRetryDelayLimit = .milliseconds(1)
        policy.maxRetryDelay = .milliseconds(4)
        return policy
    }()
}

extension Endpoint {
    static let test: Endpoint = {
        do { return try Endpoint("https://backend.test/upload") } catch { fatalError("\(error)") }
    }()
}
