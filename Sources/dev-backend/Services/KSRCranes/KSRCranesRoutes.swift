internal import Foundation
internal import GRDB

/// The workers' part of the API of KSR Cranes. Keys are in snake case, and dates have six digits of fractional seconds.
struct KSRCranesRoutes: Sendable {
    let store: BackendStore
    let account: Account

    func respond(to incomingRequest: IncomingRequest, idempotencyKey: String?) async throws -> JSONResponse? {
        switch (incomingRequest.method, incomingRequest.path) {
        case ("POST", "/api/app/login"): try await logIn(incomingRequest, idempotencyKey: idempotencyKey)
        case ("GET", "/api/app/profile"):
            try await store.readFromDatabase { [account] in
                JSONResponse(encoding: try Employee(of: account, database: $0), keyStrategy: .convertToSnakeCase)
            }
        case ("PUT", "/api/app/profile"): try await updateEmployeeName(incomingRequest)
        case ("POST", "/api/app/profile-image"):
            try await uploadProfileImage(incomingRequest, idempotencyKey: idempotencyKey)
        case ("DELETE", "/api/app/profile-image"): try await deleteProfileImage()
        case ("POST", "/api/app/signature"): try await uploadSignature(incomingRequest, idempotencyKey: idempotencyKey)
        default: try await respondByRole(to: incomingRequest, idempotencyKey: idempotencyKey)
        }
    }

    private func logIn(_ incomingRequest: IncomingRequest, idempotencyKey: String?) async throws -> JSONResponse {
        let (login, digest) = try await incomingRequest.decodeJSON(LoginRequest.self)
        return try await store.respondOnce(idempotencyKey: idempotencyKey, requestDigest: digest) { database in
            guard let id = try login.accountID(table: "employee", in: database) else {
                throw LoginRequest.invalidCredentials
            }
            return JSONResponse(
                encoding: LoginResponse(
                    token: try TokenTable.issueToken(for: id, of: .ksrCranes, in: database),
                    employee: try Employee(of: Account(owner: id), database: database)),
                keyStrategy: .convertToSnakeCase)
        }
    }

    private func updateEmployeeName(_ incomingRequest: IncomingRequest) async throws -> JSONResponse {
        let (request, _) = try await incomingRequest.decodeJSON(RenameEmployeeRequest.self)
        guard let name = request.name, !name.isEmpty else { throw Self.validationError(["name is required"]) }
        return try await store.writeInTransaction { [account] database in
            let id = try Employee(of: account, database: database).employeeId
            try database.execute(sql: "UPDATE employee SET name = ? WHERE id = ?", arguments: [name, id])
            return JSONResponse(encoding: MessageResponse(message: "Profile updated"))
        }
    }

    private func uploadProfileImage(_ incomingRequest: IncomingRequest, idempotencyKey: String?) async throws
        -> JSONResponse
    {
        let (form, digest) = try await readImageForm(fileNamed: "profile_image", from: incomingRequest)
        return try await store.respondOnce(idempotencyKey: idempotencyKey, requestDigest: digest) {
            [account] database in
            let id = UUID().uuidString.lowercased()
            try StoredForm.insert(form, id: id, request: incomingRequest, into: database)
            let employee = try Employee(of: account, database: database).employeeId
            try database.execute(sql: "UPDATE employee SET image = ? WHERE id = ?", arguments: [id, employee])
            return JSONResponse(
                encoding: ProfileImageResponse(message: "Profile image updated", imageUrl: "/images/\(id).jpg"),
                keyStrategy: .convertToSnakeCase
            ).withDigestHeader(for: form)
        }
    }

    private func deleteProfileImage() async throws -> JSONResponse {
        try await store.writeInTransaction { [account] database in
            let id = try Employee(of: account, database: database).employeeId
            try database.execute(sql: "UPDATE employee SET image = NULL WHERE id = ?", arguments: [id])
            return JSONResponse(encoding: MessageResponse(message: "Profile image deleted"))
        }
    }

    private func uploadSignature(_ incomingRequest: IncomingRequest, idempotencyKey: String?) async throws
        -> JSONResponse
    {
        let (form, digest) = try await readImageForm(fileNamed: "signature", from: incomingRequest)
        return try await store.respondOnce(idempotencyKey: idempotencyKey, requestDigest: digest) { database in
            let id = UUID().uuidString.lowercased()
            try StoredForm.insert(form, id: id, request: incomingRequest, into: database)
            return JSONResponse(
                encoding: SignatureResponse(
                    message: "Signature saved", signatureUrl: "/signatures/\(id).jpg",
                    signedAt: TimestampFormat.nowWithMicroseconds),
                keyStrategy: .convertToSnakeCase
            ).withDigestHeader(for: form)
        }
    }

    /// Reads a form with exactly one file, which must be a JPEG.
    ///
    /// - Returns: The form and the digest of the request.
    /// - Throws: `validation-failed` if the file is missing, has another name or is not a JPEG.
    private func readImageForm(fileNamed name: String, from incomingRequest: IncomingRequest) async throws -> (
        form: ReceivedForm, digest: String
    ) {
        let (form, digest) = try await incomingRequest.readForm()
        guard form.files.count == 1, form.files[0].name == name else {
            throw Self.validationError(["\(name) is required"])
        }
        guard await MediaValidation.isDecodableJPEG(form.files[0]) else {
            throw Self.validationError(["\(name) must be a JPEG image"])
        }
        return (form, digest)
    }

    /// Returns the response to a request with invalid values.
    ///
    /// - Parameter errors: A sentence for each invalid value.
    static func validationError(_ errors: [String]) -> ErrorResponse {
        ErrorResponse(
            status: 422, code: "validation-failed", message: "The given data was invalid.", validationErrors: errors)
    }
}

struct Employee: Encodable {
    var employeeId: Int
    var name: String
    var role: String
    var createdAt: String

    /// Reads an employee.
    init(of account: Account, database: Database) throws {
        let row =
            if let owner = account.owner {
                try Row.fetchOne(
                    database, sql: "SELECT * FROM employee WHERE CAST(id AS TEXT) = ?", arguments: [owner])
            } else {
                try Row.fetchOne(database, sql: "SELECT * FROM employee ORDER BY id")
            }
        guard let row else { throw ErrorResponse.notFound }
        (employeeId, name, role, createdAt) = (row["id"], row["name"], row["role"], row["created"])
    }
}

private struct LoginResponse: Encodable {
    var token: String
    var employee: Employee
}

private struct RenameEmployeeRequest: Decodable, Sendable { var name: String? }

private struct MessageResponse: Encodable {
    var success = true
    var message: String
}

private struct ProfileImageResponse: Encodable {
    var success = true
    var message: String
    var imageUrl: String
}

private struct SignatureResponse: Encodable {
    var success = true
    var message: String
    var signatureUrl: String
    var signedAt: String
}
