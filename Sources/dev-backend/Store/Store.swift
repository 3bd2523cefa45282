internal import Foundation
internal import GRDB

/// All that the backend knows, in SQLite. What one request writes is one transaction, and its answer is kept in the same one
/// under its key.
final class Store: Sendable {
    private let database: DatabaseQueue

    /// - Parameter path: the file; nil for memory.
    init(path: String?) throws {
        database = if let path { try DatabaseQueue(path: path) } else { try DatabaseQueue() }
        try database.write { database in
            try database.execute(sql: Schema.tables)
            if try Int.fetchOne(database, sql: "SELECT count(*) FROM user") == 0 { try Schema.fill(database) }
        }
    }

    func close() { try? database.close() }

    func read<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await database.read(work)
    }

    /// As one transaction, which an error undoes.
    func write<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await database.write(work)
    }

    /// Answers a request that carries a key: as it was answered before, or else by `work`. Requests of the same key come one
    /// after the other, since all transactions do.
    ///
    /// - Parameters:
    ///   - key: nil for none, or where keys aren't honoured.
    ///   - digest: of the request's content.
    /// - Throws: `key-reused` for a key that came with other content, and what `work` throws; nothing is written then.
    func answer(
        key: String?, digest: String, _ work: @escaping @Sendable (Database) throws -> Answer
    ) async throws -> Answer {
        guard let key else { return try await write(work) }
        return try await write { database in
            if let row = try Row.fetchOne(database, sql: "SELECT * FROM key WHERE key = ?", arguments: [key]) {
                guard row["digest"] == digest else {
                    throw Refusal(422, "key-reused", "The key came with another content before.")
                }
                var answer = Answer(status: row["status"], body: Array(row["body"] as Data))
                answer.headers = try JSONDecoder().decode([String: String].self, from: row["headers"])
                answer.headers["Idempotent-Replay"] = "true"
                return answer
            }
            let answer = try work(database)
            try database.execute(
                sql: "INSERT INTO key VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    key, digest, answer.status, try JSONEncoder().encode(answer.headers), Data(answer.body),
                ])
            return answer
        }
    }

    /// Everything that was committed, in that order. Blocks.
    func items() throws -> [StoredItem] {
        try database.read { database in try StoredItem.all(database) }
    }
}
