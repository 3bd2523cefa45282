internal import HTTPCalls
internal import Synchronization

/// The items of one run. Equal items are sent once, and some errors end the whole batch.
final class UploadBatch: Sendable {
    enum UploadState: Sendable {
        /// The upload of the item with that name is in progress.
        case running(itemName: String, task: Task<UploadResult, Never>)
        case ended(itemName: String, result: UploadResult)
    }

    private struct State {
        var uploadsByIdentity: [[UInt8]: UploadState] = [:]
        var batchError: CallError?
    }

    private let state: Mutex<State>
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
        case duplicate(UploadState)

        var isSending: Bool {
            if case .sending = self { return true }
            return false
        }
    }

    /// Starts the upload of an item, unless an equal one was started before.
    func startUpload(_ item: UploadItem, uploader: Uploader, observer: UploadObserver) -> StartedItem {
        var uploadKey: UploadKey
        do throws(CallError) { uploadKey = try uploader.destination.uploadKey(for: item) } catch {
            return .rejected(error)
        }
        uploadKey.accountID = uploadKey.accountID ?? accountID
        let identity = uploadKey.uploadIdentity(sha256: item.sha256)
        return state.withLock { [uploadKey] state in
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

    /// Waits for the result of an item.
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

/// The callbacks for one upload.
struct UploadObserver: Sendable {
    var onProgress: @Sendable (SendProgress) -> Void
    var onReceipt: @Sendable (UploadReceipt) async throws -> Void
}
