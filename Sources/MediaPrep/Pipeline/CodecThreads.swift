// `unsafe`: pthread_create, and the reference that it carries to the thread.

internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Threads for work that blocks: C decoders and file access. A task that runs here leaves Swift's own threads, of which
/// there are only as many as cores, to everyone else.
///
/// The threads are started with the first piece of work, and end when the last reference to this object is gone.
public final class CodecThreads: TaskExecutor {
    /// As many threads as processors may be used. What is `async` in this module runs here.
    public static let shared = CodecThreads(count: AvailableProcessors.count)

    /// How many there are.
    public let count: Int

    private let queue = JobQueue()
    private let hasStarted = Atomic(false)

    /// - Parameter count: how many threads, at least 1.
    public init(count: Int) {
        precondition(count > 0, "work needs a thread")
        self.count = count
    }

    deinit { queue.close() }

    /// Queues a piece of a task: the requirement of `TaskExecutor`.
    public func enqueue(_ job: consuming ExecutorJob) {
        if !hasStarted.exchange(true, ordering: .relaxed) {
            // With fewer threads than asked for, where the system sets a limit, the work is only slower.
            let started = (0..<count).count { _ in queue.startThread() }
            precondition(started > 0, "the system gives no thread")
        }
        unsafe queue.append(.init(job: UnownedJob(job), executor: unsafe asUnownedTaskExecutor()))
    }

    /// Runs `work` on one of the threads.
    ///
    /// - Throws: what `work` throws.
    public func run<Result: Sendable, Failure: Error>(
        _ work: sending () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await withTaskExecutorPreference(self) { () throws(Failure) in try work() }
    }
}

/// Jobs waiting for a thread. Shared by the executor and its threads, so that these don't keep the executor alive.
private final class JobQueue: Sendable {
    @safe struct Entry {
        var job: UnownedJob
        var executor: UnownedTaskExecutor
    }

    private struct State {
        var entries: [Entry] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Counts what `next` can return: entries, and after closing one for each thread that is to learn of it.
    private let available = DispatchSemaphore(value: 0)

    func append(_ entry: sending Entry) {
        state.withLock { $0.entries.append(entry) }
        available.signal()
    }

    func close() {
        state.withLock { $0.isClosed = true }
        available.signal()
    }

    /// Waits for the next job; nil once the queue is closed and empty.
    private func next() -> Entry? {
        available.wait()
        let entry = state.withLock { $0.entries.isEmpty ? nil : $0.entries.removeFirst() }
        if entry == nil { available.signal() }
        return entry
    }

    /// False if the system gives none.
    func startThread() -> Bool {
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
                    let queue = unsafe Unmanaged<JobQueue>.fromOpaque(argument).takeRetainedValue()
                #else
                    guard let argument = unsafe argument else { return nil }
                    let queue = unsafe Unmanaged<JobQueue>.fromOpaque(argument).takeRetainedValue()
                #endif
                while let entry = queue.next() { unsafe entry.job.runSynchronously(on: entry.executor) }
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
