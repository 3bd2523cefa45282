public import AudioProbe

/// What is known of a recording, and whether it may be sent.
public struct AudioReport: Sendable {
    /// What becomes of a recording.
    public enum Verdict: String, Sendable {
        /// It may be sent as it is.
        case accepted
        /// It may be sent once its positions and the like are blanked.
        case cleaned
        /// It may not be sent.
        case rejected
    }

    /// What it is and how long it lasts.
    public var recording: Recording
    /// What becomes of it.
    public var verdict: Verdict
    /// Why it is rejected: at least one reason if it is, none if not. Video comes first
    /// (``MediaError/Code/hasVideo``), then what is missing, then the policy's other rules.
    public var rejectionReasons: [MediaError]
    /// What looked odd.
    public var warnings: [MediaWarning]
    /// How loud it is; nil if nobody asked or libsndfile can't decode it.
    public var levels: AudioLevels?
    /// Seconds that libsndfile decoded; nil if nobody asked for it or it can't.
    public var decodedSeconds: Double?
    /// Bytes of the file.
    public var byteCount: Int
    /// What it is called where files are sent.
    public var mediaType: MediaType

    /// Whether libsndfile got as far as the duration says. It stops at the first of joined recordings, and where an
    /// MP3's header states too little.
    private var wasFullyDecoded = true

    /// Whether it is silent; nil if nobody asked, libsndfile can't decode it, or was silent as far as it got and didn't
    /// get to the end.
    public var isSilent: Bool? {
        levels.flatMap { $0.isSilent && !wasFullyDecoded ? nil : $0.isSilent }
    }

    /// What an upload request states as duration; nil if it is lost.
    public var durationSeconds: Double? { recording.duration?.seconds }

    /// - Parameter declaredType: the media type that somebody said it has.
    init(
        recording: Recording, decodedLevels levels: AudioLevels?, options: AudioOptions, name: String?,
        declaredType: String?, byteCount: Int
    ) {
        self.recording = recording
        self.byteCount = byteCount
        mediaType = MediaType(recording)
        verdict = recording.metadata.contains { $0.isErasable } ? .cleaned : .accepted
        rejectionReasons = []
        warnings = recording.warnings.map(MediaWarning.init)
        if let levels {
            compareDuration(with: levels)
            if options.verifiesDuration { decodedSeconds = Double(levels.frameCount) / Double(levels.sampleRate) }
            if options.measuresLevels || options.policy.rejectsSilence { self.levels = levels }
        }
        if let mismatch = name.flatMap(mediaType.extensionMismatchWarning(fileName:)) { warnings.append(mismatch) }
        if let mismatch = declaredType.flatMap(mediaType.typeMismatchWarning(declaredType:)) {
            warnings.append(mismatch)
        }
        determineVerdict(options: options, fileName: name)
    }

    /// A length that was counted is checked against the decoded one; one that wasn't is replaced by it.
    private mutating func compareDuration(with levels: AudioLevels) {
        guard let duration = recording.duration, recording.completeness == .complete else { return }
        let decodedSeconds = Double(levels.frameCount) / Double(levels.sampleRate)
        // Decoders round the length of a last frame to their own rate: a sample and a half either way.
        let tolerance = 1.5 / Double(min(levels.sampleRate, duration.timescale)) + duration.errorBound
        wasFullyDecoded = decodedSeconds >= duration.seconds - tolerance
        if abs(decodedSeconds - duration.seconds) > tolerance {
            warnings.append(
                MediaWarning(
                    code: AudioWarning.Code.decodeContradicts.rawValue,
                    message: "libsndfile decodes \(decodedSeconds) s, and \(duration.seconds) s were found"))
        } else if !duration.isExact {
            recording.tracks[recording.mainTrackIndex].duration = AudioDuration(
                ticks: levels.frameCount, timescale: levels.sampleRate, method: .decode)
        }
    }

    private mutating func determineVerdict(options: AudioOptions, fileName: String?) {
        func addRejection(_ code: MediaError.Code, at offset: Int? = nil, _ message: String) {
            rejectionReasons.append(
                MediaError(
                    code, verdict: .rejected, stage: .probe, offset: offset, fileName: fileName, message: message))
        }
        if recording.hasVideo, !options.policy.allowsVideo {
            addRejection(
                .hasVideo, "the file holds video, which the audio policy does not allow (\"allows_video\": true)")
        }
        let durationText = recording.duration.map { "\($0.seconds) s of sound are there" } ?? ""
        switch recording.completeness {
        case .complete: break
        case .truncated(let offset) where options.allowsTruncated:
            warnings.append(
                MediaWarning(code: "truncated", message: "the recording ends early: \(durationText)", offset: offset))
        case .truncated(let offset): addRejection(.truncated, at: offset, "the recording ends early: \(durationText)")
        case .unfinalized:
            let media = recording.mediaBytes
            addRejection(
                .unfinalized,
                "the recorder never finished the file: \(media) bytes of media, and nothing says how to play them")
        case .noAudioFrames: addRejection(.noAudio, "the recording holds no sound")
        }
        for violation in options.policy.violations(of: recording, byteCount: byteCount, isSilent: isSilent) {
            addRejection(MediaError.Code(rawValue: violation.code), violation.message)
        }
        if !rejectionReasons.isEmpty { verdict = .rejected }
    }
}
