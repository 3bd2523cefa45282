internal import Ledger
internal import MediaPrep
internal import SystemPackage

/// The preparation of all inputs of a run.
struct Batch: Sendable {
    var inputs: InputList
    /// Which of them are this run's.
    var positions: [Int]
    var directory: OutputDirectory
    /// Nil to do everything, and to record nothing.
    var history: History?
    /// Whether to do again what was done before.
    var isForced: Bool
    var pipeline: MediaPipeline
    var keepsDates: Bool
    /// Shows how far the work is, once that is known.
    var show: @Sendable (MediaProgress) -> Void
    var recipient: any Recipient
    var pace = Committer.Pace.batches

    /// Prepares every input that is to be prepared.
    ///
    /// - Throws: a `RunError`; `CancellationError`. What is done by then is kept.
    func run() async throws {
        let committer = Committer(directory: directory, history: history, recipient: recipient, pace: pace)
        async let commits: Void = BlockingThreadPool(threadCount: 1).run { try committer.run() }
        var failure: (any Error)?
        do {
            try await prepare(committer)
        } catch {
            failure = error
        }
        committer.close()
        do {
            try await commits
        } catch {
            // What the pipeline stopped for was this.
            failure = error
        }
        await BlockingThreadPool.command.run { directory.close() }
        if let failure { throw failure }
    }

    private func prepare(_ committer: Committer) async throws {
        let remaining = try await BlockingThreadPool.command.run { () throws in try self.remaining() }
        // The large ones first, so that no processor is left waiting at the end for one that was begun last.
        let order = remaining.filter { !inputs.isRefused(at: $0) }.map(UInt32.init).sorted {
            inputs.size(at: Int($0)) > inputs.size(at: Int($1))
        }
        let bytes = order.reduce(0) { $0.addingSaturated(inputs.size(at: Int($1))) }
        show(MediaProgress(totalFiles: remaining.count, totalBytes: bytes))
        try await BlockingThreadPool.command.run {
            for position in remaining where inputs.isRefused(at: position) {
                try committer.add(Finished(line: ManifestLine(refusing: inputs[position])))
            }
        }
        let sink = OutputSink(
            inputs: inputs, positions: order, directory: directory, committer: committer, keepsDates: keepsDates)
        try await pipeline.run(InputSequence(inputs: inputs, positions: order), into: sink)
    }

    /// Those that no earlier run did; the lines of the others are repeated.
    private func remaining() throws -> [Int] {
        guard let history, !isForced else { return positions }
        return try history.remaining(of: inputs, at: positions, in: directory.path, carry: recipient.receive)
    }
}

/// What the pipeline is fed with.
private struct InputSequence: AsyncSequence, Sendable {
    let inputs: InputList
    let positions: [UInt32]

    struct AsyncIterator: AsyncIteratorProtocol {
        let inputs: InputList
        var positions: IndexingIterator<[UInt32]>

        mutating func next() async -> MediaInput? {
            positions.next().map { MediaInput(path: Array(inputs.pathBytes(at: Int($0)))) }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(inputs: inputs, positions: positions.makeIterator()) }
}
