internal import Dispatch
internal import Synchronization

/// A value that another thread computes while this thread goes on.
package final class BackgroundValue<Value: Sendable>: Sendable {
    private let result = Mutex<Value?>(nil)
    private let isComputed = DispatchSemaphore(value: 0)

    /// Starts to compute a value on a spare thread. If none is left, the value is computed at once.
    ///
    /// - Parameters:
    ///   - threads: The threads of which one may be used; `nil` for none.
    ///   - compute: The computation.
    package convenience init(on threads: SpareThreads?, _ compute: @escaping @Sendable () -> Value) {
        if let threads, threads.takeIfLeft() {
            self.init(onThreadTakenFrom: threads, compute)
        } else {
            self.init(compute())
        }
    }

    /// Starts to compute a value on a thread that was taken from `threads`. The thread is given back once the value is
    /// computed. If the system refuses a thread, the value is computed at once.
    package init(onThreadTakenFrom threads: SpareThreads, _ compute: @escaping @Sendable () -> Value) {
        let work: @Sendable () -> Void = {
            let value = compute()
            threads.giveBack()
            self.set(value)
        }
        if !DetachedThread.start(work) { work() }
    }

    private init(_ value: Value) { set(value) }

    /// Waits until the value is computed.
    package func wait() -> Value {
        while true {
            if let value = result.withLock({ $0 }) { return value }
            isComputed.wait()
            isComputed.signal()  // for the next thread that waits
        }
    }

    private func set(_ value: Value) {
        result.withLock { $0 = value }
        isComputed.signal()
    }
}
