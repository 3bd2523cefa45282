internal import Synchronization

/// A limit on the bytes of memory in use at once. Requests that exceed the free bytes wait.
///
/// Requests are admitted first come, first served, so that small requests cannot starve a large one.
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

        /// Removes and returns the first waiters that fit into the free bytes, in order.
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

    /// The limit, in bytes.
    let limit: Int
    private let state: Mutex<BudgetState>

    init(limit: Int) {
        self.limit = limit
        state = Mutex(BudgetState(availableBytes: limit))
    }

    /// The number of waiting requests.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Waits until `byteCount` bytes are free, and reserves them.
    ///
    /// - Parameter bytes: The number of bytes. Requests above ``limit`` are clamped to it.
    /// - Returns: The number of reserved bytes.
    /// - Throws: `CancellationError` as soon as the task is cancelled; nothing is then reserved.
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

    /// Releases reserved bytes.
    func release(byteCount bytes: Int) {
        let admitted = state.withLock { state in
            state.availableBytes += bytes
            return state.admitWaiters()
        }
        for waiter in admitted { waiter.continuation.resume(returning: true) }
    }

    private func enqueueWaiter(_ waiter: MemoryWaiter) {
        let admitted: [MemoryWaiter]? = state.withLock { state in
            // A cancellation before this point found no waiter to remove. One after it waits for the lock.
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

/// A reservation of a part of a memory budget. It is released when this value is destroyed.
struct MemoryReservation: ~Copyable {
    private let budget: MemoryBudget
    private(set) var byteCount = 0

    /// Creates a reservation of 0 bytes.
    init(from budget: MemoryBudget) { self.budget = budget }

    deinit { budget.release(byteCount: byteCount) }

    /// Waits until `byteCount` bytes are free, and reserves them.
    ///
    /// - Precondition: The reservation holds 0 bytes. Two reservations that each wait for the other's bytes would
    ///   deadlock.
    mutating func acquire(byteCount bytes: Int) async throws(CancellationError) {
        precondition(self.byteCount == 0)
        self.byteCount = try await budget.acquire(byteCount: bytes)
    }

    /// Releases all but `byteCount` bytes, if there are more.
    mutating func shrink(toByteCount bytes: Int) {
        guard bytes < self.byteCount else { return }
        budget.release(byteCount: self.byteCount - bytes)
        self.byteCount = bytes
    }
}
