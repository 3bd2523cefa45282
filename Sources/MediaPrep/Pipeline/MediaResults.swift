internal import Synchronization

/// A pipeline's results, as they come. A run begins with each iterator.
///
/// A result is handed over when it is asked for: who asks for none holds up the run, with no more than `jobs` results
/// waiting. Dropping the iterator, or cancelling the task that iterates, cancels the run.
public struct MediaResults: AsyncSequence, Sendable {
    /// What became of one input.
    public typealias Element = MediaResult
    /// What the inputs threw, or `CancellationError`.
    public typealias Failure = any Error

    private let run: @Sendable (HandOver) async throws -> Void

    init(of run: @escaping @Sendable (HandOver) async throws -> Void) { self.run = run }

    /// Begins a run.
    public func makeAsyncIterator() -> Iterator { Iterator(run) }

    /// One run, whose results are taken one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private let consumer: Consumer

        init(_ run: @escaping @Sendable (HandOver) async throws -> Void) { consumer = Consumer(run) }

        /// The next result that is ready; nil when the run has ended.
        ///
        /// - Throws: what the inputs threw, once all before it were handed over; `CancellationError` once the run has
        ///   stopped.
        public mutating func next() async throws -> MediaResult? { try await consumer.next() }
    }
}

/// The end of a run at which its results are taken. The run is cancelled when the last reference to this is gone.
private final class Consumer: Sendable {
    private let handOver: HandOver
    private let run: Task<Void, Never>

    init(_ run: @escaping @Sendable (HandOver) async throws -> Void) {
        let handOver = HandOver()
        self.handOver = handOver
        self.run = Task {
            do {
                try await run(handOver)
                handOver.finish(nil)
            } catch {
                handOver.finish(error)
            }
        }
    }

    deinit { run.cancel() }

    func next() async throws -> MediaResult? {
        // Not until the run has stopped is the consumer's wait over.
        try await withTaskCancellationHandler {
            try await handOver.next()
        } onCancel: {
            run.cancel()
        }
    }
}

/// Where the jobs of a run meet the one who takes their results: each waits for the other.
final class HandOver: Sink {
    private struct Offer {
        var result: MediaResult
        var job: CheckedContinuation<Bool, Never>
    }

    private struct State {
        /// In the order in which they came.
        var offers: [Offer] = []
        var taker: CheckedContinuation<MediaResult?, any Error>?
        var isFinished = false
        var failure: (any Error)?
    }

    private let state = Mutex(State())

    /// Waits until the result is taken.
    ///
    /// - Throws: `CancellationError`, as soon as the task is cancelled; then the result is dropped.
    func receive(_ result: MediaResult) async throws {
        let isTaken = await withTaskCancellationHandler {
            await withCheckedContinuation { offer(Offer(result: result, job: $0)) }
        } onCancel: {
            withdraw(result.index)
        }
        if !isTaken { throw CancellationError() }
    }

    /// Waits for a result, or for the end.
    func next() async throws -> MediaResult? {
        try await withCheckedThrowingContinuation { taker in
            let offer: Offer? = state.withLock { state in
                if !state.offers.isEmpty { return state.offers.removeFirst() }
                state.taker = taker
                return nil
            }
            guard let offer else { return settle() }
            taker.resume(returning: offer.result)
            offer.job.resume(returning: true)
        }
    }

    /// The run has ended; nobody offers anything any more.
    func finish(_ failure: (any Error)?) {
        state.withLock { state in
            state.isFinished = true
            state.failure = failure
        }
        settle()
    }

    /// Tells a taker that waits of the end, if that has come: of its cause once.
    private func settle() {
        let ending: (taker: CheckedContinuation<MediaResult?, any Error>, failure: (any Error)?)? = state.withLock {
            guard $0.isFinished, let taker = $0.taker.take() else { return nil }
            return (taker, $0.failure.take())
        }
        guard let ending else { return }
        if let failure = ending.failure {
            ending.taker.resume(throwing: failure)
        } else {
            ending.taker.resume(returning: nil)
        }
    }

    private func offer(_ offer: Offer) {
        let (taker, isCancelled) = state.withLock { state in
            // A cancellation before this found nothing to withdraw; one after it waits for the lock.
            if Task.isCancelled { return (nil as CheckedContinuation<MediaResult?, any Error>?, true) }
            if state.taker == nil { state.offers.append(offer) }
            return (state.taker.take(), false)
        }
        taker?.resume(returning: offer.result)
        if isCancelled || taker != nil { offer.job.resume(returning: !isCancelled) }
    }

    private func withdraw(_ index: Int) {
        let offer = state.withLock { state in
            state.offers.firstIndex { $0.result.index == index }.map { state.offers.remove(at: $0) }
        }
        offer?.job.resume(returning: false)
    }
}
