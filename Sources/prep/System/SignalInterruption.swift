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

    private struct State {
        var caughtSignal: CInt?
        var isCancelling = false
        /// Cancels the work, once it has begun.
        var cancelWork: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Cancels the work on a signal from now on, instead of terminating the process at once.
    ///
    /// Until then, the work may wait for a pipe without a writer, which cancelling cannot end.
    func beginCancelling() { state.withLock { $0.isCancelling = true } }

    /// Runs `work`. When the process receives SIGINT or SIGTERM, it cancels `work` if `beginCancelling()` was called,
    /// and otherwise terminates the process at once. A second signal always terminates it.
    ///
    /// - Throws: `InterruptedError` if `work` throws a `CancellationError`; any other error of `work`.
    static func cancellingOnSignal<Result: Sendable>(
        _ work: @escaping @Sendable (SignalInterruption) async throws -> Result
    ) async throws -> Result {
        let interruption = SignalInterruption()
        // The signals are handled even if they are ignored at the start, as shells do for the background jobs of
        // scripts: an explicit signal is a request to stop.
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { interruption.handleSignal(number) }
            source.resume()
            return source
        }
        defer { for source in sources { source.cancel() } }
        let task = Task { try await work(interruption) }
        interruption.setWork { task.cancel() }
        do {
            return try await task.value
        } catch is CancellationError {
            throw InterruptedError(signal: interruption.state.withLock { $0.caughtSignal } ?? SIGTERM)
        }
    }

    private func handleSignal(_ number: CInt) {
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
        let (isCancelling, cancelWork) = state.withLock { state in
            state.caughtSignal = state.caughtSignal ?? number
            return (state.isCancelling, state.cancelWork)
        }
        if isCancelling { cancelWork?() } else { kill(getpid(), number) }
    }

    /// Sets the closure that cancels the work, and calls it if a signal was caught before.
    private func setWork(cancel: @escaping @Sendable () -> Void) {
        let wasInterrupted = state.withLock { state in
            state.cancelWork = cancel
            return state.caughtSignal != nil
        }
        if wasInterrupted { cancel() }
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
