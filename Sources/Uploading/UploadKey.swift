#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Where an item goes, and with what: two items of one address and one content are the same upload.
public struct UploadKey: Hashable, Sendable {
    /// Where to.
    public var endpoint: Endpoint
    /// What is said of it.
    public var fields: [FormField]
    /// What the form calls the file.
    public var partName: String

    /// An address of these parts.
    public init(endpoint: Endpoint, fields: [FormField], partName: String) {
        self.endpoint = endpoint
        self.fields = fields
        self.partName = partName
    }

    /// Raised when keys are made otherwise: servers then see new ones.
    private static let derivationVersion = "1"

    /// Stands for the upload of a content to here: a SHA-256.
    func uploadIdentity(sha256: String) -> [UInt8] { digest(sha256: sha256, appending: []) }

    /// What goes into `Idempotency-Key`, so that the server does the upload once however often it is sent.
    ///
    /// - Parameters:
    ///   - forcedResendCount: how often a person asked to have it sent though it was.
    ///   - step: which of an upload's requests, where it takes more than one.
    func idempotencyKey(sha256: String, forcedResendCount: Int, step: String) -> String {
        Data(digest(sha256: sha256, appending: [String(forcedResendCount), step])).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Each part is preceded by its length, so that no two addresses run together to the same.
    private func digest(sha256: String, appending more: [String]) -> [UInt8] {
        let sorted = fields.sorted { ($0.name, $0.value) < ($1.name, $1.value) }.flatMap { [$0.name, $0.value] }
        var digest = SHA256Hasher()
        for text in [Self.derivationVersion, endpoint.description, String(fields.count)] + sorted + [partName, sha256]
            + more
        {
            digest.update(bytes: Array("\(text.utf8.count):\(text)".utf8))
        }
        return digest.digestBytes()
    }
}
