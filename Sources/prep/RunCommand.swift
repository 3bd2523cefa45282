internal import ArgumentParser
internal import Batch
internal import ImageCodecs
internal import Imaging
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
            Videos in a directory are skipped, also those of Live Photos. A video that you name is rejected, unless \
            the audio policy allows video. Inputs are never changed. A second run into the same directory, with the \
            same options, prepares only what the first one did not finish.

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
        try preparation.validatePolicies()
    }

    func run() async throws {
        defer { DecoderIsolation.endIdleWorkers() }
        try await ExitStatus.exitWithStatus {
            try InstructionSet.selectRequestedSet()
            let batch = try await BlockingThreadPool(threadCount: 1).run { () throws(BatchError) in try makeBatch() }
            let console = ConsoleReporter(messages)
            let summary =
                dryRun
                ? try await batch.writePlan { console.report($0) }
                : try await SignalInterruption.cancellingOnSignal { interruption in
                    try await batch.run { event in
                        if case .inputsFound = event { interruption.beginCancelling() }
                        console.report(event)
                    }
                }
            return summary.hasFailures ? .someInputsFailed : .success
        }
    }

    private func makeBatch() throws(BatchError) -> MediaBatch {
        var options = BatchOptions()
        options.history = state.history
        options.reprocessesAll = state.force
        options.ignoresInode = state.ignoreInode
        options.keepsDates = keepDates
        options.access = access.outputAccess
        options.manifest = manifest?.path
        options.limitsLedgerMemory = true
        options.otherFilesRead = preparation.policyFiles
        return MediaBatch(
            inputs: input.batchInputs, outputDirectory: output.path, pipeline: try preparation.makePipeline(),
            options: options)
    }
}
