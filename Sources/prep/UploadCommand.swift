internal import ArgumentParser
internal import Imaging
internal import Ledger
internal import MediaPrep
internal import SystemPackage
internal import Uploading

/// `prep upload`: what is prepared is sent, each file once.
struct UploadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload",
        abstract: "Prepare files and directories and send them, or send what was prepared.",
        discussion: """
            Files are sent as soon as they are ready, a few at a time, while others are being prepared. What becomes of each is \
            recorded: a run that was stopped is continued by the same command, and what the server has is not sent again. \
            What was sent whole without an answer is outcome-unknown: it is listed, and sent again only with --retry-unknown, or \
            where the server honours keys (--idempotent).

            The token stands in PREP_TOKEN, or in the file that --token-file names.

            Examples:
              prep upload throat.heic.jpg --to symptom-sentry --base-url https://api.example.com --type throat
              prep upload visits --to pet-visits --base-url https://api.example.com --appointment ABC123 --pets pets.csv
              prep upload photos --to https://example.com/upload --field album=42 --part photo --output ready
              prep upload --from-manifest ready/manifest.jsonl --to https://example.com/upload --idempotent

            Exit status: 0 every input is with the server; 1 at least one was rejected, failed, or may be; 2 the run itself could \
            not be carried out; 64 wrong usage; 130 and 143 interrupted.
            """)

    @OptionGroup(title: "Inputs")
    var input: InputArguments

    @Option(
        help: ArgumentHelp(
            "Send what this manifest lists. Files are looked for below --output, or else beside the manifest.",
            valueName: "file|-"))
    var fromManifest: PathArgument?

    @Option(
        name: .customLong("state"),
        help: ArgumentHelp(
            "With --from-manifest: the ledger of the run that prepared the files, if that was given --state; may be given several "
                + "times. What an earlier version of prep made of the same inputs and sent is then not sent again.",
            valueName: "file"))
    var states: [PathArgument] = []

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Directory for the prepared files and the record of what was sent. Default: the record is in your state directory, and "
                + "prepared files are removed at the end.", valueName: "dir"))
    var output: PathArgument?

    @OptionGroup(title: "Where to")
    var destination: DestinationArguments

    @OptionGroup(title: "Sending")
    var transfer: TransferArguments

    @OptionGroup
    var preparation: PreparationArguments

    @Option(
        help: ArgumentHelp(
            "Where the JSON Lines report goes, - for standard output. Default: DIR/manifest.jsonl if files are prepared into --output, else -.",
            valueName: "file|-"))
    var manifest: PathArgument?

    @OptionGroup
    var access: OutputAccessArguments

    @OptionGroup
    var messages: MessageArguments

    func validate() throws {
        if input.sources + (fromManifest == nil ? 0 : 1) != 1 {
            throw ValidationError("Name files or directories, or a list with --files-from, --plan or --from-manifest.")
        }
        if fromManifest != nil && (input.base != nil || input.shard != nil) {
            throw ValidationError(
                "A manifest names its outputs itself, and all are sent: --base and --shard have no place.")
        }
        if fromManifest == nil && !states.isEmpty {
            throw ValidationError("--state means nothing without --from-manifest.")
        }
        if fromManifest != nil && input.follow {
            throw ValidationError("--follow cannot be combined with --from-manifest.")
        }
    }

    func run() async throws {
        Secrets.turnOffCoreFiles()
        try await ExitStatus.end { try await BlockingThreadPool.command.run { try start() }() }
    }

    /// Finds and opens everything, and gives what is then to be done. Blocks.
    private func start() throws -> @Sendable () async throws -> ExitStatus {
        try InstructionSet.checkRequest()
        let endpoint = try destination.endpoint()
        let place = try UploadPlace(output?.path, for: endpoint)
        let client = try makeClient()
        let selection =
            fromManifest == nil ? try InputSelection(input, except: place.files, isQuiet: messages.quiet) : nil
        try spareFilesRead(selection?.inputs ?? InputList(), place)
        let ledger = try LedgerDatabase.opened(
            at: place.ledger, isNamed: false, access: access.access, advice: "wait for it")
        try place.clear()
        let reporter = Reporter(manifest: try makeManifestWriter(), isQuiet: messages.quiet)
        var uploader = Uploader(destination: destination.destination(endpoint), client: client, ledger: ledger)
        uploader.maxConcurrentUploads = transfer.uploads
        uploader.retriesUnconfirmed = transfer.retryUnknown
        uploader.resendsAcknowledged = transfer.force
        let feed = UploadFeed(
            UploadPreparation(
                directory: fromManifest == nil ? place.files : manifestDirectory,
                sendsNames: destination.originalNames, pets: try destination.petTable(),
                earlierDigests: EarlierDigests(
                    ledger: ledger, keepsOutputs: output != nil, others: try digestsBesideManifest(place.ledger))),
            reporter)
        let run = UploadRun(
            uploader, feed, reporter,
            responses: try transfer.responses.map {
                try ResponseDirectory($0.path, sparing: selection?.inputs ?? InputList(), access: access.access)
            },
            keepsFiles: output != nil || fromManifest != nil)
        let prepare: @Sendable () async throws -> Void
        if let selection {
            let batch = try makeBatch(selection, place, ledger, feed, reporter)
            let settled = selection.settled
            prepare = {
                try await BlockingThreadPool(threadCount: 1).run {
                    for settled in settled { try feed.add(settled.entry, settled.line, from: .plan) }
                }
                try await batch.run()
            }
        } else {
            let path = fromManifest?.path ?? "-"
            prepare = { try await BlockingThreadPool(threadCount: 1).run { try Self.repeatManifest(path, feed) } }
        }
        return {
            try await Interruption.catching {
                try await reporter.finishing(ledger) {
                    var failure: (any Error)?
                    do { try await run.run(prepare) } catch { failure = error }
                    try await BlockingThreadPool.command.run { () throws(RunError) in try place.clear() }
                    if let failure { throw failure }
                }
            }
        }
    }

    private func spareFilesRead(_ inputs: InputList, _ place: UploadPlace) throws(RunError) {
        var files = FilesRead(
            inputs: inputs,
            others: input.filesRead + [
                ("audio policy", preparation.audio.audioPolicy?.path), ("manifest that is sent", fromManifest?.path),
                ("table of pets", destination.pets?.path), ("token file", transfer.tokenFile?.path),
                ("file of certificates", transfer.cacert?.path),
            ] + states.map { ("ledger of the preparation", $0.path) })
        try files.spare(place.ledger, "ledger")
        files.others.append(("ledger", place.ledger))
        try files.spare(manifestPath, "manifest")
    }

    private func makeClient() throws -> HTTPClient {
        let tokens = try TokenSource(transfer.tokenFile?.path)
        if tokens.isReadByOthers, !messages.quiet {
            Terminal.printError("prep: warning: others can read the token file; make it yours alone with chmod 600")
        }
        var policy = destination.retryPolicy
        policy.maxAttempts = transfer.maxAttempts
        var options = CurlTransport.Options()
        options.certificateAuthoritiesPath = transfer.cacert?.path.bytes
        do {
            return HTTPClient(
                transport: try CurlTransport(options: options), tokenProvider: tokens, retryPolicy: policy,
                timeouts: transfer.timeouts,
                logger: transfer.logger)
        } catch {
            throw RunError(error.message)
        }
    }

    private func makeBatch(
        _ selection: InputSelection, _ place: UploadPlace, _ ledger: LedgerDatabase, _ feed: UploadFeed,
        _ reporter: Reporter
    ) throws -> Batch {
        let pipeline = try preparation.pipeline()
        let history = try History(
            ledger, of: pipeline, keepsDates: false, isPublic: access.isPublic, ignoresInode: false,
            keepsOutputs: output != nil)
        var inputs = selection.inputs
        inputs.areForAudio = destination.isForAudio
        return Batch(
            inputs: inputs, positions: selection.positions,
            directory: try OutputDirectory(
                place.files, sparing: selection.inputs, and: [manifestPath, place.ledger], access: access.access),
            history: history, isForced: transfer.force,
            pipeline: pipeline, keepsDates: false,
            show: { [progress = messages.shownProgress] in reporter.show($0, progress) }, recipient: feed, pace: .soon)
    }

    /// Hands over all lines of a manifest. Blocks.
    private static func repeatManifest(_ path: FilePath, _ feed: UploadFeed) throws {
        var reader = try ManifestReader(path, mayBeCut: false)
        while let (entry, line) = try reader.next() {
            guard entry.isSendable else {
                throw RunError("\(path) lists \(entry.input), whose prepared file was not kept: prepare it again")
            }
            try feed.add(entry, line, from: .plan)
        }
    }

    /// What the inputs of a manifest were prepared as before, as the ledgers of the preparation have it.
    private func digestsBesideManifest(_ ledger: FilePath) throws(RunError) -> [String: [String]] {
        if fromManifest == nil { return [:] }
        let named = try EarlierDigests.all(inNamed: states.map(\.path))
        let found = EarlierDigests.all(in: manifestDirectory, except: [ledger] + states.map(\.path)) { message in
            // Such as that of the run whose manifest is read through a pipe.
            if messages.quiet { return }
            Terminal.printError(
                "prep: warning: what an earlier version prepared otherwise may be sent again: \(message)")
        }
        return named.merging(found) { $0 + $1 }
    }

    private var manifestDirectory: FilePath {
        if let output { return output.path }
        guard let fromManifest, fromManifest.path != "-" else { return "." }
        let directory = fromManifest.path.removingLastComponent()
        return directory.isEmpty ? "." : directory
    }

    private var manifestPath: FilePath {
        manifest?.path ?? defaultManifestDirectory?.appending(ManifestWriter.defaultName(input.shard)) ?? "-"
    }

    /// The directory of the manifest that is written unless the user names one; nil for standard output.
    private var defaultManifestDirectory: FilePath? { fromManifest == nil ? output?.path : nil }

    private func makeManifestWriter() throws(RunError) -> ManifestWriter {
        guard manifest == nil, let directory = defaultManifestDirectory else {
            return try ManifestWriter(manifestPath, access: access.access)
        }
        return try ManifestWriter(
            creating: ManifestWriter.defaultName(input.shard), in: directory, access: access.access)
    }
}
