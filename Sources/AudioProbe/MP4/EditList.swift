/// Which parts of a track are played, and when: ISO/IEC 14496-12, 8.6.6.
struct EditList {
    /// A part of the track, or a pause before it.
    struct Edit {
        /// Units of the movie's time; 0 in the last says that it goes on to the end.
        var segmentDuration: Int
        /// Where in the track it begins, in the track's own units; nil if nothing is played.
        var mediaTime: Int?
    }

    /// In the order in which they are played.
    private(set) var edits: [Edit] = []

    /// - Throws: `limit-exceeded`.
    init(box: ISOBox?, limits: AudioLimits, in reader: inout BufferedFileReader) throws(AudioError) {
        guard let box, let count = try box.uint32(at: 4, in: &reader) else { return }
        let isLong = try reader.uint8(at: box.contentRange.lowerBound) == 1
        let storedCount = min(count, (box.contentRange.count - 8) / (isLong ? 20 : 12))
        if storedCount > limits.tracks {
            throw AudioError(
                .limitExceeded, offset: box.range.lowerBound, message: "there are more than \(limits.tracks) edits")
        }
        for index in 0..<storedCount {
            let offset = box.contentRange.lowerBound + 8 + index * (isLong ? 20 : 12)
            if let edit = try isLong
                ? Self.readVersion1Edit(at: offset, in: &reader) : Self.readVersion0Edit(at: offset, in: &reader)
            {
                edits.append(edit)
            }
        }
    }

    private static func readVersion0Edit(at offset: Int, in reader: inout BufferedFileReader) throws(AudioError)
        -> Edit?
    {
        guard let length = try reader.uint32(at: offset), let start = try reader.uint32(at: offset + 4) else {
            return nil
        }
        return Edit(segmentDuration: length, mediaTime: start < 1 << 31 ? start : nil)
    }

    private static func readVersion1Edit(at offset: Int, in reader: inout BufferedFileReader) throws(AudioError)
        -> Edit?
    {
        guard let length = try reader.uint64(at: offset), let start = try reader.uint64(at: offset + 8) else {
            return nil
        }
        return Edit(segmentDuration: Int(clamping: length), mediaTime: Int(exactly: start))
    }

    /// Whether it plays anything at all. One of pauses alone is taken for none.
    var playsMedia: Bool { edits.contains { $0.mediaTime != nil } }
    /// How long all of it is, in units of the movie's time; nil if that isn't said.
    var totalDuration: Int? {
        if edits.last?.segmentDuration == 0 { return nil }
        return edits.reduce(0 as Int?) { $0?.addingIfNoOverflow($1.mediaTime == nil ? 0 : $1.segmentDuration) }
    }
}

/// What an edit list leaves of the sound that was counted.
struct EditedAudio {
    /// In units of the clock's rate.
    private(set) var playedTicks = 0
    /// Seconds that it may be off by.
    private(set) var errorBound = 0.0
    /// Seconds from the beginning to the end of what is played, pauses included.
    private(set) var timelineSeconds = 0.0

    private let sampleTimeline: TrackSampleTimeline
    private let movieTimescale: Int
    /// Where the sound ends.
    private let audioEndTicks: Int

    /// - Parameter sampleTimeline: one made with the `editBoundaryTimes` of the list.
    init(editList list: EditList, sampleTimeline: TrackSampleTimeline, movieTimescale: Int) {
        self.sampleTimeline = sampleTimeline
        self.movieTimescale = movieTimescale
        audioEndTicks = sampleTimeline.audioTicksWithinTimeline
        // Timestamps that can't tell samples apart were rounded.
        if sampleTimeline.isLastFrameShortened, !sampleTimeline.resolvesSingleSamples {
            errorBound = 1 / Double(sampleTimeline.timescale)
        }
        guard list.playsMedia else {
            playedTicks = audioEndTicks
            timelineSeconds =
                Double(sampleTimeline.endTime - (sampleTimeline.startTime ?? 0)) / Double(sampleTimeline.timescale)
            return
        }
        for (index, edit) in list.edits.enumerated() { applyEdit(edit, isLast: index == list.edits.count - 1) }
    }

    private mutating func applyEdit(_ edit: EditList.Edit, isLast: Bool) {
        let seconds = movieTimescale > 0 ? Double(edit.segmentDuration) / Double(movieTimescale) : 0
        guard let start = edit.mediaTime else {
            timelineSeconds += seconds
            return
        }
        let from = min(sampleTimeline.audioTicks(beforeEditBoundary: start), audioEndTicks)
        let stop = edit.mediaEndTime(
            mediaTimescale: sampleTimeline.timescale, movieTimescale: movieTimescale, isLast: isLast)
        let to = stop.map { max(from, audioTicks(beforeEditEnd: $0)) } ?? audioEndTicks
        playedTicks = playedTicks.addingIfNoOverflow(to - from) ?? .max
        let stopTime = min(stop ?? .max, sampleTimeline.endTime)
        timelineSeconds +=
            Double(max(0, stopTime - max(start, sampleTimeline.startTime ?? 0))) / Double(sampleTimeline.timescale)
        if start > 0, from < audioEndTicks, !sampleTimeline.resolvesSingleSamples {
            errorBound += 1 / Double(sampleTimeline.timescale)
        }
    }

    /// The sound before the end of an edit. The movie's units are often a thousandth of a second: an edit that ends
    /// within one of where the timeline ends couldn't say so better, and ends there.
    private mutating func audioTicks(beforeEditEnd stop: Int) -> Int {
        if stop >= sampleTimeline.endTime { return audioEndTicks }
        let unit =
            movieTimescale.isMultiple(of: sampleTimeline.timescale)
            ? 0 : sampleTimeline.timescale / max(1, movieTimescale) + 1
        if sampleTimeline.endTime - stop <= unit {
            if !sampleTimeline.isLastFrameShortened { errorBound += 1 / Double(movieTimescale) }
            return audioEndTicks
        }
        if !movieTimescale.isMultiple(of: sampleTimeline.audioTimescale),
            movieTimescale < 2 * sampleTimeline.audioTimescale
        {
            errorBound += 1 / Double(movieTimescale)
        }
        return min(audioEndTicks, sampleTimeline.audioTicks(beforeEditBoundary: stop))
    }
}

extension EditList.Edit {
    /// Where in the track it ends; nil for one that goes on to the end.
    fileprivate func mediaEndTime(mediaTimescale timescale: Int, movieTimescale: Int, isLast: Bool) -> Int? {
        guard let mediaTime, movieTimescale > 0, segmentDuration > 0 || !isLast else { return nil }
        return segmentDuration.scaled(by: timescale, dividedBy: movieTimescale).addingIfNoOverflow(mediaTime) ?? .max
    }
}

extension EditList {
    /// The points of the track at which an edit begins or ends.
    func editBoundaryTimes(mediaTimescale timescale: Int, movieTimescale: Int) -> [Int] {
        edits.indices.flatMap { index in
            [
                edits[index].mediaTime,
                edits[index].mediaEndTime(
                    mediaTimescale: timescale, movieTimescale: movieTimescale, isLast: index == edits.count - 1),
            ]
            .compactMap(\.self)
        }
    }
}

extension TrackSampleTimeline {
    /// Whether the timeline's units are those of samples, or so fine that rounding to the next sample is right.
    /// Of sound with replicated highs a unit may be two samples, or four.
    var resolvesSingleSamples: Bool {
        timescale.isMultiple(of: audioTimescale) || timescale >= 2 * audioTimescale
            || [2 * timescale, 4 * timescale].contains(audioTimescale)
    }
}
