internal import Ledger
internal import Synchronization

/// One item on its way: sends its requests, and records before each what is about to be.
public final class UploadSession: Sendable {
    private struct State {
        var uploadRecord: UploadRecord
        /// What earlier attempts leave in doubt; that of the one on its way is in the record.
        var priorUncertainty: UploadRecord.DeliveryUncertainty?
    }

    private let uploadItem: UploadItem
    private let uploadKey: UploadKey
    private let httpClient: HTTPClient
    private let ledger: LedgerDatabase
    private let honorsIdempotencyKeys: Bool
    private let state: Mutex<State>
    private let transferCounters = TransferCounters()
    private let onProgress: (@Sendable (SendProgress) -> Void)?

    init(
        item: UploadItem, uploadKey: UploadKey, record: UploadRecord, honorsIdempotencyKeys: Bool, client: HTTPClient,
        ledger: LedgerDatabase, onProgress: (@Sendable (SendProgress) -> Void)?
    ) {
        self.uploadItem = item
        self.uploadKey = uploadKey
        self.httpClient = client
        self.ledger = ledger
        self.honorsIdempotencyKeys = honorsIdempotencyKeys
        self.onProgress = onProgress
        state = Mutex(State(uploadRecord: record, priorUncertainty: record.uncertainty))
    }

    /// What was noted, in this run or in one that was stopped.
    public var resumeReference: String? { state.withLock(\.uploadRecord.resumeReference) }

    /// Keeps something that is needed to go on after an interruption, such as what the server calls an upload that was
    /// only announced. What was sent before it counts as answered.
    public func saveResumeReference(_ reference: String) async throws(UploadError) {
        try await updateRecord { state in
            state.uploadRecord.resumeReference = reference
            (state.uploadRecord.state, state.uploadRecord.uncertainty, state.priorUncertainty) = (.prepared, nil, nil)
        }
    }

    /// Asks for something that the item's sending depends on: a GET, which changes nothing, and so may be sent again.
    public func sendGetRequest(to endpoint: Endpoint) async throws(UploadError) -> HTTPResponse {
        let request = HTTPRequest(
            method: .get, endpoint: endpoint, headers: [HTTPHeader(name: "Accept", value: "application/json")],
            timeout: httpClient.timeouts.apiCall)
        return try await httpClient.send(request, isIdempotent: true)
    }

    /// Sends a request that is to be done once.
    ///
    /// - Parameters:
    ///   - endpoint: the URL.
    ///   - body: the request's body.
    ///   - step: which of the item's requests, where there are more than one.
    ///   - carriesItem: whether it carries the item, and so may take long, and is what the progress is about.
    public func post(
        to endpoint: Endpoint, body: HTTPRequest.Body, step: String = "", carriesItem: Bool = true
    ) async throws(UploadError) -> HTTPResponse {
        var request = HTTPRequest(
            method: .post, endpoint: endpoint, body: body,
            timeout: carriesItem ? httpClient.timeouts.upload : httpClient.timeouts.apiCall,
            onProgress: carriesItem ? onProgress : nil)
        if honorsIdempotencyKeys {
            let repeats = state.withLock(\.uploadRecord.forcedResendCount)
            let key = uploadKey.idempotencyKey(sha256: uploadItem.sha256, forcedResendCount: repeats, step: step)
            request.headers.append(HTTPHeader(name: "Idempotency-Key", value: key))
        }
        return try await httpClient.send(
            request, isIdempotent: honorsIdempotencyKeys, counters: transferCounters, session: self)
    }

    /// A request that counts is about to leave.
    func recordAttemptStart() async throws(UploadError) {
        try await updateRecord { state in
            (state.uploadRecord.state, state.uploadRecord.uncertainty) = (.sending, uncertaintyIfUnanswered(in: state))
        }
    }

    /// The request that left was not answered so that it is known what became of it.
    func markUncertain() { state.withLock { $0.priorUncertainty = uncertaintyIfUnanswered(in: $0) } }

