internal import Ledger
public import MediaPrep
public import SystemPackage
internal import SystemSupport

/// Prepares files and directories into an output directory, and resumes interrupted runs.
///
/// ```swift
/// let batch = MediaBatch(inputs: BatchInputs(paths: ["photos"]), outputDirectory: "ready")
/// let summary = try await batch.run()
/// print(summary.inputCount, summary.hasFailures)
/// ```
///
/// Every input gets one line in the manifest. Each output is complete: it is written to a draft, synchronized to disk
/// and renamed. The results are recorded in a ledger, so that a second run into the same directory prepares only
/// new and changed inputs. Inputs are never modified, and nothing outside the output directory is created, changed or
/// removed, except a manifest or a ledger that the options name.
///
/// Only one run at a time can use a ledger, or write a manifest. Runs that share an output directory each need a shard,
/// or a ledger and a manifest of their own.
public struct MediaBatch: Sendable {
    /// The files and directories to prepare.
    public var inputs: BatchInputs
    /// The directory for the outputs. It is created if it does not exist.
    public var outputDirectory: FilePath
    /// The pipeline that prepares the inputs. Its options decide, with those of the batch, whether earlier results are
    /// still valid.
    public var pipeline: MediaPipeline
    /// The options of the batch.
    public var options: BatchOptions

    /// Creates a batch. Nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - inputs: The files and directories to prepare.
    ///   - outputDirectory: The directory for the outputs.
    ///   - pipeline: The pipeline that prepares the inputs.
    ///   - options: The options of the batch.
    public init(
        inputs: BatchInputs, outputDirectory: FilePath, pipeline: MediaPipeline = MediaPipeline(),
        options: BatchOptions = BatchOptions()
    ) {
        self.inputs = inputs
        self.outputDirectory = outputDirectory
        self.pipeline = pipeline
        self.options = options
    }

    /// Prepares the inputs that are not up to date.
    ///
    /// - Parameter onEvent: Receives the events, on threads of the run.
    /// - Returns: The totals.
    /// - Throws: ``BatchError`` if the run cannot begin or go on, and `CancellationError`. Results that were committed
    ///   before are kept. An input that cannot be prepared is a result and no error.
    /// - Complexity: Memory of 64 bytes and the path for each input, besides what the pipeline needs.
    @discardableResult
    public func run(onEvent: @escaping @Sendable (BatchEvent) -> Void = { _ in }) async throws -> BatchSummary {
        let thread = BlockingThreadPool(threadCount: 1)
        let (run, recorder, ledger) = try await thread.run { () throws in try openRun(onEvent: onEvent) }
        return try await recorder.finishRun(closing: ledger, on: thread, onEnd: { onEvent(.ended($0)) }) {
            try await run.run()
        }
    }

    /// Examines the inputs and writes a manifest of the results that ``run(onEvent:)`` would have, which can be used as
    /// a plan. Nothing else is written, except that the ledger of an earlier version gets the current format.
    ///
    /// - Parameter onEvent: Receives the events, on threads of the run.
    /// - Returns: The totals.
    /// - Throws: ``BatchError`` if an input list, the ledger or the manifest cannot be read or written, and
    ///   `CancellationError`.
    @discardableResult
    public func writePlan(onEvent: @escaping @Sendable (BatchEvent) -> Void = { _ in }) async throws -> BatchSummary {
        let thread = BlockingThreadPool(threadCount: 1)
        let (run, recorder, ledger) = try await thread.run { () throws in try openDryRun(onEvent: onEvent) }
        return try await recorder.finishRun(closing: ledger, on: thread, onEnd: { onEvent(.ended($0)) }) {
            try await thread.run { () throws in try run.run() }
        }
    }

    // MARK: Opening the files of a run

    /// Finds the inputs and opens all files of the run. This blocks the calling thread.
    private func openRun(
        onEvent: @escaping @Sendable (BatchEvent) -> Void
    ) throws -> (BatchRun, RunRecorder, LedgerDatabase?) {
        let selection = try findInputs(onEvent: onEvent)
        let manifestPath = manifestPath(isDryRun: false)
        let directory = try OutputDirectory(
            path: outputDirectory, protecting: selection.inputs,
            reservedPaths: [manifestPath, ledgerPath], access: options.access)
        let ledger = try openLedger(protecting: selection, mustExist: false)
        let history = try ledger.map(makeHistory)
        let recorder = try makeRecorder(for: selection, manifestPath: manifestPath, isDryRun: false, onEvent: onEvent)
        let run = BatchRun(
            selection: selection, outputDirectory: directory, history: history,
            reprocessesAll: options.reprocessesAll, pipeline: pipeline, keepsDates: options.keepsDates,
            onStart: { onEvent(.started($0)) }, resultConsumer: recorder, commitPolicy: .highThroughput)
        return (run, recorder, ledger)
    }

