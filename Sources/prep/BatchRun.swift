internal import Ledger
internal import MediaPrep
internal import SystemPackage

/// The preparation of all inputs of a run.
struct BatchRun: Sendable {
    var inputs: InputList
    /// Which of them are this run's.
    var inputPositions: [Int]
    var outputDirectory: OutputDirectory
    /// Nil to do everything, and to record nothing.
    var history: RunHistory?
    /// Whether to do again what was done before.
    var reprocessesAll: Bool
    var pipeline: MediaPipeline
    var keepsDates: Bool
    /// Shows how far the work is, once that is known.
    var showProgress: @Sendable (MediaProgress) -> Void
    var resultConsumer: any ResultConsumer
    var commitPolicy = OutputCommitter.CommitPolicy.highThroughput

    /// Prepares every input that is to be prepared.
    ///
    /// - Throws: a `RunError`; `CancellationError`. What is done by then is kept.
    func run() async throws {
        let committer = OutputCommitter(
            outputDirectory: outputDirectory, history: history, resultConsumer: resultConsumer,
            commitPolicy: commitPolicy)
        async let commits: Void = BlockingThreadPool(threadCount: 1).run { try committer.commitUntilFinished() }
        var failure: (any Error)?
        do {
            try await prepareInputs(committingTo: committer)
        } catch {
            failure = error
        }
        committer.finishEnqueuing()
        do {
            try await commits
        } catch {
            // What the pipeline stopped for was this.
            failure = error
        }
        await BlockingThreadPool.commandThread.run { outputDirectory.removeTemporaryFiles() }
        if let failure { throw failure }
    }

    private func prepareInputs(committingTo committer: OutputCommitter) async throws {
        let remaining = try await BlockingThreadPool.commandThread.run { () throws in try self.remainingPositions() }
        // The large ones first, so that no processor is left waiting at the end for one that was begun last.
        let order = remaining.filter { !inputs.isRejected(at: $0) }.map(UInt32.init).sorted {
            inputs.fileSize(at: Int($0)) > inputs.fileSize(at: Int($1))
        }
        let bytes = order.reduce(0) { $0.addingSaturated(inputs.fileSize(at: Int($1))) }
        showProgress(MediaProgress(totalFiles: remaining.count, totalBytes: bytes))
        try await BlockingThreadPool.commandThread.run {
            for position in remaining where inputs.isRejected(at: position) {
                try committer.enqueue(PendingOutput(manifestLine: ManifestLine(rejecting: inputs[position])))
            }
        }
        let sink = OutputSink(
            inputs: inputs, inputPositions: order, outputDirectory: outputDirectory, committer: committer,
            keepsDates: keepsDates)
        try await pipeline.run(InputSequence(inputs: inputs, inputPositions: order), into: sink)
    }

    /// Those that no earlier run did; the lines of the others are repeated.
    private func remainingPositions() throws -> [Int] {
        guard let history, !reprocessesAll else { return inputPositions }
        return try history.remainingPositions(
            of: inputs, at: inputPositions, in: outputDirectory.path, carryOver: resultConsumer.receiveEarlierRecord)
    }
}

/// What the pipeline is fed with.
private struct InputSequence: AsyncSequence, Sendable {
    let inputs: InputList
    let inputPositions: [UInt32]

    struct AsyncIterator: AsyncIteratorProtocol {
        let inputs: InputList
        var remainingPositions: IndexingIterator<[UInt32]>

        mutating func next() async -> MediaInput? {
            remainingPositions.next().map { MediaInput(path: Array(inputs.pathBytes(at: Int($0)))) }
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(inputs: inputs, remainingPositions: inputPositions.makeIterator())
    }
}
