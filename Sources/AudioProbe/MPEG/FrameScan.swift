/// Counts the frames of a file, each by its header, over damage and over the tags between joined recordings.
struct FrameScan<Frames: BareFrames> {
    /// Frames of equal parameters that follow one another.
    struct Run {
        let sampleRate: Int
        /// Where the frame is that informs about those that follow, if there is one.
        let informant: Int?
        /// Whether this is where another recording begins.
        let beginsRecording: Bool
        var frames = 0
        var samples = 0
        /// Where the last frame ends.
        var end: Int
    }

    private(set) var runs: [Run] = []
    /// Bytes of the frames with sound.
    private(set) var mediaBytes = 0
    /// Where the last recording begins that is not the first.
    private(set) var join: Int?
    /// Where a frame is that the file ends in.
    private(set) var cut: Int?
    /// Bytes between frames that belong to none: where they first are, and in how many places.
    private(set) var firstGap: Int?
    private(set) var gaps = 0
    /// Where bytes begin that nothing recognises up to the end.
    private(set) var trailing: Int?
    /// Bytes at the end that weren't searched for frames.
    private(set) var unsearched = 0
    /// Where the scan reached its limit; nil if it didn't.
    private(set) var limited: Int?
    /// What tags between recordings hold.
    private(set) var metadata: [Metadata] = []

    private var frames: Frames
    private let start: Int
    private var offset: Int
    /// Where the tags at the end begin.
    private let end: Int
    private let limits: AudioLimits
    private var tags = 0
    private var isBehindTag = false

    /// - Parameters:
    ///   - frames: the parameters of the first frame, which is at `start`.
    ///   - end: where the tags behind the last frame begin.
    init(
        _ frames: Frames, from start: Int, to end: Int, in window: inout ByteWindow, _ limits: AudioLimits
    ) throws(AudioError) {
        self.frames = frames
        self.end = end
        self.limits = limits
        self.start = start
        offset = start
        try beginRun(informant: nil, beginsRecording: false)
        let isWhole = try window.scan { (window) throws(AudioError) in
            repeat { try countFrames(in: &window) } while try findMore(in: &window)
        }
        if !isWhole { limited = offset }
    }

    /// Counts up to where there is no agreeing header, or a frame doesn't fit.
    private mutating func countFrames(in window: inout ByteWindow) throws(AudioError) {
        while let informant = try countSound(in: &window) {
            try beginRecording(at: offset, informant: offset)
            offset += informant.length
            runs[runs.count - 1].end = offset
        }
    }

    /// Counts up to there, or to a frame without sound, which it returns.
    private mutating func countSound(in window: inout ByteWindow) throws(AudioError) -> BareFrame? {
        let start = offset
        var count = 0, samples = 0, informant: BareFrame?, failure: AudioError?
        do throws(AudioError) {
            while let frame = try frames.frame(at: offset, in: &window), frame.length <= end - offset {
                if frame.samples == 0 {
                    informant = frame
                    break
                }
                offset += frame.length
                samples += frame.samples
                count += 1
            }
        } catch {
            // What was counted so far counts where the scan has reached its limit.
            failure = error
        }
        guard count > 0 else {
            if let failure { throw failure }
            return informant
        }
        if isBehindTag { try beginRecording(at: start, informant: nil) }
        runs[runs.count - 1].frames += count
        runs[runs.count - 1].samples += samples
        runs[runs.count - 1].end = offset
        mediaBytes += offset - start
        if let failure { throw failure }
        return informant
    }

    /// Notes that another recording begins at `start`, unless it is the first.
    private mutating func beginRecording(at start: Int, informant: Int?) throws(AudioError) {
        if mediaBytes > 0 { join = start }
        // A recording that no informant belongs to needs no run of its own, unless one belongs to that before it.
        if informant != nil || runs[runs.count - 1].informant != nil {
            try beginRun(informant: informant, beginsRecording: true)
        }
        isBehindTag = false
    }

    private mutating func beginRun(informant: Int?, beginsRecording: Bool) throws(AudioError) {
        if let last = runs.last, last.frames == 0, last.informant == nil { runs.removeLast() }
        if runs.count >= limits.tracks {
            throw AudioError(.limit, offset: offset, "parameters or recordings change more than \(limits.tracks) times")
        }
        runs.append(
            Run(
                sampleRate: frames.sampleRate, informant: informant, beginsRecording: beginsRecording, end: offset))
    }

    /// Goes on to the next frame from where there is none that agrees and fits; false if there are no more.
    private mutating func findMore(in window: inout ByteWindow) throws(AudioError) -> Bool {
        if offset == end { return false }
        try window.hold(Frames.reach, at: offset)
        if try change(at: offset, in: &window) { return true }
        if try isCut(in: &window) {
            cut = offset
            return false
        }
        // Zeros are padding, before a tag or up to the end.
        let stop = try LeadingTags.endOfZeros(from: offset, atMost: end - offset, in: &window)
        if stop == end { return false }
        if try skipTag(at: stop, in: &window) { return true }
        return try search(from: stop, in: &window)
    }

