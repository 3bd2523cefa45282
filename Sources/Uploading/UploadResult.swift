/// What became of one item.
public struct UploadResult: Sendable {
    /// How it ended.
    public enum Status: String, CaseIterable, Codable, Sendable {
        /// The server has it, and said so.
        case acknowledged
        /// The same content for the same address was another item's, and was sent once.
        case duplicate = "duplicate-of"
        /// It was sent whole, and may have been taken.
        case outcomeUnknown = "outcome-unknown"
        /// The server doesn't have it, or may be sent it again under its key.
        case failed
        /// It was not tried, because of what ended the batch.
        case notSent = "not-sent"
    }

    /// How it ended.
    public var status: Status
    /// What the server calls it; nil if it doesn't have it, or doesn't say.
    public var serverID: String?
    /// How often sending was begun, in all runs.
    public var attemptCount: Int
    /// Bytes that left, in all runs.
    public var bytesSent: Int64
    /// Why it ended so, where the server doesn't have it, or may not.
    public var error: UploadError?
    /// The name of the item that was sent in place of this one; nil where this one was.
    public var originalItemName: String?
    /// Whether it ended in an earlier run.
    public var isFromEarlierRun: Bool
}
