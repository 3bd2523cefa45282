internal import AudioProbe

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Makes recordings ready for upload: finds their true duration, judges them by a policy, and blanks positions. Sound
/// is never transcoded.
///
/// ```swift
/// let note = try AudioPreparer().prepare(contentsOf: url)
/// print(note.report.estimatedDurationSeconds ?? 0, note.report.type.mimeType, note.report.verdict)
/// try note.forEachChunk { bytes in upload(bytes) }
/// ```
///
/// What reads a file comes in two forms: one that works on the calling thread, and one that is `async` and works on
/// threads of its own (`CodecThreads.shared`), so that the caller's tasks go on meanwhile.
public struct AudioPreparer: Sendable {
    /// How recordings are looked at and judged.
    public var options: AudioOptions

    /// A preparer with these options.
    public init(_ options: AudioOptions = AudioOptions()) { self.options = options }

    /// What the recording that `url` names is, and whether it may be sent.
    ///
    /// - Parameters:
    ///   - url: the file.
    ///   - declaredType: the media type that the caller was told, to compare with the content.
    /// - Throws: `unreadable`, `not-a-regular-file`; `empty`, `not-audio`, `unsupported-...`, `unrecognized-format`,
    ///   `video-only`, `no-audio-track`, `damaged`, `limit-exceeded`; `cancelled`. What is only incomplete, or breaks
    ///   the policy, doesn't throw: the report's `reasons` say so.
    /// - Complexity: see `Recording`: a few microseconds for what has a header, a scan at the speed of reading for the
    ///   rest. Memory: a window of 256 KiB, whatever the file's size.
    public func inspect(contentsOf url: URL, declaredType: String? = nil) throws(MediaError) -> AudioReport {
        var file = try SourceFile(url)
        return try inspect(&file, declaredType: declaredType)
    }

    /// What the recording that `url` names is, found on `CodecThreads.shared`.
    ///
    /// - Throws: as the form that isn't `async`.
    public func inspect(contentsOf url: URL, declaredType: String? = nil) async throws(MediaError) -> AudioReport {
        try await BlockingThreadPool.shared.run { () throws(MediaError) in
            var file = try SourceFile(url)
            return try inspect(&file, declaredType: declaredType)
        }
    }

    /// What a recording is and whether it may be sent, from its bytes.
    ///
    /// - Throws: as `inspect(contentsOf:declaredType:)`, but for what concerns files.
    public func inspect(_ data: Data, declaredType: String? = nil) throws(MediaError) -> AudioReport {
        var file = SourceFile([UInt8](data))
        return try inspect(&file, declaredType: declaredType)
    }

    /// Inspects the recording that `url` names, and makes it ready to be sent.
    ///
    /// - Throws: the first of the report's reasons if it is rejected; and what `inspect(contentsOf:declaredType:)`
    ///   throws.
    public func prepare(contentsOf url: URL, declaredType: String? = nil) throws(MediaError) -> PreparedAudio {
        var file = try SourceFile(url)
        return try prepare(&file, declaredType: declaredType)
    }

    /// Inspects the recording that `url` names, and makes it ready to be sent, on `CodecThreads.shared`.
    ///
    /// - Throws: as the form that isn't `async`.
    public func prepare(contentsOf url: URL, declaredType: String? = nil) async throws(MediaError) -> PreparedAudio {
        try await BlockingThreadPool.shared.run { () throws(MediaError) in
            var file = try SourceFile(url)
            return try prepare(&file, declaredType: declaredType)
        }
    }

    /// Makes a recording ready to be sent, from its bytes.
    ///
    /// - Throws: as `prepare(contentsOf:declaredType:)`, but for what concerns files.
    public func prepare(_ data: Data, declaredType: String? = nil) throws(MediaError) -> PreparedAudio {
        var file = SourceFile([UInt8](data))
        return try prepare(&file, declaredType: declaredType)
    }

    /// What `file` is, and whether it may be sent.
    package func inspect(_ file: inout SourceFile, declaredType: String? = nil) throws(MediaError) -> AudioReport {
        let violation = options.policy.sizeViolation(byteCount: file.byteCount)
        let recording: Recording
        do throws(MediaError) {
            recording = try file.withReader { (reader) throws(AudioError) in
                try Recording(probing: &reader, options: options.probeOptions(isRejectedForSize: violation != nil))
            }
        } catch {
            guard let violation, error.code.rawValue == AudioError.Code.limitExceeded.rawValue else { throw error }
            // Only a scan could tell what it is.
            throw MediaError(
                .maxBytesExceeded, verdict: .rejected, stage: .probe, fileName: file.name, message: violation.message)
        }
        let levels = violation == nil ? try measureLevels(of: recording, in: &file) : nil
        // A recording that is still written to must not be judged, least of all as one that ends early.
        try file.withReader { (reader) throws(AudioError) in try reader.checkFileUnchanged() }
        return AudioReport(
            recording: recording, decodedLevels: levels, options: options, name: file.name, declaredType: declaredType,
            byteCount: file.byteCount)
    }

    /// What `file` is, ready to be sent unless the report rejects it.
    private func prepare(_ file: inout SourceFile, declaredType: String? = nil) throws(MediaError) -> PreparedAudio {
        let report = try inspect(&file, declaredType: declaredType)
        if let reason = report.rejectionReasons.first { throw reason }
        return PreparedAudio(report: report, source: file)
    }

    /// Nil if nobody asked for them, and for what libsndfile can't decode.
    private func measureLevels(of recording: Recording, in file: inout SourceFile) throws(MediaError) -> AudioLevels? {
        guard options.requiresDecoding, AudioLevels.canMeasure(recording.container) else { return nil }
        return try file.withReader { (reader) throws(AudioError) in
            do throws(AudioError) {
                return try AudioLevels(decoding: &reader, limits: options.limits)
            } catch {
                if error.code == .undecodable { return nil }
                throw error
            }
        }
    }
}
