internal import Synchronization

/// Adds up what was sent for one item.
public final class TransferCounters: Sendable {
    private let state = Mutex((attempts: 0, sent: Int64(0)))

    /// Nothing was sent.
    public init() {}

    /// How often sending was begun.
    public var attemptCount: Int { state.withLock { $0.attempts } }

    /// Bytes of bodies that left, those of repeated sendings counted again.
    public var bytesSent: Int64 { state.withLock { $0.sent } }

    /// Adds one exchange.
    func recordTransfer(_ progress: SendProgress) {
        state.withLock {
            $0.attempts += progress.attemptCount
            $0.sent += progress.bytesSent
        }
    }
}
