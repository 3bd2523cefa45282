internal import MediaPrep

/// The outcome of an input, worst first. The report's tables use this order.
enum ReportOutcome: Int, CaseIterable {
    case failed, rejected, skipped, planned, converted, passthrough, cleaned, accepted

    /// Creates the outcome for a verdict, or for an input of a dry run if the verdict is `nil`.
    init(_ verdict: Verdict?) {
        self =
            switch verdict {
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

    /// The outcome's name: the verdict as the manifest spells it, or `planned`.
    var name: String { "\(self)" }
    /// Whether the file needs the user's attention.
    var isFailedOrRejected: Bool { self == .failed || self == .rejected }
    /// Whether the file is ready to be uploaded.
    var isReadyForUpload: Bool { rawValue >= Self.converted.rawValue }
}
