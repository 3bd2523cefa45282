internal import MediaContainers

/// The parts of a track that are played, and when: ISO/IEC 14496-12, 8.6.6.
struct EditList {
    /// A part of the track, or a pause.
    struct Edit {
        /// The duration in the movie's time units. 0 in the last edit means up to the end of the track.
        var segmentDuration: Int
        /// The beginning of the part in the track's time units, or `nil` for a pause.
        var mediaTime: Int?
    }

    /// The edits in the order in which they are played.
    private(set) var edits: [Edit] = []

    /// Reads an `elst` box. Without a box, the list is empty.
    ///
    /// - Throws: ``AudioError/Code/limitExceeded``, and the errors of the reader.
    init(box: ISOBox?, limits: AudioLimits, in reader: inout BufferedFileReader) throws(AudioError) {
        guard let box, let count = try box.uint32(at: 4, in: &reader) else { return }
        let isLong = try reader.uint8(at: box.contentRange.lowerBound) == 1
        let storedCount = min(count, (box.contentRange.count - 8) / (isLong ? 20 : 12))
        if storedCount > limits.tracks {
            throw AudioError(
                .limitExceeded, offset: box.range.lowerBound, message: "too many edits (at most \(limits.tracks))")
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

    /// Whether any part of the track is played. A list of only pauses is ignored.
    var playsMedia: Bool { edits.contains { $0.mediaTime != nil } }
    /// The total duration of the parts, without pauses, in the movie's time units, or `nil` if it is not stated.
    var totalDuration: Int? {
        if edits.last?.segmentDuration == 0 { return nil }
        return edits.reduce(0 as Int?) { $0?.addingIfNoOverflow($1.mediaTime == nil ? 0 : $1.segmentDuration) }
    }
}

/// The audio that remains after applying an edit list.
struct EditedAudio {
    /// The played audio, in units of `audioTimescale`.
    private(set) var playedTicks = 0
    /// The greatest error of the played audio in seconds.
    private(set) var errorBound = 0.0
    /// Seconds from the beginning to the end of what is played, including pauses.
    private(set) var timelineSeconds = 0.0

    private let sampleTimeline: TrackSampleTimeline
    private let movieTimescale: Int
    /// The end of the audio, in units of `audioTimescale`.
    private let audioEndTicks: Int

    /// Applies an edit list.
    ///
    /// - Parameters:
    ///   - list: The edit list.
    ///   - sampleTimeline: The timeline of the track, created with the list's `editBoundaryTimes`.
    ///   - movieTimescale: The movie's time units per second.
    init(editList list: EditList, sampleTimeline: TrackSampleTimeline, movieTimescale: Int) {
        self.sampleTimeline = sampleTimeline
        self.movieTimescale = movieTimescale
        audioEndTicks = sampleTimeline.audioTicksWithinTimeline
        // Timestamps that cannot resolve single samples were rounded.
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

    /// Returns the audio before the end of an edit.
    ///
    /// The movie's time unit is often a millisecond. An edit that ends within one unit of the end of the timeline
    /// cannot be stated more precisely, and is treated as ending there.
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
    /// Returns the end of the edit in the track's time units, or `nil` if it extends to the end of the track.
    fileprivate func mediaEndTime(mediaTimescale timescale: Int, movieTimescale: Int, isLast: Bool) -> Int? {
        guard let mediaTime, movieTimescale > 0, segmentDuration > 0 || !isLast else { return nil }
        return segmentDuration.scaled(by: timescale, dividedBy: movieTimescale).addingIfNoOverflow(mediaTime) ?? .max
    }
}

extension EditList {
    /// Returns the times in the track at which edits begin or end.
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
    /// Whether the time units are samples, or fine enough that rounding to the nearest sample is exact.
    ///
    /// With SBR, a time unit may be two or four samples.
    var resolvesSingleSamples: Bool {
        timescale.isMultiple(of: audioTimescale) || timescale >= 2 * audioTimescale
            || [2 * timescale, 4 * timescale].contains(audioTimescale)
    }
}
