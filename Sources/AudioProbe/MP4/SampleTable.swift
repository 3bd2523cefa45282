/// Samples that lie one behind the other, all of one size and one duration. A sample is what the container counts: mostly a
/// frame of the codec.
struct SampleRun {
    var offset: Int
    var count: Int
    /// Bytes of each.
    var size: Int
    /// How long each is by the container's clock.
    var delta: Int

    /// How many of them are in a file of `length` bytes.
    func whole(in length: Int) -> Int {
        if size == 0 || offset > length - size { return 0 }
        // Most runs are of one sample, and a division takes as long as all else.
        return count == 1 ? 1 : min(count, (length - offset) / size)
    }
}

/// The samples of a track in the order of their times, run by run: ISO/IEC 14496-12, 8.6.1 and 8.7. The tables are streamed
/// side by side, so that a recording of any length takes the same memory.
struct SampleTable {
    private var sizes: SampleSizes
    private var times: SampleTimes
    private var chunks: ChunkTable
    /// What is left of the chunk that is being handed out.
    private var inChunk = 0
    private var offset = 0
    /// Of sound in packets of constant size, of which QuickTime counts the single samples of sound, and says of each that
    /// it is of 1 byte (QuickTime File Format, "Sound sample descriptions").
    private let packet: ConstantPacket?

    /// Nil if a table is missing.
    init?(_ track: ISOTrack, packet: ConstantPacket?, in window: inout ByteWindow) throws(AudioError) {
        guard let sizes = try SampleSizes(track, in: &window), let chunks = try ChunkTable(track, in: &window) else {
            return nil
        }
        self.sizes = sizes
        self.chunks = chunks
        times = try SampleTimes(track, in: &window)
        self.packet = sizes.uniform == 1 ? packet : nil
    }

    /// How many samples are not handed out yet.
    var remaining: Int { sizes.remaining }
    /// Whether a table claims more entries than its box holds.
    var isShort: Bool { sizes.isShort || times.isShort || chunks.isShort }

    /// The next samples that are alike and of one chunk; nil at the end of a table.
    mutating func next(in window: inout ByteWindow) throws(AudioError) -> SampleRun? {
        guard sizes.remaining > 0 else { return nil }
        while inChunk == 0 {
            guard let chunk = try chunks.next(in: &window) else { return nil }
            (offset, inChunk) = (chunk.offset, chunk.count)
        }
        let time = try times.next(upTo: inChunk, in: &window)
        guard let size = try sizes.next(upTo: time.count, in: &window) else { return nil }
        var run = SampleRun(offset: offset, count: size.count, size: size.each, delta: time.delta)
        times.take(size.count)
        inChunk -= size.count
        if let packet { run = packet.run(of: run) }
        // Beyond every file is as good as any place there.
        offset = run.count.multiplied(by: run.size)?.adding(offset) ?? .max
        return run
    }
}

/// Sound whose every packet has as many bytes and as many samples.
struct ConstantPacket: Hashable {
    var bytes: Int
    var samples: Int

    /// The packets that hold the single samples of sound of `run`.
    fileprivate func run(of run: SampleRun) -> SampleRun {
        SampleRun(
            offset: run.offset, count: (run.count + samples - 1) / samples, size: bytes,
            delta: samples.multiplied(by: run.delta) ?? .max)
    }
}

/// `stsz` or `stz2`: 8.7.3.
private struct SampleSizes {
    /// Bytes of every sample; 0 if they differ.
    private(set) var uniform = 0
    private(set) var remaining = 0
    private(set) var isShort = false
    private var cursor: TableCursor
    /// Of two sizes in one byte, the second.
    private var second: Int?
    private let areNibbles: Bool

