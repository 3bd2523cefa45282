internal import Batch
internal import HTTPCalls
internal import Ledger
internal import MediaPrep
internal import Synchronization
internal import SystemPackage
internal import Uploading

/// The open files of an upload, and its remaining work.
struct OpenUpload: Sendable {
    let storage: UploadStorage
    let ledger: LedgerDatabase
    let recorder: RunRecorder
    let run: UploadRun
    /// Adds the prepared files to the queue of `run`.
    let prepare: @Sendable () async throws -> Void

    /// Finds the inputs and opens all files of the run. This blocks the calling thread.
    ///
    /// - Parameters:
    ///   - upload: The upload to open.
    ///   - onEvent: Receives the events, except results.
    ///   - onResult: Receives each result of an upload.
    /// - Throws: `BatchError` if a file cannot be opened; `CancellationError`.
    init(
        _ upload: MediaUpload, onEvent: @escaping @Sendable (UploadEvent) -> Void,
        onResult: @escaping @Sendable (PreparedUpload, UploadResult) -> Void
    ) throws {
        storage = try UploadStorage(outputDirectory: upload.outputDirectory, for: upload.endpoint)
        let selection = try upload.findInputs(excludingOutput: storage.preparedFilesDirectory, onEvent: onEvent)
        if !upload.isFromManifest { onEvent(.preparation(.inputsFound(count: selection.inputs.count))) }
        try upload.checkOverwrites(ofInputs: selection.inputs, ledgerPath: storage.ledgerPath)
        try LedgerDatabase.limitMemoryThrowingBatchError()
        ledger = try LedgerDatabase.open(
            at: storage.ledgerPath, followsLinks: false, access: upload.options.access, adviceIfInUse: "wait for it")
        try storage.removeTemporaryFiles()
        let uploadBuilder = try upload.makeUploadBuilder(storage: storage, ledger: ledger, onEvent: onEvent)
        let responseDirectory = try upload.options.responseDirectory.map { (path) throws(BatchError) in
            try ResponseDirectory(path, access: upload.options.access)
        }
        let preparation = try upload.openPreparation(of: selection, storage: storage, ledger: ledger, onEvent: onEvent)
        // Before the manifest to send is open, a pipe may have no writer, and nothing can be cancelled.
        if upload.isFromManifest { onEvent(.preparation(.inputsFound(count: 0))) }
        // An existing manifest is replaced only after all else that can fail.
        recorder = RunRecorder(manifest: try upload.makeManifestWriter()) { onEvent(.preparation($0)) }
        let queue = PreparedUploadQueue(
            uploadBuilder: uploadBuilder, recorder: recorder, responseDirectory: responseDirectory)
        run = UploadRun(
            uploader: upload.makeUploader(ledger: ledger), queue: queue, recorder: recorder,
            responseDirectory: responseDirectory, keepsPreparedFiles: upload.keepsPreparedFiles, onResult: onResult)
        prepare = { try await preparation(queue) }
    }
}

extension MediaUpload {
    fileprivate var isFromManifest: Bool {
        if case .manifest = source { true } else { false }
    }

    fileprivate var keepsPreparedFiles: Bool { outputDirectory != nil || isFromManifest }

    fileprivate func findInputs(
        excludingOutput output: FilePath, onEvent: @escaping @Sendable (UploadEvent) -> Void
    ) throws -> InputSelection {
        guard case .inputs(let inputs, _) = source else { return InputSelection() }
        // Responses have the names of outputs.
        let needsNames = outputDirectory != nil || options.responseDirectory != nil
        return try InputSelection(inputs, excludingOutput: output, needsOutputNames: needsNames) { link in
            onEvent(.preparation(.unfollowedLink(FilePath(bytes: link) ?? "")))
        }
    }

    fileprivate func checkOverwrites(ofInputs inputs: InputList, ledgerPath: FilePath) throws(BatchError) {
        var files = OverwriteGuard(inputs: inputs, otherFiles: options.otherFilesRead)
        switch source {
        case .inputs(let inputs, _): files.otherFiles += inputs.auxiliaryFilesRead
        case .manifest(let path, let ledgers):
            files.otherFiles += [("manifest that is sent", path)] + ledgers.map { ("ledger of the preparation", $0) }
        }
        try files.check(ledgerPath, role: "ledger")
        files.otherFiles.append(("ledger", ledgerPath))
        try files.check(manifestPath, role: "manifest")
    }

    fileprivate func makeUploader(ledger: LedgerDatabase) -> Uploader {
        var uploader = Uploader(destination: destination, client: client, journal: ledger)
        uploader.maxConcurrentUploads = options.maxConcurrentUploads
        uploader.retriesUnconfirmed = options.retriesUnconfirmed
        uploader.resendsAcknowledged = options.resendsAll
        return uploader
    }

