public import Ledger
internal import Synchronization

/// Sends items to one backend, a few at a time, each once.
///
/// What becomes of each is recorded in a ledger, before it is sent and after: what a run left undone, because it was
/// stopped or because sending failed, the next does; what it did is not done again. If a run was stopped while it was
/// sending to a backend that doesn't honour keys, what the server has isn't known: such an item is `outcome-unknown`.
public struct Uploader: Sendable {
    /// Where to.
    public var destination: any UploadDestination
    /// Items at a time, at least 1.
    public var maxConcurrentUploads = 4
    /// Whether to send again what may have been taken.
    public var retriesUnconfirmed = false
    /// Whether to send again, with a new key, what was taken.
    public var resendsAcknowledged = false

    private let httpClient: HTTPClient
    private let ledger: LedgerDatabase

    /// An uploader that sends by `httpClient`, and records in `ledger`.
    public init(destination: any UploadDestination, client: HTTPClient, ledger: LedgerDatabase) {
        self.destination = destination
        self.httpClient = client
        self.ledger = ledger
    }

    /// Sends all items.
    ///
    /// - Parameters:
    ///   - items: taken one at a time, when one more can be sent: that is the back-pressure.
    ///   - onProgress: takes, on the transport's own thread, how much of an item has left; that it has arrived only its
    ///     result says.
    ///   - onReceipt: takes what the server answered to an item, before it is recorded that it did: what is kept here
    ///     isn't lost, whenever the process is stopped.
    ///   - onResult: takes each item's result, as they come. Which of several equal items is sent, and which are called
    ///     its duplicates, depends on which came first.
    /// - Throws: what `items` and `onResult` throw, and `CancellationError`, once what is on its way has ended.
    public func uploadAll<Items: AsyncSequence>(
        _ items: Items, onProgress: (@Sendable (Items.Element, SendProgress) -> Void)? = nil,
        onReceipt: (@Sendable (Items.Element, UploadReceipt) async throws -> Void)? = nil,
        onResult: @escaping @Sendable (Items.Element, UploadResult) async throws -> Void
    ) async throws where Items.Element: UploadItemConvertible {
        let batch = UploadBatch()
        // Each tells whether it was sending: what is equal to another waits for that one, and takes no place from those
        // that send.
        try await withThrowingTaskGroup(of: Bool.self) { group in
            var sending = 0, waiting = 0
            for try await source in items {
                while sending == maxConcurrentUploads || waiting == Self.maxWaitingItems,
                    let finishedSending = try await group.next()
                {
                    if finishedSending { sending -= 1 } else { waiting -= 1 }
                }
                // A place may be free because what had it was cancelled with all of this.
                try Task.checkCancellation()
                let observer = UploadObserver(
                    onProgress: { onProgress?(source, $0) }, onReceipt: { try await onReceipt?(source, $0) })
                let startedItem = batch.startUpload(source.uploadItem, uploader: self, observer: observer)
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

    /// As many as the command holds ready.
    private static let maxWaitingItems = 64

    /// Sends one item, unless the ledger says that there is nothing to send.
    ///
    /// - Parameter batchError: why nothing more is sent; nil while it is.
    func upload(
        _ item: UploadItem, uploadKey: UploadKey, observer: UploadObserver, batchError: () -> UploadError?
    ) async throws(UploadError) -> UploadResult {
        var record = try await ledger.existingOrNewUpload(identity: uploadKey.uploadIdentity(sha256: item.sha256))
        if let status = statusIfAlreadySettled(of: &record) {
            return try await resultFromLedger(record: record, status: status)
        }
        if let result = try await resultFromEarlierDigests(of: item, uploadKey: uploadKey, record: &record) {
            return result
        }
        if let batchError = batchError() { return UploadResult(notSentBecauseOf: batchError) }
        let session = UploadSession(
            item: item, uploadKey: uploadKey, record: record, honorsIdempotencyKeys: destination.honorsIdempotencyKeys,
            client: httpClient, ledger: ledger,
            onProgress: observer.onProgress)
        let receipt: UploadReceipt
        do { receipt = try await destination.upload(item, uploadKey: uploadKey, session: session) } catch {
            // What can't be recorded stays as it is on the disk.
            if error.code == .ledgerFailed { throw error }
            let record = try await session.recordFailure(error)
            let isUnknown = record.state == .outcomeUnknown
            return UploadResult(
                record: record, status: isUnknown ? .outcomeUnknown : .failed,
                error: isUnknown ? error.asOutcomeUnknown : error)
        }
        // Kept first: whenever the process is stopped, what was answered isn't lost.
        var receiptError: (any Error)?
        do { try await observer.onReceipt(receipt) } catch { receiptError = error }
        record = try await session.recordAcknowledgment(serverID: receipt.serverID)
        if let receiptError { throw UploadError(code: .ledgerFailed, message: "\(receiptError)", cause: receiptError) }
        return UploadResult(record: record, status: .acknowledged)
    }

    /// What became of it already; nil if it is to be sent.
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

    /// What became of the item as an earlier version of the program prepared it; nil if it is to be sent.
    ///
    /// - Parameter record: is given what the backend calls an upload that was only announced.
    private func resultFromEarlierDigests(
        of item: UploadItem, uploadKey: UploadKey, record: inout UploadRecord
    ) async throws(UploadError) -> UploadResult? {
        guard !resendsAcknowledged, record.uncertainty == nil else { return nil }
        var unconfirmed: UploadRecord?
        for digest in item.earlierDigests {
            let earlier = try await ledger.existingOrNewUpload(identity: uploadKey.uploadIdentity(sha256: digest))
            if earlier.state == .acknowledged {
                return try await resultFromLedger(record: earlier, status: .acknowledged)
            }
            if earlier.uncertainty != nil { unconfirmed = earlier }
            record.resumeReference = record.resumeReference ?? earlier.resumeReference
        }
        // Not sent again under its key either: that was the key of other bytes.
        guard var unconfirmed, !retriesUnconfirmed else { return nil }
        unconfirmed.markOutcomeUnknown()
        return try await resultFromLedger(record: unconfirmed, status: .outcomeUnknown)
    }

    private func resultFromLedger(record: UploadRecord, status: UploadResult.Status) async throws(UploadError)
        -> UploadResult
    {
        var error: UploadError?
        if status == .outcomeUnknown {
            error = UploadError(code: .outcomeUnknown, message: record.message ?? "")
            try await ledger.recordUpload(record)
        }
        var result = UploadResult(record: record, status: status, error: error)
        result.isFromEarlierRun = true
        return result
    }
}

extension UploadRecord {
    /// Nothing will tell any more whether the server has it.
    fileprivate mutating func markOutcomeUnknown() {
        if state == .sending {
            reasonCode = UploadError.Code.outcomeUnknown.rawValue
            message = "the run that sent it was stopped before the server answered"
        }
        state = .outcomeUnknown
    }
}

/// Who is told of an item on its way.
struct UploadObserver: Sendable {
    var onProgress: @Sendable (SendProgress) -> Void
    var onReceipt: @Sendable (UploadReceipt) async throws -> Void
}

/// One run's items: what is the same is sent once, and what ends one may end all.
private final class UploadBatch: Sendable {
    enum UploadState: Sendable {
        /// Of the item of that name.
        case running(itemName: String, task: Task<UploadResult, Never>)
        case ended(itemName: String, result: UploadResult)
    }

    private struct State {
        var uploadsByIdentity: [[UInt8]: UploadState] = [:]
        var batchError: UploadError?
    }

    private let state = Mutex(State())

    /// An item that was begun: refused, sent, or waiting for an equal one.
    enum StartedItem: Sendable {
        case rejected(UploadError)
        case sending(identity: [UInt8], upload: UploadState)
        case duplicate(UploadState)

        var isSending: Bool {
            if case .sending = self { return true }
            return false
        }
    }

    /// Begins to send an item, unless an equal one was begun before.
    func startUpload(_ item: UploadItem, uploader: Uploader, observer: UploadObserver) -> StartedItem {
        let uploadKey: UploadKey
        do throws(UploadError) { uploadKey = try uploader.destination.uploadKey(for: item) } catch {
            return .rejected(error)
        }
        let identity = uploadKey.uploadIdentity(sha256: item.sha256)
        return state.withLock { state in
            if let upload = state.uploadsByIdentity[identity] { return .duplicate(upload) }
            let upload = UploadState.running(
                itemName: item.name,
                task: Task {
                    await self.performUpload(item, uploadKey: uploadKey, uploader: uploader, observer: observer)
                })
            state.uploadsByIdentity[identity] = upload
            return .sending(identity: identity, upload: upload)
        }
    }

    /// Waits for what becomes of an item.
    func waitForResult(of item: StartedItem) async -> UploadResult {
        switch item {
        case .rejected(let error): return UploadResult(failedWith: error)
        case .sending(identity: let identity, upload: let upload):
            let (name, result) = await waitForItemNameAndResult(of: upload)
            state.withLock { $0.uploadsByIdentity[identity] = .ended(itemName: name, result: result) }
            return result
        case .duplicate(let upload):
            var (name, result) = await waitForItemNameAndResult(of: upload)
            if result.status == .acknowledged { result.status = .duplicate }
            (result.attemptCount, result.bytesSent, result.originalItemName) = (0, 0, name)
            return result
        }
    }

    private func waitForItemNameAndResult(of upload: UploadState) async -> (String, UploadResult) {
        switch upload {
        case .running(itemName: let name, task: let task):
            (
                name,
                await withTaskCancellationHandler {
                    await task.value
                } onCancel: {
                    task.cancel()
                }
            )
        case .ended(itemName: let name, result: let result): (name, result)
        }
    }

    private func performUpload(
        _ item: UploadItem, uploadKey: UploadKey, uploader: Uploader, observer: UploadObserver
    ) async -> UploadResult {
        do throws(UploadError) {
            let result = try await uploader.upload(item, uploadKey: uploadKey, observer: observer) {
                state.withLock(\.batchError)
            }
            if let error = result.error { stopBatchIfNeeded(after: error) }
            return result
        } catch {
            stopBatchIfNeeded(after: error)
            return UploadResult(failedWith: error)
        }
    }

    private func stopBatchIfNeeded(after error: UploadError) {
        if error.endsBatch { state.withLock { $0.batchError = $0.batchError ?? error } }
    }
}

extension UploadError {
    /// The same where an earlier sending, or this one, may have been taken.
    fileprivate var asOutcomeUnknown: UploadError {
        if code == .outcomeUnknown { return self }
        var error = self
        error.code = .outcomeUnknown
        error.message = "it was sent before, and may have been taken; this time \(message)"
        return error
    }
}

extension UploadResult {
    fileprivate init(record: UploadRecord, status: Status, error: UploadError? = nil) {
        self.init(
            status: status, serverID: record.serverID, attemptCount: record.attemptCount, bytesSent: record.bytesSent,
            error: error,
            isFromEarlierRun: false)
    }

    fileprivate init(failedWith error: UploadError) {
        self.init(status: .failed, attemptCount: 0, bytesSent: 0, error: error, isFromEarlierRun: false)
    }

    fileprivate init(notSentBecauseOf error: UploadError) {
        self.init(failedWith: error)
        status = .notSent
    }
}
