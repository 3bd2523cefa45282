// `unsafe`: open takes a C string.

internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Cancels a run on SIGINT or SIGTERM. Committed results are kept, and unfinished ones are discarded.
final class SignalInterruption: Sendable {
    /// An error that indicates a run that was cancelled by a signal.
    struct InterruptedError: Error {
        var signal: CInt
    }

    private let caughtSignal = Mutex<CInt?>(nil)

    /// Runs `work`, and cancels it when the process receives SIGINT or SIGTERM. A second signal terminates the process
    /// at once.
    ///
    /// - Throws: `InterruptedError` if `work` throws a `CancellationError`; any other error of `work`.
    static func cancellingOnSignal<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) async throws
        -> Result
    {
        let interruption = SignalInterruption()
        let task = Task(operation: work)
        // The signals are handled even if they are ignored at the start, as shells do for the background jobs of
        // scripts: an explicit signal is a request to stop.
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

/// The standard streams, which may be closed when the process starts.
enum StandardStreams {
    /// Opens closed standard streams, and ignores SIGPIPE.
    ///
    /// A file that is opened later then never gets the descriptor of a standard stream. Writing to a pipe without a
    /// reader fails with an error instead of terminating the process.
    static func reopenClosedAndIgnoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
        for number: CInt in 0...2 where fcntl(number, F_GETFD) < 0 {
            // Opened only for reading, so that a write fails as it would on a closed descriptor.
            _ = unsafe open("/dev/null", O_RDONLY)
        }
    }
}
