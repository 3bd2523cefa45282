internal import Synchronization

/// A pipeline's results, as they come. A run begins with each iterator.
///
/// A result is handed over when it is asked for: who asks for none holds up the run, with no more than `jobs` results
/// waiting. Dropping the iterator, or cancelling the task that iterates, cancels the run.
public struct MediaResultSequence: AsyncSequence, Sendable {
    /// What became of one input.
    public typealias Element = MediaResult
    /// What the inputs threw, or `CancellationError`.
    public typealias Failure = any Error

    private let runPipeline: @Sendable (ResultChannel) async throws -> Void

    init(running run: @escaping @Sendable (ResultChannel) async throws -> Void) { self.runPipeline = run }

    /// Begins a run.
    public func makeAsyncIterator() -> Iterator { Iterator(running: runPipeline) }

    /// One run, whose results are taken one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private let receiver: ResultReceiver

        init(running run: @escaping @Sendable (ResultChannel) async throws -> Void) {
            receiver = ResultReceiver(running: run)
        }

        /// The next result that is ready; nil when the run has ended.
        ///
        /// - Throws: what the inputs threw, once all before it were handed over; `CancellationError` once the run has
        ///   stopped.
        public mutating func next() async throws -> MediaResult? { try await receiver.nextResult() }
    }
}

/// The end of a run at which its results are taken. The run is cancelled when the last reference to this is gone.
private final class ResultReceiver: Sendable {
    private let channel: ResultChannel
    private let runTask: Task<Void, Never>

    init(running run: @escaping @Sendable (ResultChannel) async throws -> Void) {
        let channel = ResultChannel()
        self.channel = channel
        self.runTask = Task {
            do {
                try await run(channel)
                channel.finish(throwing: nil)
            } catch {
                channel.finish(throwing: error)
            }
        }
    }

    deinit { runTask.cancel() }

    func nextResult() async throws -> MediaResult? {
        // Not until the run has stopped is the consumer's wait over.
        try await withTaskCancellationHandler {
            try await channel.nextResult()
        } onCancel: {
            runTask.cancel()
        }
    }
}

/// Where the jobs of a run meet the one who takes their results: each waits for the other.
final class ResultChannel: MediaResultSink {
    private struct PendingResult {
        var result: MediaResult
        var sender: CheckedContinuation<Bool, Never>
    }

    private struct ChannelState {
        /// In the order in which they came.
        var pendingResults: [PendingResult] = []
        var receiver: CheckedContinuation<MediaResult?, any Error>?
        var isFinished = false
        var runError: (any Error)?
    }

    private let state = Mutex(ChannelState())

    /// Waits until the result is taken.
    ///
    /// - Throws: `CancellationError`, as soon as the task is cancelled; then the result is dropped.
    func receiveResult(_ result: MediaResult) async throws {
        let isTaken = await withTaskCancellationHandler {
            await withCheckedContinuation { send(PendingResult(result: result, sender: $0)) }
        } onCancel: {
            withdrawResult(index: result.index)
        }
        if !isTaken { throw CancellationError() }
    }

    /// Waits for a result, or for the end.
    func nextResult() async throws -> MediaResult? {
        try await withCheckedThrowingContinuation { taker in
            let offer: PendingResult? = state.withLock { state in
                if !state.pendingResults.isEmpty { return state.pendingResults.removeFirst() }
                state.receiver = taker
                return nil
            }
            guard let offer else { return completeWaitingReceiver() }
            taker.resume(returning: offer.result)
            offer.sender.resume(returning: true)
        }
    }

    /// The run has ended; nobody offers anything any more.
    func finish(throwing failure: (any Error)?) {
        state.withLock { state in
            state.isFinished = true
            state.runError = failure
        }
        completeWaitingReceiver()
    }

    /// Tells a taker that waits of the end, if that has come: of its cause once.
    private func completeWaitingReceiver() {
        let ending: (taker: CheckedContinuation<MediaResult?, any Error>, failure: (any Error)?)? = state.withLock {
            guard $0.isFinished, let taker = $0.receiver.take() else { return nil }
            return (taker, $0.runError.take())
        }
        guard let ending else { return }
        if let failure = ending.failure {
            ending.taker.resume(throwing: failure)
        } else {
            ending.taker.resume(returning: nil)
        }
    }

    private func send(_ offer: PendingResult) {
        let (taker, isCancelled) = state.withLock { state in
            // A cancellation before this found nothing to withdraw; one after it waits for the lock.
            if Task.isCancelled { return (nil as CheckedContinuation<MediaResult?, any Error>?, true) }
            if state.receiver == nil { state.pendingResults.append(offer) }
            return (state.receiver.take(), false)
        }
        taker?.resume(returning: offer.result)
        if isCancelled || taker != nil { offer.sender.resume(returning: !isCancelled) }
    }

    private func withdrawResult(index: Int) {
        let offer = state.withLock { state in
            state.pendingResults.firstIndex { $0.result.index == index }.map { state.pendingResults.remove(at: $0) }
        }
        offer?.sender.resume(returning: false)
    }
}