    /// Goes on at `position` if two frames agree there, be it in other parameters than before.
    private mutating func goesOn(at position: Int, in window: inout ByteWindow) throws(AudioError) -> Bool {
        if try frames.areThere(2, at: position, end: end, in: &window) {
            offset = position
            return true
        }
        return try change(at: position, in: &window)
    }

    /// Goes on at `position` in other parameters, if the frame there and the next agree in them.
    private mutating func change(at position: Int, in window: inout ByteWindow) throws(AudioError) -> Bool {
        guard let other = try Frames(at: position, in: &window), other.canFollow(frames),
            try other.areThere(2, at: position, end: end, in: &window)
        else { return false }
        frames = other
        offset = position
        try beginRun(informant: nil, beginsRecording: false)
        return true
    }

    /// Whether the file ends in the frame at `offset`, or in its header.
    private mutating func isCut(in window: inout ByteWindow) throws(AudioError) -> Bool {
        if end - offset < Frames.headerLength { return try window.uint8(at: offset) == 0xFF }
        return try frames.frame(at: offset, in: &window) != nil
    }

    /// Steps over a tag between two joined recordings.
    private mutating func skipTag(at position: Int, in window: inout ByteWindow) throws(AudioError) -> Bool {
        guard let tag = try StreamTag(at: position, before: end, in: &window) else { return false }
        tags += 1
        if tags > limits.elements {
            throw AudioError(.limit, offset: position, "there are more than \(limits.elements) tags in the file")
        }
        if metadata.count < limits.tracks { metadata += try tag.metadata(in: &window) }
        offset = tag.range.upperBound
        isBehindTag = true
        return true
    }

    /// Looks from `start` on for two headers that agree with each other, or a tag, behind bytes that are neither.
    private mutating func search(from start: Int, in window: inout ByteWindow) throws(AudioError) -> Bool {
        let gap = offset, last = start + min(end - start, limits.searchBytes)
        for position in max(start, gap + 1)..<max(last, gap + 1) {
            guard let byte = try window.uint8(at: position), byte == 0xFF || byte == 0x49 else { continue }
            try window.hold(Frames.reach, at: position)
            if try byte == 0xFF ? goesOn(at: position, in: &window) : skipTag(at: position, in: &window) {
                firstGap = firstGap ?? gap
                gaps += 1
                return true
            }
        }
        trailing = gap
        unsearched = end - last
        return false
    }
}

extension FrameScan {
    /// Which runs are of each of the recordings that are joined.
    var recordings: [Range<Int>] {
        let starts = [0] + runs.indices.dropFirst().filter { runs[$0].beginsRecording }
        return zip(starts, starts.dropFirst() + [runs.count]).map { $0..<$1 }
    }

    /// The sum of what is counted of each run.
    func total(_ samples: [Int]) -> DurationSum {
        var sum = DurationSum()
        for (run, count) in zip(runs, samples) where run.frames > 0 { sum.add(count, per: run.sampleRate) }
        // Nothing still has a rate.
        if sum.ticks == 0 { sum.add(0, per: frames.sampleRate) }
        return sum
    }

    /// Seconds that the sum may be off by: players differ in whether they keep the frame before a gap, and bytes that
    /// weren't searched may hold as much sound as those before.
    func uncertainty(frameSamples: Int) -> Double {
        let lost = Double(gaps * frameSamples) / Double(frames.sampleRate)
        if unsearched == 0 { return lost }
        let seconds = runs.reduce(0) { $0 + Double($1.samples) / Double($1.sampleRate) }
        return lost + Double(unsearched) * seconds / Double(max(1, mediaBytes))
    }

    /// Warnings about all that was not frames, and where the file was cut.
    func report(in recording: inout Recording) {
        if let cut { recording.completeness = .truncated(offset: cut) }
        // Behind what was searched there may be more of the recording.
        if unsearched > 0, let trailing { recording.completeness = .truncated(offset: trailing) }
        if let limited { recording.extrapolate(from: mediaBytes, to: end - start, endingAt: limited) }
        if let firstGap {
            let places = gaps == 1 ? "one place" : "\(gaps) places"
            recording.warn(.damagedFrames, offset: firstGap, "between frames there are bytes of no frame, in \(places)")
        }
        if let trailing {
            recording.warn(
                .trailingBytes, offset: trailing, "\(end - trailing) bytes follow the last frame, and are no tag")
        }
        if let join {
            recording.warn(
                .chained, offset: join,
                "several recordings follow one another, the last from here; the duration is that of all")
        }
    }
}
