internal import Ledger
internal import Synchronization

/// One item on its way: sends its requests, and records before each what is about to be.
public final class Delivery: Sendable {
    private struct State {
        var record: UploadRecord
        /// What earlier attempts leave in doubt; that of the one on its way is in the record.
        var doubt: UploadRecord.Doubt?
    }

    private let item: UploadItem
    private let address: UploadAddress
    private let client: HTTPClient
    private let journal: Ledger
    private let honoursKeys: Bool
    private let state: Mutex<State>
    private let tally = Tally()
    private let onProgress: (@Sendable (SendProgress) -> Void)?

    init(
        _ item: UploadItem, to address: UploadAddress, _ record: UploadRecord, honoursKeys: Bool, _ client: HTTPClient,
        _ journal: Ledger, onProgress: (@Sendable (SendProgress) -> Void)?
    ) {
        self.item = item
        self.address = address
        self.client = client
        self.journal = journal
        self.honoursKeys = honoursKeys
        self.onProgress = onProgress
        state = Mutex(State(record: record, doubt: record.doubt))
    }

    /// What was noted, in this run or in one that was stopped.
    public var reference: String? { state.withLock(\.record.reference) }

    /// Keeps something that is needed to go on after an interruption, such as what the server calls an upload that was only
    /// announced. What was sent before it counts as answered.
    public func note(_ reference: String) async throws(UploadError) {
        try await record { state in
            state.record.reference = reference
            (state.record.state, state.record.doubt, state.doubt) = (.prepared, nil, nil)
        }
    }

    /// Asks for something that the item's sending depends on: a GET, which changes nothing, and so may be sent again.
    public func ask(_ endpoint: Endpoint) async throws(UploadError) -> HTTPResponse {
        let request = HTTPRequest(
            .get, endpoint, headers: [HTTPHeader("Accept", "application/json")], timeout: client.timeouts.call)
        return try await client.send(request, mayRepeat: true)
    }

    /// Sends a request that is to be done once.
    ///
    /// - Parameters:
    ///   - endpoint: the URL.
    ///   - body: the request's body.
    ///   - step: which of the item's requests, where there are more than one.
    ///   - isUpload: whether it carries the item, and so may take long, and is what the progress is about.
    public func post(
        _ endpoint: Endpoint, _ body: HTTPRequest.Body, step: String = "", isUpload: Bool = true
    ) async throws(UploadError) -> HTTPResponse {
        var request = HTTPRequest(
            .post, endpoint, body: body, timeout: isUpload ? client.timeouts.upload : client.timeouts.call,
            onProgress: isUpload ? onProgress : nil)
        if honoursKeys {
            let repeats = state.withLock(\.record.repeats)
            let key = address.key(of: item.sha256, repeats: repeats, step: step)
            request.headers.append(HTTPHeader("Idempotency-Key", key))
        }
        return try await client.send(request, mayRepeat: honoursKeys, tally: tally, for: self)
    }

    /// A request that counts is about to leave.
    func begin() async throws(UploadError) {
        try await record { state in (state.record.state, state.record.doubt) = (.sending, inDoubt(after: state)) }
    }

    /// The request that left was not answered so that it is known what became of it.
    func leaveInDoubt() { state.withLock { $0.doubt = inDoubt(after: $0) } }

    /// It waits to be sent again. A run that is stopped here leaves no more doubt than there was; where the server honours keys there
    /// is no harm in it, and so nothing is written.
    func pause() async throws(UploadError) {
        if honoursKeys { return }
        try await record { ($0.record.state, $0.record.doubt) = (.prepared, $0.doubt) }
    }

    /// What is in doubt with a request that isn't answered: what was sent without a key stays so, whatever is sent with one.
    private func inDoubt(after state: State) -> UploadRecord.Doubt {
        state.doubt == .unkeyed || !honoursKeys ? .unkeyed : .keyed
    }

    /// Sends the item as a form: the fields of its address, and its content as the part.
    public func postForm(to endpoint: Endpoint, step: String = "") async throws(UploadError) -> HTTPResponse {
        try await post(endpoint, try item.form(part: address.part, fields: address.fields), step: step)
    }

    /// Records that the server has it, and calls it `id`.
    func acknowledge(_ id: String?) async throws(UploadError) -> UploadRecord {
        try await end { state in
            (state.record.state, state.record.doubt, state.record.id) = (.acknowledged, nil, id)
            (state.record.reason, state.record.message) = (nil, nil)
        }
    }

    /// Records that it was given up, and what that leaves in doubt.
    func giveUp(_ error: UploadError) async throws(UploadError) -> UploadRecord {
        try await end { state in
            // An answer that can't be read says all the same that something was done, if it was to what does something.
            let isUnreadable = error.code == .badAnswer && (200..<300).contains(error.status ?? 0)
            if error.code == .outcomeUnknown || isUnreadable && state.record.state == .sending {
                state.doubt = inDoubt(after: state)
            }
            let isUnknown = state.doubt == .unkeyed || state.doubt != nil && !honoursKeys
            state.record.doubt = state.doubt
            state.record.state = isUnknown ? .unknown : error.code == .cancelled ? .prepared : .failed
            (state.record.reason, state.record.message) = (error.code.rawValue, error.message)
        }
    }

    private func end(_ change: (inout State) -> Void) async throws(UploadError) -> UploadRecord {
        try await record { state in
            state.record.attempts += tally.attempts
            state.record.bytesSent += tally.bytesSent
            change(&state)
        }
        return state.withLock(\.record)
    }

    private func record(_ change: (inout State) -> Void) async throws(UploadError) {
        let changed = state.withLock { state in
            let before = state.record
            change(&state)
            return state.record == before ? nil : state.record
        }
        if let changed { try await journal.record(changed) }
    }
}

extension Ledger {
    /// - Throws: `journal`.
    func record(_ upload: UploadRecord) async throws(UploadError) {
        do { try await keep(upload) } catch { throw UploadError(.journal, "\(error)", cause: error) }
    }

    /// What is known of an upload, if only that it is new.
    ///
    /// - Throws: `journal`.
    func known(_ identity: [UInt8]) async throws(UploadError) -> UploadRecord {
        do { return try await upload(identity) ?? UploadRecord(identity: identity) } catch {
            throw UploadError(.journal, "\(error)", cause: error)
        }
    }
}
