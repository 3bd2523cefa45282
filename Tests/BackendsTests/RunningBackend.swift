@testable import dev_backend

/// dev-backend on a free port. It is wrapped because its types have the same names as those under test.
struct RunningBackend: Sendable {
    /// The content of a committed request.
    struct Item {
        var path: String
        var fields: [String]
        var files: [String]
    }

    private let backend: DevBackend

    /// Runs `body` while a server without faults runs.
    static func withBackend(honorsKeys: Bool = false, _ body: (RunningBackend) async throws -> Void) async throws {
        var options = DevBackendOptions()
        options.honorsIdempotencyKeys = honorsKeys
        try await DevBackend.withRunningBackend(options: options) { try await body(RunningBackend(backend: $0)) }
    }

    var url: String { backend.url }
    var requestCount: Int { backend.requestCount }

    /// The committed requests, in order: fields as `name=value`, files as `name filename type bytes`.
    func storedItems() throws -> [Item] {
        try backend.storedForms().map { item in
            Item(
                path: item.requestPath, fields: item.fields.map { "\($0.name)=\($0.value)" },
                files: item.files.map { "\($0.name) \($0.filename) \($0.mediaType ?? "-") \($0.size)" })
        }
    }
}
