/// Hands a sequence's inputs to many takers, one at a time and in order.
///
/// Inputs are taken on the threads of the taker's task, so a sequence may block.
actor InputFeed<Inputs: AsyncSequence> where Inputs.Element == MediaInput {
    /// Nil while it is advanced, and behind the end.
    private var iterator: Inputs.AsyncIterator?
    private var count = 0
    /// Whose turn it is: an actor alone lets in others while `next` waits.
    private let turn = MemoryBudget(1)
    /// What the sequence threw.
    private(set) var failure: (any Error)?

    init(_ inputs: sending Inputs) { iterator = inputs.makeAsyncIterator() }

    /// The next input and its position; nil behind the last, and after the sequence threw.
    ///
    /// - Throws: `CancellationError`.
    func next() async throws(CancellationError) -> (index: Int, input: MediaInput)? {
        _ = try await turn.acquire(1)
        defer { turn.release(1) }
        guard var iterator = iterator.take() else { return nil }
        do {
            guard let input = try await iterator.next(isolation: self) else {
                // Sequences end early when they are cancelled.
                if Task.isCancelled { throw CancellationError() }
                return nil
            }
            self.iterator = iterator
            count += 1
            return (count - 1, input)
        } catch {
            if Task.isCancelled { throw CancellationError() }
            failure = error
            return nil
        }
    }
}
