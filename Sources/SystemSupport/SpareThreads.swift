internal import Synchronization

/// The number of threads that may still be started to speed up work that already has a thread.
///
/// Whoever takes a thread gives it back when it ends. ``take()`` may leave the count negative; then none is left until
/// as many are given back.
package final class SpareThreads: Sendable {
    private let count: Atomic<Int>
    private let givenCount = Atomic<Int>(0)

    /// Creates an allowance of `count` threads.
    package init(count: Int) { self.count = Atomic(count) }

    /// The number of times that ``takeIfLeft()`` has returned `true`, for tests.
    package var takenCount: Int { givenCount.load(ordering: .relaxed) }

    /// Takes a thread if one is left.
    ///
    /// - Returns: Whether a thread was taken.
    package func takeIfLeft() -> Bool {
        var left = count.load(ordering: .relaxed)
        while left > 0 {
            let (exchanged, original) = count.weakCompareExchange(
                expected: left, desired: left - 1, ordering: .acquiring)
            if exchanged {
                givenCount.add(1, ordering: .relaxed)
                return true
            }
            left = original
        }
        return false
    }

    /// Takes a thread in any case, for work that has its own.
    package func take() { count.subtract(1, ordering: .acquiring) }

    /// Gives a thread back, or adds one.
    package func giveBack() { count.add(1, ordering: .releasing) }
}
