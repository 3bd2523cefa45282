// `unsafe`: pthread_create, and the reference that it passes to the thread.

internal import HTTPCalls
internal import Synchronization
internal import SystemSupport

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The thread that runs all transfers of a transport, and the queue of requests for it.
final class CurlEventLoop: Sendable {
    private struct State {
        var submissions: [CurlSubmission] = []
        /// Whether a task was cancelled since the submissions were last taken.
        var hasCancellation = false
        /// `nil` once the loop is stopped.
        var curlMultiHandle: CurlMultiHandle?
        var hasStartedThread = false
    }

    let options: CurlTransport.Options
    private let state: Mutex<State>

    /// Creates an event loop. Its thread starts with the first request.
    ///
    /// - Throws: `TransportError.Code.tlsFailed` if the file of certificate authorities cannot be read;
    ///   `TransportError.Code.outOfResources` if libcurl cannot be used.
    init(options: CurlTransport.Options) throws(TransportError) {
        self.options = options
        if let path = options.certificateAuthoritiesPath,
            unsafe access(path.map(CChar.init(bitPattern:)) + [0], R_OK) != 0
        {
            throw TransportError(
                code: .tlsFailed,
                message: "the file of certificate authorities can't be read: "
                    + SystemCallError(errnoCode: errno).message)
        }
        guard let multi = CurlMultiHandle() else {
            throw TransportError(
                code: .outOfResources, message: "libcurl can't be used: it is not installed, or memory is exhausted")
        }
        state = Mutex(State(curlMultiHandle: multi))
    }

    /// Queues a request for the thread, and starts the thread if necessary.
    func submitRequest(_ submission: CurlSubmission) {
        let isAccepted = state.withLock { state in
            if !state.hasStartedThread {
                guard startThread() else { return false }
                state.hasStartedThread = true
            }
            // The thread takes all submissions at once, so that one wake-up suffices for all of them.
            if state.submissions.isEmpty { state.curlMultiHandle?.wake() }
            state.submissions.append(submission)
            return true
        }
        if isAccepted { return }
        submission.continuation.resume(
            returning: .failure(TransportError(code: .outOfResources, message: "the system cannot create a thread")))
    }

    /// Wakes the thread, which then ends the requests of cancelled tasks.
    func noteCancellation() {
        state.withLock { state in
            state.hasCancellation = true
            state.curlMultiHandle?.wake()
        }
    }

    /// Stops the thread. No transfer is in progress, because a caller that waits for a response retains the transport.
    ///
    /// The thread itself closes the connections: closing TLS may write to a socket, and only that thread blocks
    /// SIGPIPE.
    func stop() {
        state.withLock { state in
            state.curlMultiHandle?.wake()
            state.curlMultiHandle = nil
        }
    }

    /// Returns the queued requests and empties the queue, and whether a task was cancelled; `nil` once the loop is
    /// stopped.
    private func takeSubmissions() -> (submissions: [CurlSubmission], hasCancellation: Bool)? {
        state.withLock { state in
            guard state.curlMultiHandle != nil else { return nil }
            defer { (state.submissions, state.hasCancellation) = ([], false) }
            return (state.submissions, state.hasCancellation)
        }
    }

    private func runLoop() {
        guard let curlMultiHandle = state.withLock({ $0.curlMultiHandle }) else { return }
        var transfers = CurlTransferSet(curlMultiHandle: curlMultiHandle, options: options)
        while let (submissions, hasCancellation) = takeSubmissions() {
            transfers.add(submissions)
            if hasCancellation { transfers.removeCancelled() }
            transfers.performAndWait()
        }
    }

    /// Starts the thread.
    ///
    /// - Returns: `false` if the system cannot create a thread.
    private func startThread() -> Bool {
        DetachedThread.start { [self] in
            // Block SIGPIPE: writing to a closed connection must be an error and not end the process.
            var signals = sigset_t()
            unsafe sigemptyset(&signals)
            unsafe sigaddset(&signals, SIGPIPE)
            unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
            runLoop()
        }
    }
}
