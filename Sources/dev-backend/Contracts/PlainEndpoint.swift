internal import Foundation

/// `POST /upload`: any fields, and at least one file, which may be large: it is digested as it comes, and not kept.
struct PlainEndpoint: Sendable {
    static let maxFileBytes: Int64 = 4 << 30

    private struct Created: Encodable { var id: String }

    let store: Store

    func upload(_ call: Call, key: String?) async throws -> Answer {
        let (form, digest) = try await call.form(FormReader.Limits(file: Self.maxFileBytes, keepsContent: false))
        guard !form.files.isEmpty else { throw Refusal(400, "no-file", "The form has no file.") }
        let id = UUID().uuidString.lowercased()
        return try await store.answer(key: key, digest: digest) { database in
            try StoredItem.insert(form, id: id, call: call, into: database)
            return Answer(Created(id: id), status: 201).with(form)
        }
    }
}

extension Answer {
    /// Says which files it is the answer to.
    func with(_ form: Form) -> Answer {
        var answer = self
        answer.headers[DigestHeader.name] = form.files.map(\.sha256).joined(separator: ",")
        return answer
    }
}
