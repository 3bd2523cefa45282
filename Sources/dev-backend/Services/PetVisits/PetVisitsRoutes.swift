internal import AudioProbe
internal import Foundation
internal import GRDB

/// The API of Pet Visits: one audio file for each visit of one pet. The specification does not define the JSON keys;
/// they are in snake case, like the columns of its database.
struct PetVisitsRoutes: Sendable {
    let store: BackendStore

    func respond(to incomingRequest: IncomingRequest, idempotencyKey: String?) async throws -> JSONResponse? {
        let names = incomingRequest.path.split(separator: "/").map { String($0) }
        guard names.first == "api" else { return nil }
        return switch (incomingRequest.method, names.count, names.dropFirst().first, names.last) {
        case ("POST", 2, "appointments", _):
            try await createAppointment(incomingRequest, idempotencyKey: idempotencyKey)
        case ("GET", 3, "appointments", let id?): try await respondWithAppointment(id: id)
        case ("GET", 4, "appointments", "visits"): try await respondWithVisits(appointmentID: names[2])
        case ("GET", 4, "appointments", "transcripts"): try await respondWithTranscripts(appointmentID: names[2])
        case ("POST", 3, "audio", "initiate"):
            try await initiateAudioUpload(incomingRequest, idempotencyKey: idempotencyKey)
        case ("POST", 4, "visits", "audio"):
            try await uploadAudio(incomingRequest, visitID: names[2], idempotencyKey: idempotencyKey)
        default: nil
        }
    }

    /// Creates an appointment with its pets, for tests: the specification has no such call.
    private func createAppointment(_ incomingRequest: IncomingRequest, idempotencyKey: String?) async throws
        -> JSONResponse
    {
        let (appointment, digest) = try await incomingRequest.decodeJSON(Appointment.self)
        guard !appointment.id.isEmpty, !appointment.pets.isEmpty, appointment.pets.allSatisfy({ !$0.id.isEmpty }) else {
            throw ErrorResponse(status: 400, code: "missing-id", message: "An appointment has an ID and pets with IDs.")
        }
        return try await store.respondOnce(idempotencyKey: idempotencyKey, requestDigest: digest) { database in
            do {
                try database.execute(sql: "INSERT INTO appointment VALUES (?)", arguments: [appointment.id])
                for pet in appointment.pets {
                    try database.execute(
                        sql: "INSERT INTO pet VALUES (?, ?, ?)", arguments: [pet.id, appointment.id, pet.name])
                }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                throw ErrorResponse(status: 409, code: "id-taken", message: "An ID is used already.")
            }
            return JSONResponse(encoding: appointment, status: 201)
        }
    }

    private func respondWithAppointment(id: String) async throws -> JSONResponse {
        try await store.readFromDatabase { database in
            try Self.requireAppointment(id: id, in: database)
            let rows = try Row.fetchAll(
                database, sql: "SELECT id, name FROM pet WHERE appointment = ? ORDER BY id", arguments: [id])
            return JSONResponse(encoding: Appointment(id: id, pets: rows.map { .init(id: $0["id"], name: $0["name"]) }))
        }
    }

    private func respondWithVisits(appointmentID: String) async throws -> JSONResponse {
        try await store.readFromDatabase { database in
            try Self.requireAppointment(id: appointmentID, in: database)
            let rows = try Row.fetchAll(
                database, sql: "SELECT * FROM visit WHERE appointment = ? ORDER BY rowid", arguments: [appointmentID])
            return JSONResponse(
                encoding: VisitsResponse(visits: rows.map { Visit(row: $0) }), keyStrategy: .convertToSnakeCase)
        }
    }

    /// Responds with a made-up transcript of each recording.
    private func respondWithTranscripts(appointmentID: String) async throws -> JSONResponse {
        try await store.readFromDatabase { database in
            try Self.requireAppointment(id: appointmentID, in: database)
            let rows = try Row.fetchAll(
                database, sql: "SELECT * FROM visit WHERE appointment = ? ORDER BY rowid", arguments: [appointmentID])
            return JSONResponse(
                encoding: TranscriptsResponse(transcripts: rows.map { Transcript(row: $0) }),
                keyStrategy: .convertToSnakeCase)
        }
    }

