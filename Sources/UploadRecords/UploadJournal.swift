internal import Synchronization

/// Records the state of each upload, so that nothing is sent twice.
///
/// `LedgerDatabase` of the module `Ledger` keeps the records in a file, so that they outlive the process.
/// ``InMemoryUploadJournal`` keeps them for the lifetime of the journal.
public protocol UploadJournal: Sendable {
    /// Returns the record of an upload, or `nil` if there is none.
    ///
    /// - Parameter identity: The digest that identifies the upload, as in ``UploadRecord/identity``.
    /// - Throws: An error if the records cannot be read. Nothing is sent then.
    func uploadRecord(identity: [UInt8]) async throws -> UploadRecord?

    /// Saves the record of an upload, replacing an earlier record of the same identity.
    ///
    /// When this method returns, the record is as durable as the journal promises, because a request is sent next.
    /// Cancelling the task has no effect.
    ///
    /// - Parameter record: The record.
    /// - Throws: An error if the record cannot be saved. Nothing more is sent then.
    func saveUpload(_ record: UploadRecord) async throws
}

/// A journal in memory. It forgets everything with the process.
public final class InMemoryUploadJournal: UploadJournal {
    private let records = Mutex<[[UInt8]: UploadRecord]>([:])

    /// Creates a journal without records.
    public init() {}

    /// Returns the record of an upload, or `nil` if there is none.
    ///
    /// - Parameter identity: The digest that identifies the upload.
    public func uploadRecord(identity: [UInt8]) async -> UploadRecord? { records.withLock { $0[identity] } }

    /// Saves the record of an upload, replacing an earlier record of the same identity.
    ///
    /// - Parameter record: The record.
    public func saveUpload(_ record: UploadRecord) async { records.withLock { $0[record.identity] = record } }
}
