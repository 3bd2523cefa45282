public import HTTPCalls

/// A backend to which an ``Uploader`` sends items.
public protocol UploadDestination: Sendable {
    /// Whether the backend processes requests with the same `Idempotency-Key` only once.
    var honorsIdempotencyKeys: Bool { get }

    /// Returns the key that identifies the item's upload, without sending anything.
    ///
    /// - Parameter item: The item.
    /// - Throws: `CallError.Code.invalidItem` if the backend does not accept the item.
    func uploadKey(for item: UploadItem) throws(CallError) -> UploadKey

    /// Sends an item.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - uploadKey: The item's key, from ``uploadKey(for:)``.
    ///   - session: Sends the requests and records them in the journal.
    /// - Returns: The backend's receipt.
    /// - Throws: The errors of `session`, and `CallError.Code.invalidResponse` or
    ///   `CallError.Code.outcomeUnknown` if the response is not as the backend's contract says.
    func upload(_ item: UploadItem, uploadKey: UploadKey, session: UploadSession) async throws(CallError)
        -> UploadReceipt
}

/// A backend's response to a successful upload.
public struct UploadReceipt: Sendable {
    /// The id that the server gave the upload; `nil` if it returned none.
    public var serverID: String?
    /// The body of the response, which is stored and shown: without the tokens of the request.
    public var responseBody: [UInt8]

    /// Creates a receipt.
    ///
    /// - Parameters:
    ///   - serverID: The id that the server gave the upload; `nil` if it returned none.
    ///   - responseBody: The body of the response, without the tokens of the request.
    public init(serverID: String?, responseBody: [UInt8]) {
        self.serverID = serverID
        self.responseBody = responseBody
    }

    /// Creates a receipt without the tokens of the request, because it is stored and shown.
    ///
    /// - Parameters:
    ///   - serverID: The id that the server gave the upload; `nil` if it returned none.
    ///   - response: The response.
    public init(serverID: String?, response: TransportResponse) {
        self.init(
            serverID: serverID.map(response.textWithoutTokens), responseBody: response.bodyWithoutTokens)
    }
}
