internal import MediaPrep

extension CodecThreads {
    /// One thread for what blocks before a run's work and after it, one after the other.
    static let command = CodecThreads(count: 1)
}
