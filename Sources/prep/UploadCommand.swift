internal import ArgumentParser
internal import Batch
internal import BatchUpload
internal import HTTPCalls
internal import ImageCodecs
internal import Imaging
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
            "Send the files that this manifest lists. They are searched for below --output, or beside the manifest, "
                + "and are never removed.",
            valueName: "file|-"))
    var fromManifest: PathArgument?

    @Option(
        name: .customLong("state"),
        help: ArgumentHelp(
            "With --from-manifest: the ledger of the run that prepared the files, if it was given --state; may be "
                + "given several times. Inputs that an earlier version of prep prepared and sent are then not sent "
                + "again.",
            valueName: "file"))
    var states: [PathArgument] = []

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Directory for the prepared files and the record of uploads. Default: the record is in your state "
                + "directory, and the files that this run prepares are removed after they are sent.",
            valueName: "dir"))
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
            throw ValidationError(
                "Name either files and directories, or one of --files-from, --plan and --from-manifest.")
        }
        if fromManifest != nil && (input.base != nil || input.shard != nil) {
            throw ValidationError(
                "--base and --shard cannot be combined with --from-manifest.")
        }
        if fromManifest == nil && !states.isEmpty {
            throw ValidationError("--state can only be used with --from-manifest.")
        }
        if fromManifest != nil && input.follow {
            throw ValidationError("--follow cannot be combined with --from-manifest.")
        }
        try preparation.validatePolicies(defaultImagePolicy: destination.defaultImagePolicy)
    }

    func run() async throws {
        Secrets.disableCoreDumps()
        defer { DecoderIsolation.endIdleWorkers() }
        try await ExitStatus.exitWithStatus {
            try InstructionSet.selectRequestedSet()
            let upload = try await BlockingThreadPool(threadCount: 1).run { () throws in try makeUpload() }
            let console = ConsoleReporter(messages)
            let (summary, uploads) = try await SignalInterruption.cancellingOnSignal { interruption in
                try await upload.run { event in
                    if case .preparation(.inputsFound) = event { interruption.beginCancelling() }
                    console.report(event)
                }
            }
            return summary.hasFailures || uploads.hasFailures ? .someInputsFailed : .success
        }
    }

    private func makeUpload() throws -> MediaUpload {
        let endpoint = try destination.makeEndpoint()
        let client = try makeClient()
        let source: MediaUpload.Source =
            if let fromManifest {
                .manifest(fromManifest.path, ledgers: states.map(\.path))
            } else {
                .inputs(
                    input.batchInputs,
                    try preparation.makePipeline(defaultImagePolicy: destination.defaultImagePolicy))
            }
        return MediaUpload(
            source, outputDirectory: output?.path, endpoint: endpoint,
            destination: destination.makeDestination(endpoint: endpoint), client: client, options: try makeOptions())
    }

    private func makeOptions() throws -> MediaUpload.Options {
        var options = MediaUpload.Options()
        options.maxConcurrentUploads = transfer.uploads
        options.retriesUnconfirmed = transfer.retryUnknown
        options.resendsAll = transfer.force
        options.sendsOriginalNames = destination.originalNames
        options.endpointAcceptsOnlyAudio = destination.acceptsOnlyAudio
        options.petTable = try destination.makePetTable()
        options.responseDirectory = transfer.responses?.path
        options.manifest = manifest?.path
        options.access = access.outputAccess
        options.otherFilesRead =
            preparation.policyFiles + [
                ("table of pets", destination.pets?.path), ("token file", transfer.tokenFile?.path),
                ("file of certificates", transfer.cacert?.path),
            ]
        return options
    }

    private func makeClient() throws(BatchError) -> HTTPClient {
        let token = try CommandToken(tokenFile: transfer.tokenFile?.path, account: transfer.account)
        if transfer.account != nil && token.session == nil {
            throw BatchError(.invalidOption, message: "--account names the account of a token, and there is no token")
        }
        if token.isTokenFileReadableByOthers, !messages.quiet {
            Terminal.printError("prep: warning: others can read the token file; make it yours alone with chmod 600")
        }
        var policy = destination.retryPolicy
        policy.maxAttempts = transfer.maxAttempts
        var options = CurlTransport.Options()
        options.certificateAuthoritiesPath = transfer.cacert?.path.bytes
        do {
            return HTTPClient(
                transport: try CurlTransport(options: options), session: token.session, retryPolicy: policy,
                timeouts: transfer.timeouts,
                logger: transfer.logger)
        } catch {
            throw BatchError(.invalidOption, message: error.message, cause: error)
        }
    }
}
