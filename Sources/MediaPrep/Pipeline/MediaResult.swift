package import AudioProbe

/// What became of one input.
public struct MediaResult: Sendable {
    /// What an input is.
    public enum MediaKind: String, CaseIterable, Sendable {
        /// A picture, or a format of pictures that is refused by its name.
        case image
        /// Sound, or a format of sound or film that is refused by its name.
        case audio
    }

    /// How it ended, with what was made.
    public enum Outcome: Sendable {
        /// An image, ready to be sent.
        case image(PreparedImage)
        /// A recording, ready to be sent.
        case audio(PreparedAudio)
        /// A recording that could be looked at, and that the policy or its incompleteness rejects.
        case rejectedAudio(AudioReport)
        /// What could not be prepared.
        case failure(MediaError)
    }

    /// How it ended, in a word: every input has one verdict.
    public enum Verdict: String, CaseIterable, Sendable {
        /// An image that was decoded, perhaps resized, and encoded.
        case converted
        /// An image that fitted already: its metadata was removed, its image data is as it was.
        case passthrough
        /// A recording that may be sent as it is.
        case accepted
        /// A recording in which positions and the like are blanked.
        case cleaned
        /// A policy said no: a limit, a format, damage.
        case rejected
        /// It could not be read or written.
        case failed
    }

    /// The input's position in the sequence, from 0.
    public var index: Int
    /// What was to be prepared.
    public var input: MediaInput
    /// What it is, by its content; nil if it could not be told.
    public var kind: MediaKind?
    /// Bytes of the input; nil if it could not be opened.
    public var inputByteCount: Int?
    /// Which file was read, in which state; nil for bytes in memory, and if it could not be opened.
    package var fileVersion: FileVersion?
    /// How it ended.
    public var outcome: Outcome
    /// How long it took, without the time for which it waited for memory.
    public var elapsed: Duration

    /// How it ended, in a word.
    public var verdict: Verdict {
        switch outcome {
        case .image(let image): image.verdict == .converted ? .converted : .passthrough
        case .audio(let audio): audio.report.verdict == .cleaned ? .cleaned : .accepted
        case .rejectedAudio: .rejected
        case .failure(let error): error.verdict == .rejected ? .rejected : .failed
        }
    }

    /// Bytes of what was made; 0 if nothing was.
    var outputByteCount: Int {
        switch outcome {
        case .image(let image): image.data.count
        case .audio(let audio): audio.byteCount
        case .rejectedAudio, .failure: 0
        }
    }
}
