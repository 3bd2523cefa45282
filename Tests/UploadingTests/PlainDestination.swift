import MultipartBody
import Uploading

/// Posts each item's content as it is.
struct PlainDestination: UploadDestination {
    var honorsIdempotencyKeys = false

    func uploadKey(for item: UploadItem) throws(UploadError) -> UploadKey {
        guard item.mediaType != "text/html" else { throw UploadError(code: .invalidItem, message: "it is a web page") }
        return UploadKey(endpoint: .testEndpoint, fields: item.fields, partName: "file")
    }

    func upload(
        _ item: UploadItem, uploadKey: UploadKey, session: UploadSession
    ) async throws(UploadError) -> UploadReceipt {
        guard case .bytes(let bytes) = item.content else { fatalError("The tests upload bytes only.") }
        let response = try await session.post(to: uploadKey.endpoint, body: .bytes(bytes, mediaType: item.mediaType))
        return UploadReceipt(serverID: response.headerValue(named: "Location"), responseBody: response.body)
    }
}
