internal import Foundation
internal import GRDB

/// A committed form.
struct StoredForm: Sendable {
    struct File: Hashable, Sendable {
        var name: String
        var filename: String
        /// The media type; `nil` if there is none.
        var mediaType: String?
        /// The size in bytes.
        var size: Int64
        /// The SHA-256 in hexadecimal.
        var sha256: String
    }

    var id: String
    /// The path of the request.
    var requestPath: String
    var fields: [(name: String, value: String)]
    var files: [File]
    /// The request's `Idempotency-Key`; `nil` if there was none.
    var idempotencyKey: String?
}

extension StoredForm {
    /// Stores a form without the files' content.
    static func insert(_ form: ReceivedForm, id: String, request: IncomingRequest, into database: Database) throws {
        let fields = String(decoding: try JSONEncoder().encode(form.fields), as: UTF8.self)
        try database.execute(
            sql: "INSERT INTO item (id, path, fields, key, created) VALUES (?, ?, ?, ?, ?)",
            arguments: [id, request.path, fields, request.idempotencyKey, TimestampFormat.nowISO8601])
        for (place, file) in form.files.enumerated() {
            try database.execute(
                sql: "INSERT INTO file VALUES (?, ?, ?, ?, ?, ?, ?)",
                arguments: [id, place, file.name, file.filename, file.mediaType, file.size, file.sha256])
        }
    }

    /// Returns all stored forms in the order in which they were committed.
    static func fetchAll(from database: Database) throws -> [StoredForm] {
        let files = Dictionary(grouping: try Row.fetchAll(database, sql: "SELECT * FROM file ORDER BY item, place")) {
            $0["item"] as String
        }
        return try Row.fetchAll(database, sql: "SELECT * FROM item ORDER BY rowid").map { row in
            let fields = try JSONDecoder().decode([ReceivedForm.Field].self, from: Data((row["fields"] as String).utf8))
            return StoredForm(
                id: row["id"], requestPath: row["path"], fields: fields.map { ($0.name, $0.value) },
                files: files[row["id"], default: []].map {
                    File(
                        name: $0["name"], filename: $0["filename"], mediaType: $0["type"], size: $0["size"],
                        sha256: $0["sha256"])
                },
                idempotencyKey: row["key"])
        }
    }
}
