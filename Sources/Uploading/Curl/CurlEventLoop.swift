// `unsafe`: pthread_create, and the reference that it carries to the thread.

internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The thread that all of a transport's transfers run on, and the way to it.
final class CurlEventLoop: Sendable {
    private struct State {
        var submissions: [CurlSubmission] = []
        /// Nil once it's closed.
        var curlMultiHandle: CurlMultiHandle?
        var hasStartedThread = false
    }

    let options: CurlTransport.Options
    private let state: Mutex<State>

    init(options: CurlTransport.Options) throws(TransportError) {
        self.options = options
        if let path = options.certificateAuthoritiesPath,
            unsafe access(path.map(CChar.init(bitPattern:)) + [0], R_OK) != 0
        {
            throw TransportError(code: .tlsFailed, message: "the file of certificate authorities can't be read")
        }
        guard let multi = CurlMultiHandle() else {
            throw TransportError(code: .outOfResources, message: "libcurl can't be used")
        }
        state = Mutex(State(curlMultiHandle: multi))
    }

    /// Hands a request to the thread, which is started if it isn't there.
    func submitRequest(_ submission: CurlSubmission) {
        let isAccepted = state.withLock { state in
            if !state.hasStartedThread {
                guard startThread() else { return false }
                state.hasStartedThread = true
            }
            state.submissions.append(submission)
            state.curlMultiHandle?.wake()
            return true
        }
        if isAccepted { return }
        submission.continuation.resume(
            returning: .failure(TransportError(code: .outOfResources, message: "the system gives no thread")))
    }

    /// Has the thread look around.
    func wake() { state.withLock { $0.curlMultiHandle?.wake() } }

    /// Ends the thread. Nothing is under way, since whoever waits for a response holds the transport.
    ///
    /// The connections are closed by the thread, not here: the TLS of some of them may want to write, and only the
    /// thread is safe from SIGPIPE.
    func stop() {
        state.withLock { state in
            state.curlMultiHandle?.wake()
            state.curlMultiHandle = nil
        }
    }

    /// What has arrived; nil once it's closed.
    private func takeSubmissions() -> [CurlSubmission]? {
        state.withLock { state in
            guard state.curlMultiHandle != nil else { return nil }
            defer { state.submissions = [] }
            return state.submissions
        }
    }

    private func runLoop() {
        guard let curlMultiHandle = state.withLock({ $0.curlMultiHandle }) else { return }
        var transfers = CurlTransferSet(curlMultiHandle: curlMultiHandle, options: options)
        while let submissions = takeSubmissions() {
            for submission in submissions { transfers.startTransfer(submission) }
            transfers.performAndWait()
        }
    }

    /// False if the system gives none.
    private func startThread() -> Bool {
        let reference = unsafe Unmanaged.passRetained(self)
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let status = unsafe pthread_create(
            &thread, nil,
            { argument in
                #if canImport(Darwin)
                    let loop = unsafe Unmanaged<CurlEventLoop>.fromOpaque(argument).takeRetainedValue()
                #else
                    guard let argument = unsafe argument else { return nil }
                    let loop = unsafe Unmanaged<CurlEventLoop>.fromOpaque(argument).takeRetainedValue()
                #endif
                // To write where nobody reads is an error here, not the end of the process.
                var signals = sigset_t()
                unsafe sigemptyset(&signals)
                unsafe sigaddset(&signals, SIGPIPE)
                unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
                loop.runLoop()
                return nil
            }, reference.toOpaque())
        guard status == 0 else {
            unsafe reference.release()
            return false
        }
        // Nobody waits for it, so the system is to take its stack back when it ends.
        #if canImport(Darwin)
            if let thread = unsafe thread { unsafe pthread_detach(thread) }
        #else
            pthread_detach(thread)
        #endif
        return true
    }
}
