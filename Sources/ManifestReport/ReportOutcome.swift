internal import Batch
internal import MediaPrep

/// The outcome of an input, worst first. The report's tables use this order.
enum ReportOutcome: Int, CaseIterable {
    case failed, rejected, unsent, unconfirmed, skipped, planned, converted, passthrough, cleaned, accepted

    /// Creates the outcome of an input: that of its upload if the server may not have it, or else that of its
    /// preparation.
    ///
    /// - Parameters:
    ///   - verdict: The verdict, or `nil` for an input of a dry run.
    ///   - upload: The upload, or `nil` if there was none.
    init(_ verdict: Verdict?, upload: ManifestEntry.Upload?) {
        self =
            switch verdict {
            case _ where upload?.isUnconfirmed == true: .unconfirmed
            case _ where upload?.isWithServer == false: .unsent
            case .failed: .failed
            case .rejected: .rejected
            case .skipped: .skipped
            case .converted: .converted
            case .passthrough: .passthrough
            case .cleaned: .cleaned
            case .accepted: .accepted
            case nil: .planned
            }
    }

    /// The outcome's name: the verdict as the manifest spells it, or `unsent`, `unconfirmed` or `planned`.
    var name: String { "\(self)" }
    /// Whether the file needs the user's attention.
    var needsAttention: Bool { rawValue <= Self.unconfirmed.rawValue }
    /// Whether the file is ready to be uploaded, or was uploaded.
    var isReady: Bool { rawValue >= Self.converted.rawValue }
}
