internal import Synchronization

/// The results of a pipeline, in the order in which they finish. Each iterator starts a run.
///
/// The run pauses while no result is requested, with at most one waiting result for each job. It is cancelled when the
/// iterator is released, or when the iterating task is cancelled.
public struct MediaResultSequence: AsyncSequence, Sendable {
    /// The result of one input.
    public typealias Element = MediaResult
    /// The error of the input sequence, or `CancellationError`.
    public typealias Failure = any Error

    private let runPipeline: @Sendable (ResultChannel) async throws -> Void

    init(running run: @escaping @Sendable (ResultChannel) async throws -> Void) { self.runPipeline = run }

    /// Starts a run and returns its iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(running: runPipeline) }

    /// An iterator over the results of one run.
    public struct Iterator: AsyncIteratorProtocol {
        private let receiver: ResultReceiver

        init(running run: @escaping @Sendable (ResultChannel) async throws -> Void) {
            receiver = ResultReceiver(running: run)
        }

        /// Returns the next finished result, or `nil` after the run has ended.
        ///
        /// - Throws: The error of the input sequence, after the results of all inputs before it; `CancellationError`
        ///   after the run has stopped.
        public mutating func next() async throws -> MediaResult? { try await receiver.nextResult() }
    }
}

/// The receiving side of a run. The run is cancelled when this object is deinitialized.
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
        // The wait must not end before the run has stopped, so cancellation is only forwarded to it.
        try await withTaskCancellationHandler {
            try await channel.nextResult()
        } onCancel: {
            runTask.cancel()
        }
    }
}

/// A rendezvous of the jobs of a run with the receiver of their results: each side waits for the other.
final class ResultChannel: MediaResultSink {
    private struct UndeliveredResult {
        var result: MediaResult
        var sender: CheckedContinuation<Bool, Never>
    }

    private struct ChannelState {
        /// The waiting results, in the order in which they arrived.
        var undeliveredResults: [UndeliveredResult] = []
        var receiver: CheckedContinuation<MediaResult?, any Error>?
        var isFinished = false
        var runError: (any Error)?
    }

    private let state = Mutex(ChannelState())

    /// Waits until the receiver has taken the result.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled; the result is then dropped.
    func receiveResult(_ result: MediaResult) async throws {
        let isTaken = await withTaskCancellationHandler {
            await withCheckedContinuation { send(UndeliveredResult(result: result, sender: $0)) }
        } onCancel: {
            withdrawResult(index: result.index)
        }
        if !isTaken { throw CancellationError() }
    }

    /// Waits for a result. Returns `nil`, or throws the run's error, after the end of the run.
    func nextResult() async throws -> MediaResult? {
        try await withCheckedThrowingContinuation { receiver in
            let undelivered: UndeliveredResult? = state.withLock { state in
                if !state.undeliveredResults.isEmpty { return state.undeliveredResults.removeFirst() }
                state.receiver = receiver
                return nil
            }
            guard let undelivered else { return completeWaitingReceiver() }
            receiver.resume(returning: undelivered.result)
            undelivered.sender.resume(returning: true)
        }
    }

    /// Ends the channel. No result is sent after it.
    ///
    /// - Parameter failure: The error of the run, or `nil`.
    func finish(throwing failure: (any Error)?) {
        state.withLock { state in
            state.isFinished = true
            state.runError = failure
        }
        completeWaitingReceiver()
    }

    /// Resumes a waiting receiver if the run has ended. The run's error is thrown only once.
    private func completeWaitingReceiver() {
        let ending: (receiver: CheckedContinuation<MediaResult?, any Error>, failure: (any Error)?)? = state.withLock {
            guard $0.isFinished, let receiver = $0.receiver.take() else { return nil }
            return (receiver, $0.runError.take())
        }
        guard let ending else { return }
        if let failure = ending.failure {
            ending.receiver.resume(throwing: failure)
        } else {
            ending.receiver.resume(returning: nil)
        }
    }

    private func send(_ undelivered: UndeliveredResult) {
        let (receiver, isCancelled) = state.withLock { state in
            // A cancellation before this point found no result to withdraw. One after it waits for the lock.
            if Task.isCancelled { return (nil as CheckedContinuation<MediaResult?, any Error>?, true) }
            if state.receiver == nil { state.undeliveredResults.append(undelivered) }
            return (state.receiver.take(), false)
        }
        receiver?.resume(returning: undelivered.result)
        if isCancelled || receiver != nil { undelivered.sender.resume(returning: !isCancelled) }
    }

    private func withdrawResult(index: Int) {
        let undelivered = state.withLock { state in
            state.undeliveredResults.firstIndex { $0.result.index == index }.map {
                state.undeliveredResults.remove(at: $0)
            }
        }
        undelivered?.sender.resume(returning: false)
    }
}
