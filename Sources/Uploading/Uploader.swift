public import HTTPCalls
public import UploadRecords

/// Uploads items to one backend, several concurrently, each once.
///
/// A batch belongs to the account that is signed in when it begins. Signing out ends it, and items that were not sent
/// are ``UploadResult/Status/notSent``; see `Session`.
///
/// The state of each upload is recorded in a journal before and after it is sent. The next run sends the items that an
/// interrupted run did not send, and those that failed. It does not send acknowledged items again. If a run is
/// interrupted while it sends an item to a backend that does not honor idempotency keys, the outcome of that item is
/// ``UploadResult/Status/outcomeUnknown``.
public struct Uploader: Sendable {
    /// The backend.
    public var destination: any UploadDestination
    /// The maximum number of concurrent uploads, at least 1. The default is 4.
    public var maxConcurrentUploads = 4
    /// Whether items with an unknown outcome are sent again. The default is `false`.
    public var retriesUnconfirmed = false
    /// Whether items that were acknowledged are sent again, with a new idempotency key. The default is `false`.
    public var resendsAcknowledged = false

    private var httpClient: HTTPClient
    private let journal: any UploadJournal

    /// Creates an uploader.
    ///
    /// - Parameters:
    ///   - destination: The backend.
    ///   - client: Sends the requests.
    ///   - journal: Records the state of each upload. The default forgets it with the uploader; use a `LedgerDatabase`
    ///     of the module `Ledger` for a journal that outlives the process.
    public init(
        destination: any UploadDestination, client: HTTPClient, journal: any UploadJournal = InMemoryUploadJournal()
    ) {
        self.destination = destination
        self.httpClient = client
        self.journal = journal
    }

    /// Uploads all items of a sequence.
    ///
    /// - Parameters:
    ///   - items: The items. The next one is requested only when it can be sent, which gives back-pressure.
    ///   - onProgress: Receives, on the transport's thread, how much of an item was sent. Only the result says whether
    ///     it was accepted.
    ///   - onReceipt: Receives the server's response before the acknowledgment is recorded. If it saves the response,
    ///     the response survives an interruption at any time.
    ///   - onResult: Receives each item's result in order of completion. Of several equal items the first one in
    ///     `items` is sent, and the others are reported as its duplicates.
    /// - Throws: The errors of `items` and `onResult`, and `CancellationError`, after the uploads in progress have
    ///   ended.
    public func uploadAll<Items: AsyncSequence>(
        _ items: Items, onProgress: (@Sendable (Items.Element, SendProgress) -> Void)? = nil,
        onReceipt: (@Sendable (Items.Element, UploadReceipt) async throws -> Void)? = nil,
        onResult: @escaping @Sendable (Items.Element, UploadResult) async throws -> Void
    ) async throws where Items.Element: UploadItemConvertible {
        var uploader = self
        var signInError: CallError?
        do throws(CallError) { uploader.httpClient = try httpClient.boundToCurrentAccount() } catch {
            signInError = error
        }
        let batch = UploadBatch(accountID: uploader.httpClient.boundSignIn?.accountID, error: signInError)
        // Each task returns whether it occupied an upload slot. A duplicate waits for another item's upload without a
        // slot.
        try await withThrowingTaskGroup(of: Bool.self) { group in
            var sending = 0, waiting = 0
            for try await source in items {
                while sending == maxConcurrentUploads || waiting == Self.maxWaitingItems,
                    let finishedSending = try await group.next()
                {
                    if finishedSending { sending -= 1 } else { waiting -= 1 }
                }
                // A slot may be free because this task was cancelled, and its child tasks with it.
                try Task.checkCancellation()
                let observer = UploadObserver(
                    onProgress: { onProgress?(source, $0) }, onReceipt: { try await onReceipt?(source, $0) })
                let startedItem = batch.startUpload(
                    source.uploadItem, uploader: uploader, observer: observer)
                if startedItem.isSending { sending += 1 } else { waiting += 1 }
                group.addTask {
                    try await onResult(source, await batch.waitForResult(of: startedItem))
                    return startedItem.isSending
                }
            }
            for try await _ in group {}
        }
        try Task.checkCancellation()
    }

    /// The same as the number of items that the `prep` command buffers.
    private static let maxWaitingItems = 64

