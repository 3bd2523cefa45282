public import HTTPCalls
internal import SHA256

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The destination, the form fields and the account of an upload. Two items with the same key and the same content are
/// the same upload.
public struct UploadKey: Hashable, Sendable {
    /// The URL.
    public var endpoint: Endpoint
    /// The form fields.
    public var fields: [FormField]
    /// The name of the part that contains the file.
    public var partName: String
    /// The account that sends the file, never its token; `nil` if its id is not known. An ``Uploader`` sets it from the
    /// client's `Session`.
    public var accountID: String?

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - endpoint: The URL.
    ///   - fields: The form fields.
    ///   - partName: The name of the part that contains the file.
    ///   - accountID: The account that sends the file; `nil` for that of the session.
    public init(endpoint: Endpoint, fields: [FormField], partName: String, accountID: String? = nil) {
        self.endpoint = endpoint
        self.fields = fields
        self.partName = partName
        self.accountID = accountID
    }

    /// The version of the derivation. Raise it when the derivation changes; servers then see new idempotency keys.
    private static let derivationVersion = "1"

    /// Returns the journal's identity for an upload of the given content to this destination: a SHA-256.
    func uploadIdentity(sha256: String) -> [UInt8] { digest(sha256: sha256, appending: []) }

    /// Returns the `Idempotency-Key` with which the server processes the upload once, however often it is sent.
    ///
    /// - Parameters:
    ///   - sha256: The SHA-256 of the content in lower-case hexadecimal.
    ///   - forcedResendCount: How often the user had an acknowledged upload sent again.
    ///   - step: Which of the upload's requests, if there is more than one.
    func idempotencyKey(sha256: String, forcedResendCount: Int, step: String) -> String {
        Data(digest(sha256: sha256, appending: [String(forcedResendCount), step])).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Returns the SHA-256 of the key's parts. Each part is preceded by its length, so that different keys cannot give
    /// the same input.
    private func digest(sha256: String, appending more: [String]) -> [UInt8] {
        let sorted = fields.sorted { ($0.name, $0.value) < ($1.name, $1.value) }.flatMap { [$0.name, $0.value] }
        var digest = SHA256Hasher()
        // Without an account, the input is the same as before accounts were known, so that stored keys stay valid. The
        // first part tells the two forms apart.
        let account = accountID.map { ["\(Self.derivationVersion) account", $0] } ?? [Self.derivationVersion]
        for text in account + [endpoint.description, String(fields.count)] + sorted + [partName, sha256] + more {
            digest.update(bytes: Array("\(text.utf8.count):\(text)".utf8))
        }
        return digest.digestBytes()
    }
}
