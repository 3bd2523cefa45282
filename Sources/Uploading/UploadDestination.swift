/// A backend, as the uploader sees it.
public protocol UploadDestination: Sendable {
    /// Whether the backend does what it is asked once, however often it is asked with one `Idempotency-Key`.
    var honorsIdempotencyKeys: Bool { get }

    /// Where an item goes.
    ///
    /// - Throws: `invalid-item` if it can't be sent there.
    func uploadKey(for item: UploadItem) throws(UploadError) -> UploadKey

    /// Sends an item.
    ///
    /// - Parameters:
    ///   - item: the item.
    ///   - uploadKey: the item's address, from ``uploadKey(for:)``.
    ///   - session: sends the requests, and keeps account.
    func upload(_ item: UploadItem, uploadKey: UploadKey, session: UploadSession) async throws(UploadError)
        -> UploadReceipt
}

/// What a backend answered to an upload that it took.
public struct UploadReceipt: Sendable {
    /// What it calls what it took; nil if it doesn't say.
    public var serverID: String?
    /// The answer's body.
    public var responseBody: [UInt8]

    /// A receipt of these parts.
    public init(serverID: String?, responseBody: [UInt8]) {
        self.serverID = serverID
        self.responseBody = responseBody
    }
}
