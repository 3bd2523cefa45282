internal import Foundation
internal import GRDB

/// All that the backend knows, in SQLite. What one request writes is one transaction, and its answer is kept in the
/// same one under its key.
final class BackendStore: Sendable {
    private let databaseQueue: DatabaseQueue

    /// - Parameter path: the file; nil for memory.
    init(path: String?) throws {
        databaseQueue = if let path { try DatabaseQueue(path: path) } else { try DatabaseQueue() }
        try databaseQueue.write { database in
            try database.execute(sql: DatabaseSchema.createTablesSQL)
            if try Int.fetchOne(database, sql: "SELECT count(*) FROM user") == 0 {
                try DatabaseSchema.insertExamples(into: database)
            }
        }
    }

    func close() { try? databaseQueue.close() }

    func readFromDatabase<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value
    {
        try await databaseQueue.read(work)
    }

    /// As one transaction, which an error undoes.
    func writeInTransaction<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws
        -> Value
    {
        try await databaseQueue.write(work)
    }

    /// Answers a request that carries a key: as it was answered before, or else by `work`. Requests of the same key
    /// come one after the other, since all transactions do.
    ///
    /// - Parameters:
    ///   - idempotencyKey: nil for none, or where keys aren't honoured.
    ///   - requestDigest: of the request's content.
    /// - Throws: `key-reused` for a key that came with other content, and what `work` throws; nothing is written then.
    func respondOnce(
        idempotencyKey: String?, requestDigest: String, _ work: @escaping @Sendable (Database) throws -> JSONResponse
    ) async throws -> JSONResponse {
        guard let idempotencyKey else { return try await writeInTransaction(work) }
        return try await writeInTransaction { database in
            if let row = try Row.fetchOne(database, sql: "SELECT * FROM key WHERE key = ?", arguments: [idempotencyKey])
            {
                guard row["digest"] == requestDigest else {
                    throw ErrorResponse(
                        status: 422, code: "key-reused", message: "The key came with another content before.")
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

    /// Everything that was committed, in that order. Blocks.
    func storedForms() throws -> [StoredForm] {
        try databaseQueue.read { database in try StoredForm.fetchAll(from: database) }
    }
}
