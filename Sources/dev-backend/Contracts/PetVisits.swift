internal import AudioProbe
internal import Foundation
internal import GRDB

/// One pet, one visit, one recording. The document names its JSON keys nowhere; they are in snake case, as its database's columns.
struct PetVisits: Sendable {
    let store: Store

    func respond(to call: Call, key: String?) async throws -> Answer? {
        let names = call.path.split(separator: "/").map { String($0) }
        guard names.first == "api" else { return nil }
        return switch (call.method, names.count, names.dropFirst().first, names.last) {
        case ("GET", 3, "appointments", let id?): try await appointment(id)
        case ("GET", 4, "appointments", "visits"): try await visits(of: names[2])
        case ("POST", 3, "audio", "initiate"): try await initiate(call, key)
        case ("POST", 4, "visits", "audio"): try await upload(call, to: names[2], key)
        default: nil
        }
    }

    private func appointment(_ id: String) async throws -> Answer {
        try await store.read { database in
            try Self.requireAppointment(id, in: database)
            let rows = try Row.fetchAll(
                database, sql: "SELECT id, name FROM pet WHERE appointment = ? ORDER BY id", arguments: [id])
            return Answer(Appointment(id: id, pets: rows.map { .init(id: $0["id"], name: $0["name"]) }))
        }
    }

    private func visits(of id: String) async throws -> Answer {
        try await store.read { database in
            try Self.requireAppointment(id, in: database)
            let rows = try Row.fetchAll(
                database, sql: "SELECT * FROM visit WHERE appointment = ? ORDER BY rowid", arguments: [id])
            return Answer(Visits(visits: rows.map { Visit($0) }), keys: .convertToSnakeCase)
        }
    }

    private func initiate(_ call: Call, _ key: String?) async throws -> Answer {
        let (request, digest) = try await call.json(InitiateRequest.self, keys: .convertFromSnakeCase)
        guard let pet = request.petId, !pet.isEmpty, let appointment = request.appointmentId, !appointment.isEmpty
        else {
            throw Refusal(400, "missing-id", "Both the pet's and the appointment's id are needed.")
        }
        return try await store.answer(key: key, digest: digest) { database in
            try Self.requireAppointment(appointment, in: database)
            let isThere = try Bool.fetchOne(
                database, sql: "SELECT 1 FROM pet WHERE id = ? AND appointment = ?", arguments: [pet, appointment])
            guard isThere != nil else {
                throw Refusal(422, "pet-not-in-appointment", "The pet doesn't belong to the appointment.")
            }
            let id = UUID().uuidString.lowercased()
            try database.execute(
                sql: "INSERT INTO visit VALUES (?, ?, ?, ?, ?, ?, NULL, NULL)",
                arguments: [
                    id, pet, appointment, request.filename, request.contentType, request.estimatedDurationSeconds,
                ])
            return Answer(Initiated(visitId: id), status: 201, keys: .convertToSnakeCase)
        }
    }

    private func upload(_ call: Call, to visit: String, _ key: String?) async throws -> Answer {
        let (form, digest) = try await call.form()
        let file = try form.onlyFile("audio", code: "invalid-audio")
        guard let recording = await Media.recording(file) else {
            throw Refusal(400, "invalid-audio", "The file is no recording.")
        }
        let duration = recording.duration?.seconds
        return try await store.answer(key: key, digest: digest) { database in
            let row = try Row.fetchOne(database, sql: "SELECT * FROM visit WHERE id = ?", arguments: [visit])
            guard let row else { throw Refusal.notFound }
            guard row["item"] == nil as String? else {
                throw Refusal(409, "already-recorded", "The visit has its recording.")
            }
            try Self.compare(duration, toEstimate: row["estimated"])
            let id = UUID().uuidString.lowercased()
            try StoredItem.insert(form, id: id, call: call, into: database)
            try database.execute(
                sql: "UPDATE visit SET duration = ?, item = ? WHERE id = ?", arguments: [duration, id, visit])
            return Answer(
                Recorded(
                    visitId: visit, petId: row["pet"], appointmentId: row["appointment"], durationSeconds: duration),
                status: 201, keys: .convertToSnakeCase
            ).with(form)
        }
    }

    /// - Throws: `duration-mismatch` if they are further apart than a second and than a fiftieth.
    private static func compare(_ duration: Double?, toEstimate estimate: Double?) throws {
        guard let duration, let estimate else { return }
        guard abs(duration - estimate) <= max(1, estimate / 50) else {
            throw Refusal(
                422, "duration-mismatch", "The recording has \(duration) s, and \(estimate) s were announced.")
        }
    }

    private static func requireAppointment(_ id: String, in database: Database) throws {
        let isThere = try Bool.fetchOne(database, sql: "SELECT 1 FROM appointment WHERE id = ?", arguments: [id])
        guard isThere != nil else { throw Refusal.notFound }
    }
}

private struct Appointment: Encodable {
    struct Pet: Encodable {
        var id: String
        var name: String
    }

    var id: String
    var pets: [Pet]
}

private struct InitiateRequest: Decodable, Sendable {
    var petId: String?
    var filename: String
    var contentType: String
    var estimatedDurationSeconds: Double?
    var appointmentId: String?
}

private struct Initiated: Encodable { var visitId: String }

private struct Recorded: Encodable {
    var visitId: String
    var petId: String
    var appointmentId: String
    var durationSeconds: Double?
}

private struct Visits: Encodable { var visits: [Visit] }

private struct Visit: Encodable {
    var visitId: String
    var petId: String
    var appointmentId: String
    var filename: String
    var contentType: String
    /// Nil until there is a recording.
    var durationSeconds: Double?

    init(_ row: Row) {
        (visitId, petId, appointmentId) = (row["id"], row["pet"], row["appointment"])
        (filename, contentType, durationSeconds) = (row["filename"], row["contentType"], row["duration"])
    }
}
