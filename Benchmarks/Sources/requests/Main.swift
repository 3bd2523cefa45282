import Foundation
import HTTPCalls
import HTTPTypes
import Synchronization
import Uploading

/// `requests LAYER URL COUNT CONNECTIONS`: sends GET requests for `URL/item/0` and so on by libcurl, all of them
/// started at once, and fails unless each is answered with 200 and the expected body.
///
/// A layer is `transport` (libcurl alone), `client` (with the session, retries and the rate limit gate), or `calls`
/// (with the decoding of JSON). The layer `tasks` sends nothing: its tasks wait until all were started, which is the
/// least memory that waiting requests can have.
@main
struct Requests {
    private enum Layer: String { case tasks, transport, client, calls }

    private struct Answer: Decodable {
        struct Content: Decodable { var unread_count: Int }

        var data: Content
    }

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let layer = Layer(rawValue: arguments[1]), let count = Int(arguments[3]),
            let connections = Int(arguments[4])
        else {
            FileHandle.standardError.write(
                Data("usage: requests tasks|transport|client|calls URL COUNT CONNECTIONS\n".utf8))
            exit(64)
        }
        let send = try makeSender(layer, url: arguments[2], count: count, connections: connections)
        let correct = try await withThrowingTaskGroup(of: Bool.self) { group in
            for item in 0..<count { group.addTask { try await send(item) } }
            var correct = 0
            for try await isCorrect in group where isCorrect { correct += 1 }
            return correct
        }
        guard correct == count else { throw CallError(code: .invalidResponse, message: "an answer is wrong") }
    }

    /// Returns a function that sends the request for an item, and returns whether its answer is correct.
    private static func makeSender(
        _ layer: Layer, url: String, count: Int, connections: Int
    ) throws -> @Sendable (Int) async throws -> Bool {
        if layer == .tasks {
            let meeting = Meeting(count: count)
            return { _ in await meeting.wait() }
        }
        var options = CurlTransport.Options()
        options.maxConcurrentRequests = connections
        let transport = try CurlTransport(options: options)
        let session = Session(BearerToken("token").map { Credentials(token: $0) })
        let client = HTTPClient(transport: transport, session: session)
        let api = JSONAPIClient(baseEndpoint: try Endpoint(url), httpClient: client)
        @Sendable func endpoint(of item: Int) -> Endpoint { api.baseEndpoint.appendingPathSegments("item", "\(item)") }
        return switch layer {
        case .transport:
            { try await transport.send(TransportRequest(method: .get, endpoint: endpoint(of: $0))).body.count == 61 }
        case .client:
            {
                let request = TransportRequest(method: .get, endpoint: endpoint(of: $0))
                return try await client.send(request, isIdempotent: true).body.count == 61
            }
        default:
            {
                try await api.call(method: .get, endpoint: endpoint(of: $0), as: Answer.self).data.unread_count == 5
            }
        }
    }
}

/// Tasks that wait for each other.
private final class Meeting: Sendable {
    private let count: Int
    private let waiting = Mutex<[CheckedContinuation<Bool, Never>]>([])

    init(count: Int) { self.count = count }

    func wait() async -> Bool {
        await withCheckedContinuation { continuation in
            let complete = waiting.withLock { waiting in
                waiting.append(continuation)
                return waiting.count == count ? waiting : []
            }
            for continuation in complete { continuation.resume(returning: true) }
        }
    }
}
