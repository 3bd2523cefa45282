internal import Foundation
internal import GRDB

/// The backend's state in SQLite. Each request writes in one transaction, which also stores its response under the
/// idempotency key.
final class BackendStore: Sendable {
    private let databaseQueue: DatabaseQueue

    /// Opens or creates the database.
    ///
    /// - Parameters:
    ///   - path: The path of the file; `nil` for a database in memory.
    ///   - services: The services whose tables are needed.
    init(path: String?, services: Set<Service>) throws {
        var configuration = Configuration()
        // Another process may read the file for a moment.
        configuration.busyMode = .timeout(5)
        databaseQueue =
            if let path {
                try DatabaseQueue(path: path, configuration: configuration)
            } else {
                try DatabaseQueue(configuration: configuration)
            }
        try databaseQueue.write { database in
            try DatabaseSchema.shared.prepare(database)
            for service in Service.allCases where services.contains(service) {
                try service.schema.prepare(database)
            }
        }
    }

    func close() { try? databaseQueue.close() }

    func readFromDatabase<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value
    {
        try await databaseQueue.read(work)
    }

    /// Runs `work` in a transaction, which is rolled back if it throws.
    func writeInTransaction<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws
        -> Value
    {
        try await databaseQueue.write(work)
    }

    /// Returns the stored response for an idempotency key, or the response of `work`. Requests with the same key are
    /// serialized, like all transactions.
    ///
    /// - Parameters:
    ///   - idempotencyKey: The key; `nil` for none, or if keys are not honored.
    ///   - requestDigest: The digest of the request's content.
    /// - Throws: `key-reused` for a key that was used with other content, and the errors of `work`. Nothing is then
    ///   written.
    func respondOnce(
        idempotencyKey: String?, requestDigest: String, _ work: @escaping @Sendable (Database) throws -> JSONResponse
    ) async throws -> JSONResponse {
        guard let idempotencyKey else { return try await writeInTransaction(work) }
        return try await writeInTransaction { database in
            if let row = try Row.fetchOne(database, sql: "SELECT * FROM key WHERE key = ?", arguments: [idempotencyKey])
            {
                guard row["digest"] == requestDigest else {
                    throw ErrorResponse(
                        status: 422, code: "key-reused", message: "The key was used with other content before.")
                }
                var answer = JSONResponse(status: row["status"], body: Array(row["body"] as Data))
                answer.headers = try JSONDecoder().decode([String: String].self, from: row["headers"])
                answer.headers["Idempotent-Replay"] = "true"
                return answer
            }
            let answer = try work(database)
            try database.execute(
                sql: "INSERT INTO key VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    idempotencyKey, requestDigest, answer.status, try JSONEncoder().encode(answer.headers),
                    Data(answer.body),
                ])
            return answer
        }
    }

    /// Returns all committed forms in order. Blocks on the database.
    func storedForms() throws -> [StoredForm] {
        try databaseQueue.read { database in try StoredForm.fetchAll(from: database) }
    }
}
