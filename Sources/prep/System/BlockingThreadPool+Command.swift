internal import MediaPrep

extension BlockingThreadPool {
    /// One thread for what blocks before a run's work and after it, one after the other.
    static let commandThread = BlockingThreadPool(threadCount: 1)
}
