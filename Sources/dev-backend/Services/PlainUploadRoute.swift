internal import Foundation

/// `POST /upload`: accepts any fields and at least one file. A file may be large, so it is hashed while it is read and
/// not kept.
struct PlainUploadRoute: Sendable {
    static let maxFileBytes: Int64 = 4 << 30

    private struct CreatedResponse: Encodable { var id: String }

    let store: BackendStore

    func upload(_ incomingRequest: IncomingRequest, idempotencyKey: String?) async throws -> JSONResponse {
        let (form, digest) = try await incomingRequest.readForm(
            limits: FormReader.Limits(maxFileBytes: Self.maxFileBytes, keepsFileContent: false))
        guard !form.files.isEmpty else {
            throw ErrorResponse(status: 400, code: "no-file", message: "The form has no file.")
        }
        let id = UUID().uuidString.lowercased()
        return try await store.respondOnce(idempotencyKey: idempotencyKey, requestDigest: digest) { database in
            try StoredForm.insert(form, id: id, request: incomingRequest, into: database)
            return JSONResponse(encoding: CreatedResponse(id: id), status: 201).withDigestHeader(for: form)
        }
    }
}

extension JSONResponse {
    /// Returns the response with a header that lists the digests of the form's files.
    func withDigestHeader(for form: ReceivedForm) -> JSONResponse {
        var response = self
        response.headers[DigestHeader.fieldName] = form.files.map(\.sha256).joined(separator: ",")
        return response
    }
}