    /// Nil if it is missing, or its numbers have a width that none may have.
    init?(_ track: ISOTrack, in window: inout ByteWindow) throws(AudioError) {
        guard let box = track.tables["stsz"] ?? track.tables["stz2"],
            let first = try box.uint32(at: 4, in: &window), let count = try box.uint32(at: 8, in: &window)
        else { return nil }
        let bits = box.type == "stsz" ? 32 : first & 0xFF
        guard [4, 8, 16, 32].contains(bits) else { return nil }
        areNibbles = bits == 4
        let start = box.content.lowerBound + 12
        cursor = TableCursor(
            at: start, before: box.content.upperBound, count: areNibbles ? (count + 1) / 2 : count,
            width: max(1, bits / 8))
        remaining = count
        if box.type == "stsz" && first > 0 {
            uniform = first
        } else {
            remaining = min(count, (box.content.upperBound - start) * 8 / bits)
            isShort = remaining < count
        }
    }

    /// The size of the next samples, and how many have it: one where sizes are listed, or else as many as asked for.
    mutating func next(upTo count: Int, in window: inout ByteWindow) throws(AudioError) -> (each: Int, count: Int)? {
        if uniform > 0 {
            let taken = min(count, remaining)
            remaining -= taken
            return (uniform, taken)
        }
        remaining -= 1
        if let size = second {
            second = nil
            return (size, 1)
        }
        guard let value = try cursor.next(in: &window) else { return nil }
        if !areNibbles { return (value, 1) }
        second = value & 15
        return (value >> 4, 1)
    }
}

/// `stts`: 8.6.1.2.
private struct SampleTimes {
    private(set) var isShort = false
    private var cursor: TableCursor
    private var remaining = 0
    private var delta = 0

    init(_ track: ISOTrack, in window: inout ByteWindow) throws(AudioError) {
        (cursor, isShort) = try TableCursor.entries(of: track.tables["stts"], fields: 2, in: &window)
    }

    /// How long the next samples are, and how many of `count` are as long. Behind the end of the table all are like the
    /// last.
    mutating func next(upTo count: Int, in window: inout ByteWindow) throws(AudioError) -> (delta: Int, count: Int) {
        while remaining == 0 {
            guard let entries = try cursor.next(in: &window), let delta = try cursor.next(in: &window) else {
                return (self.delta, count)
            }
            (remaining, self.delta) = (entries, delta)
        }
        return (delta, min(count, remaining))
    }

    /// Goes on behind `count` samples of those that `next` returned.
    mutating func take(_ count: Int) { remaining = max(0, remaining - count) }
}

/// `stco` or `co64`, and `stsc`: 8.7.4 and 8.7.5.
private struct ChunkTable {
    private(set) var isShort = false
    private var offsets: TableCursor
    private var spans: TableCursor
    private var number = 0
    private var samples = 0
    /// From which chunk on there are how many samples in each.
    private var nextSpan: (first: Int, samples: Int)?

    /// Nil if either is missing.
    init?(_ track: ISOTrack, in window: inout ByteWindow) throws(AudioError) {
        guard let box = track.tables["stco"] ?? track.tables["co64"], let span = track.tables["stsc"] else {
            return nil
        }
        let areOffsetsShort: Bool
        (offsets, areOffsetsShort) = try TableCursor.entries(
            of: box, fields: 1, width: box.type == "co64" ? 8 : 4, in: &window)
        (spans, isShort) = try TableCursor.entries(of: span, fields: 3, in: &window)
        isShort = isShort || areOffsetsShort
        try readSpan(in: &window)
    }

    private mutating func readSpan(in window: inout ByteWindow) throws(AudioError) {
        nextSpan = nil
        if let first = try spans.next(in: &window), let samples = try spans.next(in: &window),
            try spans.next(in: &window) != nil
        {
            nextSpan = (first, samples)
        }
    }

    /// Where the next chunk begins, and how many samples it has, perhaps none.
    mutating func next(in window: inout ByteWindow) throws(AudioError) -> (offset: Int, count: Int)? {
        guard let offset = try offsets.next(in: &window) else { return nil }
        number += 1
        while let span = nextSpan, span.first <= number {
            samples = span.samples
            try readSpan(in: &window)
        }
        return (offset, samples)
    }
}
