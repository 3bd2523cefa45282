/// Distributes the inputs of a sequence to concurrent jobs, one at a time and in order.
///
/// The sequence is iterated on the threads of the calling job's task, so it may block.
actor MediaInputFeed<Inputs: AsyncSequence> where Inputs.Element == MediaInput {
    /// The iterator; `nil` while it is advanced, and after the end.
    private var iterator: Inputs.AsyncIterator?
    private var deliveredCount = 0
    /// Serializes the calls of `nextInput`. The actor alone does not, since it is reentrant at each `await`.
    private let iteratorLock = MemoryBudget(limit: 1)
    /// The error that the sequence threw.
    private(set) var sequenceError: (any Error)?

    init(_ inputs: sending Inputs) { iterator = inputs.makeAsyncIterator() }

    /// Returns the next input and its position, or `nil` after the last one or after the sequence threw.
    ///
    /// - Throws: `CancellationError`.
    func nextInput() async throws(CancellationError) -> (index: Int, input: MediaInput)? {
        _ = try await iteratorLock.acquire(byteCount: 1)
        defer { iteratorLock.release(byteCount: 1) }
        guard var iterator = iterator.take() else { return nil }
        do {
            guard let input = try await iterator.next(isolation: self) else {
                // A cancelled sequence may end early, which must not look like its regular end.
                if Task.isCancelled { throw CancellationError() }
                return nil
            }
            self.iterator = iterator
            deliveredCount += 1
            return (deliveredCount - 1, input)
        } catch {
            if Task.isCancelled { throw CancellationError() }
            sequenceError = error
            return nil
        }
    }
}
