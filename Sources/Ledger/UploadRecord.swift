/// What became of one upload.
public struct UploadRecord: Hashable, Sendable {
    /// How far it came.
    public enum State: String, Sendable {
        /// Nothing is on its way.
        case prepared
        /// Begun: who finds this was stopped, and doesn't know what the server has.
        case sending
        /// The server has it, and said so.
        case acknowledged
        /// It was sent whole, no answer came, and to send it again might be to send it twice.
        case outcomeUnknown = "outcome-unknown"
        /// It was given up.
        case failed
    }

    /// What was sent and may have been taken.
    public enum DeliveryUncertainty: String, Sendable {
        /// It bore a key: a server that honours keys may be sent it again.
        case keyed
        /// It bore none.
        case unkeyed
    }

    /// What makes it the same upload: a digest of where it goes and what it holds.
    public var identity: [UInt8]
    /// How often a person asked to have it sent though it was.
    public var forcedResendCount: Int
    /// How far it came.
    public var state: State
    /// What was sent, now or in an earlier run, and neither acknowledged nor refused.
    public var uncertainty: DeliveryUncertainty?
    /// What the server calls it.
    public var serverID: String?
    /// What the backend needs to go on with it.
    public var resumeReference: String?
    /// How often sending was begun, in all runs.
    public var attemptCount: Int
    /// Bytes that left, in all runs.
    public var bytesSent: Int64
    /// Why it was given up: a code.
    public var reasonCode: String?
    /// The same for a person.
    public var message: String?

    /// Nothing was sent yet.
    public init(identity: [UInt8]) {
        self.identity = identity
        forcedResendCount = 0
        state = .prepared
        attemptCount = 0
        bytesSent = 0
    }
}
