internal import Synchronization

/// The number of threads that may still be started to speed up work that already has a thread.
///
/// Whoever takes a thread gives it back when it ends. So the processors are not shared by more threads than intended,
/// whatever the number of concurrent computations.
package final class SpareThreads: Sendable {
    private let count: Atomic<Int>

    /// Creates an allowance of `count` threads.
    package init(count: Int) { self.count = Atomic(count) }

    /// Takes a thread if one is left.
    ///
    /// - Returns: Whether a thread was taken.
    package func takeIfLeft() -> Bool {
        var left = count.load(ordering: .relaxed)
        while left > 0 {
            let (exchanged, original) = count.weakCompareExchange(
                expected: left, desired: left - 1, ordering: .relaxed)
            if exchanged { return true }
            left = original
        }
        return false
    }

    /// Takes a thread in any case, for work that has its own.
    package func take() { count.subtract(1, ordering: .relaxed) }

    /// Gives a thread back, or adds one.
    package func giveBack() { count.add(1, ordering: .relaxed) }
}
