/// How long a Segment's main track lasts, and how far its timestamps and Info agree with that.
struct MatroskaDuration {
    private(set) var duration: AudioDuration
    /// Seconds that the timestamps have and the frames don't fill; 0 but for true pauses.
    private(set) var gap = 0.0
    /// Seconds that Info states, if neither the sound nor all that is in the Segment has such a length.
    private(set) var contradicted: Double?

    /// Nil if the Segment has no sound.
    init?(_ segment: MatroskaSegment) {
        guard let measure = Measure(segment) else { return nil }
        if let stated = measure.stated, segment.passedOver > 0 {
            duration = .believed(ticks: measure.ticks(stated, measure.rate), timescale: measure.rate)
            return
        }
        if measure.counter.isUncounted {
            duration = measure.byTimestamps()
        } else {
            gap = measure.gap
            duration = measure.byFrames(isDamaged: segment.damage != nil)
        }
        // The Duration of what is cut or damaged was right once.
        if let stated = measure.stated, segment.cut == nil, segment.damage == nil, !measure.allows(stated, duration) {
            contradicted = stated
        }
    }
}

/// The quantities of a Segment's main track in seconds.
private struct Measure {
    let track: MatroskaTrack
    let codec: MatroskaCodec
    let counter: FrameCounter
    let timeline: MatroskaTimeline
    /// Seconds that blocks ask to leave out.
    let discarded: Double
    /// Seconds of a tick.
    let tick: Double
    /// Seconds that Info states.
    let stated: Double?
    /// Samples a second.
    let rate: Int

    init?(_ segment: MatroskaSegment) {
        guard let sound = segment.sound, let track = segment.header.mainTrack else { return nil }
        self.track = track
        codec = sound.codec
        counter = sound.counter
        timeline = sound.timeline
        discarded = sound.discarded / 1e9
        let tick = Double(segment.header.timestampScale) / 1e9
        self.tick = tick
        stated = segment.header.statedDuration.map { $0 * tick }.flatMap { $0.isFinite ? $0 : nil }
        rate = sound.counter.sampleRate ?? 1000
    }

    /// Seconds as a whole number of `1 / timescale`, within bounds that nothing below overflows. In nanoseconds, the
    /// highest is still more than a recording may last.
    func ticks(_ seconds: Double, _ timescale: Int) -> Int {
        Int(max(0, min((seconds * Double(timescale)).rounded(), 0x1p61)))
    }
    private func seconds(_ samples: Int) -> Double { Double(samples) / Double(rate) }

    /// Seconds of the longest frame.
    private var longest: Double { seconds(max(counter.longest, 1)) }
    /// Seconds from the first block to the end of the latest.
    private var line: Double { Double(timeline.span) * tick + seconds(timeline.latestSamples) }

    /// Samples that the decoder leaves out at the beginning, and by how many that may be wrong. Opus states them twice,
    /// and they must agree (RFC 7845, section 5.1, and CodecDelay in RFC 9559, section 5.1.4.1.25): where they don't,
    /// ffmpeg goes by the codec's own header.
    private var delay: (samples: Int, doubt: Int) {
        let stated = ticks(Double(track.codecDelay ?? 0) / 1e9, rate)
        return codec.preSkip.map { ($0, abs($0 - stated)) } ?? (stated, 0)
    }

    /// What all frames sound, less what is to be left out.
    func byFrames(isDamaged: Bool) -> AudioDuration {
        let delay = delay
        let played = max(counter.samples - delay.samples - ticks(discarded, rate), 0)
        var bound = seconds(delay.doubt) + codec.doubt * seconds(played)
        // A frame that can't be read is silence to one player and nothing to another.
        bound += Double(counter.unreadable) * longest
        if isDamaged { bound += max(gap, longest) }
        return AudioDuration(ticks: played, timescale: rate, method: .scan, errorBound: bound)
    }

    /// Seconds of pauses. Timestamps are rounded to ticks, a live recording's block may be late by a packet, and the
    /// clock they are from may differ from the sound's by 100 ppm: so much is no pause.
    var gap: Double {
        let filled = seconds(counter.samples)
        let tolerance = longest + 2 * tick + filled / 10_000
        return line - filled > tolerance ? line - filled : 0
    }

    /// By DefaultDuration if there is one, otherwise from the first block to the end of the last.
    func byTimestamps() -> AudioDuration {
        guard counter.frames > 0 else { return nanoseconds(0, bound: 0) }
        let skipped = seconds(delay.samples), span = Double(timeline.span) * tick
        guard let frame = track.defaultDuration.map({ Double($0) / 1e9 }) else {
            let step = Double(timeline.longestStep) * tick
            let latest = timeline.latestDuration.map { Double($0) * tick } ?? step
            return nanoseconds(span + latest - skipped, bound: max(step, latest, tick))
        }
        let total = frame * Double(counter.frames)
        let line = span + frame * Double(timeline.latestFrames)
        return nanoseconds(total - skipped, bound: max(frame, tick, abs(total - line)))
    }

    private func nanoseconds(_ seconds: Double, bound: Double) -> AudioDuration {
        let ticks = ticks(seconds, 1_000_000_000)
        return AudioDuration(ticks: ticks, timescale: 1_000_000_000, method: .scan, errorBound: bound)
    }

    /// Whether a Duration of so many seconds may be meant. It is that of all tracks, from the beginning of the timeline
    /// or from the first block, as the program has it, and ends anywhere in the last block of a track whose blocks
    /// don't say how long they last.
    func allows(_ stated: Double, _ duration: AudioDuration) -> Bool {
        let tolerance = max(0.05, longest)
        if abs(stated - duration.seconds) <= tolerance + duration.errorBound { return true }
        let first = Double(timeline.first ?? 0) * tick
        let sound = first + max(duration.seconds, line)
        let other = Double(timeline.latestOther ?? 0) * tick
        let earliest = max(sound, other), latest = max(sound, other + min(Double(timeline.otherStep) * tick, 1))
        return [0, first].contains { earliest - $0 - tolerance <= stated && stated <= latest - $0 + tolerance }
    }
}
