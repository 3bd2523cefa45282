public import HTTPCalls
internal import HTTPTypes
internal import Synchronization
internal import UploadRecords

/// The upload of one item: sends its requests, and records each POST in the journal before it is sent.
public final class UploadSession: AttemptRecorder, Sendable {
    private struct State {
        var uploadRecord: UploadRecord
        /// The uncertainty that earlier attempts left. That of the current attempt is in `uploadRecord`.
        var priorUncertainty: UploadRecord.DeliveryUncertainty?
        /// Whether an attempt was not made because an error of another item had ended the batch.
        var wasStoppedByBatch = false
    }

    private let uploadItem: UploadItem
    private let uploadKey: UploadKey
    private let httpClient: HTTPClient
    private let journal: any UploadJournal
    private let honorsIdempotencyKeys: Bool
    private let state: Mutex<State>
    private let transferCounters = TransferCounters()
    private let onProgress: (@Sendable (SendProgress) -> Void)?
    /// Returns the error that ended the batch, or `nil`.
    private let batchError: @Sendable () -> CallError?

    init(
        item: UploadItem, uploadKey: UploadKey, record: UploadRecord, honorsIdempotencyKeys: Bool, client: HTTPClient,
        journal: any UploadJournal, onProgress: (@Sendable (SendProgress) -> Void)?,
        batchError: @escaping @Sendable () -> CallError?
    ) {
        self.uploadItem = item
        self.uploadKey = uploadKey
        self.httpClient = client
        self.journal = journal
        self.honorsIdempotencyKeys = honorsIdempotencyKeys
        self.onProgress = onProgress
        self.batchError = batchError
        state = Mutex(State(uploadRecord: record, priorUncertainty: record.uncertainty))
    }

    /// The sign-in to which the upload belongs; `nil` if the client has no session.
    package var signIn: SignIn? { httpClient.boundSignIn }

    /// The reference saved by ``saveResumeReference(_:)``, in this run or in an interrupted one; `nil` if there is
    /// none.
    public var resumeReference: String? { state.withLock(\.uploadRecord.resumeReference) }

    /// Saves a reference for resuming the upload after an interruption, such as the server's id of an announced upload.
    /// The requests that were sent before count as answered.
    ///
    /// - Parameter reference: The reference.
    /// - Throws: `CallError.Code.journalFailed`.
    public func saveResumeReference(_ reference: String) async throws(CallError) {
        try await updateRecord { state in
            state.uploadRecord.resumeReference = reference
            (state.uploadRecord.state, state.uploadRecord.uncertainty, state.priorUncertainty) = (.prepared, nil, nil)
        }
    }

    /// Sends a GET request that the upload depends on. It is retried as an idempotent request.
    ///
    /// - Parameter endpoint: The URL.
    /// - Returns: The response, with a status of 200 to 299.
    /// - Throws: The errors of `HTTPClient.send(_:isIdempotent:counters:)`.
    public func get(from endpoint: Endpoint) async throws(CallError) -> TransportResponse {
        let request = TransportRequest(
            method: .get, endpoint: endpoint, headerFields: [.accept: "application/json"],
            timeout: httpClient.timeouts.apiCall)
        return try await httpClient.send(request, isIdempotent: true)
    }

    /// Sends a POST request that must be processed only once, with an idempotency key if the backend honors keys.
    ///
    /// - Parameters:
    ///   - endpoint: The URL.
    ///   - body: The request's body.
    ///   - step: Which of the item's requests, if there is more than one. It is part of the idempotency key.
    ///   - carriesItem: Whether the body contains the item. If so, the timeout is that of uploads and progress is
    ///     reported.
    /// - Returns: The response, with a status of 200 to 299.
    /// - Throws: The errors of `HTTPClient.send(_:isIdempotent:counters:)`; `CallError.Code.journalFailed`.
    public func post(
        to endpoint: Endpoint, body: RequestBody, step: String = "", carriesItem: Bool = true
    ) async throws(CallError) -> TransportResponse {
        var request = TransportRequest(
            method: .post, endpoint: endpoint, body: body,
            timeout: httpClient.timeouts.timeout(for: body, isUpload: carriesItem),
            onProgress: carriesItem ? onProgress : nil)
        if honorsIdempotencyKeys {
            let repeats = state.withLock(\.uploadRecord.forcedResendCount)
            let key = uploadKey.idempotencyKey(sha256: uploadItem.sha256, forcedResendCount: repeats, step: step)
            request.headerFields[.idempotencyKey] = key
        }
        return try await httpClient.send(
            request, isIdempotent: honorsIdempotencyKeys, counters: transferCounters, recorder: self)
    }

    /// Whether an attempt was not made because an error of another item had ended the batch.
    var wasStoppedByBatch: Bool { state.withLock(\.wasStoppedByBatch) }

