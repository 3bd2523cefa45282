internal import Synchronization

/// Adds up the attempts and the bytes sent for one item. Safe to use from several threads.
public final class TransferCounters: Sendable {
    private let state = Mutex((attempts: 0, sent: Int64(0)))

    /// Creates counters of zero.
    public init() {}

    /// The number of attempts to send a request.
    public var attemptCount: Int { state.withLock { $0.attempts } }

    /// The number of bytes of bodies passed to the network. Bytes that were sent again count again.
    public var bytesSent: Int64 { state.withLock { $0.sent } }

    /// Adds the attempts and bytes of one call of the transport.
    func recordTransfer(_ progress: SendProgress) {
        state.withLock {
            $0.attempts += progress.attemptCount
            $0.sent += progress.bytesSent
        }
    }
}
