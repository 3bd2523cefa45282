@testable import dev_backend

/// dev-backend on a free port. It is wrapped because its types have the same names as those under test.
struct RunningBackend: Sendable {
    /// The content of a committed request.
    struct Item {
        var path: String
        var fields: [String]
        var files: [String]
    }

    /// A fault of one request.
    enum Fault: Sendable {
        /// The status, with an error in JSON.
        case status(Int)
        /// The status, with a page in HTML.
        case page(Int)
        /// 429.
        case busy
        /// The request is committed, and the connection is reset.
        case noResponse
        /// The request is committed, and the connection is closed within the response.
        case halfResponse

        fileprivate var injected: FaultConfiguration.Fault {
            switch self {
            case .status(let status): .errorStatus(status)
            case .page(let status): .htmlPage(status)
            case .busy: .tooManyRequests
            case .noResponse: .dropResponse
            case .halfResponse: .cutResponse
            }
        }
    }

    private let backend: DevBackend

    /// Runs `body` while a server without faults runs.
    static func withBackend(
        honorsKeys: Bool = false, freeAnalysesPerMonth: Int = 5, _ body: (RunningBackend) async throws -> Void
    ) async throws {
        var options = DevBackendOptions()
        options.honorsIdempotencyKeys = honorsKeys
        options.freeAnalysesPerMonth = freeAnalysesPerMonth
        try await DevBackend.withRunningBackend(options: options) { try await body(RunningBackend(backend: $0)) }
    }

    var url: String { backend.url }
    var requestCount: Int { backend.requestCount }

    /// Sets the faults of the next requests, one each, and the `Retry-After` of a 429.
    func makeFaults(_ faults: [Fault], retryAfterSeconds: Int? = nil) {
        var configuration = FaultConfiguration()
        configuration.scriptedFaults = faults.map(\.injected)
        if let retryAfterSeconds { configuration.retryAfter = .seconds(retryAfterSeconds) }
        backend.updateFaults(configuration)
    }

    /// The committed requests, in order: fields as `name=value`, files as `name filename type bytes`.
    func storedItems() throws -> [Item] {
        try backend.storedForms().map { item in
            Item(
                path: item.requestPath, fields: item.fields.map { "\($0.name)=\($0.value)" },
                files: item.files.map { "\($0.name) \($0.filename) \($0.mediaType ?? "-") \($0.size)" })
        }
    }
}
