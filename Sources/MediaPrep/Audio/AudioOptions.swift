public import AudioProbe

/// Options for probing audio and deciding whether it may be sent.
public struct AudioOptions: Hashable, Encodable, Sendable {
    /// The rules that a file must meet. The default rejects only files with video.
    public var policy = AudioPolicy()
    /// Whether to take the duration from headers, or to estimate it, instead of counting frames.
    public var isQuick = false
    /// Whether to decode the audio with libsndfile, where it can, to measure its levels.
    ///
    /// A policy with ``AudioPolicy/rejectsSilence`` or ``AudioPolicy/measureRules`` implies it.
    public var measuresLevels = false
    /// Whether to decode the audio with libsndfile, where it can, to check the duration.
    public var verifiesDuration = false
    /// Whether to accept a file that ends in the middle of a frame.
    public var allowsTruncated = false
    /// Limits on the bytes and structures that are read.
    public var limits = AudioLimits()

    /// Creates the default options: count frames, decode nothing, reject only video and incomplete files.
    public init() {}

    var requiresDecoding: Bool { measuresLevels || verifiesDuration || policy.requiresLevels }

    /// Returns the options for probing one file.
    ///
    /// - Parameter isRejectedForSize: Whether the policy already rejects the file for its size. Such a file is not
    ///   scanned: only its headers are read.
    func makeProbeOptions(isRejectedForSize: Bool) -> ProbeOptions {
        var options = ProbeOptions()
        options.isQuick = isQuick || isRejectedForSize
        options.limits = limits
        if isRejectedForSize { options.limits.scannedBytes = min(limits.scannedBytes, limits.headerBytes) }
        return options
    }
}
