/// Adds up how much sound the samples of a track hold, and where on the container's timeline it stands.
struct TrackSampleTimeline {
    /// Units of the timeline to the second.
    let timescale: Int
    /// Units to the second in which sound is counted: the sample rate, or, for codecs whose frames only the timeline
    /// measures, the timeline's own.
    let audioTimescale: Int
    /// Sound so far.
    private(set) var audioTicks = 0
    /// Where on the timeline the first sample stands, and where the last one ends.
    private(set) var startTime: Int?
    private(set) var endTime = 0
    /// Bytes so far.
    private(set) var byteCount = 0
    /// Where what is whole ends, if there are samples that the file doesn't hold in full.
    private(set) var truncationOffset: Int?
    /// Net time by which samples stand further apart than their sound lasts.
    private(set) var pauseDuration = 0
    /// The last frame: where it begins, what it sounds, and how long it lasts by the timeline.
    private(set) var lastFrame = (time: 0, sound: 0, length: 0, delta: 0)

    private var sampleFraming: AudioSampleEntry.SampleFraming
    /// Points on the timeline, in order, and how much sound is before each of those that were passed.
    private let editBoundaryTimes: [Int]
    private var audioTicksByEditBoundary: [Int: Int] = [:]
    private var passedBoundaryCount = 0
    /// Time that samples took of which nothing is there; it counts only if more sound follows.
    private var pendingPauseDuration = 0
    /// Where in the file the last sample ends.
    private var lastSampleEndOffset = 0
    /// How long on the timeline a frame of so much sound is: it is asked for every frame.
    private var cachedFrameDuration = (sound: 0, time: 0)

    /// - Parameter editBoundaryTimes: points on the timeline at which it will be asked how much sound is before.
    init(sampleEntry description: AudioSampleEntry, timescale: Int, editBoundaryTimes: [Int] = []) {
        self.timescale = timescale
        let sampleRate = max(1, description.sampleRate ?? timescale)
        sampleFraming = description.sampleFraming
        audioTimescale = if case .timed = sampleFraming { timescale } else { sampleRate }
        if case .timed(let longest?) = sampleFraming {
            sampleFraming = .timed(maxDuration: longest.scaled(by: timescale, dividedBy: sampleRate, roundingUp: true))
        }
        self.editBoundaryTimes = Set(editBoundaryTimes).sorted()
    }

    /// Goes on at `endTime` if that is later than what came before: a fragment says where it stands.
    mutating func advance(toTime time: Int) throws(AudioError) {
        if startTime == nil { self.endTime = try Self.checkedMagnitude(time) }
        if time <= self.endTime + pendingPauseDuration { return }
        pauseDuration = try Self.checkedMagnitude(
            pauseDuration.addingIfNoOverflow(Self.checkedMagnitude(time) - self.endTime))
        self.endTime = time
        pendingPauseDuration = 0
    }

    /// Lets time pass in which there is nothing.
    mutating func addPause(duration: Int) throws(AudioError) {
        pendingPauseDuration = try Self.checkedMagnitude(pendingPauseDuration.addingIfNoOverflow(duration))
        pauseDuration = try Self.checkedMagnitude(pauseDuration.addingIfNoOverflow(duration))
    }