    private func initiateAudioUpload(_ incomingRequest: IncomingRequest, idempotencyKey: String?) async throws
        -> JSONResponse
    {
        let (request, digest) = try await incomingRequest.decodeJSON(
            AudioUploadRequest.self, keyStrategy: .convertFromSnakeCase)
        guard let pet = request.petId, !pet.isEmpty, let appointment = request.appointmentId, !appointment.isEmpty
        else {
            throw ErrorResponse(
                status: 400, code: "missing-id", message: "The IDs of the pet and the appointment are required.")
        }
        return try await store.respondOnce(idempotencyKey: idempotencyKey, requestDigest: digest) { database in
            try Self.requireAppointment(id: appointment, in: database)
            let isPetInAppointment = try Bool.fetchOne(
                database, sql: "SELECT 1 FROM pet WHERE id = ? AND appointment = ?", arguments: [pet, appointment])
            guard isPetInAppointment != nil else {
                throw ErrorResponse(
                    status: 422, code: "pet-not-in-appointment", message: "The pet doesn't belong to the appointment.")
            }
            let id = UUID().uuidString.lowercased()
            try database.execute(
                sql: "INSERT INTO visit VALUES (?, ?, ?, ?, ?, ?, NULL, NULL)",
                arguments: [
                    id, pet, appointment, request.filename, request.contentType, request.estimatedDurationSeconds,
                ])
            return JSONResponse(
                encoding: InitiationResponse(visitId: id), status: 201, keyStrategy: .convertToSnakeCase)
        }
    }

    private func uploadAudio(_ incomingRequest: IncomingRequest, visitID: String, idempotencyKey: String?) async throws
        -> JSONResponse
    {
        let (form, digest) = try await incomingRequest.readForm()
        let file = try form.requireOnlyFile(named: "audio", code: "invalid-audio")
        guard let recording = await MediaValidation.probeRecording(file) else {
            throw ErrorResponse(status: 400, code: "invalid-audio", message: "The file is not a recording.")
        }
        let duration = recording.duration?.seconds
        return try await store.respondOnce(idempotencyKey: idempotencyKey, requestDigest: digest) { database in
            let row = try Row.fetchOne(database, sql: "SELECT * FROM visit WHERE id = ?", arguments: [visitID])
            guard let row else { throw ErrorResponse.notFound }
            guard row["item"] == nil as String? else {
                throw ErrorResponse(
                    status: 409, code: "already-recorded", message: "The visit already has a recording.")
            }
            try Self.requireDuration(duration, matchesEstimate: row["estimated"])
            let id = UUID().uuidString.lowercased()
            try StoredForm.insert(form, id: id, request: incomingRequest, into: database)
            try database.execute(
                sql: "UPDATE visit SET duration = ?, item = ? WHERE id = ?", arguments: [duration, id, visitID])
            return JSONResponse(
                encoding: AudioUploadResponse(
                    visitId: visitID, petId: row["pet"], appointmentId: row["appointment"], durationSeconds: duration),
                status: 201, keyStrategy: .convertToSnakeCase
            ).withDigestHeader(for: form)
        }
    }

    /// Checks the duration against the announced one, both in seconds.
    ///
    /// - Throws: `duration-mismatch` if they differ by more than 1 s and more than 2 %.
    private static func requireDuration(_ duration: Double?, matchesEstimate estimate: Double?) throws {
        guard let duration, let estimate else { return }
        guard abs(duration - estimate) <= max(1, estimate / 50) else {
            throw ErrorResponse(
                status: 422, code: "duration-mismatch",
                message: "The recording has \(duration) s, and \(estimate) s were announced.")
        }
    }

    private static func requireAppointment(id: String, in database: Database) throws {
        let exists = try Bool.fetchOne(database, sql: "SELECT 1 FROM appointment WHERE id = ?", arguments: [id])
        guard exists != nil else { throw ErrorResponse.notFound }
    }
}

private struct Appointment: Codable, Sendable {
    struct Pet: Codable, Sendable {
        var id: String
        var name: String
    }

    var id: String
    var pets: [Pet]
}

private struct AudioUploadRequest: Decodable, Sendable {
    var petId: String?
    var filename: String
    var contentType: String
    var estimatedDurationSeconds: Double?
    var appointmentId: String?
}

private struct InitiationResponse: Encodable { var visitId: String }

private struct AudioUploadResponse: Encodable {
    var visitId: String
    var petId: String
    var appointmentId: String
    var durationSeconds: Double?
}

private struct VisitsResponse: Encodable { var visits: [Visit] }

private struct Visit: Encodable {
    var visitId: String
    var petId: String
    var appointmentId: String
    var filename: String
    var contentType: String
    /// The duration in seconds; `nil` until the audio was transferred.
    var durationSeconds: Double?

    init(row: Row) {
        (visitId, petId, appointmentId) = (row["id"], row["pet"], row["appointment"])
        (filename, contentType, durationSeconds) = (row["filename"], row["contentType"], row["duration"])
    }
}

private struct TranscriptsResponse: Encodable { var transcripts: [Transcript] }

private struct Transcript: Encodable {
    var visitId: String
    var petId: String
    var appointmentId: String
    /// The text; `nil` until the audio was transferred.
    var transcript: String?

    init(row: Row) {
        (visitId, petId, appointmentId) = (row["id"], row["pet"], row["appointment"])
        transcript = (row["duration"] as Double?).map { "A recording of \($0) s." }
    }
}
