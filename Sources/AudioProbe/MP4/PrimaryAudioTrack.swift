/// The track that a recording's duration is about, and its samples, counted.
struct PrimaryAudioTrack {
    /// Which of the movie's tracks it is.
    let trackIndex: Int
    let sampleEntry: AudioSampleEntry
    let editList: EditList
    /// Holds the clock, which has gone through the tables of `moov` already.
    var fragmentReader: MovieFragmentReader
    let isFragmented: Bool
    /// Whether there are tables of samples.
    let hasSampleTable: Bool
    /// Whether a table claims more than it holds.
    let isSampleTableTruncated: Bool
    /// What the headers say, where they are to be believed.
    let headerDuration: AudioDuration?

    private let track: ISOTrack
    private let movieTimescale: Int
    /// Where on the timeline the samples of `moov` end.
    private let sampleTableEndTime: Int

    /// Nil if no track is sound. Of several the first that is enabled is taken, or else the first.
    init?(movie: MovieBox, options: ProbeOptions, in reader: inout BufferedFileReader) throws(AudioError) {
        let audioTrackIndices = movie.tracks.indices.filter { movie.tracks[$0].kind == .audio }
        guard let index = audioTrackIndices.first(where: { movie.tracks[$0].isEnabled }) ?? audioTrackIndices.first
        else { return nil }
        self.trackIndex = index
        track = movie.tracks[index]
        movieTimescale = movie.timescale
        isFragmented = movie.isFragmented
        sampleEntry = try AudioSampleEntry(track: track, in: &reader)
        editList = try EditList(box: track.editListBox, limits: options.limits, in: &reader)
        let timescale = track.timescale > 0 ? track.timescale : sampleEntry.sampleRate ?? 1
        let marks = editList.editBoundaryTimes(mediaTimescale: timescale, movieTimescale: movieTimescale)
        var sampleTimeline = TrackSampleTimeline(
            sampleEntry: sampleEntry, timescale: timescale, editBoundaryTimes: marks)
        headerDuration = options.isQuick ? Self.headerDuration(movie: movie, track: track, editList: editList) : nil
        let packetFormat: ConstantPacketFormat? =
            if case .constantPackets(let packetFormat) = sampleEntry.sampleFraming { packetFormat } else { nil }
        var table = try SampleTable(track: track, packetFormat: packetFormat, in: &reader)
        while headerDuration == nil, let run = try table?.nextRun(in: &reader) {
            try sampleTimeline.addSampleRun(run, in: &reader)
        }
        hasSampleTable = table != nil
        sampleTableEndTime = sampleTimeline.endTime
        isSampleTableTruncated =
            table?.isTruncated == true || (headerDuration == nil && table?.remainingSampleCount ?? 0 > 0)
        fragmentReader = MovieFragmentReader(
            track: track.id, defaults: movie.fragmentDefaultsByTrackID, clock: sampleTimeline,
            images: Set(movie.imageTracks.map(\.id)))
    }

    /// The edits' lengths, or what is stated of all fragments, or of the track.
    private static func headerDuration(movie: MovieBox, track: ISOTrack, editList edits: EditList) -> AudioDuration? {
        var declared = (ticks: track.duration, timescale: track.timescale)
        if let length = movie.durationWithFragments, length > 0 { declared = (length, movie.timescale) }
        if edits.playsMedia, let length = edits.totalDuration { declared = (length, movie.timescale) }
        guard let ticks = declared.ticks, ticks > 0, declared.timescale > 0 else { return nil }
        return .unverified(ticks: ticks, timescale: declared.timescale)
    }

    /// The clock that has gone through what there is.
    var sampleTimeline: TrackSampleTimeline { fragmentReader.sampleTimeline }

    /// Whether nothing says what there is to play: no tables, or empty ones and no fragments though there is sound, or
    /// though fragments were to follow.
    func isUnfinalized(mediaBytes: Int, trackCount: Int) -> Bool {
        if fragmentReader.hasTrackFragments || sampleTimeline.byteCount > 0 || sampleTimeline.truncationOffset != nil {
            return false
        }
        return !hasSampleTable || isFragmented || mediaBytes > 0 && trackCount == 1
    }

