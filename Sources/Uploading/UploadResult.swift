public import HTTPCalls
internal import UploadRecords

/// The result of uploading one item.
public struct UploadResult: Sendable {
    /// The outcome of an upload.
    public enum Status: String, CaseIterable, Codable, Sendable {
        /// The server confirmed that it has the item.
        case acknowledged
        /// Another item has the same content and destination, and was sent instead.
        case duplicate = "duplicate-of"
        /// The item was sent completely, but it is unknown whether the server accepted it.
        case outcomeUnknown = "outcome-unknown"
        /// The item was not accepted, or can safely be sent again with its idempotency key.
        case failed
        /// The item was not sent because an earlier error ended the batch.
        case notSent = "not-sent"
    }

    /// The outcome.
    public var status: Status
    /// The id that the server gave the upload; `nil` if it has none.
    public var serverID: String?
    /// The number of attempts in all runs.
    public var attemptCount: Int
    /// The number of bytes of bodies sent in all runs.
    public var bytesSent: Int64
    /// The error; `nil` if the server has the item.
    public var error: CallError?
    /// The name of the item that was sent instead of this one; `nil` if this one was sent.
    public var originalItemName: String?
    /// Whether the outcome is from an earlier run.
    public var isFromEarlierRun: Bool

    /// Creates a result.
    ///
    /// - Parameters:
    ///   - status: The outcome.
    ///   - serverID: The id that the server gave the upload.
    ///   - attemptCount: The number of attempts in all runs.
    ///   - bytesSent: The number of bytes of bodies sent in all runs.
    ///   - error: The error; `nil` if the server has the item.
    ///   - originalItemName: The name of the item that was sent instead of this one.
    ///   - isFromEarlierRun: Whether the outcome is from an earlier run.
    public init(
        status: Status, serverID: String? = nil, attemptCount: Int = 0, bytesSent: Int64 = 0,
        error: CallError? = nil, originalItemName: String? = nil, isFromEarlierRun: Bool = false
    ) {
        self.status = status
        self.serverID = serverID
        self.attemptCount = attemptCount
        self.bytesSent = bytesSent
        self.error = error
        self.originalItemName = originalItemName
        self.isFromEarlierRun = isFromEarlierRun
    }
}

extension UploadResult {
    /// Creates the result for a record, as an outcome of this run.
    init(record: UploadRecord, status: Status, error: CallError? = nil) {
        self.init(
            status: status, serverID: record.serverID, attemptCount: record.attemptCount, bytesSent: record.bytesSent,
            error: error)
    }

    /// Creates a failed result without attempts.
    init(failedWith error: CallError) {
        self.init(status: .failed, error: error)
    }

    /// Creates the result of an item that was not sent because an earlier error ended the batch.
    init(notSentBecauseOf error: CallError) {
        self.init(failedWith: error)
        status = .notSent
    }
}
