/// What became of an input. Every input has exactly one verdict.
public enum Verdict: String, Codable, CaseIterable, Sendable {
    /// An image that was decoded, resized if necessary, and encoded.
    case converted
    /// An image that already fitted. Its metadata was removed, and its image data is unchanged.
    case passthrough
    /// Audio that may be sent as it is.
    case accepted
    /// Audio in which positions and similar metadata are erased.
    case cleaned
    /// A file in a directory that is a video, or neither media nor named like media. Only a batch gives this verdict.
    case skipped
    /// The input is not acceptable: it breaks the policy, exceeds a limit, is unsupported, or is damaged.
    case rejected
    /// The input could not be read, or the result could not be made.
    case failed

    /// Whether there is prepared media that can be sent.
    public var isPrepared: Bool {
        switch self {
        case .converted, .passthrough, .accepted, .cleaned: true
        case .skipped, .rejected, .failed: false
        }
    }

    /// Creates the verdict for an input whose preparation ended with an error.
    package init(_ verdict: MediaError.Verdict) {
        switch verdict {
        case .rejected: self = .rejected
        case .failed: self = .failed
        }
    }
}
