internal import HTTPCalls
internal import Synchronization

/// The items of one run. Equal items are sent once, and some errors end the whole batch.
final class UploadBatch: Sendable {
    enum UploadState: Sendable {
        /// The upload of the item with that name is in progress.
        case running(number: Int, itemName: String, task: Task<UploadResult, Never>)
        case ended(number: Int, itemName: String, result: UploadResult)

        /// The number of the upload in the batch.
        var number: Int {
            switch self {
            case .running(let number, itemName: _, task: _), .ended(let number, itemName: _, result: _): number
            }
        }
    }

    fileprivate struct State {
        var uploadsByIdentity: [[UInt8]: UploadState] = [:]
        var uploadCount = 0
        var batchError: CallError?
    }

    private let state: Mutex<State>
    private let retryLimiter = RequestLimiter(limit: 1)
    /// The account that sends all items; `nil` if its id is not known.
    private let accountID: String?

    /// Creates a batch.
    ///
    /// - Parameters:
    ///   - accountID: The account that sends all items; `nil` if its id is not known.
    ///   - error: The error of all items if nothing may be sent; otherwise `nil`.
    init(accountID: String?, error: CallError?) {
        self.accountID = accountID
        state = Mutex(State(batchError: error))
    }

    /// An item that was started: rejected, being sent, or a duplicate that waits for an equal item.
    enum StartedItem: Sendable {
        case rejected(CallError)
        case sending(identity: [UInt8], upload: UploadState)
        case duplicate(Duplicate)

        var isSending: Bool {
            if case .sending = self { return true }
            return false
        }
    }

    /// An item that waits for an equal one. If that one cannot be read, its own upload is started.
    struct Duplicate: Sendable {
        fileprivate var upload: UploadState
        fileprivate var identity: [UInt8]
        fileprivate var itemName: String
        fileprivate var perform: @Sendable () async -> UploadResult
    }

    /// Starts the upload of an item, unless an equal one was started before.
    func startUpload(_ item: UploadItem, uploader: Uploader, observer: UploadObserver) -> StartedItem {
        var uploadKey: UploadKey
        do throws(CallError) { uploadKey = try uploader.destination.uploadKey(for: item) } catch {
            return .rejected(error)
        }
        uploadKey.accountID = uploadKey.accountID ?? accountID
        let identity = uploadKey.uploadIdentity(sha256: item.sha256)
        let perform: @Sendable () async -> UploadResult = { [uploadKey] in
            await self.performUpload(item, uploadKey: uploadKey, uploader: uploader, observer: observer)
        }
        return state.withLock { state in
            if let upload = state.uploadsByIdentity[identity] {
                return .duplicate(
                    Duplicate(upload: upload, identity: identity, itemName: item.name, perform: perform))
            }
            return .sending(
                identity: identity, upload: state.startUpload(identity: identity, itemName: item.name, perform))
        }
    }

    /// Waits for the result of an item.
    func waitForResult(of item: StartedItem) async -> UploadResult {
        switch item {
        case .rejected(let error): return UploadResult(failedWith: error)
        case .sending(identity: let identity, upload: let upload):
            let (name, result) = await waitForItemNameAndResult(of: upload)
            state.withLock { state in
                // A duplicate may have started another upload already.
                guard state.uploadsByIdentity[identity]?.number == upload.number else { return }
                state.uploadsByIdentity[identity] = .ended(number: upload.number, itemName: name, result: result)
            }
            return result
        case .duplicate(let duplicate):
            var (name, result) = await waitForItemNameAndResult(of: duplicate.upload)
            if result.error?.concernsOnlySource == true, let retry = await retriedResult(of: duplicate) { return retry }
            if result.status == .acknowledged { result.status = .duplicate }
            (result.attemptCount, result.bytesSent, result.originalItemName) = (0, 0, name)
            return result
        }
    }

    /// Sends a duplicate, because its original could not be read, unless another duplicate was sent meanwhile.
    ///
    /// Duplicates do not occupy upload slots. Therefore, only one of them is sent at a time.
    ///
    /// - Returns: The result, or `nil` if the task is cancelled.
    private func retriedResult(of duplicate: Duplicate) async -> UploadResult? {
        do throws(CallError) { try await retryLimiter.enter() } catch { return nil }
        defer { retryLimiter.leave() }
        let item = state.withLock { state -> StartedItem in
            if let upload = state.uploadsByIdentity[duplicate.identity],
                case .ended(number: _, itemName: _, let result) = upload, result.error?.concernsOnlySource != true
            {
                var duplicate = duplicate
                duplicate.upload = upload
                return .duplicate(duplicate)
            }
            return .sending(
                identity: duplicate.identity,
                upload: state.startUpload(
                    identity: duplicate.identity, itemName: duplicate.itemName, duplicate.perform))
        }
        return await waitForResult(of: item)
    }

    private func waitForItemNameAndResult(of upload: UploadState) async -> (String, UploadResult) {
        switch upload {
        case .running(number: _, itemName: let name, task: let task):
            (
                name,
                await withTaskCancellationHandler {
                    await task.value
                } onCancel: {
                    task.cancel()
                }
            )
        case .ended(number: _, itemName: let name, result: let result): (name, result)
        }
    }

    private func performUpload(
        _ item: UploadItem, uploadKey: UploadKey, uploader: Uploader, observer: UploadObserver
    ) async -> UploadResult {
        do throws(CallError) {
            let result = try await uploader.upload(item, uploadKey: uploadKey, observer: observer) {
                self.state.withLock(\.batchError)
            }
            if let error = result.error { stopBatchIfNeeded(after: error) }
            return result
        } catch {
            stopBatchIfNeeded(after: error)
            return UploadResult(failedWith: error)
        }
    }

    private func stopBatchIfNeeded(after error: CallError) {
        if error.endsBatch { state.withLock { $0.batchError = $0.batchError ?? error } }
    }
}

extension UploadBatch.State {
    fileprivate mutating func startUpload(
        identity: [UInt8], itemName: String, _ perform: @escaping @Sendable () async -> UploadResult
    ) -> UploadBatch.UploadState {
        uploadCount += 1
        let upload = UploadBatch.UploadState.running(
            number: uploadCount, itemName: itemName, task: Task { await perform() })
        uploadsByIdentity[identity] = upload
        return upload
    }
}

extension CallError {
    /// Whether the error is only that the item's own content cannot be read. An equal item may have another file.
    fileprivate var concernsOnlySource: Bool { code == .sourceChanged }
}

/// The callbacks for one upload.
struct UploadObserver: Sendable {
    var onProgress: @Sendable (SendProgress) -> Void
    var onReceipt: @Sendable (UploadReceipt) async throws -> Void
}