    fileprivate func makeUploadBuilder(
        storage: UploadStorage, ledger: LedgerDatabase, onEvent: (UploadEvent) -> Void
    ) throws(BatchError) -> PreparedUploadBuilder {
        var digests = EarlierDigests(ledger: ledger, keepsOutputs: outputDirectory != nil)
        var directory = storage.preparedFilesDirectory
        if case .manifest(let manifest, let ledgers) = source {
            directory = outputDirectory ?? Self.directory(ofManifest: manifest)
            var others = try EarlierDigests.readLedgers(at: ledgers)
            EarlierDigests.readLedgers(
                in: directory, except: [storage.ledgerPath] + ledgers, into: &others
            ) { message in
                // A ledger may be in use, for example by the run that is writing the manifest to the standard input.
                onEvent(.unreadableLedger(message: message))
            }
            digests.digestsFromOtherLedgers = others
        }
        return PreparedUploadBuilder(
            outputDirectory: directory, sendsOriginalNames: options.sendsOriginalNames, petTable: options.petTable,
            earlierDigests: digests)
    }

    private static func directory(ofManifest path: FilePath) -> FilePath {
        let directory = path == "-" ? "" : path.removingLastComponent()
        return directory.isEmpty ? "." : directory
    }

    // MARK: Preparing

    /// Opens the files that the preparation needs.
    ///
    /// - Returns: The work that adds the prepared files to a queue.
    fileprivate func openPreparation(
        of selection: InputSelection, storage: UploadStorage, ledger: LedgerDatabase,
        onEvent: @escaping @Sendable (UploadEvent) -> Void
    ) throws -> @Sendable (PreparedUploadQueue) async throws -> Void {
        switch source {
        case .inputs(_, let pipeline):
            let makeBatchRun = try openBatchRun(
                for: selection, pipeline: pipeline, storage: storage, ledger: ledger, onEvent: onEvent)
            return { queue in
                try await BlockingThreadPool(threadCount: 1).run {
                    for completed in selection.completedLines {
                        try queue.enqueue(completed.entry, line: .stored(completed.line), source: .plan)
                    }
                }
                try await makeBatchRun(queue).run()
            }
        case .manifest(let path, ledgers: _):
            let reader = Mutex(try ManifestReader(path: path, allowsIncompleteLastLine: false))
            return { queue in
                try await BlockingThreadPool(threadCount: 1).run {
                    try reader.withLock { try Self.enqueueEntries(from: &$0, path: path, into: queue) }
                }
            }
        }
    }

    private func openBatchRun(
        for selection: InputSelection, pipeline: MediaPipeline, storage: UploadStorage, ledger: LedgerDatabase,
        onEvent: @escaping @Sendable (UploadEvent) -> Void
    ) throws -> @Sendable (PreparedUploadQueue) -> BatchRun {
        var selection = selection
        selection.inputs.endpointAcceptsOnlyAudio = options.endpointAcceptsOnlyAudio
        let outputDirectory = try OutputDirectory(
            path: storage.preparedFilesDirectory, protecting: selection.inputs,
            reservedPaths: [manifestPath, storage.ledgerPath], access: options.access)
        let history = try RunHistory(
            ledger: ledger, pipeline: pipeline, keepsDates: false, isPublic: options.access == .everyone,
            ignoresInode: false, keepsOutputs: self.outputDirectory != nil)
        return { [selection, resendsAll = options.resendsAll] queue in
            BatchRun(
                selection: selection, outputDirectory: outputDirectory, history: history, reprocessesAll: resendsAll,
                pipeline: pipeline, keepsDates: false, onStart: { onEvent(.preparation(.started($0))) },
                resultConsumer: queue, commitPolicy: .lowLatency)
        }
    }

    /// Adds all lines of a manifest to the queue. This blocks the calling thread.
    ///
    /// - Throws: `BatchError` if the manifest cannot be read, or a prepared file was not kept; the error of the queue.
    private static func enqueueEntries(
        from reader: inout ManifestReader, path: FilePath, into queue: PreparedUploadQueue
    ) throws {
        while let (entry, line) = try reader.nextEntry() {
            guard entry.isSendable else {
                throw BatchError(
                    .invalidInput,
                    message: "\(path) lists \(entry.inputName), whose prepared file was not kept: prepare it again")
            }
            try queue.enqueue(entry, line: .stored(line), source: .plan)
        }
    }

    // MARK: The manifest

    /// The directory of the manifest unless the options name one, or `nil` for standard output.
    private var defaultManifestDirectory: FilePath? { isFromManifest ? nil : outputDirectory }

    private var shard: Shard? {
        if case .inputs(let inputs, _) = source { inputs.shard } else { nil }
    }

    private var manifestPath: FilePath {
        options.manifest ?? defaultManifestDirectory?.appending(ManifestWriter.defaultFileName(shard: shard)) ?? "-"
    }

    fileprivate func makeManifestWriter() throws(BatchError) -> ManifestWriter {
        guard options.manifest == nil, let directory = defaultManifestDirectory else {
            return try ManifestWriter(path: manifestPath, access: options.access)
        }
        return try ManifestWriter(
            creating: ManifestWriter.defaultFileName(shard: shard), in: directory, access: options.access)
    }
}