    /// What an edit list leaves of the sound, or, where there is none that does, what the encoder says of its delay.
    func playedDuration(gaplessTag: ITunesGaplessTag?) -> (duration: AudioDuration, timeline: Double) {
        let edited = EditedAudio(editList: editList, sampleTimeline: sampleTimeline, movieTimescale: movieTimescale)
        var ticks = edited.playedTicks, bound = edited.errorBound
        if !editList.playsMedia {
            ticks = max(0, ticks - sampleEntry.preSkip)
        } else if let start = editList.edits.first(where: { $0.mediaTime != nil })?.mediaTime {
            // A decoder leaves them out that the list doesn't, but players that go by the list alone don't.
            let untrimmedPreSkip = max(
                0,
                sampleEntry.preSkip
                    - start.scaled(by: sampleTimeline.audioTimescale, dividedBy: sampleTimeline.timescale))
            ticks = max(0, ticks - untrimmedPreSkip)
            bound += Double(untrimmedPreSkip) / Double(sampleTimeline.audioTimescale)
        }
        if let gaplessTag, ticks == sampleTimeline.audioTicksWithinTimeline,
            let trimmed = gaplessTag.trimmedTicks(trackTicks: ticks, frameTicks: sampleTimeline.audioTicks)
        {
            ticks = trimmed.ticks
            bound += Double(trimmed.uncertainty) / Double(sampleTimeline.audioTimescale)
        }
        var timescale = sampleTimeline.audioTimescale
        if let rate = sampleEntry.sampleRate, rate != timescale, let product = ticks.multipliedIfNoOverflow(by: rate),
            product.isMultiple(of: timescale)
        {
            (ticks, timescale) = (product / timescale, rate)
        }
        let duration = AudioDuration(
            ticks: ticks, timescale: timescale, method: fragmentReader.hasTrackFragments ? .scan : .index,
            errorBound: bound)
        return (duration, edited.timelineSeconds)
    }

    /// Whether timestamps leave pauses, or an edit does. Recorders' clocks jitter: less than a quarter of a frame is
    /// none.
    var hasPauses: Bool {
        let frame = sampleTimeline.lastFrame.length.scaled(
            by: sampleTimeline.timescale, dividedBy: sampleTimeline.audioTimescale)
        return sampleTimeline.pauseDuration > frame / 4
            || editList.playsMedia && editList.edits.contains { $0.mediaTime == nil && $0.segmentDuration > 0 }
    }

    /// Which header states a length that the track doesn't have, and what it says in seconds; nil if none does.
    func findContradictingHeader(movie: MovieBox, playedSeconds: Double, timelineSeconds: Double) -> (
        name: String, seconds: Double
    )? {
        // In fragmented files it may be that of `moov` alone.
        let ends = [sampleTimeline.endTime, sampleTableEndTime].map { Double($0) / Double(sampleTimeline.timescale) }
        let audioSeconds = Double(sampleTimeline.audioTicks) / Double(sampleTimeline.audioTimescale)
        // A frame is at most 128 ms long, and encoders' delays are two or three of them.
        let tolerance = 0.25
        if let duration = track.duration, track.timescale > 0, !(isFragmented && duration == 0) {
            let seconds = Double(duration) / Double(track.timescale)
            if !(ends + [audioSeconds, playedSeconds]).contains(where: { abs($0 - seconds) <= tolerance }) {
                return ("mdhd", seconds)
            }
        }
        guard let duration = movie.duration, movie.timescale > 0, !(isFragmented && duration == 0) else { return nil }
        let seconds = Double(duration) / Double(movie.timescale)
        // Other tracks may be longer.
        let isRight = (ends + [audioSeconds, playedSeconds, timelineSeconds]).contains {
            abs($0 - seconds) <= tolerance
        }
        return isRight || movie.tracks.count > 1 && seconds > playedSeconds ? nil : ("mvhd", seconds)
    }
}

extension AudioSampleEntry {
    /// Of the first sample entry of `track`.
    init(track: ISOTrack, in reader: inout BufferedFileReader) throws(AudioError) {
        self.init()
        guard let entry = track.sampleEntry else { return }
        try self.init(
            box: entry, sampleDescriptionVersion: track.sampleDescriptionVersion, mediaTimescale: track.timescale,
            in: &reader)
    }
}

extension ITunesGaplessTag {
    /// What remains of a track, and by how much that may be off; nil if the tag is that of another.
    ///
    /// A tag whose sum is larger than the track is that of a recording which was cut: its end is lost, and with it the
    /// padding. The delay stands at the beginning, which seldom is what was cut off; ffmpeg takes it off likewise.
    fileprivate func trimmedTicks(trackTicks: Int, frameTicks: Int) -> (ticks: Int, uncertainty: Int)? {
        let sum = encoderDelaySamples + sampleCount + encoderPaddingSamples
        if sum == frameTicks || sum == trackTicks { return (sampleCount, 0) }
        return sum > frameTicks ? (max(0, trackTicks - encoderDelaySamples), min(encoderDelaySamples, trackTicks)) : nil
    }
}
