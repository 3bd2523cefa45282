// `unsafe`: open, and the handlers that C keeps.

internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// SIGINT and SIGTERM, which end a run in order: what is done is kept, what is begun is given up.
final class SignalInterruption: Sendable {
    /// What ended the run.
    struct InterruptedError: Error {
        var signal: CInt
    }

    private let caughtSignal = Mutex<CInt?>(nil)

    /// Does `work`, and cancels it when the process is asked to end. Asked again, it ends at once.
    ///
    /// - Throws: `InterruptedError` if it was cancelled so, and what `work` throws.
    static func cancellingOnSignal<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) async throws
        -> Result
    {
        let interruption = SignalInterruption()
        let task = Task(operation: work)
        // Also where the parent ignores them, as shells do for what scripts start in the background: to be asked is
        // enough.
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                interruption.caughtSignal.withLock { $0 = $0 ?? number }
                for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
                task.cancel()
            }
            source.resume()
            return source
        }
        defer { for source in sources { source.cancel() } }
        do {
            return try await task.value
        } catch is CancellationError {
            throw InterruptedError(signal: interruption.caughtSignal.withLock { $0 } ?? SIGTERM)
        }
    }
}

/// Standard input, output and error, which others may have closed.
enum StandardStreams {
    /// Sees to it that no file that is opened later takes the place of one that is closed, and that to write to a pipe
    /// that nobody reads is an error and not the end.
    static func reopenClosedAndIgnoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
        for number: CInt in 0...2 where fcntl(number, F_GETFD) < 0 {
            // For reading only, so that a write fails as it would on one that is closed.
            _ = unsafe open("/dev/null", O_RDONLY)
        }
    }
}
