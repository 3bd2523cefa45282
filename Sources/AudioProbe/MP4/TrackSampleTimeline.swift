/// Counts the audio in the samples of a track, and places it on the container's timeline.
struct TrackSampleTimeline {
    /// A frame of audio, with its place on the timeline.
    struct Frame {
        /// When the frame begins, in time units.
        var startTime = 0
        /// The duration on the timeline, in time units.
        var duration = 0
        /// The audio before the frame, in units of `audioTimescale`.
        var precedingAudioTicks = 0
        /// The audio in the frame, in units of `audioTimescale`.
        var audioTicks = 0
    }

    /// Time units per second of the timeline.
    let timescale: Int
    /// Units per second of audio: the sample rate, or the timescale for codecs with frames that only the timeline
    /// measures.
    let audioTimescale: Int
    /// The audio so far, in units of `audioTimescale`.
    private(set) var audioTicks = 0
    /// The time at which the first sample begins, or `nil` before the first sample.
    private(set) var startTime: Int?
    /// The time at which the last sample ends.
    private(set) var endTime = 0
    /// Bytes of the samples so far.
    private(set) var byteCount = 0
    /// The end of the intact samples, if the file does not contain all samples in full.
    private(set) var truncationOffset: Int?
    /// The sum of the gaps between samples, less the overlaps, in time units.
    private(set) var pauseDuration = 0
    private(set) var lastFrame = Frame()

    private var sampleFraming: AudioSampleEntry.SampleFraming
    /// The times of edit boundaries, in ascending order.
    private let editBoundaryTimes: [Int]
    /// The audio before each boundary that was passed.
    private var audioTicksByEditBoundary: [Int: Int] = [:]
    private var passedBoundaryCount = 0
    /// The duration of pauses, and of samples that the file does not contain. It counts only if more audio follows.
    private var pendingPauseDuration = 0
    /// The offset in the file at which the last sample ends.
    private var lastSampleEndOffset = 0
    /// The duration on the timeline that follows from a frame's audio. It is cached because every frame needs it.
    private var cachedFrameDuration = (audioTicks: 0, duration: 0)

    /// Creates an empty timeline.
    ///
    /// - Parameters:
    ///   - description: The sample entry of the track.
    ///   - timescale: Time units per second.
    ///   - editBoundaryTimes: The times for which the audio before them will be requested.
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

    /// Continues at `time` if that is later than the end so far, for a fragment that states its time.
    mutating func advance(toTime time: Int) throws(AudioError) {
        if startTime == nil { self.endTime = try Self.checkedMagnitude(time) }
        if time <= self.endTime + pendingPauseDuration { return }
        pauseDuration = try Self.checkedMagnitude(
            pauseDuration.addingIfNoOverflow(Self.checkedMagnitude(time) - self.endTime))
        self.endTime = time
        pendingPauseDuration = 0
    }

    /// Adds a pause without audio.
    mutating func addPause(duration: Int) throws(AudioError) {
        pendingPauseDuration = try Self.checkedMagnitude(pendingPauseDuration.addingIfNoOverflow(duration))
        pauseDuration = try Self.checkedMagnitude(pauseDuration.addingIfNoOverflow(duration))
    }

    /// Adds the samples of `run` that the file contains.
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
        lastFrame = Frame(
            startTime: endTime - durationPerFrame, duration: durationPerFrame,
            precedingAudioTicks: audioTicks - ticksPerFrame, audioTicks: ticksPerFrame)
        if ticksPerFrame != cachedFrameDuration.audioTicks {
            cachedFrameDuration = (
                ticksPerFrame, ticksPerFrame.scaled(by: timescale, dividedBy: audioTimescale, roundingUp: true)
            )
        }
        pauseDuration = try Self.checkedMagnitude(
            count.multipliedIfNoOverflow(by: durationPerFrame - cachedFrameDuration.duration)?.addingIfNoOverflow(
                pauseDuration))
    }

    /// Adds packets that must be read one by one.
    private mutating func addPackets(of run: SampleRun, count: Int, in reader: inout BufferedFileReader)
        throws(AudioError)
    {
        // Overlapping packets could cause the file to be read any number of times.
        if byteCount > reader.byteCount {
            throw AudioError(
                .damaged, offset: run.dataOffset, message: "the packets overlap: together they are larger than the file"
            )
        }
        for packet in 0..<count {
            let length = try packetAudioTicks(
                at: run.dataOffset + packet * run.sampleSize, size: run.sampleSize, in: &reader)
            try addFrames(count: 1, ticksPerFrame: length, durationPerFrame: run.sampleDuration)
        }
    }

    /// Checks the result of a sum or product, which is `nil` on overflow.
    ///
    /// - Throws: ``AudioError/Code/damaged`` on overflow or for an implausible value.
    fileprivate static func checkedMagnitude(_ value: Int?) throws(AudioError) -> Int {
        // 2^56 is 50,000 years at every rate in use. Sums of a few such values still fit.
        guard let value, value.magnitude < 1 << 56 else {
            throw AudioError(.damaged, message: "the duration of the samples is invalid: too long")
        }
        return value
    }
}

// MARK: - Duration of a sample

extension TrackSampleTimeline {
    /// Returns the audio in each sample of `run`, or `nil` if the samples must be read one by one.
    private mutating func audioTicksPerSample(of run: SampleRun, in reader: inout BufferedFileReader) throws(AudioError)
        -> Int?
    {
        switch sampleFraming {
        case .fixedLengthFrame(samples: let samples): return samples
        case .timed(let longest):
            // `audioTimescale` equals `timescale` here.
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
        // Using the durations of the sample table instead would take 8 ms for an hour of Opus; reading every packet
        // takes 14 ms.
        case .opusPacket, .amrFrames: return nil
        }
    }

    /// Returns the audio in an Opus packet, or in the AMR frames, of `size` bytes at `offset`.
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

// MARK: - Audio before a time

extension TrackSampleTimeline {
    /// Returns the audio before one of the edit boundaries.
    func audioTicks(beforeEditBoundary mark: Int) -> Int {
        audioTicksByEditBoundary[mark] ?? lastFrame.precedingAudioTicks
            + min(
                lastFrame.audioTicks,
                max(0, mark - lastFrame.startTime).scaled(by: audioTimescale, dividedBy: timescale))
    }

    /// Whether the timeline ends before the audio of the last frame does. The rest is the encoder's padding.
    ///
    /// A duration of 0 means that the recorder did not know it.
    var isLastFrameShortened: Bool {
        lastFrame.duration > 0
            && lastFrame.duration
                < lastFrame.audioTicks.scaled(by: timescale, dividedBy: audioTimescale, roundingUp: false)
    }

    /// The audio up to the end of the timeline.
    var audioTicksWithinTimeline: Int {
        isLastFrameShortened
            ? lastFrame.precedingAudioTicks + lastFrame.duration.scaled(by: audioTimescale, dividedBy: timescale)
            : audioTicks
    }
}
