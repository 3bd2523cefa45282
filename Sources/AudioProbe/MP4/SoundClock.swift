/// Adds up how much sound the samples of a track hold, and where on the container's timeline it stands.
struct SoundClock {
    /// Units of the timeline to the second.
    let timescale: Int
    /// Units to the second in which sound is counted: the sample rate, or, for codecs whose frames only the timeline
    /// measures, the timeline's own.
    let rate: Int
    /// Sound so far.
    private(set) var sound = 0
    /// Where on the timeline the first sample stands, and where the last one ends.
    private(set) var start: Int?
    private(set) var time = 0
    /// Bytes so far.
    private(set) var bytes = 0
    /// Where what is whole ends, if there are samples that the file doesn't hold in full.
    private(set) var missing: Int?
    /// Net time by which samples stand further apart than their sound lasts.
    private(set) var pauses = 0
    /// The last frame: where it begins, what it sounds, and how long it lasts by the timeline.
    private(set) var last = (time: 0, sound: 0, length: 0, delta: 0)

    private var framing: SoundDescription.Framing
    /// Points on the timeline, in order, and how much sound is before each of those that were passed.
    private let marks: [Int]
    private var soundBefore: [Int: Int] = [:]
    private var passed = 0
    /// Time that samples took of which nothing is there; it counts only if more sound follows.
    private var skipped = 0
    /// Where in the file the last sample ends.
    private var end = 0
    /// How long on the timeline a frame of so much sound is: it is asked for every frame.
    private var ticks = (sound: 0, time: 0)

    /// - Parameter marks: points on the timeline at which it will be asked how much sound is before.
    init(_ description: SoundDescription, timescale: Int, marks: [Int] = []) {
        self.timescale = timescale
        let sampleRate = max(1, description.sampleRate ?? timescale)
        framing = description.framing
        rate = if case .timed = framing { timescale } else { sampleRate }
        if case .timed(let longest?) = framing {
            framing = .timed(longest: longest.scaled(by: timescale, over: sampleRate, roundingUp: true))
        }
        self.marks = Set(marks).sorted()
    }

    /// Goes on at `time` if that is later than what came before: a fragment says where it stands.
    mutating func move(to time: Int) throws(AudioError) {
        if start == nil { self.time = try Self.checked(time) }
        if time <= self.time + skipped { return }
        pauses = try Self.checked(pauses.adding(Self.checked(time) - self.time))
        self.time = time
        skipped = 0
    }

    /// Lets time pass in which there is nothing.
    mutating func pause(_ duration: Int) throws(AudioError) {
        skipped = try Self.checked(skipped.adding(duration))
        pauses = try Self.checked(pauses.adding(duration))
    }

    /// Adds those samples of `run` that are there.
    mutating func add(_ run: SampleRun, in window: inout ByteWindow) throws(AudioError) {
        let whole = run.whole(in: window.count)
        if whole < run.count, run.size > 0, missing == nil {
            missing = whole > 0 ? run.offset + whole * run.size : min(end, window.count)
        }
        if whole > 0 {
            time = try Self.checked(time.adding(skipped))
            skipped = 0
            bytes = try Self.checked(bytes.adding(whole * run.size))
            end = run.offset + whole * run.size
            if let length = try length(of: run, in: &window) {
                try addFrames(whole, length, run.delta)
            } else {
                try addPackets(run, whole, in: &window)
            }
        }
        if whole == run.count { return }
        let rest = try Self.checked((run.count - whole).multiplied(by: run.delta))
        skipped = try Self.checked(skipped.adding(rest))
    }

    private mutating func addFrames(_ count: Int, _ length: Int, _ delta: Int) throws(AudioError) {
        if start == nil { start = time }
        let duration = try Self.checked(count.multiplied(by: delta))
        let added = try Self.checked(count.multiplied(by: length))
        while passed < marks.count, marks[passed] - time < duration {
            let elapsed = max(0, marks[passed] - time)
            let frame = delta > 0 ? elapsed / delta : 0
            let inside = min(length, (elapsed - frame * delta).scaled(by: rate, over: timescale))
            soundBefore[marks[passed]] = sound + frame * length + inside
            passed += 1
        }
        sound = try Self.checked(sound.adding(added))
        time = try Self.checked(time.adding(duration))
        last = (time - delta, sound - length, length, delta)
        if length != ticks.sound { ticks = (length, length.scaled(by: timescale, over: rate, roundingUp: true)) }
        pauses = try Self.checked(count.multiplied(by: delta - ticks.time)?.adding(pauses))
    }

