#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Where an item goes, and with what: two items of one address and one content are the same upload.
public struct UploadAddress: Hashable, Sendable {
    /// Where to.
    public var endpoint: Endpoint
    /// What is said of it.
    public var fields: [FormField]
    /// What the form calls the file.
    public var part: String

    /// An address of these parts.
    public init(_ endpoint: Endpoint, fields: [FormField], part: String) {
        self.endpoint = endpoint
        self.fields = fields
        self.part = part
    }

    /// Raised when keys are made otherwise: servers then see new ones.
    private static let version = "1"

    /// Stands for the upload of a content to here: a SHA-256.
    func identity(of sha256: String) -> [UInt8] { digest(of: sha256, also: []) }

    /// What goes into `Idempotency-Key`, so that the server does the upload once however often it is sent.
    ///
    /// - Parameters:
    ///   - repeats: how often a person asked to have it sent though it was.
    ///   - step: which of an upload's requests, where it takes more than one.
    func key(of sha256: String, repeats: Int, step: String) -> String {
        Data(digest(of: sha256, also: [String(repeats), step])).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Each part is preceded by its length, so that no two addresses run together to the same.
    private func digest(of sha256: String, also more: [String]) -> [UInt8] {
        let sorted = fields.sorted { ($0.name, $0.value) < ($1.name, $1.value) }.flatMap { [$0.name, $0.value] }
        var digest = Digest()
        for text in [Self.version, endpoint.description, String(fields.count)] + sorted + [part, sha256] + more {
            digest.add(Array("\(text.utf8.count):\(text)".utf8))
        }
        return digest.bytes()
    }
}
