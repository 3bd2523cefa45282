public import Uploading

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Any URL that takes a file as a form.
///
/// What it answers is its own affair: a status of 200 to 299 says that it took the file. If that is JSON with an `id`,
/// text or a whole number, it is the receipt's.
public struct FormUploadDestination: UploadDestination {
    /// Where to.
    public var endpoint: Endpoint
    /// What is said of every file; what an item says for itself follows.
    public var fields: [FormField]
    /// What the form calls the file.
    public var partName: String
    /// Whether it does once what bears one `Idempotency-Key`, as its operator says.
    public var honorsIdempotencyKeys: Bool

    /// The endpoint of that URL.
    public init(
        endpoint: Endpoint, fields: [FormField] = [], partName: String = "file", honorsIdempotencyKeys: Bool = false
    ) {
        self.endpoint = endpoint
        self.fields = fields
        self.partName = partName
        self.honorsIdempotencyKeys = honorsIdempotencyKeys
    }

    /// The URL, with all fields.
    public func uploadKey(for item: UploadItem) throws(UploadError) -> UploadKey {
        UploadKey(endpoint: endpoint, fields: fields + item.fields, partName: partName)
    }

    /// Sends the item.
    public func upload(
        _ item: UploadItem, uploadKey: UploadKey, session: UploadSession
    ) async throws(UploadError) -> UploadReceipt {
        let response = try await session.postItemForm(to: uploadKey.endpoint)
        let body = try? JSONDecoder().decode(ResponseBody.self, from: Data(response.body))
        return UploadReceipt(
            serverID: body.flatMap { $0.id.isValidServerID ? $0.id : nil }, responseBody: response.body)
    }

    private struct ResponseBody: Decodable {
        var id: String

        private enum CodingKeys: CodingKey { case id }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            id = try (try? values.decode(String.self, forKey: .id)) ?? String(values.decode(Int64.self, forKey: .id))
        }
    }
}
