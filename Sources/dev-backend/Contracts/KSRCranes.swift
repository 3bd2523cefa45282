internal import Foundation
internal import GRDB

/// The workers' part of the cranes' API. Keys are in snake case, dates have six digits of a second's fraction.
struct KSRCranes: Sendable {
    let store: Store

    func respond(to call: Call, key: String?) async throws -> Answer? {
        switch (call.method, call.path) {
        case ("POST", "/api/app/login"): try await logIn(call, key)
        case ("GET", "/api/app/profile"):
            try await store.read { Answer(try Employee($0), keys: .convertToSnakeCase) }
        case ("PUT", "/api/app/profile"): try await rename(call)
        case ("POST", "/api/app/profile-image"): try await uploadImage(call, key)
        case ("DELETE", "/api/app/profile-image"): try await deleteImage()
        case ("POST", "/api/app/signature"): try await uploadSignature(call, key)
        default: nil
        }
    }

    private func logIn(_ call: Call, _ key: String?) async throws -> Answer {
        let (login, digest) = try await call.json(Login.self)
        return try await store.answer(key: key, digest: digest) { database in
            guard try login.matches("employee", in: database) else { throw Login.refusal }
            return Answer(
                LoggedIn(token: try Tokens.make(database), employee: try Employee(database)), keys: .convertToSnakeCase)
        }
    }

    private func rename(_ call: Call) async throws -> Answer {
        let (request, _) = try await call.json(RenameRequest.self)
        guard let name = request.name, !name.isEmpty else { throw Self.invalid("name is required") }
        return try await store.write { database in
            try database.execute(sql: "UPDATE employee SET name = ?", arguments: [name])
            return Answer(Message(message: "Profile updated"))
        }
    }

    private func uploadImage(_ call: Call, _ key: String?) async throws -> Answer {
        let (form, digest) = try await image("profile_image", of: call)
        return try await store.answer(key: key, digest: digest) { database in
            let id = UUID().uuidString.lowercased()
            try StoredItem.insert(form, id: id, call: call, into: database)
            try database.execute(sql: "UPDATE employee SET image = ?", arguments: [id])
            return Answer(
                ImageSet(message: "Profile image updated", imageUrl: "/images/\(id).jpg"), keys: .convertToSnakeCase
            ).with(form)
        }
    }

    private func deleteImage() async throws -> Answer {
        try await store.write { database in
            try database.execute(sql: "UPDATE employee SET image = NULL")
            return Answer(Message(message: "Profile image deleted"))
        }
    }

    private func uploadSignature(_ call: Call, _ key: String?) async throws -> Answer {
        let (form, digest) = try await image("signature", of: call)
        return try await store.answer(key: key, digest: digest) { database in
            let id = UUID().uuidString.lowercased()
            try StoredItem.insert(form, id: id, call: call, into: database)
            return Answer(
                Signed(
                    message: "Signature saved", signatureUrl: "/signatures/\(id).jpg",
                    signedAt: Timestamp.nowWithFraction),
                keys: .convertToSnakeCase
            ).with(form)
        }
    }

    /// The form with its only file checked.
    private func image(_ name: String, of call: Call) async throws -> (form: Form, digest: String) {
        let (form, digest) = try await call.form()
        guard form.files.count == 1, form.files[0].name == name else { throw Self.invalid("\(name) is required") }
        guard await Media.isJPEG(form.files[0]) else { throw Self.invalid("\(name) must be a JPEG image") }
        return (form, digest)
    }

    private static func invalid(_ error: String) -> Refusal {
        Refusal(422, "validation-failed", "The given data was invalid.", errors: [error])
    }
}

private struct Employee: Encodable {
    var employeeId: Int
    var name: String
    var role: String
    var createdAt: String

    /// The only one there is.
    init(_ database: Database) throws {
        guard let row = try Row.fetchOne(database, sql: "SELECT * FROM employee") else { throw Refusal.notFound }
        (employeeId, name, role, createdAt) = (row["id"], row["name"], row["role"], row["created"])
    }
}

private struct LoggedIn: Encodable {
    var token: String
    var employee: Employee
}

private struct RenameRequest: Decodable, Sendable { var name: String? }

private struct Message: Encodable {
    var success = true
    var message: String
}

private struct ImageSet: Encodable {
    var success = true
    var message: String
    var imageUrl: String
}

private struct Signed: Encodable {
    var success = true
    var message: String
    var signatureUrl: String
    var signedAt: String
}
