public import Ledger
internal import Synchronization

/// Sends items to one backend, a few at a time, each once.
///
/// What becomes of each is recorded in a ledger, before it is sent and after: what a run left undone, because it was stopped or
/// because sending failed, the next does; what it did is not done again. If a run was stopped while it was sending to a backend that
/// doesn't honour keys, what the server has isn't known: such an item is `outcome-unknown`.
public struct Uploader: Sendable {
    /// Where to.
    public var destination: any Destination
    /// Items at a time, at least 1.
    public var uploads = 4
    /// Whether to send again what may have been taken.
    public var retriesUnknown = false
    /// Whether to send again, with a new key, what was taken.
    public var isForced = false

    private let client: HTTPClient
    private let journal: Ledger

    /// An uploader that sends by `client`, and records in `journal`.
    public init(_ destination: any Destination, _ client: HTTPClient, journal: Ledger) {
        self.destination = destination
        self.client = client
        self.journal = journal
    }

    /// Sends all items.
    ///
    /// - Parameters:
    ///   - items: taken one at a time, when one more can be sent: that is the back-pressure.
    ///   - onProgress: takes, on the transport's own thread, how much of an item has left; that it has arrived only its result says.
    ///   - onReceipt: takes what the server answered to an item, before it is recorded that it did: what is kept here isn't lost,
    ///     whenever the process is stopped.
    ///   - report: takes each item's result, as they come. Which of several equal items is sent, and which are called its duplicates,
    ///     depends on which came first.
    /// - Throws: what `items` and `report` throw, and `CancellationError`, once what is on its way has ended.
    public func run<Items: AsyncSequence>(
        _ items: Items, onProgress: (@Sendable (Items.Element, SendProgress) -> Void)? = nil,
        onReceipt: (@Sendable (Items.Element, Receipt) async throws -> Void)? = nil,
        report: @escaping @Sendable (Items.Element, UploadResult) async throws -> Void
    ) async throws where Items.Element: UploadSource {
        let batch = UploadBatch()
        // Each tells whether it was sending: what is equal to another waits for that one, and takes no place from those that send.
        try await withThrowingTaskGroup(of: Bool.self) { group in
            var sending = 0, waiting = 0
            for try await source in items {
                while sending == uploads || waiting == Self.mostWaiting, let wasSending = try await group.next() {
                    if wasSending { sending -= 1 } else { waiting -= 1 }
                }
                // A place may be free because what had it was cancelled with all of this.
                try Task.checkCancellation()
                let observer = DeliveryObserver(
                    onProgress: { onProgress?(source, $0) }, onReceipt: { try await onReceipt?(source, $0) })
                let upload = batch.begin(source.item, by: self, observer)
                if upload.isSending { sending += 1 } else { waiting += 1 }
                group.addTask {
                    try await report(source, await batch.end(upload))
                    return upload.isSending
                }
            }
            for try await _ in group {}
        }
        try Task.checkCancellation()
    }

    /// As many as the command holds ready.
    private static let mostWaiting = 64

    /// Sends one item, unless the ledger says that there is nothing to send.
    ///
    /// - Parameter end: why nothing more is sent; nil while it is.
    func upload(
        _ item: UploadItem, to address: UploadAddress, _ observer: DeliveryObserver, unless end: () -> UploadError?
    ) async throws(UploadError) -> UploadResult {
        var record = try await journal.known(address.identity(of: item.sha256))
        if let status = settle(&record) { return try await keep(record, status) }
        if let result = try await settleEarlier(item, at: address, &record) { return result }
        if let end = end() { return UploadResult(notSent: end) }
        let delivery = Delivery(
            item, to: address, record, honoursKeys: destination.honoursKeys, client, journal,
            onProgress: observer.onProgress)
        let receipt: Receipt
        do { receipt = try await destination.deliver(item, to: address, by: delivery) } catch {
            // What can't be recorded stays as it is on the disk.
            if error.code == .journal { throw error }
            let record = try await delivery.giveUp(error)
            let isUnknown = record.state == .unknown
            return UploadResult(record, isUnknown ? .unknown : .failed, error: isUnknown ? error.leavingDoubt : error)
        }
        // Kept first: whenever the process is stopped, what was answered isn't lost.
        var failure: (any Error)?
        do { try await observer.onReceipt(receipt) } catch { failure = error }
        record = try await delivery.acknowledge(receipt.id)
        if let failure { throw UploadError(.journal, "\(failure)", cause: failure) }
        return UploadResult(record, .acknowledged)
    }

    /// What became of it already; nil if it is to be sent.
    private func settle(_ record: inout UploadRecord) -> UploadResult.Status? {
        if isForced {
            let repeats = record.repeats + (record.state == .prepared && record.doubt == nil ? 0 : 1)
            record = UploadRecord(identity: record.identity)
            record.repeats = repeats
            return nil
        }
        if record.state == .acknowledged { return .acknowledged }
        guard let doubt = record.doubt, !(doubt == .keyed && destination.honoursKeys), !retriesUnknown else {
            return nil
        }
        record.becomeUnknown()
        return .unknown
    }

