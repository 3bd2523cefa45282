/// The duration of a Segment's main track, compared with its timestamps and with Info.
struct MatroskaSegmentDuration {
    private(set) var duration: AudioDuration
    /// Seconds of the timeline that no frames fill; 0 unless there are real gaps.
    private(set) var gapSeconds = 0.0
    /// The Duration in Info in seconds, if it fits neither the audio nor the Segment, or `nil`.
    private(set) var contradictedHeaderSeconds: Double?

    /// Measures a Segment. Returns `nil` if it has no audio track.
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
        // The Duration of a truncated or damaged file was right originally.
        if let declaredSeconds = measure.declaredSeconds, segment.truncationOffset == nil,
            segment.firstDamageOffset == nil, !measure.isConsistent(declaredSeconds: declaredSeconds, with: duration)
        {
            contradictedHeaderSeconds = declaredSeconds
        }
    }
}

/// The measurements of a Segment's main track.
private struct SegmentMeasurements {
    let track: MatroskaTrack
    let codec: MatroskaCodec
    let frameCounter: FrameSampleCounter
    let blockTimeline: MatroskaBlockTimeline
    /// Seconds that the blocks' DiscardPadding excludes.
    let discardedSeconds: Double
    /// Seconds per tick.
    let secondsPerTick: Double
    /// The Duration in Info in seconds, or `nil`.
    let declaredSeconds: Double?
    /// Samples per second, in Hz; 1000 if it is unknown.
    let sampleRate: Int

    init?(segment: MatroskaSegment) {
        guard let mainTrackBlocks = segment.mainTrackBlocks, let track = segment.header.mainTrack else { return nil }
        self.track = track
        codec = mainTrackBlocks.codec
        frameCounter = mainTrackBlocks.frameCounter
        blockTimeline = mainTrackBlocks.blockTimeline
        discardedSeconds = mainTrackBlocks.discardedNanoseconds / 1e9
        let secondsPerTick = Double(segment.header.timestampScale) / 1e9
        self.secondsPerTick = secondsPerTick
        declaredSeconds = segment.header.declaredDurationTicks.map { $0 * secondsPerTick }.flatMap {
            $0.isFinite ? $0 : nil
        }
        sampleRate = mainTrackBlocks.frameCounter.sampleRate ?? 1000
    }

    /// Converts seconds to ticks, clamped so that later sums do not overflow.
    ///
    /// In nanoseconds, the greatest value still exceeds the longest accepted duration.
    func ticks(seconds: Double, timescale: Int) -> Int {
        Int(max(0, min((seconds * Double(timescale)).rounded(), 0x1p61)))
    }
    private func seconds(ofSamples samples: Int) -> Double { Double(samples) / Double(sampleRate) }

    /// Seconds of the longest frame.
    private var longestFrameSeconds: Double { seconds(ofSamples: max(frameCounter.maxFrameSampleCount, 1)) }
    /// Seconds from the first block to the end of the latest one.
    private var timelineSeconds: Double {
        Double(blockTimeline.blockTimeSpan) * secondsPerTick + seconds(ofSamples: blockTimeline.latestBlockSampleCount)
    }

    /// Samples that the decoder discards at the beginning, and their uncertainty.
    ///
    /// Opus states them twice, and both must agree: RFC 7845, section 5.1, and CodecDelay in RFC 9559, section
    /// 5.1.4.1.25. If they differ, FFmpeg uses the codec's own header.
    private var decoderDelay: (samples: Int, uncertainSamples: Int) {
        let stated = ticks(seconds: Double(track.codecDelay ?? 0) / 1e9, timescale: sampleRate)
        return codec.preSkip.map { ($0, abs($0 - stated)) } ?? (stated, 0)
    }

    /// Returns the duration of all frames, less the samples that are discarded.
    func durationFromFrames(isDamaged: Bool) -> AudioDuration {
        let delay = decoderDelay
        let played = max(
            frameCounter.sampleCount - delay.samples - ticks(seconds: discardedSeconds, timescale: sampleRate), 0)
        var bound = seconds(ofSamples: delay.uncertainSamples) + codec.relativeUncertainty * seconds(ofSamples: played)
        // Some players replace an unreadable frame by silence, others skip it.
        bound += Double(frameCounter.unreadableFrameCount) * longestFrameSeconds
        if isDamaged { bound += max(gapSeconds, longestFrameSeconds) }
        return AudioDuration(ticks: played, timescale: sampleRate, method: .scan, errorBound: bound)
    }

    /// Seconds of gaps in the timeline.
    ///
    /// Timestamps are rounded to ticks, a block in a live stream may be late by one packet, and the clock of the
    /// timestamps may differ from that of the audio by 100 ppm. Smaller differences are not gaps.
    var gapSeconds: Double {
        let filled = seconds(ofSamples: frameCounter.sampleCount)
        let tolerance = longestFrameSeconds + 2 * secondsPerTick + filled / 10_000
        return timelineSeconds - filled > tolerance ? timelineSeconds - filled : 0
    }

    /// Returns the duration by DefaultDuration, or else from the first block to the end of the latest one.
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

    /// Returns whether the Duration in Info is consistent with a duration.
    ///
    /// Depending on the program, it covers all tracks from time 0 or from the first block. It may end anywhere in the
    /// last block of a track with blocks that state no duration.
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
