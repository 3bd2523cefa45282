public import Uploading

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Any URL that takes a file as a form.
///
/// What it answers is its own affair: a status of 200 to 299 says that it took the file. If that is JSON with an `id`, text or a whole
/// number, it is the receipt's.
public struct PlainEndpoint: Destination {
    /// Where to.
    public var endpoint: Endpoint
    /// What is said of every file; what an item says for itself follows.
    public var fields: [FormField]
    /// What the form calls the file.
    public var part: String
    /// Whether it does once what bears one `Idempotency-Key`, as its operator says.
    public var honoursKeys: Bool

    /// The endpoint of that URL.
    public init(_ endpoint: Endpoint, fields: [FormField] = [], part: String = "file", honoursKeys: Bool = false) {
        self.endpoint = endpoint
        self.fields = fields
        self.part = part
        self.honoursKeys = honoursKeys
    }

    /// The URL, with all fields.
    public func address(of item: UploadItem) throws(UploadError) -> UploadAddress {
        UploadAddress(endpoint, fields: fields + item.fields, part: part)
    }

    /// Sends the item.
    public func deliver(
        _ item: UploadItem, to address: UploadAddress, by delivery: Delivery
    ) async throws(UploadError) -> Receipt {
        let response = try await delivery.postForm(to: address.endpoint)
        let answer = try? JSONDecoder().decode(Answer.self, from: Data(response.body))
        return Receipt(id: answer.flatMap { $0.id.isUsableID ? $0.id : nil }, response: response.body)
    }

    private struct Answer: Decodable {
        var id: String

        private enum CodingKeys: CodingKey { case id }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            id = try (try? values.decode(String.self, forKey: .id)) ?? String(values.decode(Int64.self, forKey: .id))
        }
    }
}
