internal import Foundation
internal import GRDB

/// Analyses of throats and ears. Keys are the document's own: in camel case but for `user_id` and `debug_info`.
///
/// An analysis counts when it is made, not when it is saved; a new month of UTC begins at none.
struct SymptomSentry: Sendable {
    let store: Store
    let freeAnalyses: Int

    func respond(to call: Call, key: String?) async throws -> Answer? {
        switch (call.method, call.path) {
        case ("POST", "/api/login"): try await logIn(call, key)
        case ("POST", "/api/analyze"): try await analyze(call, key)
        case ("POST", "/api/save-analysis"): try await save(call, key)
        case ("GET", "/api/user-profile"): try await store.read { Answer(UserAnswer(user: try Patient($0))) }
        case ("PUT", "/api/update-profile"): try await updateProfile(call)
        case ("POST", "/api/update-subscription"): try await updateSubscription(call, key)
        default: nil
        }
    }

    private func logIn(_ call: Call, _ key: String?) async throws -> Answer {
        let (login, digest) = try await call.json(Login.self)
        return try await store.answer(key: key, digest: digest) { database in
            guard try login.matches("user", in: database) else { throw Login.refusal }
            return Answer(LoginAnswer(token: try Tokens.make(database), user: try Patient(database)))
        }
    }

    private func analyze(_ call: Call, _ key: String?) async throws -> Answer {
        let start = ContinuousClock.now
        let (form, digest) = try await call.form()
        guard let type = form.field("type"), let conditions = Condition.examples[type] else {
            throw Refusal(400, "invalid-type", "The type is to be throat or ear.")
        }
        let image = try form.onlyFile("image", code: "invalid-image")
        guard await Media.isJPEG(image) else {
            throw Refusal(400, "invalid-image", "The image isn't a JPEG that decodes.")
        }
        let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        return try await store.answer(key: key, digest: digest) { [freeAnalyses] database in
            var patient = try Patient(database)
            try patient.countAnalysis(limit: freeAnalyses, in: database)
            let id = UUID().uuidString.lowercased()
            try StoredItem.insert(form, id: id, call: call, into: database)
            let debug = AnalysisAnswer.Debug(
                data_source: "dev-backend", image_data_length: image.content.count, processing_time: milliseconds)
            return Answer(
                AnalysisAnswer(
                    id: id, type: type, timestamp: Timestamp.now, conditions: conditions, user: patient.id,
                    debug_info: debug)
            ).with(form)
        }
    }

    private func save(_ call: Call, _ key: String?) async throws -> Answer {
        let (request, digest) = try await call.json(SaveRequest.self)
        guard !request.id.isEmpty, Condition.examples[request.type] != nil else {
            throw Refusal(400, "invalid-analysis", "An analysis has an id, and throat or ear as its type.")
        }
        return try await store.answer(key: key, digest: digest) { [freeAnalyses] database in
            let patient = try Patient(database)
            let now = Timestamp.now
            let conditions = String(decoding: try JSONEncoder().encode(request.conditions), as: UTF8.self)
            try database.execute(
                sql: "INSERT OR REPLACE INTO analysis VALUES (?, ?, ?, ?, ?)",
                arguments: [request.id, patient.id, request.type, conditions, now])
            return Answer(
                SaveAnswer(
                    message: "Analysis saved.",
                    analysis: .init(
                        id: request.id, type: request.type, conditions: request.conditions, timestamp: now,
                        user_id: patient.id),
                    subscription: patient.status(limit: freeAnalyses)))
        }
    }

    private func updateProfile(_ call: Call) async throws -> Answer {
        let (request, _) = try await call.json(ProfileRequest.self)
        guard request.name != "", request.email != "" else {
            throw Refusal(400, "invalid-profile", "Neither the name nor the address may be empty.")
        }
        return try await store.write { database in
            var patient = try Patient(database)
            patient.name = request.name ?? patient.name
            patient.email = request.email ?? patient.email
            try patient.update(database)
            return Answer(UserAnswer(user: patient))
        }
    }

    private func updateSubscription(_ call: Call, _ key: String?) async throws -> Answer {
        let (request, digest) = try await call.json(SubscriptionRequest.self)
        guard ["free", "premium"].contains(request.subscription) else {
            throw Refusal(400, "invalid-subscription", "The subscription is to be free or premium.")
        }
        return try await store.answer(key: key, digest: digest) { database in
            var patient = try Patient(database)
            patient.subscription = request.subscription
            try patient.update(database)
            return Answer(UserAnswer(user: patient))
        }
    }
}
