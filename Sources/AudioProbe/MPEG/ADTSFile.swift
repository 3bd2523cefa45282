/// AAC in frames with ADTS headers, perhaps between tags: ISO/IEC 14496-3, 1.A.2.
///
/// No header states a duration, so the frames are always counted. Whether a decoder doubles the rate (HE-AAC) can't be seen
/// in the headers; the duration is the same.
enum ADTSFile {
    /// The recording that the file is.
    ///
    /// - Throws: `unrecognized-format`, `limit-exceeded`, and what reading throws.
    static func recording(in window: inout ByteWindow, _ options: ProbeOptions) throws(AudioError) -> Recording {
        guard let first = try FrameSync.first(in: &window, from: LeadingTags.end(in: &window)),
            let frames = try ADTSFrames(at: first.offset, in: &window)
        else { throw AudioError(.unrecognized, "there are no frames of ADTS") }
        let scan = try FrameScan(frames, from: first.offset, to: first.end, in: &window, options.limits)
        let total = scan.total(scan.runs.map(\.samples))
        var track = Recording.Track(codec: .aac, sampleRate: frames.sampleRate, channels: frames.channels)
        track.duration = AudioDuration(
            ticks: total.ticks, timescale: total.timescale, method: .scan,
            errorBound: total.errorBound + scan.uncertainty(frameSamples: 1024))
        var recording = Recording(.adts, track: track, mediaBytes: scan.mediaBytes)
        if total.ticks == 0 { recording.completeness = .empty }
        scan.report(in: &recording)
        try recording.carryTags(before: first.offset, between: scan.metadata, from: first.end, in: &window)
        return recording
    }
}