    /// What became of the item as an earlier version of the program prepared it; nil if it is to be sent.
    ///
    /// - Parameter record: is given what the backend calls an upload that was only announced.
    private func settleEarlier(
        _ item: UploadItem, at address: UploadAddress, _ record: inout UploadRecord
    ) async throws(UploadError) -> UploadResult? {
        guard !isForced, record.doubt == nil else { return nil }
        var unknown: UploadRecord?
        for digest in item.earlierDigests {
            let earlier = try await journal.known(address.identity(of: digest))
            if earlier.state == .acknowledged { return try await keep(earlier, .acknowledged) }
            if earlier.doubt != nil { unknown = earlier }
            record.reference = record.reference ?? earlier.reference
        }
        // Not sent again under its key either: that was the key of other bytes.
        guard var unknown, !retriesUnknown else { return nil }
        unknown.becomeUnknown()
        return try await keep(unknown, .unknown)
    }

    private func keep(_ record: UploadRecord, _ status: UploadResult.Status) async throws(UploadError) -> UploadResult {
        var error: UploadError?
        if status == .unknown {
            error = UploadError(.outcomeUnknown, record.message ?? "")
            try await journal.record(record)
        }
        var result = UploadResult(record, status, error: error)
        result.isFromEarlierRun = true
        return result
    }
}

extension UploadRecord {
    /// Nothing will tell any more whether the server has it.
    fileprivate mutating func becomeUnknown() {
        if state == .sending {
            reason = UploadError.Code.outcomeUnknown.rawValue
            message = "the run that sent it was stopped before the server answered"
        }
        state = .unknown
    }
}

/// Who is told of an item on its way.
struct DeliveryObserver: Sendable {
    var onProgress: @Sendable (SendProgress) -> Void
    var onReceipt: @Sendable (Receipt) async throws -> Void
}

/// One run's items: what is the same is sent once, and what ends one may end all.
private final class UploadBatch: Sendable {
    enum Upload: Sendable {
        /// Of the item of that name.
        case running(String, Task<UploadResult, Never>)
        case ended(String, UploadResult)
    }

    private struct State {
        var uploads: [[UInt8]: Upload] = [:]
        var end: UploadError?
    }

    private let state = Mutex(State())

    /// An item that was begun: refused, sent, or waiting for an equal one.
    enum Begun: Sendable {
        case refused(UploadError)
        case sent([UInt8], Upload)
        case equal(Upload)

        var isSending: Bool {
            if case .sent = self { return true }
            return false
        }
    }

    /// Begins to send an item, unless an equal one was begun before.
    func begin(_ item: UploadItem, by uploader: Uploader, _ observer: DeliveryObserver) -> Begun {
        let address: UploadAddress
        do throws(UploadError) { address = try uploader.destination.address(of: item) } catch {
            return .refused(error)
        }
        let identity = address.identity(of: item.sha256)
        return state.withLock { state in
            if let upload = state.uploads[identity] { return .equal(upload) }
            let upload = Upload.running(item.name, Task { await self.send(item, to: address, by: uploader, observer) })
            state.uploads[identity] = upload
            return .sent(identity, upload)
        }
    }

    /// Waits for what becomes of an item.
    func end(_ begun: Begun) async -> UploadResult {
        switch begun {
        case .refused(let error): return UploadResult(failed: error)
        case .sent(let identity, let upload):
            let (name, result) = await end(of: upload)
            state.withLock { $0.uploads[identity] = .ended(name, result) }
            return result
        case .equal(let upload):
            var (name, result) = await end(of: upload)
            if result.status == .acknowledged { result.status = .duplicate }
            (result.attempts, result.bytesSent, result.duplicateOf) = (0, 0, name)
            return result
        }
    }

    private func end(of upload: Upload) async -> (String, UploadResult) {
        switch upload {
        case .running(let name, let task):
            (
                name,
                await withTaskCancellationHandler {
                    await task.value
                } onCancel: {
                    task.cancel()
                }
            )
        case .ended(let name, let result): (name, result)
        }
    }

    private func send(
        _ item: UploadItem, to address: UploadAddress, by uploader: Uploader, _ observer: DeliveryObserver
    ) async -> UploadResult {
        do throws(UploadError) {
            let result = try await uploader.upload(item, to: address, observer) { state.withLock(\.end) }
            if let error = result.error { note(error) }
            return result
        } catch {
            note(error)
            return UploadResult(failed: error)
        }
    }

    private func note(_ error: UploadError) {
        if error.endsBatch { state.withLock { $0.end = $0.end ?? error } }
    }
}

extension UploadError {
    /// The same where an earlier sending, or this one, may have been taken.
    fileprivate var leavingDoubt: UploadError {
        if code == .outcomeUnknown { return self }
        var error = self
        error.code = .outcomeUnknown
        error.message = "it was sent before, and may have been taken; this time \(message)"
        return error
    }
}

extension UploadResult {
    fileprivate init(_ record: UploadRecord, _ status: Status, error: UploadError? = nil) {
        self.init(
            status: status, id: record.id, attempts: record.attempts, bytesSent: record.bytesSent, error: error,
            isFromEarlierRun: false)
    }

    fileprivate init(failed error: UploadError) {
        self.init(status: .failed, attempts: 0, bytesSent: 0, error: error, isFromEarlierRun: false)
    }

    fileprivate init(notSent error: UploadError) {
        self.init(failed: error)
        status = .notSent
    }
}
