internal import ArgumentParser
internal import Imaging
internal import Ledger
internal import MediaPrep
internal import SystemPackage

/// `prep run`: prepares files for upload.
///
/// Each image becomes an upright JPEG below the output directory. Each audio file is copied there without location
/// metadata.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Prepare files and directories.",
        discussion: """
            A directory is searched recursively and mirrored under the output directory. Hidden files are ignored. \
            Videos in a directory are skipped. A video that you name is rejected, unless the audio policy allows \
            video. Inputs are never changed. A second run into the same directory, with the same options, prepares \
            only what the first one did not finish.

            Examples:
              prep photos --output ready
              prep photos --output ready --max-dimension 1024 --max-bytes 500000
              find visits -type f -print0 | prep run --files-from - -0 -o ready
              prep photos --output ready --dry-run > plan.jsonl
              prep run --plan plan.jsonl --output ready
              prep photos --output ready --shard 1/4

            Exit status: 0 no input was rejected or failed; 1 at least one was; 2 the run itself failed; 64 wrong \
            usage; 130 and 143 interrupted.
            """)

    @OptionGroup(title: "Inputs")
    var input: InputArguments

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Directory for the outputs; created if it does not exist.", valueName: "dir"))
    var output: PathArgument

    @OptionGroup
    var preparation: PreparationArguments

    @OptionGroup(title: "Earlier runs")
    var state: StateArguments

    @Flag(
        help: "Write only the manifest of what would be done, for --plan; to standard output, or to --manifest.")
    var dryRun = false

    @Flag(help: "Give outputs the modification time of their input.")
    var keepDates = false

    @Option(
        help: ArgumentHelp(
            "File for the manifest in JSON Lines, or - for standard output. Default: DIR/manifest.jsonl; for a shard "
                + "DIR/manifest-I-of-N.jsonl.", valueName: "file|-"))
    var manifest: PathArgument?

    @OptionGroup
    var access: OutputAccessArguments

    @OptionGroup
    var messages: MessageArguments

    func validate() throws {
        if input.sourceCount == 0 {
            throw ValidationError("Name at least one file or directory, or a list with --files-from.")
        }
    }

    func run() async throws {
        try await ExitStatus.exitWithStatus { try await BlockingThreadPool.commandThread.run { try prepareRun() }() }
    }

    /// Finds the inputs, opens all files of the run, and returns its remaining work. This blocks the calling thread.
    private func prepareRun() throws -> @Sendable () async throws -> ExitStatus {
        try InstructionSet.validateRequestedSet()
        let pipeline = try preparation.makePipeline()
        let selection = try InputSelection(arguments: input, excludingOutput: output.path, isQuiet: messages.quiet)
        let directory =
            dryRun
            ? nil
            : try OutputDirectory(
                path: output.path, protecting: selection.inputs, reservedPaths: [manifestPath, ledgerPath],
                access: access.outputAccess)
        let ledger = try openLedger(protecting: selection)
        let history = try ledger.map { ledger in
            try RunHistory(
                ledger: ledger, pipeline: pipeline, keepsDates: keepDates, isPublic: access.isPublic,
                ignoresInode: state.ignoreInode)
        }
        let reporter = try makeReporter(for: selection)
        guard let directory else {
            let dryRun = DryRun(
                inputs: selection.inputs, inputPositions: selection.inputPositions,
                history: state.force ? nil : history,
                outputDirectory: output.path,
                inspector: MediaInspector(imagePreparer: pipeline.imagePreparer, audioPreparer: pipeline.audioPreparer),
                reporter: reporter)
            return {
                try await reporter.finishRun(closing: ledger) {
                    try await BlockingThreadPool.commandThread.run { try dryRun.run() }
                }
            }
        }
        let batch = BatchRun(
            inputs: selection.inputs, inputPositions: selection.inputPositions, outputDirectory: directory,
            history: history,
            reprocessesAll: state.force,
            pipeline: pipeline, keepsDates: keepDates,
            showProgress: { [progress = messages.effectiveProgressMode] in reporter.showProgress($0, mode: progress) },
            resultConsumer: reporter)
        return {
            try await SignalInterruption.cancellingOnSignal {
                try await reporter.finishRun(closing: ledger) { try await batch.run() }
            }
        }
    }

    private var ledgerPath: FilePath { state.ledgerPath(in: output.path, shard: input.shard) }

    private var manifestPath: FilePath {
        manifest?.path ?? (dryRun ? "-" : output.path.appending(ManifestWriter.defaultFileName(shard: input.shard)))
    }

    private func makeManifestWriter() throws(RunError) -> ManifestWriter {
        if manifest != nil || dryRun { return try ManifestWriter(path: manifestPath, access: access.outputAccess) }
        return try ManifestWriter(
            creating: ManifestWriter.defaultFileName(shard: input.shard), in: output.path, access: access.outputAccess)
    }

    /// Opens the ledger. Returns `nil` with `--no-state`, and for a dry run if the ledger does not exist.
    private func openLedger(protecting selection: InputSelection) throws -> LedgerDatabase? {
        let path = ledgerPath
        if state.noState || dryRun && FileIdentity(path) == nil { return nil }
        try overwriteGuard(for: selection).check(path, role: "ledger")
        return try LedgerDatabase.open(
            at: path, followsLinks: state.state != nil, access: access.outputAccess,
            adviceIfInUse: "wait for it, or give this run a --shard or --state of its own")
    }

    private func overwriteGuard(for selection: InputSelection) -> OverwriteGuard {
        OverwriteGuard(
            inputs: selection.inputs,
            otherFiles: input.auxiliaryFilesRead + [("audio policy", preparation.audio.audioPolicy?.path)])
    }

    private func makeReporter(for selection: InputSelection) throws -> RunReporter {
        let path = manifestPath
        var files = overwriteGuard(for: selection)
        files.otherFiles.append(("ledger", ledgerPath))
        try files.check(path, role: "manifest")
        let reporter = RunReporter(manifest: try makeManifestWriter(), isQuiet: messages.quiet)
        for settled in selection.completedLines {
            try reporter.reportExistingLine(settled.line, summary: ResultSummary(settled.entry), source: .plan)
        }
        return reporter
    }
}
