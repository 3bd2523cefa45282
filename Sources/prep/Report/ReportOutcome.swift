/// What became of an input, worst first: the order of the report's tables.
enum ReportOutcome: Int, CaseIterable {
    case failed, rejected, skipped, planned, converted, passthrough, cleaned, accepted

    /// - Parameter verdict: nil for what a dry run only plans.
    init(_ verdict: ManifestLine.Verdict?) {
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

    /// As the manifest calls it.
    var name: String { "\(self)" }
    /// Whether someone has to look after the file.
    var isFailedOrRejected: Bool { self == .failed || self == .rejected }
    /// Whether it may be uploaded.
    var isReadyForUpload: Bool { rawValue >= Self.converted.rawValue }
}
