internal import Foundation
internal import GRDB
internal import JSONValues

extension KSRCranesRoutes {
    /// The employees, and all other objects as JSON by their kind.
    static let schema = DatabaseSchema(
        createTablesSQL: """
            CREATE TABLE IF NOT EXISTS employee (
                id INTEGER PRIMARY KEY, email TEXT NOT NULL, password TEXT NOT NULL, name TEXT NOT NULL,
                role TEXT NOT NULL, created TEXT NOT NULL, image TEXT REFERENCES item);
            CREATE TABLE IF NOT EXISTS crane_object (
                kind TEXT NOT NULL, id INTEGER NOT NULL, json TEXT NOT NULL, PRIMARY KEY (kind, id));
            """, firstTable: "employee"
    ) { database in
        let accounts = [("worker", "Worker"), ("manager", "Manager"), ("chef", "Chef")]
        for (index, (role, name)) in accounts.enumerated() {
            try database.execute(
                sql: "INSERT INTO employee VALUES (?, ?, ?, ?, ?, ?, NULL)",
                arguments: [
                    index + 1, "\(role)@example.com", DatabaseSchema.examplePassword, name, role,
                    TimestampFormat.nowWithMicroseconds,
                ])
        }
        let objects = CraneObjects(database: database)
        _ = try objects.insert(
            "task", ["task_id": .integer(12), "title": .string("Lift a beam"), "status": .string("OPEN")])
        _ = try objects.insert(
            "notification",
            [
                "employeeId": .integer(1), "notificationType": .string("WORK_ENTRY_APPROVED"),
                "title": .string("Approved"), "message": .string("An entry was approved."),
                "category": .string("HOURS"), "priority": .string("NORMAL"), "isRead": .bool(false),
                "actionRequired": .bool(false), "createdAt": .string(TimestampFormat.nowWithMicroseconds),
            ])
        _ = try objects.insert(
            "worker",
            [
                "name": .string("Worker"), "email": .string("worker@example.com"), "role": .string("worker"),
                "isActive": .bool(true), "status": .string("active"),
            ])
    }
}

/// The objects of the service, each with an integer id within its kind.
struct CraneObjects {
    typealias Members = [String: JSONValue]

    let database: Database

    /// Returns all objects of a kind, in order of their ids.
    func all(_ kind: String) throws -> [Members] {
        try Row.fetchAll(database, sql: "SELECT * FROM crane_object WHERE kind = ? ORDER BY id", arguments: [kind])
            .map(Self.members)
    }

    /// Returns the work entries with a status.
    func workEntries(status: String) throws -> [Members] {
        try all("work-entry").filter { $0["status"] == .string(status) }
    }

    /// Returns the approved work entries that no batch of the payroll has, each with the name of its employee.
    func availableWorkEntries() throws -> [JSONValue] {
        let batched = try all("batch").flatMap { batch -> [JSONValue] in
            if case .array(let ids)? = batch["workEntryIds"] { ids } else { [] }
        }
        return try workEntries(status: "APPROVED").filter { !batched.contains($0["id"] ?? .null) }.map { entry in
            let id = entry["employeeId"]?.displayText ?? ""
            let name = try String.fetchOne(
                database, sql: "SELECT name FROM employee WHERE CAST(id AS TEXT) = ?", arguments: [id])
            return .object(["entry": .object(entry), "employeeName": .string(name ?? "Employee \(id)")])
        }
    }

    /// Returns an object.
    ///
    /// - Throws: `not-found`.
    func object(_ kind: String, id: Int) throws -> Members {
        let row = try Row.fetchOne(
            database, sql: "SELECT * FROM crane_object WHERE kind = ? AND id = ?", arguments: [kind, id])
        guard let row else { throw ErrorResponse.notFound }
        return try Self.members(row)
    }

    /// Stores a new object.
    ///
    /// - Returns: The object with its id.
    func insert(_ kind: String, _ members: Members) throws -> Members {
        let last = try Int.fetchOne(
            database, sql: "SELECT max(id) FROM crane_object WHERE kind = ?", arguments: [kind])
        return try store(kind, id: (last ?? 0) + 1, members)
    }

    /// Replaces the given members of an object.
    ///
    /// - Returns: The object after the change.
    /// - Throws: `not-found`.
    func update(_ kind: String, id: Int, _ changes: Members) throws -> Members {
        try store(kind, id: id, try object(kind, id: id).merging(changes) { $1 })
    }

    /// Removes an object.
    ///
    /// - Throws: `not-found`.
    func remove(_ kind: String, id: Int) throws {
        _ = try object(kind, id: id)
        try database.execute(sql: "DELETE FROM crane_object WHERE kind = ? AND id = ?", arguments: [kind, id])
    }

    private func store(_ kind: String, id: Int, _ members: Members) throws -> Members {
        var members = members
        members["id"] = .integer(Int64(id))
        let json = String(decoding: try JSONValue.object(members).encodedJSON(), as: UTF8.self)
        try database.execute(sql: "INSERT OR REPLACE INTO crane_object VALUES (?, ?, ?)", arguments: [kind, id, json])
        return members
    }

    private static func members(_ row: Row) throws -> Members {
        try JSONDecoder().decode(Members.self, from: Data((row["json"] as String).utf8))
    }
}
