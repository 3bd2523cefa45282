internal import ArgumentParser
internal import Imaging
internal import Ledger
internal import MediaPrep
internal import SystemPackage

/// `prep run`: every image among the inputs becomes an upload-ready JPEG below the output directory, every recording a copy
/// without positions.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Prepare files and directories.",
        discussion: """
            A directory is searched with all below it and mirrored under the output directory; hidden files are left alone. \
            Videos met in a directory are skipped; a video that is named is rejected, unless the audio policy allows \
            video. \
            Inputs are never changed. What an earlier run into the same directory did, with the same options, is not done \
            again, however that run ended.

            Examples:
              prep photos --output ready
              prep photos --output ready --max-dimension 1024 --max-bytes 500000
              find visits -type f -print0 | prep run --files-from - -0 -o ready
              prep photos --output ready --dry-run > plan.jsonl
              prep run --plan plan.jsonl --output ready
              prep photos --output ready --shard 1/4

            Exit status: 0 every input ended well; 1 at least one was rejected or failed; 2 the run itself could not be \
            carried out; 64 wrong usage; 130 and 143 interrupted.
            """)

    @OptionGroup(title: "Inputs")
    var input: InputArguments

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Directory for the results; made if it isn't there.", valueName: "dir"))
    var output: PathArgument

    @OptionGroup
    var preparation: PreparationArguments

    @OptionGroup(title: "Earlier runs")
    var state: StateArguments

    @Flag(
        help: "Only say what would be done: a manifest for --plan, on standard output unless --manifest names a file.")
    var dryRun = false

    @Flag(help: "Give outputs the time of their input's last change.")
    var keepDates = false

    @Option(
        help: ArgumentHelp(
            "Where the JSON Lines report goes, - for standard output. Default: DIR/manifest.jsonl, for a shard "
                + "DIR/manifest-I-of-N.jsonl.", valueName: "file|-"))
    var manifest: PathArgument?

    @OptionGroup
    var access: OutputAccessArguments

    @OptionGroup
    var messages: MessageArguments

    func validate() throws {
        if input.sources == 0 {
            throw ValidationError("Name at least one file or directory, or a list with --files-from.")
        }
    }

    func run() async throws {
        try await ExitStatus.end { try await BlockingThreadPool.command.run { try start() }() }
    }

    /// Finds and opens everything, and gives what is then to be done. Blocks.
    private func start() throws -> @Sendable () async throws -> ExitStatus {
        try InstructionSet.checkRequest()
        let pipeline = try preparation.pipeline()
        let selection = try InputSelection(input, except: output.path, isQuiet: messages.quiet)
        let directory =
            dryRun
            ? nil
            : try OutputDirectory(
                output.path, sparing: selection.inputs, and: [manifestPath, statePath], access: access.access)
        let ledger = try openLedger(selection)
        let history = try ledger.map { ledger in
            try History(
                ledger, of: pipeline, keepsDates: keepDates, isPublic: access.isPublic, ignoresInode: state.ignoreInode)
        }
        let reporter = try makeReporter(selection)
        guard let directory else {
            let dryRun = DryRun(
                inputs: selection.inputs, positions: selection.positions, history: state.force ? nil : history,
                directory: output.path,
                inspection: Inspection(images: pipeline.imagePreparer, recordings: pipeline.audioPreparer),
                reporter: reporter)
            return {
                try await reporter.finishing(ledger) { try await BlockingThreadPool.command.run { try dryRun.run() } }
            }
        }
        let batch = Batch(
            inputs: selection.inputs, positions: selection.positions, directory: directory, history: history,
            isForced: state.force,
            pipeline: pipeline, keepsDates: keepDates,
            show: { [progress = messages.shownProgress] in reporter.show($0, progress) }, recipient: reporter)
        return { try await Interruption.catching { try await reporter.finishing(ledger) { try await batch.run() } } }
    }

    private var statePath: FilePath { state.path(in: output.path, input.shard) }

    private var manifestPath: FilePath {
        manifest?.path ?? (dryRun ? "-" : output.path.appending(ManifestWriter.defaultName(input.shard)))
    }

    private func makeManifestWriter() throws(RunError) -> ManifestWriter {
        if manifest != nil || dryRun { return try ManifestWriter(manifestPath, access: access.access) }
        return try ManifestWriter(
            creating: ManifestWriter.defaultName(input.shard), in: output.path, access: access.access)
    }

    /// Nil for a run without state, and for a dry run where there was none before.
    private func openLedger(_ selection: InputSelection) throws -> LedgerDatabase? {
        let path = statePath
        if state.noState || dryRun && FileIdentity(path) == nil { return nil }
        try filesRead(selection).spare(path, "ledger")
        return try LedgerDatabase.opened(
            at: path, isNamed: state.state != nil, access: access.access,
            advice: "wait for it, or give this run a --shard or --state of its own")
    }

    private func filesRead(_ selection: InputSelection) -> FilesRead {
        FilesRead(
            inputs: selection.inputs, others: input.filesRead + [("audio policy", preparation.audio.audioPolicy?.path)])
    }

    private func makeReporter(_ selection: InputSelection) throws -> Reporter {
        let path = manifestPath
        var files = filesRead(selection)
        files.others.append(("ledger", statePath))
        try files.spare(path, "manifest")
        let reporter = Reporter(manifest: try makeManifestWriter(), isQuiet: messages.quiet)
        for settled in selection.settled { try reporter.carryOver(settled.line, Ending(settled.entry), from: .plan) }
        return reporter
    }
}
