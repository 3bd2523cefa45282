/// MPEG audio of layer I, II or III in bare frames, perhaps between tags: ISO/IEC 11172-3 and 13818-3.
///
/// Every frame's header is read: what an encoder states in a frame before the sound is often wrong, be it for a stream that
/// was cut or joined, and is believed only in what can't be counted, the delay and padding.
struct MPEGAudioFile {
    /// Of the first frame.
    private let header: MPEGAudioHeader
    private let frames: MPEGFrames
    /// Where the first frame is.
    private let start: Int
    /// Where the tags behind the last begin.
    private let end: Int

    /// The recording that the file is.
    ///
    /// - Throws: `unrecognized-format`, `limit-exceeded`, and what reading throws.
    static func recording(in window: inout ByteWindow, _ options: ProbeOptions) throws(AudioError) -> Recording {
        let file = try MPEGAudioFile(&window)
        var recording = options.isQuick ? try file.estimate(in: &window) : try file.count(in: &window, options.limits)
        if recording.duration?.ticks == 0, recording.completeness == .complete { recording.completeness = .empty }
        return recording
    }

    private init(_ window: inout ByteWindow) throws(AudioError) {
        let none = AudioError(.unrecognized, "there are no frames of MPEG audio")
        guard let first = try FrameSync.first(in: &window, from: LeadingTags.end(in: &window)) else { throw none }
        if let frames = try MPEGFrames(at: first.offset, in: &window) {
            self.frames = frames
        } else if let frames = try MPEGFrames(freeAt: first.offset, in: &window) {
            self.frames = frames
        } else {
            throw none
        }
        header = frames.header
        start = first.offset
        end = first.end
    }
}

// MARK: - Counting

extension MPEGAudioFile {
    private typealias Scan = FrameScan<MPEGFrames>

    private func count(in window: inout ByteWindow, _ limits: AudioLimits) throws(AudioError) -> Recording {
        let scan = try Scan(frames, from: start, to: end, in: &window, limits)
        let links = try Link.all(of: scan, in: &window)
        var samples = scan.runs.map(\.samples)
        for link in links { samples[link.firstRun] -= min(link.silence, samples[link.firstRun]) }
        let total = scan.total(samples)
        var errorBound = total.errorBound + scan.uncertainty(frameSamples: header.samples)
        if scan.join != nil {
            // No player goes by the header of a later recording: FFmpeg plays its frame, the delay and the padding of all.
            let disputed = links.reduce(0) { $0 + $1.silence + header.samples }
            errorBound += Double(disputed) / Double(header.sampleRate)
        }
        var recording = recording(
            AudioDuration(ticks: total.ticks, timescale: total.timescale, method: .scan, errorBound: errorBound),
            mediaBytes: scan.mediaBytes)
        if scan.limited == nil {
            if let last = links.last, last.isCut { recording.completeness = .truncated(offset: last.end) }
            for link in links { link.compare(in: &recording) }
        }
        scan.report(in: &recording)
        try recording.carryTags(before: start, between: scan.metadata, from: end, in: &window)
        return recording
    }

    /// One of the recordings that are joined in the file, or the only one, beside what the header before it states.
    private struct Link {
        private let header: VBRHeader
        /// Which of the runs it begins with.
        let firstRun: Int
        private let offset: Int
        private let frames: Int
        /// Where its last frame ends.
        let end: Int
        /// Whether frames are missing at its end.
        let isCut: Bool
        /// Samples of its frames that are not of the recording.
        let silence: Int

        /// What a decoder puts out lags behind what it takes in by so many samples, the standard's filters being that
        /// long. An encoder's padding is at least that; at the end of frames that were cut it is lost.
        private static let decoderDelay = 529

        /// Those of the recordings in the file that have a header.
        static func all(of scan: Scan, in window: inout ByteWindow) throws(AudioError) -> [Link] {
            var links: [Link] = []
            for runs in scan.recordings {
                if let offset = scan.runs[runs.lowerBound].informant,
                    let header = try VBRHeader(at: offset, in: &window)
                {
                    links.append(Link(header, scan.runs[runs], offset))
                }
            }
            return links
        }

        private init(_ header: VBRHeader, _ runs: ArraySlice<Scan.Run>, _ offset: Int) {
            self.header = header
            self.offset = offset
            firstRun = runs.startIndex
            let frames = runs.reduce(0) { $0 + $1.frames }
            self.frames = frames
            end = runs.last?.end ?? offset
            let there = end - offset
            let missing = max(0, (header.frames ?? 0) - frames)
            // Some encoders count the header's own frame too: if only that is missing, the bytes decide.
            isCut = missing > 0 && header.bytes.map { $0 > there } ?? (missing > 1)
            guard let delay = header.delay else {
                silence = 0
                return
            }
            let samplesPerFrame = runs.first.map { $0.frames > 0 ? $0.samples / $0.frames : 0 } ?? 0
            silence =
                delay + (isCut ? max(Self.decoderDelay, header.padding - missing * samplesPerFrame) : header.padding)
        }

        /// Warns if the header counts other frames; by one it may be off for its own.
        func compare(in recording: inout Recording) {
            if let stated = header.frames, abs(stated - frames) > 1 {
                recording.warn(
                    .headerContradicts, offset: offset, "the header states \(stated) frames, and there are \(frames)")
            }
        }
    }
}

// MARK: - Estimating

extension MPEGAudioFile {
    /// What the header in front states, or else the bytes divided by the first frame's bit rate.
    private func estimate(in window: inout ByteWindow) throws(AudioError) -> Recording {
        let stated = try VBRHeader(at: start, in: &window)
        // The bit rate of the frame that states something is none of the sound's.
        var sound = frames, bytes = end - start
        if stated != nil, let length = header.length, let next = try MPEGFrames(at: start + length, in: &window) {
            sound = next
            bytes -= length
        }
        // Nothing keeps the frames that weren't looked at from being as short as they can be, or from not being there.
        let longest = Double(bytes) * 8 / Double(header.lowestBitRate)
        let samples: Int
        if let stated, let frames = stated.frames,
            Double(frames * header.samples) <= longest * Double(header.sampleRate)
        {
            samples = max(0, frames * header.samples - (stated.delay ?? 0) - stated.padding)
        } else {
            samples = Int(exactly: (Double(bytes) / sound.typicalLength * Double(header.samples)).rounded()) ?? Int.max
        }
        let seconds = Double(samples) / Double(header.sampleRate)
        let duration = AudioDuration(
            ticks: samples, timescale: header.sampleRate, method: .estimate,
            errorBound: max(seconds, longest - seconds))
        var recording = recording(duration, mediaBytes: bytes)
        try recording.carryTags(before: start, between: [], from: end, in: &window)
        return recording
    }

    private func recording(_ duration: AudioDuration, mediaBytes: Int) -> Recording {
        var track = Recording.Track(codec: header.codec, sampleRate: header.sampleRate, channels: header.channels)
        track.duration = duration
        return Recording(.mpegAudio, track: track, mediaBytes: mediaBytes)
    }
}
