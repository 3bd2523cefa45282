public import AudioProbe
public import Diagnostics

/// The result of inspecting audio: its properties, and whether it may be sent.
public struct AudioReport: Sendable {
    /// The container, tracks, duration and metadata that were found.
    public var recording: Recording
    /// The decision on the file: ``Verdict/accepted``, ``Verdict/cleaned`` or ``Verdict/rejected``.
    public var verdict: Verdict
    /// The reasons for a rejection; empty unless the verdict is ``Verdict/rejected``.
    ///
    /// Video (``MediaError/Code/hasVideo``) comes first, then incompleteness, then the policy's other rules, and those
    /// about measures last.
    public var rejectionReasons: [MediaError]
    /// Anomalies that did not prevent preparation, and the rules of the policy that only warn.
    public var warnings: [Diagnostic]
    /// The measured levels; `nil` if they were not requested or libsndfile cannot decode the audio.
    public var levels: AudioLevels?
    /// The duration that libsndfile decoded, in seconds.
    ///
    /// It is `nil` if it was not requested or libsndfile cannot decode the audio.
    public var decodedSeconds: Double?
    /// The file's size, in bytes.
    public var byteCount: Int
    /// The media type and file name extension for the upload.
    public var mediaType: MediaType

    /// Whether libsndfile decoded the whole duration.
    ///
    /// It stops at the end of the first of chained streams, and where an MP3's header declares too few frames.
    private var wasFullyDecoded = true

    /// Whether the audio is silent, or `nil` if that is not known.
    ///
    /// It is unknown if levels were not requested, if libsndfile cannot decode the audio, or if libsndfile decoded only
    /// a part and that part is silent.
    public var isSilent: Bool? {
        levels.flatMap { $0.isSilent && !wasFullyDecoded ? nil : $0.isSilent }
    }

    /// The duration in seconds, exact or estimated; `nil` if it cannot be determined.
    public var durationSeconds: Double? { recording.duration?.seconds }

    /// Creates the report and determines the verdict.
    ///
    /// - Parameters:
    ///   - recording: The probed audio.
    ///   - levels: The decoded levels, or `nil` if the audio was not decoded.
    ///   - options: The options, including the policy.
    ///   - name: The file's name, to be compared with the content.
    ///   - declaredType: The media type that was declared for the file, to be compared with the content.
    ///   - byteCount: The file's size, in bytes.
    init(
        recording: Recording, decodedLevels levels: AudioLevels?, options: AudioOptions, name: String?,
        declaredType: String?, byteCount: Int
    ) {
        self.recording = recording
        self.byteCount = byteCount
        mediaType = MediaType(recording)
        verdict = recording.metadata.contains { $0.isErasable } ? .cleaned : .accepted
        rejectionReasons = []
        warnings = recording.warnings
        if let levels {
            compareDuration(with: levels)
            if options.verifiesDuration { decodedSeconds = Double(levels.frameCount) / Double(levels.sampleRate) }
            // Without samples there is nothing to measure, which is not silence.
            if levels.frameCount > 0, options.measuresLevels || options.policy.requiresLevels { self.levels = levels }
        }
        if let mismatch = name.flatMap(mediaType.extensionMismatchWarning(fileName:)) { warnings.append(mismatch) }
        if let mismatch = declaredType.flatMap(mediaType.typeMismatchWarning(declaredType:)) {
            warnings.append(mismatch)
        }
        determineVerdict(options: options, fileName: name)
    }

    /// Compares an exact duration with the decoded one, and replaces an estimated duration by the decoded one.
    private mutating func compareDuration(with levels: AudioLevels) {
        guard let duration = recording.duration, recording.completeness == .complete else { return }
        let decodedSeconds = Double(levels.frameCount) / Double(levels.sampleRate)
        // Decoders round the length of the last frame to their own sample rate: up to 1.5 samples either way.
        let tolerance = 1.5 / Double(min(levels.sampleRate, duration.timescale)) + duration.errorBound
        wasFullyDecoded = decodedSeconds >= duration.seconds - tolerance
        if abs(decodedSeconds - duration.seconds) > tolerance {
            warnings.append(
                Diagnostic(
                    .decodeContradicts,
                    message: "libsndfile decodes \(decodedSeconds) s, but the duration is \(duration.seconds) s"))
        } else if !duration.isExact {
            recording.tracks[recording.mainTrackIndex].duration = AudioDuration(
                ticks: levels.frameCount, timescale: levels.sampleRate, method: .decode)
        }
    }

    private mutating func determineVerdict(options: AudioOptions, fileName: String?) {
        func addRejection(_ code: MediaError.Code, offset: Int? = nil, message: String) {
            rejectionReasons.append(
                MediaError(
                    code, verdict: .rejected, stage: .probe, offset: offset, fileName: fileName, message: message))
        }
        if recording.hasVideo, !options.policy.allowsVideo {
            addRejection(
                .hasVideo,
                message: "the file contains video, which the audio policy does not allow (\"allows_video\": true)")
        }
        let durationText = recording.duration.map { ": \($0.seconds) s remain" } ?? ""
        switch recording.completeness {
        case .complete: break
        case .truncated(let offset) where options.allowsTruncated:
            warnings.append(
                Diagnostic(.truncated, offset: offset, message: "the audio is truncated\(durationText)"))
        case .truncated(let offset):
            addRejection(.truncated, offset: offset, message: "the audio is truncated\(durationText)")
        case .unfinalized:
            let media = recording.mediaBytes
            addRejection(
                .unfinalized,
                message:
                    "the recorder did not finish the file: the index to play its \(media) bytes of media is missing")
        case .noAudioFrames: addRejection(.noAudio, message: "the file contains no audio frames")
        }
        for violation in options.policy.violations(of: recording, byteCount: byteCount, isSilent: isSilent) {
            addRejection(MediaError.Code(rawValue: violation.code), message: violation.message)
        }
        applyMeasureRules(of: options.policy, fileName: fileName)
        if !rejectionReasons.isEmpty { verdict = .rejected }
    }

    private mutating func applyMeasureRules(of policy: AudioPolicy, fileName: String?) {
        guard let levels, wasFullyDecoded else {
            // Other reasons reject the file without its measures.
            if !policy.measureRules.isEmpty, rejectionReasons.isEmpty {
                let message = "the rules about measures were not applied: libsndfile cannot decode all of the audio"
                warnings.append(Diagnostic(.notMeasured, message: message))
            }
            return
        }
        for (action, violation) in policy.measureViolations(of: levels) {
            switch action {
            case .warn: warnings.append(Diagnostic(.init(rawValue: violation.code), message: violation.message))
            case .reject:
                rejectionReasons.append(
                    MediaError(
                        .init(rawValue: violation.code), verdict: .rejected, stage: .decode, fileName: fileName,
                        message: violation.message))
            }
        }
    }
}
