/// Which parts of a track are played, and when: ISO/IEC 14496-12, 8.6.6.
struct EditList {
    /// A part of the track, or a pause before it.
    struct Edit {
        /// Units of the movie's time; 0 in the last says that it goes on to the end.
        var length: Int
        /// Where in the track it begins, in the track's own units; nil if nothing is played.
        var start: Int?
    }

    /// In the order in which they are played.
    private(set) var edits: [Edit] = []

    /// - Throws: `limit-exceeded`.
    init(_ box: Box?, limits: AudioLimits, in window: inout ByteWindow) throws(AudioError) {
        guard let box, let count = try box.uint32(at: 4, in: &window) else { return }
        let isLong = try window.uint8(at: box.content.lowerBound) == 1
        let held = min(count, (box.content.count - 8) / (isLong ? 20 : 12))
        if held > limits.tracks {
            throw AudioError(.limit, offset: box.range.lowerBound, "there are more than \(limits.tracks) edits")
        }
        for index in 0..<held {
            let offset = box.content.lowerBound + 8 + index * (isLong ? 20 : 12)
            if let edit = try isLong ? Self.longEdit(at: offset, &window) : Self.edit(at: offset, &window) {
                edits.append(edit)
            }
        }
    }

    private static func edit(at offset: Int, _ window: inout ByteWindow) throws(AudioError) -> Edit? {
        guard let length = try window.uint32(at: offset), let start = try window.uint32(at: offset + 4) else {
            return nil
        }
        return Edit(length: length, start: start < 1 << 31 ? start : nil)
    }

    private static func longEdit(at offset: Int, _ window: inout ByteWindow) throws(AudioError) -> Edit? {
        guard let length = try window.uint64(at: offset), let start = try window.uint64(at: offset + 8) else {
            return nil
        }
        return Edit(length: Int(clamping: length), start: Int(exactly: start))
    }

    /// Whether it plays anything at all. One of pauses alone is taken for none.
    var isPlaying: Bool { edits.contains { $0.start != nil } }
    /// How long all of it is, in units of the movie's time; nil if that isn't said.
    var length: Int? {
        if edits.last?.length == 0 { return nil }
        return edits.reduce(0 as Int?) { $0?.adding($1.start == nil ? 0 : $1.length) }
    }
}

/// What an edit list leaves of the sound that was counted.
struct EditedSound {
    /// In units of the clock's rate.
    private(set) var ticks = 0
    /// Seconds that it may be off by.
    private(set) var errorBound = 0.0
    /// Seconds from the beginning to the end of what is played, pauses included.
    private(set) var timeline = 0.0

    private let clock: SoundClock
    private let movieTimescale: Int
    /// Where the sound ends.
    private let end: Int

    /// - Parameter clock: one made with the `marks` of the list.
    init(_ list: EditList, clock: SoundClock, movieTimescale: Int) {
        self.clock = clock
        self.movieTimescale = movieTimescale
        end = clock.soundOnTimeline
        // Timestamps that can't tell samples apart were rounded.
        if clock.isLastShort, !clock.resolvesSamples { errorBound = 1 / Double(clock.timescale) }
        guard list.isPlaying else {
            ticks = end
            timeline = Double(clock.time - (clock.start ?? 0)) / Double(clock.timescale)
            return
        }
        for (index, edit) in list.edits.enumerated() { add(edit, isLast: index == list.edits.count - 1) }
    }

    private mutating func add(_ edit: EditList.Edit, isLast: Bool) {
        let seconds = movieTimescale > 0 ? Double(edit.length) / Double(movieTimescale) : 0
        guard let start = edit.start else {
            timeline += seconds
            return
        }
        let from = min(clock.sound(before: start), end)
        let stop = edit.stop(clock.timescale, movieTimescale, isLast: isLast)
        let to = stop.map { max(from, soundBefore($0)) } ?? end
        ticks = ticks.adding(to - from) ?? .max
        let stopTime = min(stop ?? .max, clock.time)
        timeline += Double(max(0, stopTime - max(start, clock.start ?? 0))) / Double(clock.timescale)
        if start > 0, from < end, !clock.resolvesSamples { errorBound += 1 / Double(clock.timescale) }
    }

    /// The sound before the end of an edit. The movie's units are often a thousandth of a second: an edit that ends within
    /// one of where the timeline ends couldn't say so better, and ends there.
    private mutating func soundBefore(_ stop: Int) -> Int {
        if stop >= clock.time { return end }
        let unit = movieTimescale.isMultiple(of: clock.timescale) ? 0 : clock.timescale / max(1, movieTimescale) + 1
        if clock.time - stop <= unit {
            if !clock.isLastShort { errorBound += 1 / Double(movieTimescale) }
            return end
        }
        if !movieTimescale.isMultiple(of: clock.rate), movieTimescale < 2 * clock.rate {
            errorBound += 1 / Double(movieTimescale)
        }
        return min(end, clock.sound(before: stop))
    }
}

extension EditList.Edit {
    /// Where in the track it ends; nil for one that goes on to the end.
    fileprivate func stop(_ timescale: Int, _ movieTimescale: Int, isLast: Bool) -> Int? {
        guard let start, movieTimescale > 0, length > 0 || !isLast else { return nil }
        return length.scaled(by: timescale, over: movieTimescale).adding(start) ?? .max
    }
}

extension EditList {
    /// The points of the track at which an edit begins or ends.
    func marks(_ timescale: Int, movieTimescale: Int) -> [Int] {
        edits.indices.flatMap { index in
            [edits[index].start, edits[index].stop(timescale, movieTimescale, isLast: index == edits.count - 1)]
                .compactMap(\.self)
        }
    }
}

extension SoundClock {
    /// Whether the timeline's units are those of samples, or so fine that rounding to the next sample is right.
    /// Of sound with replicated highs a unit may be two samples, or four.
    var resolvesSamples: Bool {
        timescale.isMultiple(of: rate) || timescale >= 2 * rate || [2 * timescale, 4 * timescale].contains(rate)
    }
}
