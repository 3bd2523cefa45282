/// The recorded state of one upload.
public struct UploadRecord: Hashable, Sendable {
    /// The progress of an upload.
    public enum State: String, Sendable {
        /// The upload is ready to be sent: no request is in progress.
        case prepared
        /// Sending has begun. In a later run, this state means that the upload was interrupted and that the server's
        /// state is unknown.
        case sending
        /// The server has confirmed the upload.
        case acknowledged
        /// The server may have received the upload without confirming it, and sending it again might duplicate it.
        case outcomeUnknown = "outcome-unknown"
        /// The upload was abandoned.
        case failed
    }

    /// How a request was sent that the server may have processed without confirming it.
    public enum DeliveryUncertainty: String, Sendable {
        /// The request had an idempotency key. It can be sent again to a server that honors such keys.
        case keyed
        /// The request had no idempotency key.
        case unkeyed
    }

    /// A digest of the destination and the content, which identifies the upload.
    public var identity: [UInt8]
    /// The number of times that the upload was sent again at the user's request after an earlier attempt. It is part of
    /// the idempotency key.
    public var forcedResendCount: Int
    /// The progress of the upload.
    public var state: State
    /// How data was sent that is neither acknowledged nor rejected, in this run or an earlier one, or `nil` if there is
    /// none.
    public var uncertainty: DeliveryUncertainty?
    /// The server's ID for the upload, or `nil` if it is not known.
    public var serverID: String?
    /// The backend's reference for resuming the upload, or `nil` if there is none.
    public var resumeReference: String?
    /// The number of attempts, in all runs.
    public var attemptCount: Int
    /// The number of bytes sent, in all runs.
    public var bytesSent: Int64
    /// The code of the reason for the failure, or `nil` if there is none.
    public var reasonCode: String?
    /// The message for the user that belongs to `reasonCode`, or `nil` if there is none.
    public var message: String?

    /// Creates a record of an upload of which nothing has been sent.
    ///
    /// - Parameter identity: A digest of the destination and the content, which identifies the upload.
    public init(identity: [UInt8]) {
        self.identity = identity
        forcedResendCount = 0
        state = .prepared
        attemptCount = 0
        bytesSent = 0
    }
}