    /// Uploads one item, unless the journal already has its outcome.
    ///
    /// - Parameter batchError: Returns the error that ended the batch, or `nil`.
    /// - Throws: `CallError.Code.journalFailed`. Other errors are part of the result.
    func upload(
        _ item: UploadItem, uploadKey: UploadKey, observer: UploadObserver,
        batchError: @escaping @Sendable () -> CallError?
    ) async throws(CallError) -> UploadResult {
        var record = try await journal.existingOrNewUpload(identity: uploadKey.uploadIdentity(sha256: item.sha256))
        if let status = statusIfAlreadySettled(of: &record) {
            return try await resultFromJournal(record: record, status: status)
        }
        if let result = try await resultFromEarlierDigests(of: item, uploadKey: uploadKey, record: &record) {
            return result
        }
        if !item.isAvailable {
            let reason = resendsAcknowledged ? "" : ", and there is no record that this server has it"
            return UploadResult(
                failedWith: CallError(
                    code: .sourceChanged, message: "its prepared file was not kept\(reason): prepare it again"))
        }
        if let error = batchError() ?? httpClient.signOutError { return UploadResult(notSentBecauseOf: error) }
        let session = UploadSession(
            item: item, uploadKey: uploadKey, record: record, honorsIdempotencyKeys: destination.honorsIdempotencyKeys,
            client: httpClient, journal: journal,
            onProgress: observer.onProgress, batchError: batchError)
        let receipt: UploadReceipt
        do { receipt = try await destination.upload(item, uploadKey: uploadKey, session: session) } catch {
            // If the journal fails, the recorded state is left as it is.
            if error.code == .journalFailed { throw error }
            let record = try await session.recordFailure(error)
            // A later run may send an item with a key again. Whether the server has it is unknown nevertheless.
            let isUnknown = record.state == .outcomeUnknown || error.code == .signedOut && record.uncertainty != nil
            let isNotSent = error.code == .signedOut || session.wasStoppedByBatch
            return UploadResult(
                record: record, status: isUnknown ? .outcomeUnknown : isNotSent ? .notSent : .failed,
                error: isUnknown ? error.asOutcomeUnknown : error)
        }
        // Called before the acknowledgment is recorded, so that an interruption cannot lose the response.
        var receiptError: (any Error)?
        do { try await observer.onReceipt(receipt) } catch { receiptError = error }
        record = try await session.recordAcknowledgment(serverID: receipt.serverID)
        if let receiptError { throw CallError(code: .journalFailed, message: "\(receiptError)", cause: receiptError) }
        return UploadResult(record: record, status: .acknowledged)
    }

    /// Returns the outcome if the item must not be sent, or `nil` if it is to be sent.
    private func statusIfAlreadySettled(of record: inout UploadRecord) -> UploadResult.Status? {
        if resendsAcknowledged {
            let repeats = record.forcedResendCount + (record.state == .prepared && record.uncertainty == nil ? 0 : 1)
            record = UploadRecord(identity: record.identity)
            record.forcedResendCount = repeats
            return nil
        }
        if record.state == .acknowledged { return .acknowledged }
        guard let doubt = record.uncertainty, !(doubt == .keyed && destination.honorsIdempotencyKeys),
            !retriesUnconfirmed
        else {
            return nil
        }
        record.markOutcomeUnknown()
        return .outcomeUnknown
    }

    /// Returns the outcome of the item as an earlier version of the program prepared it, or `nil` if it is to be sent.
    ///
    /// - Parameter record: Receives the resume reference of an announced upload.
    private func resultFromEarlierDigests(
        of item: UploadItem, uploadKey: UploadKey, record: inout UploadRecord
    ) async throws(CallError) -> UploadResult? {
        guard !resendsAcknowledged, record.uncertainty == nil else { return nil }
        var unconfirmed: UploadRecord?
        for digest in item.earlierDigests {
            let earlier = try await journal.existingOrNewUpload(identity: uploadKey.uploadIdentity(sha256: digest))
            if earlier.state == .acknowledged {
                return try await resultFromJournal(record: earlier, status: .acknowledged)
            }
            if earlier.uncertainty != nil { unconfirmed = earlier }
            record.resumeReference = record.resumeReference ?? earlier.resumeReference
        }
        // It is not sent again with its key either, because that key belongs to other bytes.
        guard var unconfirmed, !retriesUnconfirmed else { return nil }
        unconfirmed.markOutcomeUnknown()
        return try await resultFromJournal(record: unconfirmed, status: .outcomeUnknown)
    }

    private func resultFromJournal(record: UploadRecord, status: UploadResult.Status) async throws(CallError)
        -> UploadResult
    {
        var error: CallError?
        if status == .outcomeUnknown {
            error = CallError(code: .outcomeUnknown, message: record.message ?? "")
            try await journal.recordUpload(record)
        }
        var result = UploadResult(record: record, status: status, error: error)
        result.isFromEarlierRun = true
        return result
    }
}

extension UploadRecord {
    /// Marks the outcome as unknown for good.
    fileprivate mutating func markOutcomeUnknown() {
        if state == .sending {
            reasonCode = CallError.Code.outcomeUnknown.rawValue
            message = "the run that sent it was stopped before the server answered"
        }
        state = .outcomeUnknown
    }
}
