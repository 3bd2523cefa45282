internal import Synchronization

/// Bytes of memory that may be in use at once. Who asks for more than are free waits; the first to come is the first
/// served, so that many small ones never keep a large one waiting for ever.
final class MemoryBudget: Sendable {
    private struct Waiter {
        var id: Int
        var bytes: Int
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var free: Int
        var waiters: [Waiter] = []
        var lastID = 0

        /// Takes from the waiters, in their order, all whose wish can be met.
        mutating func admit() -> [Waiter] {
            var admitted = 0
            while admitted < waiters.count, waiters[admitted].bytes <= free {
                free -= waiters[admitted].bytes
                admitted += 1
            }
            defer { waiters.removeFirst(admitted) }
            return Array(waiters[..<admitted])
        }
    }

    /// All bytes, free or not.
    let limit: Int
    private let state: Mutex<State>

    init(_ limit: Int) {
        self.limit = limit
        state = Mutex(State(free: limit))
    }

    /// How many wait.
    var waiting: Int { state.withLock { $0.waiters.count } }

    /// Waits until `bytes` are free, and takes them. A wish for more than the limit is one for all of it.
    ///
    /// - Returns: how many were taken.
    /// - Throws: `CancellationError`, as soon as the task is cancelled; then nothing is taken.
    func acquire(_ bytes: Int) async throws(CancellationError) -> Int {
        let bytes = min(max(0, bytes), limit)
        let id = state.withLock {
            $0.lastID += 1
            return $0.lastID
        }
        let isAdmitted = await withTaskCancellationHandler {
            await withCheckedContinuation { enqueue(Waiter(id: id, bytes: bytes, continuation: $0)) }
        } onCancel: {
            giveUp(id)
        }
        if !isAdmitted { throw CancellationError() }
        return bytes
    }

    /// Gives back what was taken.
    func release(_ bytes: Int) {
        let admitted = state.withLock { state in
            state.free += bytes
            return state.admit()
        }
        for waiter in admitted { waiter.continuation.resume(returning: true) }
    }

    private func enqueue(_ waiter: Waiter) {
        let admitted: [Waiter]? = state.withLock { state in
            // A cancellation before this found nobody to wake; one after it waits for the lock.
            if Task.isCancelled { return nil }
            state.waiters.append(waiter)
            return state.admit()
        }
        guard let admitted else { return waiter.continuation.resume(returning: false) }
        for waiter in admitted { waiter.continuation.resume(returning: true) }
    }

    private func giveUp(_ id: Int) {
        let (leaving, admitted) = state.withLock { state in
            let index = state.waiters.firstIndex { $0.id == id }
            let leaving = index.map { state.waiters.remove(at: $0) }
            return (leaving, state.admit())
        }
        leaving?.continuation.resume(returning: false)
        for waiter in admitted { waiter.continuation.resume(returning: true) }
    }
}

/// A share of a budget. It is given back when this value's life ends.
struct MemoryShare: ~Copyable {
    private let budget: MemoryBudget
    private(set) var bytes = 0

    /// A share of nothing.
    init(of budget: MemoryBudget) { self.budget = budget }

    deinit { budget.release(bytes) }

    /// Waits until `bytes` are free, and takes them.
    ///
    /// - Precondition: it has none: two that each wait for what the other has would wait for ever.
    mutating func acquire(_ bytes: Int) async throws(CancellationError) {
        precondition(self.bytes == 0)
        self.bytes = try await budget.acquire(bytes)
    }

    /// Gives back all but `bytes`, if there are more.
    mutating func shrink(to bytes: Int) {
        guard bytes < self.bytes else { return }
        budget.release(self.bytes - bytes)
        self.bytes = bytes
    }
}
