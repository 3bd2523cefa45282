/// The track that determines the duration, with its counted samples.
struct PrimaryAudioTrack {
    /// The index of the track in the movie.
    let trackIndex: Int
    let sampleEntry: AudioSampleEntry
    let editList: EditList
    /// Reads fragments. Its timeline already includes the samples in `moov`.
    var fragmentReader: MovieFragmentReader
    let isFragmented: Bool
    /// Whether the track has sample tables.
    let hasSampleTable: Bool
    /// Whether a sample table states more entries than it contains.
    let isSampleTableTruncated: Bool
    /// The duration in the headers, or `nil` if the samples are counted.
    let headerDuration: AudioDuration?

    private let track: ISOTrack
    private let movieTimescale: Int
    /// The end of the samples in `moov`, in the track's time units.
    private let sampleTableEndTime: Int

    /// Selects the first enabled audio track, or else the first audio track, and counts its samples in `moov`.
    ///
    /// Returns `nil` if there is no audio track.
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
            trackID: track.id, defaultsByTrackID: movie.fragmentDefaultsByTrackID, sampleTimeline: sampleTimeline,
            imageTrackIDs: Set(movie.imageTracks.map(\.id)))
    }

    /// Returns the duration of the edits, or else that of all fragments, or else that of the track.
    private static func headerDuration(movie: MovieBox, track: ISOTrack, editList edits: EditList) -> AudioDuration? {
        var declared = (ticks: track.duration, timescale: track.timescale)
        if let length = movie.durationWithFragments, length > 0 { declared = (length, movie.timescale) }
        if edits.playsMedia, let length = edits.totalDuration { declared = (length, movie.timescale) }
        guard let ticks = declared.ticks, ticks > 0, declared.timescale > 0 else { return nil }
        return .unverified(ticks: ticks, timescale: declared.timescale)
    }

    /// The timeline of all samples that were read.
    var sampleTimeline: TrackSampleTimeline { fragmentReader.sampleTimeline }

    /// Returns whether the index of the samples is missing.
    ///
    /// There are no tables, or there are empty tables and no fragments, although audio data exists or fragments were to
    /// follow.
    func isUnfinalized(mediaBytes: Int, trackCount: Int) -> Bool {
        if fragmentReader.hasTrackFragments || sampleTimeline.byteCount > 0 || sampleTimeline.truncationOffset != nil {
            return false
        }
        return !hasSampleTable || isFragmented || mediaBytes > 0 && trackCount == 1
    }

    /// Returns the audio that remains after the edit list.
    ///
    /// Without an edit list that plays audio, the Opus pre-skip is subtracted. An iTunes tag is applied if nothing else
    /// shortened the audio.
    ///
    /// - Parameter gaplessTag: The encoder's delay as stated by iTunes, or `nil`.
    /// - Returns: The duration, and the seconds from the beginning to the end of what is played, including pauses.
    func playedDuration(gaplessTag: ITunesGaplessTag?) -> (duration: AudioDuration, timeline: Double) {
        let edited = EditedAudio(editList: editList, sampleTimeline: sampleTimeline, movieTimescale: movieTimescale)
        var ticks = edited.playedTicks, bound = edited.errorBound
        if !editList.playsMedia {
            ticks = max(0, ticks - sampleEntry.preSkip)
        } else if let start = editList.edits.first(where: { $0.mediaTime != nil })?.mediaTime {
            // A decoder discards what remains of the pre-skip. Players that only use the edit list do not.
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

    /// Whether the timestamps or an edit leave pauses.
    ///
    /// Recorders' timestamps jitter, so less than a quarter of a frame is not a pause.
    var hasPauses: Bool {
        let frame = sampleTimeline.lastFrame.audioTicks.scaled(
            by: sampleTimeline.timescale, dividedBy: sampleTimeline.audioTimescale)
        return sampleTimeline.pauseDuration > frame / 4
            || editList.playsMedia && editList.edits.contains { $0.mediaTime == nil && $0.segmentDuration > 0 }
    }

    /// Returns the header that contradicts the duration of the track, and its duration in seconds, or `nil` if none
    /// does.
    func findContradictingHeader(movie: MovieBox, playedSeconds: Double, timelineSeconds: Double) -> (
        name: String, seconds: Double
    )? {
        // In fragmented files, the header may describe only the samples in `moov`.
        let ends = [sampleTimeline.endTime, sampleTableEndTime].map { Double($0) / Double(sampleTimeline.timescale) }
        let audioSeconds = Double(sampleTimeline.audioTicks) / Double(sampleTimeline.audioTimescale)
        // A frame has at most 128 ms, and an encoder's delay is two or three frames.
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
    /// Reads the first sample entry of `track`.
    init(track: ISOTrack, in reader: inout BufferedFileReader) throws(AudioError) {
        self.init()
        guard let entry = track.sampleEntry else { return }
        try self.init(
            box: entry, sampleDescriptionVersion: track.sampleDescriptionVersion, mediaTimescale: track.timescale,
            in: &reader)
    }
}

extension ITunesGaplessTag {
    /// Returns the audio that remains of a track, and its uncertainty, or `nil` if the tag belongs to another track.
    ///
    /// If the total in the tag exceeds the track, the audio was cut. Its end is then lost together with the padding.
    /// The delay is at the beginning, which is rarely cut off; FFmpeg removes it too.
    ///
    /// - Parameters:
    ///   - trackTicks: The audio up to the end of the timeline, in units of `audioTimescale`.
    ///   - frameTicks: The audio in all frames, in units of `audioTimescale`.
    fileprivate func trimmedTicks(trackTicks: Int, frameTicks: Int) -> (ticks: Int, uncertainty: Int)? {
        let sum = encoderDelaySamples + sampleCount + encoderPaddingSamples
        if sum == frameTicks || sum == trackTicks { return (sampleCount, 0) }
        return sum > frameTicks ? (max(0, trackTicks - encoderDelaySamples), min(encoderDelaySamples, trackTicks)) : nil
    }
}
