internal import Foundation
internal import GRDB

/// The API of SymptomSentry: analyses of throats and ears. The keys are those of the specification: camel case except
/// `user_id` and `debug_info`.
///
/// An analysis counts when it is made, not when it is saved. The count is reset at the beginning of each month in UTC.
struct SymptomSentryRoutes: Sendable {
    let store: BackendStore
    let account: Account
    let freeAnalysesPerMonth: Int

    func respond(to incomingRequest: IncomingRequest, idempotencyKey: String?) async throws -> JSONResponse? {
        switch (incomingRequest.method, incomingRequest.path) {
        case ("POST", "/api/login"): try await logIn(incomingRequest, idempotencyKey: idempotencyKey)
        case ("POST", "/api/register"): try await register(incomingRequest, idempotencyKey: idempotencyKey)
        case ("POST", "/api/analyze"): try await analyze(incomingRequest, idempotencyKey: idempotencyKey)
        case ("POST", "/api/save-analysis"): try await saveAnalysis(incomingRequest, idempotencyKey: idempotencyKey)
        case ("GET", "/api/user-profile"):
            try await store.readFromDatabase { [account] in
                JSONResponse(encoding: UserProfileResponse(user: try User(of: account, database: $0)))
            }
        case ("PUT", "/api/update-profile"): try await updateProfile(incomingRequest)
        case ("POST", "/api/update-subscription"):
            try await updateSubscription(incomingRequest, idempotencyKey: idempotencyKey)
        default: nil
        }
    }

    private func logIn(_ incomingRequest: IncomingRequest, idempotencyKey: String?) async throws -> JSONResponse {
        let (login, digest) = try await incomingRequest.decodeJSON(LoginRequest.self)
        return try await store.respondOnce(idempotencyKey: idempotencyKey, requestDigest: digest) { database in
            guard let id = try login.accountID(table: "user", in: database) else {
                throw LoginRequest.invalidCredentials
            }
            return try Self.authResponse(owner: id, in: database)
        }
    }

    /// Creates an account and logs it in. The specification has the body of the request only.
    private func register(_ incomingRequest: IncomingRequest, idempotencyKey: String?) async throws -> JSONResponse {
        let (request, digest) = try await incomingRequest.decodeJSON(RegisterRequest.self)
        guard !request.name.isEmpty, request.email.contains("@"), request.password.count >= 8 else {
            throw ErrorResponse(
                status: 400, code: "invalid-registration",
                message: "An account has a name, an email address, and a password of at least 8 characters.")
        }
        return try await store.respondOnce(idempotencyKey: idempotencyKey, requestDigest: digest) { database in
            let isTaken = try Bool.fetchOne(
                database, sql: "SELECT 1 FROM user WHERE email = ?", arguments: [request.email])
            guard isTaken == nil else {
                throw ErrorResponse(status: 409, code: "email-taken", message: "There is an account of this address.")
            }
            let id = UUID().uuidString.lowercased()
            try database.execute(
                sql: "INSERT INTO user VALUES (?, ?, ?, ?, 'free', 0, ?)",
                arguments: [id, request.email, request.password, request.name, TimestampFormat.nowISO8601])
            return try Self.authResponse(owner: id, in: database)
        }
    }

    private static func authResponse(owner: String, in database: Database) throws -> JSONResponse {
        JSONResponse(
            encoding: AuthResponse(
                token: try TokenTable.issueToken(for: owner, of: .symptomSentry, in: database),
                user: try User(of: Account(owner: owner), database: database)))
    }

