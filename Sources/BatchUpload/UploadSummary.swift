package import Batch
package import HTTPCalls
package import Uploading

/// The totals of a run's uploads.
package struct UploadSummary: Sendable {
    /// A status with the code of the error that led to it.
    package struct StatusAndCode: Hashable, Sendable {
        package var status: UploadResult.Status
        package var code: CallError.Code
    }

    package private(set) var statusCounts: [UploadResult.Status: Int] = [:]
    package private(set) var reasonCounts: [StatusAndCode: Int] = [:]
    /// The number of uploads of this run, rather than of an earlier one.
    package private(set) var newUploadCount = 0

    package init() {}

    /// Whether the server does not have an item, or may not have it.
    package var hasFailures: Bool { !Set(statusCounts.keys).isSubset(of: [.acknowledged, .duplicate]) }

    mutating func countUpload(_ result: UploadResult) {
        statusCounts[result.status, default: 0] += 1
        newUploadCount += result.isFromEarlierRun ? 0 : 1
        if let error = result.error {
            reasonCounts[StatusAndCode(status: result.status, code: error.code), default: 0] += 1
        }
    }
}

/// An event of a run of uploads.
package enum UploadEvent: Sendable {
    /// An event of the preparation, except its end.
    case preparation(BatchEvent)
    /// An upload has a result. `preparedBytes` is the size of the input, in bytes, if this run prepared it; otherwise
    /// it is `nil`.
    case finished(itemName: String, UploadResult, preparedBytes: Int?)
    /// A ledger of earlier runs cannot be read, so that an item may be sent again.
    case unreadableLedger(message: String)
    /// The run ended, whether it is complete or not. This is the last event.
    case ended(BatchSummary, UploadSummary)
}
