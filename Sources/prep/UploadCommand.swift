internal import ArgumentParser
internal import Imaging
internal import Ledger
internal import MediaPrep
internal import SystemPackage
internal import Uploading

/// `prep upload`: prepares files and uploads each of them once.
struct UploadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload",
        abstract: "Prepare files and directories and send them, or send prepared files.",
        discussion: """
            Files are sent as soon as they are ready, a few at a time, while others are being prepared. The outcome \
            of each upload is recorded: the same command resumes an interrupted run, and does not send again what the \
            server has. A file that was sent completely and got no answer is outcome-unknown. It is listed, and is \
            sent again only with --retry-unknown, or if the server honors keys (--idempotent).

            The token is read from PREP_TOKEN, or from the file that --token-file names.

            Examples:
              prep upload throat.heic.jpg --to symptom-sentry --base-url https://api.example.com --type throat
              prep upload visits --to pet-visits --base-url https://api.example.com --appointment ABC123 --pets pets.csv
              prep upload photos --to https://example.com/upload --field album=42 --part photo --output ready
              prep upload --from-manifest ready/manifest.jsonl --to https://example.com/upload --idempotent

            Exit status: 0 the server has every input; 1 at least one was rejected, failed, or is unconfirmed; 2 the \
            run itself failed; 64 wrong usage; 130 and 143 interrupted.
            """)

    @OptionGroup(title: "Inputs")
    var input: InputArguments

    @Option(
        help: ArgumentHelp(
            "Send the files that this manifest lists. They are searched for below --output, or beside the manifest.",
            valueName: "file|-"))
    var fromManifest: PathArgument?

    @Option(
        name: .customLong("state"),
        help: ArgumentHelp(
            "With --from-manifest: the ledger of the run that prepared the files, if it was given --state; may be "
                + "given "
                + "several times. Inputs that an earlier version of prep prepared and sent are then not sent again.",
            valueName: "file"))
    var states: [PathArgument] = []

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Directory for the prepared files and the record of uploads. Default: the record is in your state "
                + "directory, and prepared files are removed at the end.", valueName: "dir"))
    var output: PathArgument?

    @OptionGroup(title: "Where to")
    var destination: DestinationArguments

    @OptionGroup(title: "Sending")
    var transfer: TransferArguments

    @OptionGroup
    var preparation: PreparationArguments

    @Option(
        help: ArgumentHelp(
            "File for the manifest in JSON Lines, or - for standard output. Default: DIR/manifest.jsonl if files are "
                + "prepared into --output, otherwise -.",
            valueName: "file|-"))
    var manifest: PathArgument?

    @OptionGroup
    var access: OutputAccessArguments

    @OptionGroup
    var messages: MessageArguments

    func validate() throws {
        if input.sourceCount + (fromManifest == nil ? 0 : 1) != 1 {
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
        Secrets.disableCoreDumps()
        try await ExitStatus.exitWithStatus { try await BlockingThreadPool.commandThread.run { try prepareRun() }() }
    }

    /// Finds the inputs, opens all files of the run, and returns its remaining work. This blocks the calling thread.
    private func prepareRun() throws -> @Sendable () async throws -> ExitStatus {
        try InstructionSet.validateRequestedSet()
        let endpoint = try destination.makeEndpoint()
        let place = try UploadStorage(outputDirectory: output?.path, for: endpoint)
        let client = try makeClient()
        let selection =
            fromManifest == nil
            ? try InputSelection(
                arguments: input, excludingOutput: place.preparedFilesDirectory, isQuiet: messages.quiet) : nil
        try checkOverwrites(ofInputs: selection?.inputs ?? InputList(), storage: place)
        let ledger = try LedgerDatabase.open(
            at: place.ledgerPath, followsLinks: false, access: access.outputAccess, adviceIfInUse: "wait for it")
        try place.removeTemporaryFiles()
        let reporter = RunReporter(manifest: try makeManifestWriter(), isQuiet: messages.quiet)
        var uploader = Uploader(
            destination: destination.makeDestination(endpoint: endpoint), client: client, ledger: ledger)
        uploader.maxConcurrentUploads = transfer.uploads
        uploader.retriesUnconfirmed = transfer.retryUnknown
        uploader.resendsAcknowledged = transfer.force
        let feed = PreparedUploadQueue(
            uploadBuilder: PreparedUploadBuilder(
                outputDirectory: fromManifest == nil ? place.preparedFilesDirectory : manifestDirectory,
                sendsOriginalNames: destination.originalNames, petTable: try destination.makePetTable(),
                earlierDigests: EarlierDigests(
                    ledger: ledger, keepsOutputs: output != nil,
                    digestsFromOtherLedgers: try earlierDigestsBesideManifest(excludingLedger: place.ledgerPath))),
            reporter: reporter)
        let run = UploadRun(
            uploader: uploader, queue: feed, reporter: reporter,
            responseDirectory: try transfer.responses.map {
                try ResponseDirectory($0.path, access: access.outputAccess)
            },
            keepsPreparedFiles: output != nil || fromManifest != nil)
        let prepare: @Sendable () async throws -> Void
        if let selection {
            let batch = try makeBatchRun(
                for: selection, storage: place, ledger: ledger, queue: feed, reporter: reporter)
            let settled = selection.completedLines
            prepare = {
                try await BlockingThreadPool(threadCount: 1).run {
                    for settled in settled { try feed.enqueue(settled.entry, line: settled.line, source: .plan) }
                }
                try await batch.run()
            }
        } else {
            let path = fromManifest?.path ?? "-"
            prepare = {
                try await BlockingThreadPool(threadCount: 1).run { try Self.enqueueManifest(at: path, into: feed) }
            }
        }
        return {
            try await SignalInterruption.cancellingOnSignal {
                try await reporter.finishRun(closing: ledger) {
                    var failure: (any Error)?
                    do { try await run.run(preparing: prepare) } catch { failure = error }
                    try await BlockingThreadPool.commandThread.run { () throws(RunError) in
                        try place.removeTemporaryFiles()
                    }
                    if let failure { throw failure }
                }
            }
        }
    }

    private func checkOverwrites(ofInputs inputs: InputList, storage place: UploadStorage) throws(RunError) {
        var files = OverwriteGuard(
            inputs: inputs,
            otherFiles: input.auxiliaryFilesRead + [
                ("audio policy", preparation.audio.audioPolicy?.path), ("manifest that is sent", fromManifest?.path),
                ("table of pets", destination.pets?.path), ("token file", transfer.tokenFile?.path),
                ("file of certificates", transfer.cacert?.path),
            ] + states.map { ("ledger of the preparation", $0.path) })
        try files.check(place.ledgerPath, role: "ledger")
        files.otherFiles.append(("ledger", place.ledgerPath))
        try files.check(manifestPath, role: "manifest")
    }

    private func makeClient() throws -> HTTPClient {
        let tokens = try CommandTokenProvider(tokenFile: transfer.tokenFile?.path)
        if tokens.isTokenFileReadableByOthers, !messages.quiet {
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

    private func makeBatchRun(
        for selection: InputSelection, storage place: UploadStorage, ledger: LedgerDatabase,
        queue feed: PreparedUploadQueue, reporter: RunReporter
    ) throws -> BatchRun {
        let pipeline = try preparation.makePipeline()
        let history = try RunHistory(
            ledger: ledger, pipeline: pipeline, keepsDates: false, isPublic: access.isPublic, ignoresInode: false,
            keepsOutputs: output != nil)
        var inputs = selection.inputs
        inputs.endpointAcceptsOnlyAudio = destination.acceptsOnlyAudio
        return BatchRun(
            inputs: inputs, inputPositions: selection.inputPositions,
            outputDirectory: try OutputDirectory(
                path: place.preparedFilesDirectory, protecting: selection.inputs,
                reservedPaths: [manifestPath, place.ledgerPath], access: access.outputAccess),
            history: history, reprocessesAll: transfer.force,
            pipeline: pipeline, keepsDates: false,
            showProgress: { [progress = messages.effectiveProgressMode] in reporter.showProgress($0, mode: progress) },
            resultConsumer: feed, commitPolicy: .lowLatency)
    }

    /// Adds all lines of a manifest to the queue. This blocks the calling thread.
    ///
    /// - Throws: `RunError` if the manifest cannot be read, or a prepared file was not kept; the error of the queue.
    private static func enqueueManifest(at path: FilePath, into feed: PreparedUploadQueue) throws {
        var reader = try ManifestReader(path: path, allowsIncompleteLastLine: false)
        while let (entry, line) = try reader.nextEntry() {
            guard entry.isSendable else {
                throw RunError("\(path) lists \(entry.inputName), whose prepared file was not kept: prepare it again")
            }
            try feed.enqueue(entry, line: line, source: .plan)
        }
    }

    /// Returns the earlier digests of the manifest's inputs from the ledgers of the runs that prepared them.
    private func earlierDigestsBesideManifest(excludingLedger ledger: FilePath) throws(RunError) -> DigestGroups {
        if fromManifest == nil { return DigestGroups() }
        let named = states.map(\.path)
        var digests = try EarlierDigests.all(inNamed: named)
        EarlierDigests.readLedgers(in: manifestDirectory, except: [ledger] + named, into: &digests) { message in
            // A ledger may be in use, for example by the run that is writing the manifest to this command's standard
            // input.
            if messages.quiet { return }
            Terminal.printError(
                "prep: warning: what an earlier version prepared otherwise may be sent again: \(message)")
        }
        return digests
    }

    private var manifestDirectory: FilePath {
        if let output { return output.path }
        guard let fromManifest, fromManifest.path != "-" else { return "." }
        let directory = fromManifest.path.removingLastComponent()
        return directory.isEmpty ? "." : directory
    }

    private var manifestPath: FilePath {
        manifest?.path ?? defaultManifestDirectory?.appending(ManifestWriter.defaultFileName(shard: input.shard)) ?? "-"
    }

    /// The directory of the manifest unless the user names one, or `nil` for standard output.
    private var defaultManifestDirectory: FilePath? { fromManifest == nil ? output?.path : nil }

    private func makeManifestWriter() throws(RunError) -> ManifestWriter {
        guard manifest == nil, let directory = defaultManifestDirectory else {
            return try ManifestWriter(path: manifestPath, access: access.outputAccess)
        }
        return try ManifestWriter(
            creating: ManifestWriter.defaultFileName(shard: input.shard), in: directory, access: access.outputAccess)
    }
}
