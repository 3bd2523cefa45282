/// The track that a recording's duration is about, and its samples, counted.
struct MainSound {
    /// Which of the movie's tracks it is.
    let index: Int
    let description: SoundDescription
    let edits: EditList
    /// Holds the clock, which has gone through the tables of `moov` already.
    var fragments: FragmentReader
    let isFragmented: Bool
    /// Whether there are tables of samples.
    let hasTable: Bool
    /// Whether a table claims more than it holds.
    let isTableShort: Bool
    /// What the headers say, where they are to be believed.
    let estimate: AudioDuration?

    private let track: ISOTrack
    private let movieTimescale: Int
    /// Where on the timeline the samples of `moov` end.
    private let tableEnd: Int

    /// Nil if no track is sound. Of several the first that is enabled is taken, or else the first.
    init?(_ movie: MovieBox, _ options: ProbeOptions, in window: inout ByteWindow) throws(AudioError) {
        let sounds = movie.tracks.indices.filter { movie.tracks[$0].kind == .audio }
        guard let index = sounds.first(where: { movie.tracks[$0].isEnabled }) ?? sounds.first else { return nil }
        self.index = index
        track = movie.tracks[index]
        movieTimescale = movie.timescale
        isFragmented = movie.isFragmented
        description = try SoundDescription(track, in: &window)
        edits = try EditList(track.editList, limits: options.limits, in: &window)
        let timescale = track.timescale > 0 ? track.timescale : description.sampleRate ?? 1
        let marks = edits.marks(timescale, movieTimescale: movieTimescale)
        var clock = SoundClock(description, timescale: timescale, marks: marks)
        estimate = options.isQuick ? Self.estimate(movie, track, edits) : nil
        let packet: ConstantPacket? = if case .packets(let packet) = description.framing { packet } else { nil }
        var table = try SampleTable(track, packet: packet, in: &window)
        while estimate == nil, let run = try table?.next(in: &window) { try clock.add(run, in: &window) }
        hasTable = table != nil
        tableEnd = clock.time
        isTableShort = table?.isShort == true || (estimate == nil && table?.remaining ?? 0 > 0)
        fragments = FragmentReader(
            track: track.id, defaults: movie.fragmentDefaults, clock: clock, images: Set(movie.imageTracks.map(\.id)))
    }

    /// The edits' lengths, or what is stated of all fragments, or of the track.
    private static func estimate(_ movie: MovieBox, _ track: ISOTrack, _ edits: EditList) -> AudioDuration? {
        var stated = (ticks: track.duration, timescale: track.timescale)
        if let length = movie.fragmentedDuration, length > 0 { stated = (length, movie.timescale) }
        if edits.isPlaying, let length = edits.length { stated = (length, movie.timescale) }
        guard let ticks = stated.ticks, ticks > 0, stated.timescale > 0 else { return nil }
        return .believed(ticks: ticks, timescale: stated.timescale)
    }

    /// The clock that has gone through what there is.
    var clock: SoundClock { fragments.clock }

    /// Whether nothing says what there is to play: no tables, or empty ones and no fragments though there is sound, or
    /// though fragments were to follow.
    func isUnfinalised(mediaBytes: Int, trackCount: Int) -> Bool {
        if fragments.isUsed || clock.bytes > 0 || clock.missing != nil { return false }
        return !hasTable || isFragmented || mediaBytes > 0 && trackCount == 1
    }

    /// What an edit list leaves of the sound, or, where there is none that does, what the encoder says of its delay.
    func edited(_ gapless: GaplessTag?) -> (duration: AudioDuration, timeline: Double) {
        let edited = EditedSound(edits, clock: clock, movieTimescale: movieTimescale)
        var ticks = edited.ticks, bound = edited.errorBound
        if !edits.isPlaying {
            ticks = max(0, ticks - description.preSkip)
        } else if let start = edits.edits.first(where: { $0.start != nil })?.start {
            // A decoder leaves them out that the list doesn't, but players that go by the list alone don't.
            let left = max(0, description.preSkip - start.scaled(by: clock.rate, over: clock.timescale))
            ticks = max(0, ticks - left)
            bound += Double(left) / Double(clock.rate)
        }
        if let gapless, ticks == clock.soundOnTimeline, let trimmed = gapless.trimmed(ticks, ofFrames: clock.sound) {
            ticks = trimmed.ticks
            bound += Double(trimmed.uncertainty) / Double(clock.rate)
        }
        var timescale = clock.rate
        if let rate = description.sampleRate, rate != timescale, let product = ticks.multiplied(by: rate),
            product.isMultiple(of: timescale)
        {
            (ticks, timescale) = (product / timescale, rate)
        }
        let duration = AudioDuration(
            ticks: ticks, timescale: timescale, method: fragments.isUsed ? .scan : .index, errorBound: bound)
        return (duration, edited.timeline)
    }

    /// Whether timestamps leave pauses, or an edit does. Recorders' clocks jitter: less than a quarter of a frame is none.
    var hasPauses: Bool {
        let frame = clock.last.length.scaled(by: clock.timescale, over: clock.rate)
        return clock.pauses > frame / 4 || edits.isPlaying && edits.edits.contains { $0.start == nil && $0.length > 0 }
    }

    /// Which header states a length that the track doesn't have, and what it says in seconds; nil if none does.
    func contradiction(_ movie: MovieBox, played: Double, timeline: Double) -> (name: String, seconds: Double)? {
        // In fragmented files it may be that of `moov` alone.
        let ends = [clock.time, tableEnd].map { Double($0) / Double(clock.timescale) }
        let sound = Double(clock.sound) / Double(clock.rate)
        // A frame is at most 128 ms long, and encoders' delays are two or three of them.
        let tolerance = 0.25
        if let duration = track.duration, track.timescale > 0, !(isFragmented && duration == 0) {
            let seconds = Double(duration) / Double(track.timescale)
            if !(ends + [sound, played]).contains(where: { abs($0 - seconds) <= tolerance }) {
                return ("mdhd", seconds)
            }
        }
        guard let duration = movie.duration, movie.timescale > 0, !(isFragmented && duration == 0) else { return nil }
        let seconds = Double(duration) / Double(movie.timescale)
        // Other tracks may be longer.
        let isRight = (ends + [sound, played, timeline]).contains { abs($0 - seconds) <= tolerance }
        return isRight || movie.tracks.count > 1 && seconds > played ? nil : ("mvhd", seconds)
    }
}

extension SoundDescription {
    /// Of the first sample entry of `track`.
    init(_ track: ISOTrack, in window: inout ByteWindow) throws(AudioError) {
        self.init()
        guard let entry = track.sampleEntry else { return }
        try self.init(
            entry, descriptionVersion: track.descriptionVersion, mediaRate: track.timescale, in: &window)
    }
}

extension GaplessTag {
    /// What remains of a track, and by how much that may be off; nil if the tag is that of another.
    ///
    /// A tag whose sum is larger than the track is that of a recording which was cut: its end is lost, and with it the
    /// padding. The delay stands at the beginning, which seldom is what was cut off; ffmpeg takes it off likewise.
    fileprivate func trimmed(_ track: Int, ofFrames frames: Int) -> (ticks: Int, uncertainty: Int)? {
        let sum = delay + samples + padding
        if sum == frames || sum == track { return (samples, 0) }
        return sum > frames ? (max(0, track - delay), min(delay, track)) : nil
    }
}
