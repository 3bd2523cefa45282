/// A backend, as the uploader sees it.
public protocol Destination: Sendable {
    /// Whether the backend does what it is asked once, however often it is asked with one `Idempotency-Key`.
    var honoursKeys: Bool { get }

    /// Where an item goes.
    ///
    /// - Throws: `invalid-item` if it can't be sent there.
    func address(of item: UploadItem) throws(UploadError) -> UploadAddress

    /// Sends an item.
    ///
    /// - Parameters:
    ///   - item: the item.
    ///   - address: the item's address, from ``address(of:)``.
    ///   - delivery: sends the requests, and keeps account.
    func deliver(_ item: UploadItem, to address: UploadAddress, by delivery: Delivery) async throws(UploadError)
        -> Receipt
}

/// What a backend answered to an upload that it took.
public struct Receipt: Sendable {
    /// What it calls what it took; nil if it doesn't say.
    public var id: String?
    /// The answer's body.
    public var response: [UInt8]

    /// A receipt of these parts.
    public init(id: String?, response: [UInt8]) {
        self.id = id
        self.response = response
    }
}
