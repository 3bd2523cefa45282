/// Probes AAC files with ADTS headers, which may have tags: ISO/IEC 14496-3, 1.A.2.
///
/// No header states a duration, so the frames are always counted. The headers do not show whether a decoder doubles the
/// sample rate (HE-AAC). The duration does not depend on it.
enum ADTSFile {
    /// Probes an ADTS file.
    ///
    /// - Throws: ``AudioError/Code/unrecognizedFormat``, ``AudioError/Code/limitExceeded``, and the errors of the
    ///   reader.
    static func probe(
        in reader: inout BufferedFileReader, range: Range<Int>, options: ProbeOptions
    ) throws(AudioError) -> Recording {
        guard let format = try ADTSFrameFormat(at: range.lowerBound, in: &reader) else {
            throw AudioError(.unrecognizedFormat, message: "the file has no ADTS frames")
        }
        let scan = try RawFrameScan(
            format: format, from: range.lowerBound, to: range.upperBound, in: &reader, limits: options.limits)
        let total = scan.totalDuration(sampleCountPerSegment: scan.segments.map(\.sampleCount))
        var track = Recording.Track(codec: .aac, sampleRate: format.sampleRate, channels: format.channels)
        track.duration = AudioDuration(
            ticks: total.ticks, timescale: total.timescale, method: .scan,
            errorBound: total.errorBound + scan.durationErrorBound(samplesPerFrame: 1024))
        var recording = Recording(container: .adts, track: track, mediaBytes: scan.mediaBytes)
        if total.ticks == 0 { recording.completeness = .noAudioFrames }
        scan.addWarningsAndCompleteness(to: &recording)
        try recording.appendTagMetadata(
            before: range.lowerBound, between: scan.interleavedTagMetadata, after: range.upperBound, in: &reader)
        return recording
    }
}
