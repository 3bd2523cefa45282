/// Native FLAC, RFC 9639: a header that may state how long the sound is, and frames that are numbered.
///
/// The header is believed if the last frame agrees with it; where it states nothing, the last frame's number is. Where
/// they contradict one another, every frame is counted, each by its own sample rate. A stream may also lack the header,
/// and begin at a frame.
enum FLACFile {
    /// The recording that the file is.
    ///
    /// - Throws: `damaged`, `unrecognized-format`, `limit-exceeded`, and what reading throws.
    static func recording(in window: inout ByteWindow, _ options: ProbeOptions) throws(AudioError) -> Recording {
        let start = try LeadingTags.end(in: &window)
        guard try window.fourCC(at: start) == "fLaC" else {
            return try recordingWithoutHeader(in: &window, from: start, options)
        }
        let metadata = try FLACMetadata(in: &window, from: start, options.limits)
        let info = metadata.info, end = try TrailingTags(in: &window, notBefore: metadata.end).start
        var recording = Recording(.flac, track: info.track, mediaBytes: 0)
        recording.metadata = metadata.items
        try recording.carryTags(before: start, from: end, in: &window)

        guard metadata.isWhole else {
            recording.tracks[0].duration = AudioDuration(ticks: 0, timescale: info.sampleRate, method: .header)
            recording.completeness = .truncated(offset: metadata.end)
            return recording
        }
        if options.isQuick, let total = info.totalSamples {
            recording.tracks[0].duration = .believed(ticks: total, timescale: info.sampleRate)
            recording.mediaBytes = end - metadata.end
            return recording
        }
        try count(FLACFrames(info, in: metadata.end..<end, options.limits), &recording, in: &window)
        return recording
    }

    private static func recordingWithoutHeader(
        in window: inout ByteWindow, from start: Int, _ options: ProbeOptions
    ) throws(AudioError) -> Recording {
        guard let first = try FrameSync.first(in: &window, from: start),
            let info = try FLACFrames.info(at: first.offset, before: first.end, in: &window)
        else { throw AudioError(.unrecognized, "there are no frames of FLAC") }
        var recording = Recording(.flac, track: info.track, mediaBytes: 0)
        try recording.carryTags(before: first.offset, from: first.end, in: &window)
        try count(FLACFrames(info, in: first.offset..<first.end, options.limits), &recording, in: &window)
        return recording
    }

    private static func count(
        _ frames: FLACFrames, _ recording: inout Recording, in window: inout ByteWindow
    ) throws(AudioError) {
        var indexed = frames
        if let count = try FLACCount(last: &indexed, in: &window) {
            try finish(&recording, count, indexed, in: &window)
        } else {
            // From the beginning, with all the patience that the search for the last frame may have spent.
            var frames = frames
            try finish(&recording, FLACCount(scanning: &frames, in: &window), frames, in: &window)
        }
    }

    private static func finish(
        _ recording: inout Recording, _ count: FLACCount, _ frames: FLACFrames, in window: inout ByteWindow
    ) throws(AudioError) {
        let info = frames.info, bounds = frames.bounds
        recording.tracks[0].duration = AudioDuration(
            ticks: count.length.ticks, timescale: count.length.timescale, method: count.method,
            errorBound: count.length.errorBound)
        recording.mediaBytes = count.end - bounds.lowerBound
        recording.completeness = try completeness(count, frames, in: &window)
        if let damage = count.damage {
            recording.warn(.damagedFrames, offset: damage, "bytes belong to no frame, or a frame's checksum is wrong")
        }
        if let change = count.change {
            recording.warn(
                .headerContradicts, offset: change,
                "the sample rate, the channels or the sample size of a frame are not those that the header states")
        }
        if count.timeline > count.samples, let seconds = recording.duration?.seconds {
            recording.timelineSeconds = seconds + Double(count.timeline - count.samples) / Double(info.sampleRate)
            recording.warn(.timelineGap, "the frames' numbers leave pauses that no frames fill")
        }
        if let total = info.totalSamples, total != count.samples, !recording.isTruncated {
            recording.warn(
                .headerContradicts, "the header states \(total) samples, and there are \(count.samples)")
        }
        let rest = bounds.upperBound - count.end
        if rest > 0, recording.completeness == .complete || recording.completeness == .empty {
            let isStream = try window.fourCC(at: count.end) == "fLaC"
            let what = isStream ? "bytes of another FLAC stream, which is not counted," : "bytes"
            recording.warn(.trailingBytes, offset: count.end, "\(rest) \(what) follow the last frame")
        }
    }

    private static func completeness(
        _ count: FLACCount, _ frames: FLACFrames, in window: inout ByteWindow
    ) throws(AudioError) -> Recording.Completeness {
        let isShort = frames.info.totalSamples.map { $0 > count.samples && !count.isFinished } ?? false
        if count.samples == 0, !isShort, count.end == frames.bounds.upperBound { return .empty }
        let header = try frames.header(at: count.end, in: &window)
        let isCut = try frames.isCutHeader(at: count.end, in: &window) || header != nil
        if count.samples == 0, !isShort, !isCut {
            throw AudioError(.damaged, offset: count.end, "no frame follows the header")
        }
        // Behind what was searched there may be more of the stream, unless all is there that the header promises.
        let mayGoOn = frames.hasUnsearchedRest && !count.isFinished && frames.info.totalSamples != count.samples
        return isShort || isCut || mayGoOn ? .truncated(offset: count.end) : .complete
    }
}

extension Recording {
    /// Whether the file ends too early, which explains that a header states more.
    fileprivate var isTruncated: Bool {
        if case .truncated = completeness { true } else { false }
    }
}
