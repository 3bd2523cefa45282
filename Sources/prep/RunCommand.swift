internal import ArgumentParser
internal import Imaging
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

    @OptionGroup(title: "Images")
    var image: ImageArguments

    @OptionGroup(title: "Recordings")
    var audio: AudioArguments

    @OptionGroup(title: "Earlier runs")
    var state: StateArguments

    @Flag(
        help: "Only say what would be done: a manifest for --plan, on standard output unless --manifest names a file.")
    var dryRun = false

    @Flag(help: "Give outputs the time of their input's last change.")
    var keepDates = false

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Files at a time. Default: the processors available.", valueName: "n"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "Memory that pictures may take together, such as 512MiB: fewer are prepared at a time, and one that needs more alone is "
                + "rejected. Default: half of what there is.", valueName: "bytes"))
    var maxMemory: ByteCount?

    @Option(
        help: ArgumentHelp(
            "Where the JSON Lines report goes, - for standard output. Default: DIR/manifest.jsonl, for a shard "
                + "DIR/manifest-I-of-N.jsonl.", valueName: "file|-"))
    var manifest: PathArgument?

    @Flag(name: [.short, .long], help: "Print no messages, summary or progress.")
    var quiet = false

    @Option(help: "Show how far the work is: auto means a bar on a terminal, and a line every ten seconds elsewhere.")
    var progress = ProgressMode.auto

    func validate() throws {
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs must be 1 to 1024, not \(jobs).") }
    }

    func run() async throws {
        let status: ExitStatus
        do {
            status = try await CodecThreads(count: 1).run { try start() }()
        } catch let error as RunError {
            Terminal.printError("prep: \(error.message)")
            status = .runFailed
        } catch let caught as Interruption.Caught {
            status = ExitStatus(signal: caught.signal)
        }
        if status != .success { throw ExitCode(status.rawValue) }
    }

    /// Finds and opens everything, and gives what is then to be done. Blocks.
    private func start() throws -> @Sendable () async throws -> ExitStatus {
        try checkInstructionSet()
        var recordingOptions = try audio.options()
        recordingOptions.allowsTruncated = image.allowTruncated
        let images = ImagePreparer(image.options), recordings = AudioPreparer(recordingOptions)
        let selection = try InputSelection(input, except: output.path)
        let directory =
            dryRun ? nil : try OutputDirectory(output.path, sparing: selection.inputs, and: [manifestPath, statePath])
        let history = try openHistory(images, recordings, selection)
        let reporter = try makeReporter(selection)
        guard let directory else {
            let dryRun = DryRun(
                inputs: selection.inputs, positions: selection.positions, history: state.force ? nil : history,
                directory: output.path, inspection: Inspection(images: images, recordings: recordings),
                reporter: reporter)
            return { try await CodecThreads(count: 1).run { try dryRun.run() } }
        }
        let batch = Batch(
            inputs: selection.inputs, positions: selection.positions, directory: directory, history: history,
            isForced: state.force,
            pipeline: MediaPipeline(
                images: images, recordings: recordings, jobs: jobs, memoryLimit: maxMemory?.bytes),
            keepsDates: keepDates, progress: quiet ? .never : progress, reporter: reporter)
        return { try await Interruption.catching { try await batch.run() } }
    }

    private var statePath: FilePath { state.path(in: output.path, input.shard) }

    private var manifestPath: FilePath {
        manifest?.path ?? (dryRun ? "-" : output.path.appending("manifest\(input.shard?.suffix ?? "").jsonl"))
    }

    /// Nil for a run without state, and for a dry run where there was none before.
    private func openHistory(
        _ images: ImagePreparer, _ recordings: AudioPreparer, _ selection: InputSelection
    ) throws -> History? {
        let path = statePath
        if state.noState || dryRun && FileIdentity(path) == nil { return nil }
        try checkReplacesNothing(path, "ledger", selection)
        let fingerprint = Fingerprint(images: images.options, recordings: recordings.options, keepsDates: keepDates)
        return try History(path, fingerprint: try fingerprint.bytes(), ignoresInode: state.ignoreInode)
    }

    private func makeReporter(_ selection: InputSelection) throws -> Reporter {
        let path = manifestPath
        if path != "-" { try checkReplacesNothing(path, "manifest", selection) }
        let reporter = Reporter(manifest: try ManifestWriter(path), isQuiet: quiet)
        for settled in selection.settled { try reporter.carryOver(settled.line, Ending(settled.entry), from: .plan) }
        return reporter
    }

    /// What the run writes besides outputs must be none of the files that it reads.
    private func checkReplacesNothing(_ path: FilePath, _ role: String, _ selection: InputSelection) throws(RunError) {
        guard let existing = FileIdentity(path) else { return }
        if selection.inputs.contains(existing) { throw RunError("the \(role) \(path) would replace an input") }
        var others = [
            ("plan", input.plan?.path), ("list of inputs", input.filesFrom?.path),
            ("audio policy", audio.audioPolicy?.path),
        ]
        if role != "ledger" { others.append(("ledger", statePath)) }
        for case let (name, other?) in others where other != "-" && FileIdentity(other) == existing {
            throw RunError("the \(role) \(path) would replace the \(name)")
        }
    }

    /// Asking for instructions that can't be had is a mistake worth telling, not one to pass over.
    private func checkInstructionSet() throws(RunError) {
        guard let name = InstructionSet.requested else { return }
        if InstructionSet(rawValue: name)?.isAvailable != true {
            let available = InstructionSet.allCases.filter(\.isAvailable).map(\.rawValue).joined(separator: ", ")
            throw RunError("PREP_SIMD asks for \(name); this build on this machine has \(available)")
        }
    }
}