    /// Records that an attempt is about to start.
    ///
    /// - Throws: The error that ended the batch, for example while the request waited for a rate limit;
    ///   `CallError.Code.journalFailed`.
    package func recordAttemptStart() async throws(CallError) {
        if let error = batchError() {
            state.withLock { $0.wasStoppedByBatch = true }
            throw error
        }
        try await updateRecord { state in
            (state.uploadRecord.state, state.uploadRecord.uncertainty) = (.sending, uncertaintyIfUnanswered(in: state))
        }
    }

    /// Remembers that the outcome of the current attempt is unknown.
    package func markUncertain() { state.withLock { $0.priorUncertainty = uncertaintyIfUnanswered(in: $0) } }

    /// Records that the request waits to be sent again, so that a run interrupted now adds no uncertainty. Nothing is
    /// written if the server honors keys, because sending again is then safe.
    package func recordWaitForRetry() async throws(CallError) {
        if honorsIdempotencyKeys { return }
        try await updateRecord {
            ($0.uploadRecord.state, $0.uploadRecord.uncertainty) = (.prepared, $0.priorUncertainty)
        }
    }

    /// Returns the uncertainty if the current request is not answered. An earlier request without a key remains
    /// uncertain even if a later one has a key.
    private func uncertaintyIfUnanswered(in state: State) -> UploadRecord.DeliveryUncertainty {
        state.priorUncertainty == .unkeyed || !honorsIdempotencyKeys ? .unkeyed : .keyed
    }

    /// Sends the item as a form: the fields of its key, and its content as the file.
    ///
    /// - Parameters:
    ///   - endpoint: The URL.
    ///   - step: Which of the item's requests, if there is more than one.
    /// - Returns: The response, with a status of 200 to 299.
    /// - Throws: The errors of ``post(to:body:step:carriesItem:)``; `CallError.Code.invalidItem` if the form is
    ///   invalid.
    public func postItemForm(to endpoint: Endpoint, step: String = "") async throws(CallError) -> TransportResponse {
        try await post(
            to: endpoint,
            body: try uploadItem.makeMultipartBody(partName: uploadKey.partName, fields: uploadKey.fields),
            step: step)
    }

    /// Records that the server accepted the item.
    ///
    /// - Parameter serverID: The id that the server gave the upload.
    func recordAcknowledgment(serverID: String?) async throws(CallError) -> UploadRecord {
        try await finishRecord { state in
            (state.uploadRecord.state, state.uploadRecord.uncertainty, state.uploadRecord.serverID) = (
                .acknowledged, nil, serverID
            )
            (state.uploadRecord.reasonCode, state.uploadRecord.message) = (nil, nil)
        }
    }

    /// Records that the upload failed, and the uncertainty that remains.
    func recordFailure(_ error: CallError) async throws(CallError) -> UploadRecord {
        try await finishRecord { state in
            // An unreadable response with a status of 200 to 299 still means that a POST request was processed.
            // The state is `sending` only after a POST.
            let isUnreadable = error.code == .invalidResponse && (200..<300).contains(error.status ?? 0)
            if error.code == .outcomeUnknown || isUnreadable && state.uploadRecord.state == .sending {
                state.priorUncertainty = uncertaintyIfUnanswered(in: state)
            }
            let isUnknown =
                state.priorUncertainty == .unkeyed || state.priorUncertainty != nil && !honorsIdempotencyKeys
            state.uploadRecord.uncertainty = state.priorUncertainty
            state.uploadRecord.state =
                isUnknown ? .outcomeUnknown : [.cancelled, .signedOut].contains(error.code) ? .prepared : .failed
            (state.uploadRecord.reasonCode, state.uploadRecord.message) = (error.code.rawValue, error.message)
        }
    }

    private func finishRecord(applying change: (inout State) -> Void) async throws(CallError) -> UploadRecord {
        try await updateRecord { state in
            state.uploadRecord.attemptCount += transferCounters.attemptCount
            state.uploadRecord.bytesSent += transferCounters.bytesSent
            change(&state)
        }
        return state.withLock(\.uploadRecord)
    }

    private func updateRecord(applying change: (inout State) -> Void) async throws(CallError) {
        let changed = state.withLock { state in
            let before = state.uploadRecord
            change(&state)
            return state.uploadRecord == before ? nil : state.uploadRecord
        }
        if let changed { try await journal.recordUpload(changed) }
    }
}

extension UploadJournal {
    /// Saves the record of an upload.
    ///
    /// - Throws: `CallError.Code.journalFailed`.
    func recordUpload(_ upload: UploadRecord) async throws(CallError) {
        do { try await saveUpload(upload) } catch {
            throw CallError(code: .journalFailed, message: "\(error)", cause: error)
        }
    }

    /// Returns the record of an upload, or a new one if there is none.
    ///
    /// - Throws: `CallError.Code.journalFailed`.
    func existingOrNewUpload(identity: [UInt8]) async throws(CallError) -> UploadRecord {
        do { return try await uploadRecord(identity: identity) ?? UploadRecord(identity: identity) } catch {
            throw CallError(code: .journalFailed, message: "\(error)", cause: error)
        }
    }
}
