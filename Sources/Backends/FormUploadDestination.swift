public import HTTPCalls
public import Uploading

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Any URL that accepts a file as a form.
///
/// A status of 200 to 299 means that the file was accepted. If the body is JSON with an `id` that is a string or an
/// integer, it becomes the receipt's id.
public struct FormUploadDestination: UploadDestination {
    /// The URL.
    public var endpoint: Endpoint
    /// The form fields that are sent with every item, before the item's own fields.
    public var fields: [FormField]
    /// The name of the part that contains the file.
    public var partName: String
    /// Whether the server processes requests with the same `Idempotency-Key` only once.
    public var honorsIdempotencyKeys: Bool

    /// Creates a destination.
    ///
    /// - Parameters:
    ///   - endpoint: The URL.
    ///   - fields: The form fields that are sent with every item.
    ///   - partName: The name of the part that contains the file.
    ///   - honorsIdempotencyKeys: Whether the server processes requests with the same `Idempotency-Key` only once.
    public init(
        endpoint: Endpoint, fields: [FormField] = [], partName: String = "file", honorsIdempotencyKeys: Bool = false
    ) {
        self.endpoint = endpoint
        self.fields = fields
        self.partName = partName
        self.honorsIdempotencyKeys = honorsIdempotencyKeys
    }

    /// Returns the key of the URL with all fields.
    ///
    /// - Parameter item: The item.
    public func uploadKey(for item: UploadItem) throws(CallError) -> UploadKey {
        UploadKey(endpoint: endpoint, fields: fields + item.fields, partName: partName)
    }

    /// Sends the item.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - uploadKey: The item's key, from ``uploadKey(for:)``.
    ///   - session: Sends the request.
    /// - Returns: The receipt.
    /// - Throws: The errors of `UploadSession.postItemForm(to:step:)`.
    public func upload(
        _ item: UploadItem, uploadKey: UploadKey, session: UploadSession
    ) async throws(CallError) -> UploadReceipt {
        let response = try await session.postItemForm(to: uploadKey.endpoint)
        let body = try? JSONDecoder().decode(ResponseBody.self, from: Data(response.body))
        return UploadReceipt(
            serverID: body.flatMap { $0.id.isValidServerID ? $0.id : nil }, response: response)
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