    /// Adds packets that have to be looked at one by one.
    private mutating func addPackets(_ run: SampleRun, _ count: Int, in window: inout ByteWindow) throws(AudioError) {
        // Packets that overlap could make the file be read any number of times.
        if bytes > window.count {
            throw AudioError(.damaged, offset: run.offset, "the packets are larger than the file that holds them")
        }
        for packet in 0..<count {
            let length = try packetLength(run.offset + packet * run.size, run.size, in: &window)
            try addFrames(1, length, run.delta)
        }
    }

    /// A sum or product that may be beyond an `Int`.
    fileprivate static func checked(_ value: Int?) throws(AudioError) -> Int {
        // 2^56 is fifty thousand years at any rate that occurs; sums of a few such still fit.
        guard let value, value.magnitude < 1 << 56 else {
            throw AudioError(.damaged, "the samples last longer than any recording")
        }
        return value
    }
}

// MARK: - How long a sample sounds

extension SoundClock {
    /// Of each sample of `run`; nil if they must be asked one by one.
    private mutating func length(of run: SampleRun, in window: inout ByteWindow) throws(AudioError) -> Int? {
        switch framing {
        case .frames(let samples): return samples
        case .timed(let longest):
            // `rate` is the timeline's here.
            guard let longest else { return run.delta }
            return min(run.delta, longest)
        case .packets(let packet): return try Self.checked((run.size / packet.bytes).multiplied(by: packet.samples))
        case .mpegAudio:
            guard let header = try window.uint32(at: run.offset).flatMap({ MPEGAudioHeader($0) }) else {
                return run.delta.scaled(by: rate, over: timescale)
            }
            let samples = header.samples.scaled(by: rate, over: header.sampleRate)
            framing = .frames(samples)
            return samples
        // Durations could be believed instead; but an hour of Opus takes 14 ms with every packet looked at, and 8 without.
        case .opus, .amr: return nil
        }
    }

    /// Of the Opus packet, or the AMR frames, in the `size` bytes at `offset`.
    private func packetLength(_ offset: Int, _ size: Int, in window: inout ByteWindow) throws(AudioError) -> Int {
        guard case .amr(let isWide) = framing else {
            let second = size > 1 ? try window.uint8(at: offset + 1) : nil
            return OpusPacket.samples(first: try window.uint8(at: offset), second: second) ?? 0
        }
        let lengths = AMRFrame.lengths(isWide: isWide)
        var position = offset, frames = 0
        while position < offset + size, let head = try window.uint8(at: position) {
            let length = lengths[head >> 3 & 15]
            position += max(1, length)
            if length > 0, position <= offset + size { frames += 1 }
        }
        return frames * AMRFrame.samples(isWide: isWide)
    }
}

// MARK: - What is before a point

extension SoundClock {
    /// The sound before one of the marks.
    func sound(before mark: Int) -> Int {
        soundBefore[mark] ?? last.sound
            + min(last.length, max(0, mark - last.time).scaled(by: rate, over: timescale))
    }

    /// Whether the last frame ends before its sound does, by the timeline: what is behind is the encoder's padding. A frame
    /// of no duration is that of a recorder which didn't know it.
    var isLastShort: Bool {
        last.delta > 0 && last.delta < last.length.scaled(by: timescale, over: rate, roundingUp: false)
    }

    /// The sound up to where the timeline ends.
    var soundOnTimeline: Int { isLastShort ? last.sound + last.delta.scaled(by: rate, over: timescale) : sound }
}

extension Int {
    /// `self * factor / divisor`, to the nearest whole or as said; the largest number if it is beyond.
    ///
    /// - Precondition: none of them is negative.
    func scaled(by factor: Int, over divisor: Int, roundingUp: Bool? = nil) -> Int {
        if factor == divisor { return self }
        let product = UInt(self).multipliedFullWidth(by: UInt(factor))
        let addend = roundingUp.map { $0 ? UInt(divisor) - 1 : 0 } ?? UInt(divisor) / 2
        let (low, carry) = product.low.addingReportingOverflow(addend)
        let high = product.high + (carry ? 1 : 0)
        if divisor == 0 || high >= UInt(divisor) { return .max }
        return Int(clamping: UInt(divisor).dividingFullWidth((high, low)).quotient)
    }
}
