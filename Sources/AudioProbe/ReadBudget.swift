/// The number of bytes that a probe may still read from its file.
///
/// A part is reserved. It is released when the rest is used up, so that a scan that reached its limit can still read
/// headers, and tags at the end.
struct ReadBudget {
    private static let maxReserve = 64 << 20

    /// Bytes that may still be read, negative once a read exceeded the budget.
    private var remaining: Int
    private let reserve: Int

    /// Creates a budget of `limit` bytes, and a reserve that is no larger.
    init(limit: Int) {
        remaining = limit
        reserve = min(limit, Self.maxReserve)
    }

    /// Whether a read exceeded the budget.
    var isExceeded: Bool { remaining < 0 }

    /// Allows the reserved bytes to be read, and no others.
    mutating func releaseReserve() { remaining = reserve }

    /// Subtracts a read of `bytes` at `offset` from the budget.
    ///
    /// - Throws: ``AudioError/Code/cancelled`` if the task is cancelled; ``AudioError/Code/limitExceeded`` if the read
    ///   exceeds the budget.
    mutating func charge(byteCount bytes: Int, at offset: Int) throws(AudioError) {
        if Task.isCancelled { throw AudioError(.cancelled, stage: .read, message: "the task was cancelled") }
        remaining -= bytes
        if isExceeded {
            throw AudioError(
                .limitExceeded, offset: offset, message: "the scan reached the limit on the bytes that it reads")
        }
    }
}
