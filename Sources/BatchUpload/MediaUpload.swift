package import Batch
package import HTTPCalls
package import MediaPrep
internal import Synchronization
package import SystemPackage
package import Uploading

/// Prepares files and uploads each of them once, or uploads the files of a manifest.
package struct MediaUpload: Sendable {
    /// The files to upload.
    package enum Source: Sendable {
        /// Files and directories, which are prepared first.
        case inputs(BatchInputs, MediaPipeline)
        /// The prepared files of a manifest, and the ledgers of the runs that prepared them. The path `-` is standard
        /// input.
        case manifest(FilePath, ledgers: [FilePath])
    }

    /// The options of the uploads.
    package struct Options: Sendable {
        /// The maximum number of concurrent uploads.
        package var maxConcurrentUploads = 4
        /// Whether items with an unknown outcome are sent again.
        package var retriesUnconfirmed = false
        /// Whether every input is prepared again and sent as a new upload.
        package var resendsAll = false
        /// Whether files are uploaded under their own names.
        package var sendsOriginalNames = false
        /// Whether the endpoint accepts only audio.
        package var endpointAcceptsOnlyAudio = false
        /// The pets that audio files belong to, or `nil` for backends without pets.
        package var petTable: PetTable?
        /// The directory for the server's responses, or `nil` to discard them.
        package var responseDirectory: FilePath?
        /// The file for the manifest, or `nil` for the default.
        package var manifest: FilePath?
        /// The permissions of the files that the run creates.
        package var access = OutputAccess.sameAsInputs
        /// Other files that the caller reads, with their names in messages.
        package var otherFilesRead: [(name: String, path: FilePath?)] = []

        package init() {}
    }

    package var source: Source
    /// The directory for prepared files and the ledger, or `nil` for one in the user's state directory.
    ///
    /// For a manifest, it is the directory that the manifest's outputs are relative to, or `nil` for the manifest's
    /// own.
    package var outputDirectory: FilePath?
    package var endpoint: Endpoint
    package var destination: any UploadDestination
    package var client: HTTPClient
    package var options: Options

    package init(
        _ source: Source, outputDirectory: FilePath?, endpoint: Endpoint, destination: any UploadDestination,
        client: HTTPClient, options: Options
    ) {
        self.source = source
        self.outputDirectory = outputDirectory
        self.endpoint = endpoint
        self.destination = destination
        self.client = client
        self.options = options
    }

    /// Prepares and uploads the items that were not uploaded before.
    ///
    /// - Parameter onEvent: Receives the events, on threads of the run.
    /// - Returns: The totals.
    /// - Throws: `BatchError` if the run cannot begin or go on, and `CancellationError`.
    @discardableResult
    package func run(
        onEvent: @escaping @Sendable (UploadEvent) -> Void
    ) async throws -> (BatchSummary, UploadSummary) {
        let thread = BlockingThreadPool(threadCount: 1)
        let uploads = Mutex(UploadSummary())
        let open = try await thread.run { () throws in
            try OpenUpload(self, onEvent: onEvent) { upload, result in
                uploads.withLock { $0.countUpload(result) }
                onEvent(
                    .finished(
                        itemName: upload.uploadItem.name, result,
                        preparedBytes: upload.lineSource == .thisRun
                            ? upload.resultSummary.byteCounts?.input ?? 0 : nil))
            }
        }
        let summary = try await open.recorder.finishRun(
            closing: open.ledger, on: thread,
            onEnd: { summary in onEvent(.ended(summary, uploads.withLock { $0 })) },
            after: {
                var failure: (any Error)?
                do { try await open.run.run(preparing: open.prepare) } catch { failure = error }
                try await thread.run { () throws(BatchError) in try open.storage.removeTemporaryFiles() }
                if let failure { throw failure }
            })
        return (summary, uploads.withLock { $0 })
    }
}
