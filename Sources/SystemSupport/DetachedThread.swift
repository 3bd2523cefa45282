// `unsafe`: pthread_create, and the reference that is passed to the new thread.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A thread that no other thread joins. The system releases its stack when its work returns.
///
/// Foundation's `Thread` does not report that the system refused a thread, and would add Foundation to modules that
/// need nothing else of it.
package enum DetachedThread {
    /// Holds the work on its way to the new thread.
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts a thread that runs `body`.
    ///
    /// - Returns: `false` if the system refuses a thread. `body` is not called then.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let work = unsafe Unmanaged.passRetained(Work(body))
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let status = unsafe pthread_create(
            &thread, nil,
            { argument in
                #if canImport(Darwin)
                    let work = unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
                #else
                    guard let argument = unsafe argument else { return nil }
                    let work = unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
                #endif
                work.body()
                return nil
            }, work.toOpaque())
        guard status == 0 else {
            unsafe work.release()
            return false
        }
        #if canImport(Darwin)
            if let thread = unsafe thread { unsafe pthread_detach(thread) }
        #else
            pthread_detach(thread)
        #endif
        return true
    }
}
