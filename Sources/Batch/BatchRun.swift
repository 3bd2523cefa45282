internal import Ledger
package import MediaPrep
internal import SystemPackage

/// The preparation of all inputs of a run.
package struct BatchRun: Sendable {
    var selection: InputSelection
    var outputDirectory: OutputDirectory
    /// The results of earlier runs, or `nil` to process all inputs and record nothing.
    var history: RunHistory?
    /// Whether inputs are processed even if an earlier run did so.
    var reprocessesAll: Bool
    var pipeline: MediaPipeline
    var keepsDates: Bool
    /// Called when the amount of work is known.
    var onStart: @Sendable (MediaProgress) -> Void
    var resultConsumer: any ResultConsumer
    var commitPolicy: OutputCommitter.CommitPolicy
    /// The thread for what blocks, besides the commits.
    private let thread = BlockingThreadPool(threadCount: 1)

    private var inputs: InputList { selection.inputs }

    package init(
        selection: InputSelection, outputDirectory: OutputDirectory, history: RunHistory?, reprocessesAll: Bool,
        pipeline: MediaPipeline, keepsDates: Bool, onStart: @escaping @Sendable (MediaProgress) -> Void,
        resultConsumer: any ResultConsumer, commitPolicy: OutputCommitter.CommitPolicy
    ) {
        self.selection = selection
        self.outputDirectory = outputDirectory
        self.history = history
        self.reprocessesAll = reprocessesAll
        self.pipeline = pipeline
        self.keepsDates = keepsDates
        self.onStart = onStart
        self.resultConsumer = resultConsumer
        self.commitPolicy = commitPolicy
    }

    /// Prepares the inputs that are not up to date.
    ///
    /// - Throws: `BatchError` or `CancellationError`. Results that were committed before are kept.
    package func run() async throws {
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
            // This is the original error: it made the pipeline stop.
            failure = error
        }
        await thread.run { outputDirectory.removeTemporaryFiles() }
        if let failure { throw failure }
    }

    private func prepareInputs(committingTo committer: OutputCommitter) async throws {
        let (inputs, positions) = try await thread.run { () throws in try self.beginInputs(committingTo: committer) }
        let writer = OutputWriter(
            inputs: inputs, inputPositions: positions, outputDirectory: outputDirectory, committer: committer,
            keepsDates: keepsDates)
        try await pipeline.run(PipelineInputs(inputs: inputs, inputPositions: positions), into: writer)
    }

    /// Reports what is to be done, and enqueues the results of the inputs that are rejected or skipped unread.
    ///
    /// - Returns: The inputs as they were checked, and the positions of the other ones. The largest files come first,
    ///   so that no large file is still being prepared after all others are done.
    private func beginInputs(
        committingTo committer: OutputCommitter
    ) throws -> (inputs: InputList, positions: [UInt32]) {
        var checkedInputs = inputs
        let remaining = try remainingPositions(in: &checkedInputs)
        let readable = remaining.filter { checkedInputs.isToBePrepared(at: $0) }
        let bytes = readable.reduce(0) { $0.addingSaturated(inputs.fileSize(at: $1)) }
        onStart(MediaProgress(totalFiles: remaining.count, totalBytes: bytes))
        for position in remaining where !checkedInputs.isToBePrepared(at: position) {
            let input = checkedInputs[position]
            // A rejection by name is not recorded. It is decided again by each run, together with the other inputs.
            try committer.enqueue(
                PendingOutput(
                    manifestLine: ManifestLine(unprepared: input),
                    inputVersion: input.isLivePhotoVideo ? input.fileVersion : nil))
        }
        let largestFirst = readable.sorted { inputs.fileSize(at: $0) > inputs.fileSize(at: $1) }
        return (checkedInputs, largestFirst.map(UInt32.init))
    }

    /// Returns the positions of the inputs that are not up to date. The recorded lines of the others are reported
    /// again. Inputs that would replace the output of another input are rejected.
    private func remainingPositions(in inputs: inout InputList) throws -> [Int] {
        guard let history, !reprocessesAll else { return selection.inputPositions }
        return try history.remainingPositions(
            of: &inputs, at: selection.inputPositions, in: outputDirectory.path,
            carryOver: resultConsumer.receiveEarlierRecord)
    }
}

/// The sequence of inputs for the pipeline.
private struct PipelineInputs: AsyncSequence, Sendable {
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