    /// Adds those samples of `run` that are there.
    mutating func addSampleRun(_ run: SampleRun, in reader: inout BufferedFileReader) throws(AudioError) {
        let completeCount = run.completeSampleCount(fileSize: reader.byteCount)
        if completeCount < run.sampleCount, run.sampleSize > 0, truncationOffset == nil {
            truncationOffset =
                completeCount > 0
                ? run.dataOffset + completeCount * run.sampleSize : min(lastSampleEndOffset, reader.byteCount)
        }
        if completeCount > 0 {
            endTime = try Self.checkedMagnitude(endTime.addingIfNoOverflow(pendingPauseDuration))
            pendingPauseDuration = 0
            byteCount = try Self.checkedMagnitude(byteCount.addingIfNoOverflow(completeCount * run.sampleSize))
            lastSampleEndOffset = run.dataOffset + completeCount * run.sampleSize
            if let length = try audioTicksPerSample(of: run, in: &reader) {
                try addFrames(count: completeCount, ticksPerFrame: length, durationPerFrame: run.sampleDuration)
            } else {
                try addPackets(of: run, count: completeCount, in: &reader)
            }
        }
        if completeCount == run.sampleCount { return }
        let missingDuration = try Self.checkedMagnitude(
            (run.sampleCount - completeCount).multipliedIfNoOverflow(by: run.sampleDuration))
        pendingPauseDuration = try Self.checkedMagnitude(pendingPauseDuration.addingIfNoOverflow(missingDuration))
    }

    private mutating func addFrames(count: Int, ticksPerFrame: Int, durationPerFrame: Int) throws(AudioError) {
        if startTime == nil { startTime = endTime }
        let duration = try Self.checkedMagnitude(count.multipliedIfNoOverflow(by: durationPerFrame))
        let added = try Self.checkedMagnitude(count.multipliedIfNoOverflow(by: ticksPerFrame))
        while passedBoundaryCount < editBoundaryTimes.count, editBoundaryTimes[passedBoundaryCount] - endTime < duration
        {
            let elapsed = max(0, editBoundaryTimes[passedBoundaryCount] - endTime)
            let frame = durationPerFrame > 0 ? elapsed / durationPerFrame : 0
            let inside = min(
                ticksPerFrame, (elapsed - frame * durationPerFrame).scaled(by: audioTimescale, dividedBy: timescale))
            audioTicksByEditBoundary[editBoundaryTimes[passedBoundaryCount]] =
                audioTicks + frame * ticksPerFrame + inside
            passedBoundaryCount += 1
        }
        audioTicks = try Self.checkedMagnitude(audioTicks.addingIfNoOverflow(added))
        endTime = try Self.checkedMagnitude(endTime.addingIfNoOverflow(duration))
        lastFrame = (endTime - durationPerFrame, audioTicks - ticksPerFrame, ticksPerFrame, durationPerFrame)
        if ticksPerFrame != cachedFrameDuration.sound {
            cachedFrameDuration = (
                ticksPerFrame, ticksPerFrame.scaled(by: timescale, dividedBy: audioTimescale, roundingUp: true)
            )
        }
        pauseDuration = try Self.checkedMagnitude(
            count.multipliedIfNoOverflow(by: durationPerFrame - cachedFrameDuration.time)?.addingIfNoOverflow(
                pauseDuration))
    }

    /// Adds packets that have to be looked at one by one.
    private mutating func addPackets(of run: SampleRun, count: Int, in reader: inout BufferedFileReader)
        throws(AudioError)
    {
        // Packets that overlap could make the file be read any number of times.
        if byteCount > reader.byteCount {
            throw AudioError(
                .damaged, offset: run.dataOffset, message: "the packets are larger than the file that holds them")
        }
        for packet in 0..<count {
            let length = try packetAudioTicks(
                at: run.dataOffset + packet * run.sampleSize, size: run.sampleSize, in: &reader)
            try addFrames(count: 1, ticksPerFrame: length, durationPerFrame: run.sampleDuration)
        }
    }

    /// A sum or product that may be beyond an `Int`.
    fileprivate static func checkedMagnitude(_ value: Int?) throws(AudioError) -> Int {
        // 2^56 is fifty thousand years at any rate that occurs; sums of a few such still fit.
        guard let value, value.magnitude < 1 << 56 else {
            throw AudioError(.damaged, message: "the samples last longer than any recording")
        }
        return value
    }
}

// MARK: - How long a sample sounds

