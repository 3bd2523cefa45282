public import AudioProbe

/// How recordings are looked at and judged.
public struct AudioOptions: Hashable, Encodable, Sendable {
    /// What is let through.
    public var policy = AudioPolicy()
    /// Whether to believe headers, or to estimate, instead of counting frames.
    public var isQuick = false
    /// Whether to decode, where libsndfile can, to measure how loud it is. A policy about silence implies it.
    public var measuresLevels = false
    /// Whether to decode, where libsndfile can, to check the duration.
    public var verifiesDuration = false
    /// Whether to let through what ends in mid-frame.
    public var allowsTruncated = false
    /// What a file may ask for.
    public var limits = AudioLimits()

    /// The defaults: count frames, decode nothing, refuse only what is incomplete, and video.
    public init() {}

    var requiresDecoding: Bool { measuresLevels || verifiesDuration || policy.rejectsSilence }

    /// How a file is probed. One that is refused for its size is not scanned.
    func probeOptions(isRejectedForSize: Bool) -> ProbeOptions {
        var options = ProbeOptions()
        options.isQuick = isQuick || isRejectedForSize
        options.limits = limits
        if isRejectedForSize { options.limits.scannedBytes = min(limits.scannedBytes, limits.headerBytes) }
        return options
    }
}
