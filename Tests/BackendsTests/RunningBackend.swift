@testable import dev_backend

/// dev-backend on a free port, as the tests see it: its types have the names of those that they test.
struct RunningBackend: Sendable {
    /// What a request that was committed held.
    struct Item {
        var path: String
        var fields: [String]
        var files: [String]
    }

    private let backend: DevBackend

    /// Runs `body` beside a server that does nothing wrong.
    static func withBackend(honoursKeys: Bool = false, _ body: (RunningBackend) async throws -> Void) async throws {
        var options = DevBackendOptions()
        options.honorsIdempotencyKeys = honoursKeys
        try await DevBackend.withRunningBackend(options: options) { try await body(RunningBackend(backend: $0)) }
    }

    var url: String { backend.url }
    var requestCount: Int { backend.requestCount }

    /// All that was committed, in order: fields as `name=value`, files as `name filename type bytes`.
    func storedItems() throws -> [Item] {
        try backend.storedForms().map { item in
            Item(
                path: item.requestPath, fields: item.fields.map { "\($0.name)=\($0.value)" },
                files: item.files.map { "\($0.name) \($0.filename) \($0.mediaType ?? "-") \($0.size)" })
        }
    }
}