extension TrackSampleTimeline {
    /// Of each sample of `run`; nil if they must be asked one by one.
    private mutating func audioTicksPerSample(of run: SampleRun, in reader: inout BufferedFileReader) throws(AudioError)
        -> Int?
    {
        switch sampleFraming {
        case .fixedLengthFrame(samples: let samples): return samples
        case .timed(let longest):
            // `audioTimescale` is the timeline's here.
            guard let longest else { return run.sampleDuration }
            return min(run.sampleDuration, longest)
        case .constantPackets(let packet):
            return try Self.checkedMagnitude(
                (run.sampleSize / packet.bytesPerPacket).multipliedIfNoOverflow(by: packet.samplesPerPacket))
        case .mpegAudioFrame:
            guard let header = try reader.uint32(at: run.dataOffset).flatMap({ MPEGAudioHeader(word: $0) }) else {
                return run.sampleDuration.scaled(by: audioTimescale, dividedBy: timescale)
            }
            let samples = header.samplesPerFrame.scaled(by: audioTimescale, dividedBy: header.sampleRate)
            sampleFraming = .fixedLengthFrame(samples: samples)
            return samples
        // Durations could be believed instead; but an hour of Opus takes 14 ms with every packet looked at, and 8
        // without.
        case .opusPacket, .amrFrames: return nil
        }
    }

    /// Of the Opus packet, or the AMR frames, in the `size` bytes at `offset`.
    private func packetAudioTicks(at offset: Int, size: Int, in reader: inout BufferedFileReader) throws(AudioError)
        -> Int
    {
        guard case .amrFrames(let isWide) = sampleFraming else {
            let second = size > 1 ? try reader.uint8(at: offset + 1) : nil
            return OpusPacket.sampleCount(firstByte: try reader.uint8(at: offset), secondByte: second) ?? 0
        }
        let lengths = AMRFrame.frameLengths(isWideband: isWide)
        var position = offset, frames = 0
        while position < offset + size, let frameHeader = try reader.uint8(at: position) {
            let length = lengths[frameHeader >> 3 & 15]
            position += max(1, length)
            if length > 0, position <= offset + size { frames += 1 }
        }
        return frames * AMRFrame.samplesPerFrame(isWideband: isWide)
    }
}

// MARK: - What is before a point

extension TrackSampleTimeline {
    /// The sound before one of the marks.
    func audioTicks(beforeEditBoundary mark: Int) -> Int {
        audioTicksByEditBoundary[mark] ?? lastFrame.sound
            + min(lastFrame.length, max(0, mark - lastFrame.time).scaled(by: audioTimescale, dividedBy: timescale))
    }

    /// Whether the last frame ends before its sound does, by the timeline: what is behind is the encoder's padding. A
    /// frame of no duration is that of a recorder which didn't know it.
    var isLastFrameShortened: Bool {
        lastFrame.delta > 0
            && lastFrame.delta < lastFrame.length.scaled(by: timescale, dividedBy: audioTimescale, roundingUp: false)
    }

    /// The sound up to where the timeline ends.
    var audioTicksWithinTimeline: Int {
        isLastFrameShortened
            ? lastFrame.sound + lastFrame.delta.scaled(by: audioTimescale, dividedBy: timescale) : audioTicks
    }
}

extension Int {
    /// `self * factor / divisor`, to the nearest whole or as said; the largest number if it is beyond.
    ///
    /// - Precondition: none of them is negative.
    func scaled(by factor: Int, dividedBy divisor: Int, roundingUp: Bool? = nil) -> Int {
        if factor == divisor { return self }
        let product = UInt(self).multipliedFullWidth(by: UInt(factor))
        let addend = roundingUp.map { $0 ? UInt(divisor) - 1 : 0 } ?? UInt(divisor) / 2
        let (low, carry) = product.low.addingReportingOverflow(addend)
        let high = product.high + (carry ? 1 : 0)
        if divisor == 0 || high >= UInt(divisor) { return .max }
        return Int(clamping: UInt(divisor).dividingFullWidth((high, low)).quotient)
    }
}
