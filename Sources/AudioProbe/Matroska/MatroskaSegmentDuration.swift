/// How long a Segment's main track lasts, and how far its timestamps and Info agree with that.
struct MatroskaSegmentDuration {
    private(set) var duration: AudioDuration
    /// Seconds that the timestamps have and the frames don't fill; 0 but for true pauses.
    private(set) var gapSeconds = 0.0
    /// Seconds that Info states, if neither the sound nor all that is in the Segment has such a length.
    private(set) var contradictedHeaderSeconds: Double?

    /// Nil if the Segment has no sound.
    init?(segment: MatroskaSegment) {
        guard let measure = SegmentMeasurements(segment: segment) else { return nil }
        if let declaredSeconds = measure.declaredSeconds, segment.skippedClusterBytes > 0 {
            duration = .unverified(
                ticks: measure.ticks(seconds: declaredSeconds, timescale: measure.sampleRate),
                timescale: measure.sampleRate)
            return
        }
        if measure.frameCounter.lacksSampleCounts {
            duration = measure.durationFromTimestamps()
        } else {
            gapSeconds = measure.gapSeconds
            duration = measure.durationFromFrames(isDamaged: segment.firstDamageOffset != nil)
        }
        // The Duration of what is cut or damaged was right once.
        if let declaredSeconds = measure.declaredSeconds, segment.truncationOffset == nil,
            segment.firstDamageOffset == nil, !measure.isConsistent(declaredSeconds: declaredSeconds, with: duration)
        {
            contradictedHeaderSeconds = declaredSeconds
        }
    }
}

/// The quantities of a Segment's main track in seconds.
private struct SegmentMeasurements {
    let track: MatroskaTrack
    let codec: MatroskaCodec
    let frameCounter: FrameSampleCounter
    let blockTimeline: MatroskaBlockTimeline
    /// Seconds that blocks ask to leave out.
    let discardedSeconds: Double
    /// Seconds of a tick.
    let secondsPerTick: Double
    /// Seconds that Info states.
    let declaredSeconds: Double?
    /// Samples a second.
    let sampleRate: Int

    init?(segment: MatroskaSegment) {
        guard let audioTrack = segment.audioTrack, let track = segment.header.mainTrack else { return nil }
        self.track = track
        codec = audioTrack.codec
        frameCounter = audioTrack.frameCounter
        blockTimeline = audioTrack.blockTimeline
        discardedSeconds = audioTrack.discardedNanoseconds / 1e9
        let secondsPerTick = Double(segment.header.timestampScale) / 1e9
        self.secondsPerTick = secondsPerTick
        declaredSeconds = segment.header.declaredDurationTicks.map { $0 * secondsPerTick }.flatMap {
            $0.isFinite ? $0 : nil
        }
        sampleRate = audioTrack.frameCounter.sampleRate ?? 1000
    }

    /// Seconds as a whole number of `1 / timescale`, within bounds that nothing below overflows. In nanoseconds, the
    /// highest is still more than a recording may last.
    func ticks(seconds: Double, timescale: Int) -> Int {
        Int(max(0, min((seconds * Double(timescale)).rounded(), 0x1p61)))
    }
    private func seconds(ofSamples samples: Int) -> Double { Double(samples) / Double(sampleRate) }

    /// Seconds of the longest frame.
    private var longestFrameSeconds: Double { seconds(ofSamples: max(frameCounter.maxFrameSampleCount, 1)) }
    /// Seconds from the first block to the end of the latest.
    private var timelineSeconds: Double {
        Double(blockTimeline.blockTimeSpan) * secondsPerTick + seconds(ofSamples: blockTimeline.latestBlockSampleCount)
    }

    /// Samples that the decoder leaves out at the beginning, and by how many that may be wrong. Opus states them twice,
    /// and they must agree (RFC 7845, section 5.1, and CodecDelay in RFC 9559, section 5.1.4.1.25): where they don't,
    /// ffmpeg goes by the codec's own header.
    private var decoderDelay: (samples: Int, doubt: Int) {
        let stated = ticks(seconds: Double(track.codecDelay ?? 0) / 1e9, timescale: sampleRate)
        return codec.preSkip.map { ($0, abs($0 - stated)) } ?? (stated, 0)
    }