    /// Finds the inputs and opens all files of the dry run. This blocks the calling thread.
    private func openDryRun(
        onEvent: @escaping @Sendable (BatchEvent) -> Void
    ) throws -> (DryRun, RunRecorder, LedgerDatabase?) {
        let selection = try findInputs(onEvent: onEvent)
        let ledger = try openLedger(protecting: selection, mustExist: true)
        let history = try ledger.map(makeHistory)
        let recorder = try makeRecorder(
            for: selection, manifestPath: manifestPath(isDryRun: true), isDryRun: true, onEvent: onEvent)
        let run = DryRun(
            selection: selection, history: options.reprocessesAll ? nil : history, outputDirectory: outputDirectory,
            inspector: MediaInspector(imagePreparer: pipeline.imagePreparer, audioPreparer: pipeline.audioPreparer),
            recorder: recorder)
        return (run, recorder, ledger)
    }

    private func findInputs(onEvent: @escaping @Sendable (BatchEvent) -> Void) throws -> InputSelection {
        let selection = try InputSelection(inputs, excludingOutput: outputDirectory) { link in
            onEvent(.unfollowedLink(FilePath(bytes: link) ?? ""))
        }
        onEvent(.inputsFound(count: selection.inputs.count))
        return selection
    }

    /// The path of the ledger, which is protected even if this run does not use it.
    private var ledgerPath: FilePath {
        switch options.history {
        case .inOutputDirectory, .none:
            OutputDirectory.stateDirectory(in: outputDirectory)
                .appending("ledger\(inputs.shard?.fileNameSuffix ?? "").sqlite")
        case .file(let path): path
        }
    }

    private func manifestPath(isDryRun: Bool) -> FilePath {
        options.manifest
            ?? (isDryRun ? "-" : outputDirectory.appending(ManifestWriter.defaultFileName(shard: inputs.shard)))
    }

    /// Opens the ledger. Returns `nil` if nothing is recorded, or the ledger must exist and does not.
    private func openLedger(protecting selection: InputSelection, mustExist: Bool) throws -> LedgerDatabase? {
        let path = ledgerPath
        let isNamed: Bool
        switch options.history {
        case .inOutputDirectory: isNamed = false
        case .file: isNamed = true
        case .none: return nil
        }
        if mustExist, FileIdentity(path) == nil { return nil }
        try overwriteGuard(for: selection).check(path, role: "ledger")
        if options.limitsLedgerMemory { try LedgerDatabase.limitMemoryThrowingBatchError() }
        return try LedgerDatabase.open(
            at: path, followsLinks: isNamed, access: options.access,
            adviceIfInUse: "wait for it, or give this run a shard, or a ledger and a manifest of its own")
    }

    private func makeHistory(in ledger: LedgerDatabase) throws -> RunHistory {
        try RunHistory(
            ledger: ledger, pipeline: pipeline, keepsDates: options.keepsDates,
            isPublic: options.access == .everyone, ignoresInode: options.ignoresInode)
    }

    private func overwriteGuard(for selection: InputSelection) -> OverwriteGuard {
        OverwriteGuard(inputs: selection.inputs, otherFiles: inputs.auxiliaryFilesRead + options.otherFilesRead)
    }

    private func makeRecorder(
        for selection: InputSelection, manifestPath: FilePath, isDryRun: Bool,
        onEvent: @escaping @Sendable (BatchEvent) -> Void
    ) throws -> RunRecorder {
        var files = overwriteGuard(for: selection)
        files.otherFiles.append(("ledger", ledgerPath))
        try files.check(manifestPath, role: "manifest")
        let writer =
            options.manifest != nil || isDryRun
            ? try ManifestWriter(path: manifestPath, access: options.access)
            : try ManifestWriter(
                creating: ManifestWriter.defaultFileName(shard: inputs.shard), in: outputDirectory,
                access: options.access)
        let recorder = RunRecorder(manifest: writer, onEvent: onEvent)
        for completed in selection.completedLines {
            try recorder.recordExistingLine(
                completed.line, summary: ResultSummary(completed.entry), source: .plan)
        }
        return recorder
    }
}