    private func analyze(_ incomingRequest: IncomingRequest, idempotencyKey: String?) async throws -> JSONResponse {
        let start = ContinuousClock.now
        let (form, digest) = try await incomingRequest.readForm()
        guard let type = form.uniqueFieldValue(named: "type"), let conditions = Condition.examplesByType[type] else {
            throw ErrorResponse(status: 400, code: "invalid-type", message: "The type must be throat or ear.")
        }
        let image = try form.requireOnlyFile(named: "image", code: "invalid-image")
        guard await MediaValidation.isDecodableJPEG(image) else {
            throw ErrorResponse(status: 400, code: "invalid-image", message: "The image is not a decodable JPEG.")
        }
        let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        return try await store.respondOnce(idempotencyKey: idempotencyKey, requestDigest: digest) {
            [account, freeAnalysesPerMonth] database in
            var patient = try User(of: account, database: database)
            try patient.countAnalysis(limit: freeAnalysesPerMonth, in: database)
            let id = UUID().uuidString.lowercased()
            try StoredForm.insert(form, id: id, request: incomingRequest, into: database)
            let debug = AnalysisAPIResponse.DebugInfo(
                data_source: "dev-backend", image_data_length: image.content.count, processing_time: milliseconds)
            return JSONResponse(
                encoding: AnalysisAPIResponse(
                    id: id, type: type, timestamp: TimestampFormat.nowISO8601, conditions: conditions, user: patient.id,
                    debug_info: debug)
            ).withDigestHeader(for: form)
        }
    }

    private func saveAnalysis(_ incomingRequest: IncomingRequest, idempotencyKey: String?) async throws -> JSONResponse
    {
        let (request, digest) = try await incomingRequest.decodeJSON(SaveAnalysisRequest.self)
        guard !request.id.isEmpty, Condition.examplesByType[request.type] != nil else {
            throw ErrorResponse(
                status: 400, code: "invalid-analysis", message: "An analysis has an id, and throat or ear as its type.")
        }
        return try await store.respondOnce(idempotencyKey: idempotencyKey, requestDigest: digest) {
            [account, freeAnalysesPerMonth] database in
            let patient = try User(of: account, database: database)
            let now = TimestampFormat.nowISO8601
            let conditions = String(decoding: try JSONEncoder().encode(request.conditions), as: UTF8.self)
            try database.execute(
                sql: "INSERT OR REPLACE INTO analysis VALUES (?, ?, ?, ?, ?)",
                arguments: [request.id, patient.id, request.type, conditions, now])
            return JSONResponse(
                encoding: SaveAnalysisResponse(
                    message: "Analysis saved.",
                    analysis: .init(
                        id: request.id, type: request.type, conditions: request.conditions, timestamp: now,
                        user_id: patient.id),
                    subscription: patient.subscriptionStatus(limit: freeAnalysesPerMonth)))
        }
    }

    private func updateProfile(_ incomingRequest: IncomingRequest) async throws -> JSONResponse {
        let (request, _) = try await incomingRequest.decodeJSON(UpdateProfileRequest.self)
        guard request.name != "", request.email != "" else {
            throw ErrorResponse(
                status: 400, code: "invalid-profile", message: "Neither the name nor the address may be empty.")
        }
        return try await store.writeInTransaction { [account] database in
            var patient = try User(of: account, database: database)
            patient.name = request.name ?? patient.name
            patient.email = request.email ?? patient.email
            try patient.saveChanges(in: database)
            return JSONResponse(encoding: UserProfileResponse(user: patient))
        }
    }

    private func updateSubscription(_ incomingRequest: IncomingRequest, idempotencyKey: String?) async throws
        -> JSONResponse
    {
        let (request, digest) = try await incomingRequest.decodeJSON(UpdateSubscriptionRequest.self)
        guard ["free", "premium"].contains(request.subscription) else {
            throw ErrorResponse(
                status: 400, code: "invalid-subscription", message: "The subscription must be free or premium.")
        }
        return try await store.respondOnce(idempotencyKey: idempotencyKey, requestDigest: digest) {
            [account] database in
            var patient = try User(of: account, database: database)
            patient.subscription = request.subscription
            try patient.saveChanges(in: database)
            return JSONResponse(encoding: UserProfileResponse(user: patient))
        }
    }
}