    /// What all frames sound, less what is to be left out.
    func durationFromFrames(isDamaged: Bool) -> AudioDuration {
        let delay = decoderDelay
        let played = max(
            frameCounter.sampleCount - delay.samples - ticks(seconds: discardedSeconds, timescale: sampleRate), 0)
        var bound = seconds(ofSamples: delay.doubt) + codec.relativeUncertainty * seconds(ofSamples: played)
        // A frame that can't be read is silence to one player and nothing to another.
        bound += Double(frameCounter.unreadableFrameCount) * longestFrameSeconds
        if isDamaged { bound += max(gapSeconds, longestFrameSeconds) }
        return AudioDuration(ticks: played, timescale: sampleRate, method: .scan, errorBound: bound)
    }

    /// Seconds of pauses. Timestamps are rounded to ticks, a live recording's block may be late by a packet, and the
    /// clock they are from may differ from the sound's by 100 ppm: so much is no pause.
    var gapSeconds: Double {
        let filled = seconds(ofSamples: frameCounter.sampleCount)
        let tolerance = longestFrameSeconds + 2 * secondsPerTick + filled / 10_000
        return timelineSeconds - filled > tolerance ? timelineSeconds - filled : 0
    }

    /// By DefaultDuration if there is one, otherwise from the first block to the end of the last.
    func durationFromTimestamps() -> AudioDuration {
        guard frameCounter.frameCount > 0 else { return nanosecondDuration(seconds: 0, errorBound: 0) }
        let delaySeconds = seconds(ofSamples: decoderDelay.samples),
            span = Double(blockTimeline.blockTimeSpan) * secondsPerTick
        guard let frame = track.defaultDuration.map({ Double($0) / 1e9 }) else {
            let longestInterval = Double(blockTimeline.longestBlockInterval) * secondsPerTick
            let latest = blockTimeline.latestBlockDuration.map { Double($0) * secondsPerTick } ?? longestInterval
            return nanosecondDuration(
                seconds: span + latest - delaySeconds, errorBound: max(longestInterval, latest, secondsPerTick))
        }
        let total = frame * Double(frameCounter.frameCount)
        let timestampSeconds = span + frame * Double(blockTimeline.latestBlockFrameCount)
        return nanosecondDuration(
            seconds: total - delaySeconds, errorBound: max(frame, secondsPerTick, abs(total - timestampSeconds)))
    }

    private func nanosecondDuration(seconds: Double, errorBound: Double) -> AudioDuration {
        let ticks = ticks(seconds: seconds, timescale: 1_000_000_000)
        return AudioDuration(ticks: ticks, timescale: 1_000_000_000, method: .scan, errorBound: errorBound)
    }

    /// Whether a Duration of so many seconds may be meant. It is that of all tracks, from the beginning of the timeline
    /// or from the first block, as the program has it, and ends anywhere in the last block of a track whose blocks
    /// don't say how long they last.
    func isConsistent(declaredSeconds: Double, with duration: AudioDuration) -> Bool {
        let tolerance = max(0.05, longestFrameSeconds)
        if abs(declaredSeconds - duration.seconds) <= tolerance + duration.errorBound { return true }
        let first = Double(blockTimeline.firstBlockTime ?? 0) * secondsPerTick
        let audioEnd = first + max(duration.seconds, timelineSeconds)
        let otherTracksEnd = Double(blockTimeline.latestOtherTrackTime ?? 0) * secondsPerTick
        let earliest = max(audioEnd, otherTracksEnd),
            latest = max(
                audioEnd, otherTracksEnd + min(Double(blockTimeline.latestOtherTrackInterval) * secondsPerTick, 1))
        return [0, first].contains {
            earliest - $0 - tolerance <= declaredSeconds && declaredSeconds <= latest - $0 + tolerance
        }
    }
}
