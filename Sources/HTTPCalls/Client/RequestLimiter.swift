internal import Synchronization

/// Lets a limited number of requests run at the same time; further ones wait in order.
///
/// A request that runs has a task, a copy of its parts and a place in the session. One that waits has
/// only the continuation of its caller, which waits before it builds anything: any number of requests can be started
/// at once.
package final class RequestLimiter: Sendable {
    private struct State {
        var freePlaces: Int
        /// The callers that wait by their numbers, which grow.
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
        var nextNumber = 0
        /// No caller with a lower number waits.
        var firstNumber = 0
        /// The numbers of callers that were cancelled before they waited.
        var cancelled: Set<Int> = []

        /// Removes the caller that has waited longest, or frees a place if there is none.
        mutating func leave() -> CheckedContinuation<Bool, Never>? {
            while firstNumber < nextNumber {
                defer { firstNumber += 1 }
                if let next = waiting.removeValue(forKey: firstNumber) { return next }
            }
            freePlaces += 1
            return nil
        }
    }

    private let state: Mutex<State>

    /// Creates a limiter.
    ///
    /// - Parameter limit: The maximum number of requests that run at the same time.
    package init(limit: Int) { state = Mutex(State(freePlaces: limit)) }

    /// The number of callers that wait for a place.
    var waitingCount: Int { state.withLock(\.waiting.count) }

    /// Waits for a place. The caller must give it back by ``leave()``.
    ///
    /// - Throws: ``CallError/Code/cancelled`` if the task is cancelled while it waits.
    package func enter() async throws(CallError) {
        guard await waitForPlace() else { throw .cancelled }
    }

    /// Gives a place back, to the caller that has waited longest.
    package func leave() { state.withLock { $0.leave() }?.resume(returning: true) }

    /// Waits for a place.
    ///
    /// - Returns: Whether there is one; `false` if the task was cancelled meanwhile.
    private func waitForPlace() async -> Bool {
        let number = state.withLock { state -> Int? in
            if state.freePlaces > 0 {
                state.freePlaces -= 1
                return nil
            }
            defer { state.nextNumber += 1 }
            return state.nextNumber
        }
        guard let number else { return true }
        let isAdmitted = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in wait(number, continuation) }
        } onCancel: {
            cancel(number)
        }
        // The task may have been cancelled just after it was admitted. The request itself then notices it.
        if Task.isCancelled { state.withLock { _ = $0.cancelled.remove(number) } }
        return isAdmitted
    }

    private func wait(_ number: Int, _ continuation: CheckedContinuation<Bool, Never>) {
        let result = state.withLock { state -> Bool? in
            if state.cancelled.remove(number) != nil { return false }
            // The place of this caller was passed over, or became free, before it waited.
            if state.freePlaces > 0 {
                state.freePlaces -= 1
                return true
            }
            state.waiting[number] = continuation
            state.firstNumber = min(state.firstNumber, number)
            return nil
        }
        if let result { continuation.resume(returning: result) }
    }

    private func cancel(_ number: Int) {
        let continuation = state.withLock { state in
            let continuation = state.waiting.removeValue(forKey: number)
            if continuation == nil { state.cancelled.insert(number) }
            return continuation
        }
        continuation?.resume(returning: false)
    }
}
