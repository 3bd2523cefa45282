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
public final class BlockingThreadPool: TaskExecutor {
    /// As many threads as processors may be used. What is `async` in this module runs here.
    public static let shared = BlockingThreadPool(threadCount: AvailableProcessors.count)

    /// How many there are.
    public let threadCount: Int

    private let jobQueue = ThreadPoolJobQueue()
    private let hasStarted = Atomic(false)

    /// - Parameter threadCount: how many threads, at least 1.
    public init(threadCount: Int) {
        precondition(threadCount > 0, "work needs a thread")
        self.threadCount = threadCount
    }

    deinit { jobQueue.close() }

    /// Queues a piece of a task: the requirement of `TaskExecutor`.
    public func enqueue(_ job: consuming ExecutorJob) {
        if !hasStarted.exchange(true, ordering: .relaxed) {
            // With fewer threads than asked for, where the system sets a limit, the work is only slower.
            let started = (0..<threadCount).count { _ in jobQueue.startThread() }
            precondition(started > 0, "the system gives no thread")
        }
        unsafe jobQueue.appendJob(.init(job: UnownedJob(job), executor: unsafe asUnownedTaskExecutor()))
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
private final class ThreadPoolJobQueue: Sendable {
    @safe struct QueuedJob {
        var job: UnownedJob
        var executor: UnownedTaskExecutor
    }

    private struct JobQueueState {
        var queuedJobs: [QueuedJob] = []
        var isClosed = false
    }

    private let state = Mutex(JobQueueState())
    /// Counts what `waitForNextJob` can return: entries, and after closing one for each thread that is to learn of it.
    private let wakeSemaphore = DispatchSemaphore(value: 0)

    func appendJob(_ entry: sending QueuedJob) {
        state.withLock { $0.queuedJobs.append(entry) }
        wakeSemaphore.signal()
    }

    func close() {
        state.withLock { $0.isClosed = true }
        wakeSemaphore.signal()
    }

    /// Waits for the next job; nil once the queue is closed and empty.
    private func waitForNextJob() -> QueuedJob? {
        wakeSemaphore.wait()
        let entry = state.withLock { $0.queuedJobs.isEmpty ? nil : $0.queuedJobs.removeFirst() }
        if entry == nil { wakeSemaphore.signal() }
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
                    let queue = unsafe Unmanaged<ThreadPoolJobQueue>.fromOpaque(argument).takeRetainedValue()
                #else
                    guard let argument = unsafe argument else { return nil }
                    let queue = unsafe Unmanaged<ThreadPoolJobQueue>.fromOpaque(argument).takeRetainedValue()
                #endif
                while let entry = queue.waitForNextJob() { unsafe entry.job.runSynchronously(on: entry.executor) }
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
