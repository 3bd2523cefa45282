import HTTPTestSupport
import HTTPCalls
import HTTPTypes
import MultipartBody
import Uploading

/// Posts each item's content as it is.
struct PlainDestination: UploadDestination {
    var honorsIdempotencyKeys = false

    func uploadKey(for item: UploadItem) throws(CallError) -> UploadKey {
        guard item.mediaType != "text/html" else { throw CallError(code: .invalidItem, message: "it is a web page") }
        return UploadKey(endpoint: .testEndpoint, fields: item.fields, partName: "file")
    }

    func upload(
        _ item: UploadItem, uploadKey: UploadKey, session: UploadSession
    ) async throws(CallError) -> UploadReceipt {
        guard case .bytes(let bytes) = item.content else { fatalError("The tests upload bytes only.") }
        let response = try await session.post(to: uploadKey.endpoint, body: .bytes(bytes, mediaType: item.mediaType))
        return UploadReceipt(serverID: response.head.headerFields[.location], response: response)
    }
}
