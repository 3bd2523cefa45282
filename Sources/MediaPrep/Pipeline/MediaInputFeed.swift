/// Hands a sequence's inputs to many takers, one at a time and in order.
///
/// Inputs are taken on the threads of the taker's task, so a sequence may block.
actor MediaInputFeed<Inputs: AsyncSequence> where Inputs.Element == MediaInput {
    /// Nil while it is advanced, and behind the end.
    private var iterator: Inputs.AsyncIterator?
    private var deliveredCount = 0
    /// Whose turn it is: an actor alone lets in others while `nextInput` waits.
    private let iteratorLock = MemoryBudget(limit: 1)
    /// What the sequence threw.
    private(set) var sequenceError: (any Error)?

    init(_ inputs: sending Inputs) { iterator = inputs.makeAsyncIterator() }

    /// The next input and its position; nil behind the last, and after the sequence threw.
    ///
    /// - Throws: `CancellationError`.
    func nextInput() async throws(CancellationError) -> (index: Int, input: MediaInput)? {
        _ = try await iteratorLock.acquire(byteCount: 1)
        defer { iteratorLock.release(byteCount: 1) }
        guard var iterator = iterator.take() else { return nil }
        do {
            guard let input = try await iterator.next(isolation: self) else {
                // Sequences end early when they are cancelled.
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
