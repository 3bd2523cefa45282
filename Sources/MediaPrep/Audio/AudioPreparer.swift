internal import AudioProbe

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Prepares audio for upload: determines its duration, applies a policy, and erases positions and similar metadata.
///
/// Audio is never transcoded.
///
/// ```swift
/// let audio = try AudioPreparer().prepare(contentsOf: url)
/// print(audio.report.durationSeconds ?? 0, audio.report.mediaType.mimeType, audio.report.verdict)
/// try audio.forEachChunk { bytes in upload(bytes) }
/// ```
///
/// Methods that read a file have a synchronous form, which runs on the calling thread, and an `async` form, which runs
/// on ``BlockingThreadPool/shared`` and so leaves Swift's threads free.
public struct AudioPreparer: Sendable {
    /// The options for probing and for deciding whether audio may be sent.
    public var options: AudioOptions

    /// Creates a preparer with the given options.
    public init(_ options: AudioOptions = AudioOptions()) { self.options = options }

    /// Inspects an audio file and returns a report with its verdict.
    ///
    /// An incomplete file, or one that breaks the policy, is not an error: ``AudioReport/rejectionReasons`` says why it
    /// is rejected.
    ///
    /// - Parameters:
    ///   - url: The `file:` URL of the file.
    ///   - declaredType: The media type that was declared for the file, to be compared with the content.
    /// - Throws: ``MediaError/Code/unreadable``, ``MediaError/Code/notARegularFile``,
    ///   ``MediaError/Code/changedWhileRead`` or ``MediaError/Code/empty`` if the file cannot be read;
    ///   ``MediaError/Code/unrecognized``, `not-audio`, `unsupported-…`, ``MediaError/Code/videoOnly`` or
    ///   `no-audio-track` if it holds no supported audio; `damaged`; `limit-exceeded`, or
    ///   ``MediaError/Code/maxBytesExceeded`` if the file also breaks that rule; ``MediaError/Code/cancelled``.
    /// - Complexity: Constant for formats with the duration in the header; otherwise linear in the file's size. Uses a
    ///   buffer of 256 KiB.
    public func inspect(contentsOf url: URL, declaredType: String? = nil) throws(MediaError) -> AudioReport {
        var file = try SourceFile(url)
        return try inspect(&file, declaredType: declaredType)
    }

    /// Inspects an audio file on ``BlockingThreadPool/shared`` and returns a report with its verdict.
    ///
    /// - Parameters:
    ///   - url: The `file:` URL of the file.
    ///   - declaredType: The media type that was declared for the file, to be compared with the content.
    /// - Throws: The same errors as the synchronous form.
    public func inspect(contentsOf url: URL, declaredType: String? = nil) async throws(MediaError) -> AudioReport {
        try await BlockingThreadPool.shared.run { () throws(MediaError) in
            var file = try SourceFile(url)
            return try inspect(&file, declaredType: declaredType)
        }
    }

    /// Inspects audio in memory and returns a report with its verdict.
    ///
    /// - Parameters:
    ///   - data: The bytes of the file.
    ///   - declaredType: The media type that was declared for the data, to be compared with the content.
    /// - Throws: The same errors as `inspect(contentsOf:declaredType:)`, except those of reading a file.
    public func inspect(_ data: Data, declaredType: String? = nil) throws(MediaError) -> AudioReport {
        var file = SourceFile([UInt8](data))
        return try inspect(&file, declaredType: declaredType)
    }

    /// Inspects an audio file and prepares it for upload.
    ///
    /// - Parameters:
    ///   - url: The `file:` URL of the file.
    ///   - declaredType: The media type that was declared for the file, to be compared with the content.
    /// - Throws: The first of ``AudioReport/rejectionReasons`` if the file is rejected, and the errors of
    ///   `inspect(contentsOf:declaredType:)`.
    public func prepare(contentsOf url: URL, declaredType: String? = nil) throws(MediaError) -> PreparedAudio {
        var file = try SourceFile(url)
        return try prepare(&file, declaredType: declaredType)
    }

    /// Inspects an audio file and prepares it for upload, on ``BlockingThreadPool/shared``.
    ///
    /// - Parameters:
    ///   - url: The `file:` URL of the file.
    ///   - declaredType: The media type that was declared for the file, to be compared with the content.
    /// - Throws: The same errors as the synchronous form.
    public func prepare(contentsOf url: URL, declaredType: String? = nil) async throws(MediaError) -> PreparedAudio {
        try await BlockingThreadPool.shared.run { () throws(MediaError) in
            var file = try SourceFile(url)
            return try prepare(&file, declaredType: declaredType)
        }
    }

    /// Inspects audio in memory and prepares it for upload.
    ///
    /// - Parameters:
    ///   - data: The bytes of the file.
    ///   - declaredType: The media type that was declared for the data, to be compared with the content.
    /// - Throws: The same errors as `prepare(contentsOf:declaredType:)`, except those of reading a file.
    public func prepare(_ data: Data, declaredType: String? = nil) throws(MediaError) -> PreparedAudio {
        var file = SourceFile([UInt8](data))
        return try prepare(&file, declaredType: declaredType)
    }

    /// Inspects `file` and returns a report with its verdict.
    package func inspect(_ file: inout SourceFile, declaredType: String? = nil) throws(MediaError) -> AudioReport {
        let violation = options.policy.sizeViolation(byteCount: file.byteCount)
        let recording: Recording
        do throws(MediaError) {
            recording = try file.probeRecording(options: options.makeProbeOptions(isRejectedForSize: violation != nil))
        } catch {
            guard let violation, error.code.rawValue == AudioError.Code.limitExceeded.rawValue else { throw error }
            // Only a scan could find the duration and codec, and a file that is too large is not scanned.
            throw MediaError(
                .maxBytesExceeded, verdict: .rejected, stage: .probe, fileName: file.name, message: violation.message)
        }
        let levels = violation == nil ? try measureLevels(of: recording, in: &file) : nil
        // A file that is still being written must not be judged, above all not as truncated.
        try file.withReader { (reader) throws(AudioError) in try reader.checkFileUnchanged() }
        return AudioReport(
            recording: recording, decodedLevels: levels, options: options, name: file.name, declaredType: declaredType,
            byteCount: file.byteCount)
    }

    /// Inspects `file` and prepares it for upload.
    ///
    /// - Throws: The first rejection reason if the report rejects the file.
    private func prepare(_ file: inout SourceFile, declaredType: String? = nil) throws(MediaError) -> PreparedAudio {
        let report = try inspect(&file, declaredType: declaredType)
        if let reason = report.rejectionReasons.first { throw reason }
        return PreparedAudio(report: report, source: file)
    }

    /// Decodes the audio and returns its levels, or `nil` if no option needs them or libsndfile cannot decode it.
    private func measureLevels(of recording: Recording, in file: inout SourceFile) throws(MediaError) -> AudioLevels? {
        guard options.requiresDecoding, AudioLevels.canMeasure(recording.container) else { return nil }
        // libsndfile decodes the pad byte behind an odd number of GSM's blocks of 65 bytes as audio.
        let mayHavePadding = recording.mainTrack.codec == .gsm && recording.completeness == .complete
        let duration = mayHavePadding ? recording.duration : nil
        return try file.withReader { (reader) throws(AudioError) in
            do throws(AudioError) {
                return try AudioLevels(
                    decoding: &reader, exactDuration: duration.flatMap { $0.isExact ? $0 : nil },
                    limits: options.limits)
            } catch {
                if error.code == .undecodable { return nil }
                throw error
            }
        }
    }
}
