package import SystemSupport

/// The result of preparing one input.
public struct MediaResult: Sendable {
    /// The outcome of a preparation, with the prepared media or the reason for the failure.
    public enum Outcome: Sendable {
        /// An image that is ready to be sent.
        case image(PreparedImage)
        /// Audio that is ready to be sent.
        case audio(PreparedAudio)
        /// An image that was measured and is rejected by the policy.
        case rejectedImage(ImageAssessment)
        /// Audio that was inspected and is rejected, by the policy or because it is incomplete.
        case rejectedAudio(AudioReport)
        /// The error that prevented the preparation.
        case failure(MediaError)
    }

    /// The input's position in the sequence, from 0.
    public var index: Int
    /// The input.
    public var input: MediaInput
    /// The kind of media, detected by content; `nil` if it was not detected.
    public var kind: MediaKind?
    /// The input's size, in bytes; `nil` if it could not be opened.
    public var inputByteCount: Int?
    /// The file's status when it was opened; `nil` for bytes in memory, and if the file could not be opened.
    package var fileStatus: FileStatus?
    /// The outcome, with the prepared media or the error.
    public var outcome: Outcome
    /// The time that the preparation took, without the time spent waiting for memory.
    public var elapsed: Duration

    /// The outcome as a single value. Every input has exactly one verdict.
    public var verdict: Verdict {
        switch outcome {
        case .image(let image): image.verdict
        case .audio(let audio): audio.report.verdict
        case .rejectedImage, .rejectedAudio: .rejected
        case .failure(let error): Verdict(error.verdict)
        }
    }

    /// The size of the prepared media, in bytes; 0 if there is none.
    var outputByteCount: Int {
        switch outcome {
        case .image(let image): image.data.count
        case .audio(let audio): audio.byteCount
        case .rejectedImage, .rejectedAudio, .failure: 0
        }
    }
}
