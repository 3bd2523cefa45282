internal import MediaPrep

extension BlockingThreadPool {
    /// A single thread for the blocking work before and after a run.
    static let commandThread = BlockingThreadPool(threadCount: 1)
}
