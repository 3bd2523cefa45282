internal import Synchronization

/// Bytes of memory that may be in use at once. Who asks for more than are free waits; the first to come is the first
/// served, so that many small ones never keep a large one waiting for ever.
final class MemoryBudget: Sendable {
    private struct MemoryWaiter {
        var id: Int
        var byteCount: Int
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct BudgetState {
        var availableBytes: Int
        var waiters: [MemoryWaiter] = []
        var lastWaiterID = 0

        /// Takes from the waiters, in their order, all whose wish can be met.
        mutating func admitWaiters() -> [MemoryWaiter] {
            var admitted = 0
            while admitted < waiters.count, waiters[admitted].byteCount <= availableBytes {
                availableBytes -= waiters[admitted].byteCount
                admitted += 1
            }
            defer { waiters.removeFirst(admitted) }
            return Array(waiters[..<admitted])
        }
    }

    /// All bytes, free or not.
    let limit: Int
    private let state: Mutex<BudgetState>

    init(limit: Int) {
        self.limit = limit
        state = Mutex(BudgetState(availableBytes: limit))
    }

    /// How many wait.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Waits until `byteCount` are free, and takes them. A wish for more than the limit is one for all of it.
    ///
    /// - Returns: how many were taken.
    /// - Throws: `CancellationError`, as soon as the task is cancelled; then nothing is taken.
    func acquire(byteCount bytes: Int) async throws(CancellationError) -> Int {
        let bytes = min(max(0, bytes), limit)
        let id = state.withLock {
            $0.lastWaiterID += 1
            return $0.lastWaiterID
        }
        let isAdmitted = await withTaskCancellationHandler {
            await withCheckedContinuation { enqueueWaiter(MemoryWaiter(id: id, byteCount: bytes, continuation: $0)) }
        } onCancel: {
            cancelWaiter(id: id)
        }
        if !isAdmitted { throw CancellationError() }
        return bytes
    }

    /// Gives back what was taken.
    func release(byteCount bytes: Int) {
        let admitted = state.withLock { state in
            state.availableBytes += bytes
            return state.admitWaiters()
        }
        for waiter in admitted { waiter.continuation.resume(returning: true) }
    }

    private func enqueueWaiter(_ waiter: MemoryWaiter) {
        let admitted: [MemoryWaiter]? = state.withLock { state in
            // A cancellation before this found nobody to wake; one after it waits for the lock.
            if Task.isCancelled { return nil }
            state.waiters.append(waiter)
            return state.admitWaiters()
        }
        guard let admitted else { return waiter.continuation.resume(returning: false) }
        for waiter in admitted { waiter.continuation.resume(returning: true) }
    }

    private func cancelWaiter(id: Int) {
        let (cancelled, admitted) = state.withLock { state in
            let index = state.waiters.firstIndex { $0.id == id }
            let cancelled = index.map { state.waiters.remove(at: $0) }
            return (cancelled, state.admitWaiters())
        }
        cancelled?.continuation.resume(returning: false)
        for waiter in admitted { waiter.continuation.resume(returning: true) }
    }
}

/// A share of a budget. It is given back when this value's life ends.
struct MemoryReservation: ~Copyable {
    private let budget: MemoryBudget
    private(set) var byteCount = 0

    /// A share of nothing.
    init(from budget: MemoryBudget) { self.budget = budget }

    deinit { budget.release(byteCount: byteCount) }

    /// Waits until `byteCount` are free, and takes them.
    ///
    /// - Precondition: it has none: two that each wait for what the other has would wait for ever.
    mutating func acquire(byteCount bytes: Int) async throws(CancellationError) {
        precondition(self.byteCount == 0)
        self.byteCount = try await budget.acquire(byteCount: bytes)
    }

    /// Gives back all but `byteCount`, if there are more.
    mutating func shrink(toByteCount bytes: Int) {
        guard bytes < self.byteCount else { return }
        budget.release(byteCount: self.byteCount - bytes)
        self.byteCount = bytes
    }
}
