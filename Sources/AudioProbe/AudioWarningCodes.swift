public import Diagnostics

/// The warnings of audio files. None of them prevented reading the file.
extension Diagnostic.Code {
    /// The header contradicts the audio, in its duration or in its format.
    public static let headerContradicts = Diagnostic.Code(rawValue: "header-contradicts")
    /// The header states no size, as in a stream. The audio was assumed to extend to the end of the file.
    public static let placeholderSize = Diagnostic.Code(rawValue: "placeholder-size")
    /// The timestamps leave gaps that no frames fill.
    public static let timelineGap = Diagnostic.Code(rawValue: "timeline-gap")
    /// Bytes between frames belong to no frame, or frames contradict each other.
    public static let damagedFrames = Diagnostic.Code(rawValue: "damaged-frames")
    /// The file consists of several joined streams. The duration is the sum of all of them.
    public static let chainedRecordings = Diagnostic.Code(rawValue: "chained")
    /// The file has no end mark, and nothing else shows whether it is complete.
    public static let noEndMark = Diagnostic.Code(rawValue: "no-end-mark")
    /// The file contains metadata that cannot be erased in place, such as text or images.
    public static let carriesMetadata = Diagnostic.Code(rawValue: "carries-metadata")
    /// The scan reached the limit ``AudioLimits/scannedBytes``. The duration is an estimate.
    public static let scanLimit = Diagnostic.Code(rawValue: "scan-limit")
    /// The decoded length differs from the duration that was found.
    public static let decodeContradicts = Diagnostic.Code(rawValue: "decode-contradicts")
}
