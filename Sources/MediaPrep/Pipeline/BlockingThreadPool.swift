// `unsafe`: pthread_create, and the reference that is passed to the new thread.

internal import Dispatch
internal import Synchronization
internal import SystemSupport

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A pool of threads for work that blocks, such as C decoders and file access.
///
/// Swift's own threads are only as many as there are cores. Blocking work on this pool leaves them free for other
/// tasks. The threads start with the first job, and end when the pool is deinitialized.
public final class BlockingThreadPool: TaskExecutor {
    /// The pool of the `async` methods in this module. It has one thread for each available processor.
    public static let shared = BlockingThreadPool(threadCount: AvailableProcessors.count)

    /// The number of threads.
    public let threadCount: Int

    private let jobQueue = ThreadPoolJobQueue()
    private let hasStarted = Atomic(false)

    /// Creates a pool. Its threads start with the first job.
    ///
    /// - Parameter threadCount: The number of threads, at least 1.
    public init(threadCount: Int) {
        precondition(threadCount > 0, "work needs a thread")
        self.threadCount = threadCount
    }

    deinit { jobQueue.close() }

    /// Queues a job of a task, as `TaskExecutor` requires.
    public func enqueue(_ job: consuming ExecutorJob) {
        if !hasStarted.exchange(true, ordering: .relaxed) {
            // If the system allows fewer threads, the work is only slower.
            let started = (0..<threadCount).count { _ in jobQueue.startThread() }
            precondition(started > 0, "the system cannot create a thread")
        }
        unsafe jobQueue.appendJob(.init(job: UnownedJob(job), executor: unsafe asUnownedTaskExecutor()))
    }

    /// Runs `work` on one of the threads.
    ///
    /// - Parameter work: The work, which may block.
    /// - Returns: The result of `work`.
    /// - Throws: The error of `work`.
    public func run<Result: Sendable, Failure: Error>(
        _ work: sending () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await withTaskExecutorPreference(self) { () throws(Failure) in try work() }
    }
}

/// The queue of jobs. The threads share it with the pool, so that they do not keep the pool alive.
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
    /// Counts the queued jobs. After closing it also wakes one idle thread after another.
    private let wakeSemaphore = DispatchSemaphore(value: 0)

    func appendJob(_ entry: sending QueuedJob) {
        state.withLock { $0.queuedJobs.append(entry) }
        wakeSemaphore.signal()
    }

    func close() {
        state.withLock { $0.isClosed = true }
        wakeSemaphore.signal()
    }

    /// Waits for the next job. Returns `nil` when the queue is closed and empty.
    private func waitForNextJob() -> QueuedJob? {
        wakeSemaphore.wait()
        let entry = state.withLock { $0.queuedJobs.isEmpty ? nil : $0.queuedJobs.removeFirst() }
        if entry == nil { wakeSemaphore.signal() }
        return entry
    }

    /// Starts a thread. Returns `false` if the system does not allow it.
    func startThread() -> Bool {
        DetachedThread.start { [self] in
            while let entry = waitForNextJob() { unsafe entry.job.runSynchronously(on: entry.executor) }
        }
    }
}
