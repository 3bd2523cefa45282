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
final class CurlLoop: Sendable {
    private struct State {
        var arrived: [CurlSubmission] = []
        /// Nil once it's closed.
        var multi: CurlMulti?
        var hasStarted = false
    }

    let options: CurlTransport.Options
    private let state: Mutex<State>

    init(_ options: CurlTransport.Options) throws(TransportError) {
        self.options = options
        if let path = options.certificateAuthorities, unsafe access(path.map(CChar.init(bitPattern:)) + [0], R_OK) != 0
        {
            throw TransportError(.tls, "the file of certificate authorities can't be read")
        }
        guard let multi = CurlMulti() else { throw TransportError(.outOfResources, "libcurl can't be used") }
        state = Mutex(State(multi: multi))
    }

    /// Hands a request to the thread, which is started if it isn't there.
    func submit(_ submission: CurlSubmission) {
        let isTaken = state.withLock { state in
            if !state.hasStarted {
                guard startThread() else { return false }
                state.hasStarted = true
            }
            state.arrived.append(submission)
            state.multi?.wake()
            return true
        }
        if isTaken { return }
        submission.continuation.resume(
            returning: .failure(TransportError(.outOfResources, "the system gives no thread")))
    }

    /// Has the thread look around.
    func wake() { state.withLock { $0.multi?.wake() } }

    /// Ends the thread. Nothing is under way, since whoever waits for a response holds the transport.
    ///
    /// The connections are closed by the thread, not here: the TLS of some of them may want to write, and only the thread is
    /// safe from SIGPIPE.
    func close() {
        state.withLock { state in
            state.multi?.wake()
            state.multi = nil
        }
    }

    /// What has arrived; nil once it's closed.
    private func takeArrived() -> [CurlSubmission]? {
        state.withLock { state in
            guard state.multi != nil else { return nil }
            defer { state.arrived = [] }
            return state.arrived
        }
    }

    private func run() {
        guard let multi = state.withLock({ $0.multi }) else { return }
        var transfers = CurlTransfers(multi: multi, options: options)
        while let arrived = takeArrived() {
            for submission in arrived { transfers.start(submission) }
            transfers.advance()
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
                    let loop = unsafe Unmanaged<CurlLoop>.fromOpaque(argument).takeRetainedValue()
                #else
                    guard let argument = unsafe argument else { return nil }
                    let loop = unsafe Unmanaged<CurlLoop>.fromOpaque(argument).takeRetainedValue()
                #endif
                // To write where nobody reads is an error here, not the end of the process.
                var signals = sigset_t()
                unsafe sigemptyset(&signals)
                unsafe sigaddset(&signals, SIGPIPE)
                unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
                loop.run()
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
