internal import Foundation
internal import GRDB

/// A form that was committed.
struct StoredItem: Sendable {
    struct File: Hashable, Sendable {
        var name: String
        var filename: String
        /// The media type; nil if none was given.
        var type: String?
        /// Bytes.
        var size: Int64
        /// In hexadecimal.
        var sha256: String
    }

    var id: String
    /// The endpoint.
    var path: String
    var fields: [(name: String, value: String)]
    var files: [File]
    /// The `Idempotency-Key` that it came with.
    var key: String?
}

extension StoredItem {
    /// Keeps what `form` says; not the files' contents.
    static func insert(_ form: Form, id: String, call: Call, into database: Database) throws {
        let fields = String(decoding: try JSONEncoder().encode(form.fields), as: UTF8.self)
        try database.execute(
            sql: "INSERT INTO item (id, path, fields, key, created) VALUES (?, ?, ?, ?, ?)",
            arguments: [id, call.path, fields, call.idempotencyKey, Timestamp.now])
        for (place, file) in form.files.enumerated() {
            try database.execute(
                sql: "INSERT INTO file VALUES (?, ?, ?, ?, ?, ?, ?)",
                arguments: [id, place, file.name, file.filename, file.type, file.size, file.sha256])
        }
    }

    /// In the order in which they came.
    static func all(_ database: Database) throws -> [StoredItem] {
        let files = Dictionary(grouping: try Row.fetchAll(database, sql: "SELECT * FROM file ORDER BY item, place")) {
            $0["item"] as String
        }
        return try Row.fetchAll(database, sql: "SELECT * FROM item ORDER BY rowid").map { row in
            let fields = try JSONDecoder().decode([Form.Field].self, from: Data((row["fields"] as String).utf8))
            return StoredItem(
                id: row["id"], path: row["path"], fields: fields.map { ($0.name, $0.value) },
                files: files[row["id"], default: []].map {
                    File(
                        name: $0["name"], filename: $0["filename"], type: $0["type"], size: $0["size"],
                        sha256: $0["sha256"])
                },
                key: row["key"])
        }
    }
}