    /// It waits to be sent again. A run that is stopped here leaves no more doubt than there was; where the server
    /// honours keys there is no harm in it, and so nothing is written.
    func recordWaitForRetry() async throws(UploadError) {
        if honorsIdempotencyKeys { return }
        try await updateRecord {
            ($0.uploadRecord.state, $0.uploadRecord.uncertainty) = (.prepared, $0.priorUncertainty)
        }
    }

    /// What is in doubt with a request that isn't answered: what was sent without a key stays so, whatever is sent with
    /// one.
    private func uncertaintyIfUnanswered(in state: State) -> UploadRecord.DeliveryUncertainty {
        state.priorUncertainty == .unkeyed || !honorsIdempotencyKeys ? .unkeyed : .keyed
    }

    /// Sends the item as a form: the fields of its address, and its content as the part.
    public func postItemForm(to endpoint: Endpoint, step: String = "") async throws(UploadError) -> HTTPResponse {
        try await post(
            to: endpoint, body: try uploadItem.multipartBody(partName: uploadKey.partName, fields: uploadKey.fields),
            step: step)
    }

    /// Records that the server has it, and calls it `serverID`.
    func recordAcknowledgment(serverID: String?) async throws(UploadError) -> UploadRecord {
        try await finishRecord { state in
            (state.uploadRecord.state, state.uploadRecord.uncertainty, state.uploadRecord.serverID) = (
                .acknowledged, nil, serverID
            )
            (state.uploadRecord.reasonCode, state.uploadRecord.message) = (nil, nil)
        }
    }

    /// Records that it was given up, and what that leaves in doubt.
    func recordFailure(_ error: UploadError) async throws(UploadError) -> UploadRecord {
        try await finishRecord { state in
            // An answer that can't be read says all the same that something was done, if it was to what does something.
            let isUnreadable = error.code == .invalidResponse && (200..<300).contains(error.status ?? 0)
            if error.code == .outcomeUnknown || isUnreadable && state.uploadRecord.state == .sending {
                state.priorUncertainty = uncertaintyIfUnanswered(in: state)
            }
            let isUnknown =
                state.priorUncertainty == .unkeyed || state.priorUncertainty != nil && !honorsIdempotencyKeys
            state.uploadRecord.uncertainty = state.priorUncertainty
            state.uploadRecord.state = isUnknown ? .outcomeUnknown : error.code == .cancelled ? .prepared : .failed
            (state.uploadRecord.reasonCode, state.uploadRecord.message) = (error.code.rawValue, error.message)
        }
    }

    private func finishRecord(applying change: (inout State) -> Void) async throws(UploadError) -> UploadRecord {
        try await updateRecord { state in
            state.uploadRecord.attemptCount += transferCounters.attemptCount
            state.uploadRecord.bytesSent += transferCounters.bytesSent
            change(&state)
        }
        return state.withLock(\.uploadRecord)
    }

    private func updateRecord(applying change: (inout State) -> Void) async throws(UploadError) {
        let changed = state.withLock { state in
            let before = state.uploadRecord
            change(&state)
            return state.uploadRecord == before ? nil : state.uploadRecord
        }
        if let changed { try await ledger.recordUpload(changed) }
    }
}

extension LedgerDatabase {
    /// - Throws: `journal`.
    func recordUpload(_ upload: UploadRecord) async throws(UploadError) {
        do { try await saveUpload(upload) } catch {
            throw UploadError(code: .ledgerFailed, message: "\(error)", cause: error)
        }
    }

    /// What is known of an upload, if only that it is new.
    ///
    /// - Throws: `journal`.
    func existingOrNewUpload(identity: [UInt8]) async throws(UploadError) -> UploadRecord {
        do { return try await uploadRecord(identity: identity) ?? UploadRecord(identity: identity) } catch {
            throw UploadError(code: .ledgerFailed, message: "\(error)", cause: error)
        }
    }
}
