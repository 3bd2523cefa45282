internal import MediaContainers

/// Consecutive samples of the same size and duration. A sample is the container's unit, usually one frame of the codec.
struct SampleRun {
    var dataOffset: Int
    var sampleCount: Int
    /// Bytes of each sample.
    var sampleSize: Int
    /// The duration of each sample in the track's time units.
    var sampleDuration: Int

    /// Returns the number of samples that a file of `length` bytes contains in full.
    func completeSampleCount(fileSize length: Int) -> Int {
        if sampleSize == 0 || dataOffset > length - sampleSize { return 0 }
        // Most runs have one sample, and a division takes as much time as everything else.
        return sampleCount == 1 ? 1 : min(sampleCount, (length - dataOffset) / sampleSize)
    }
}

/// The samples of a track in the order of their times, run by run: ISO/IEC 14496-12, 8.6.1 and 8.7.
///
/// The tables are streamed in parallel, so memory does not depend on the duration.
struct SampleTable {
    private var sizeTable: SampleSizeTable
    private var timeToSampleTable: TimeToSampleTable
    private var chunkTable: ChunkTable
    /// The number of samples in the current chunk that were not returned yet.
    private var remainingInChunk = 0
    private var nextSampleOffset = 0
    /// The format of packets of constant size, or `nil`.
    ///
    /// For such audio, QuickTime counts single audio samples, and states a size of 1 byte for each (QuickTime File
    /// Format, "Sound sample descriptions").
    private let packetFormat: ConstantPacketFormat?

    /// Opens the tables of a track. Returns `nil` if a table is missing.
    init?(track: ISOTrack, packetFormat: ConstantPacketFormat?, in reader: inout BufferedFileReader) throws(AudioError)
    {
        guard let sizes = try SampleSizeTable(track: track, in: &reader),
            let chunks = try ChunkTable(track: track, in: &reader)
        else {
            return nil
        }
        self.sizeTable = sizes
        self.chunkTable = chunks
        timeToSampleTable = try TimeToSampleTable(track: track, in: &reader)
        self.packetFormat = sizes.uniformSize == 1 ? packetFormat : nil
    }

    /// The number of samples that were not returned yet.
    var remainingSampleCount: Int { sizeTable.remainingSampleCount }
    /// Whether a table states more entries than its box contains.
    var isTruncated: Bool { sizeTable.isTruncated || timeToSampleTable.isTruncated || chunkTable.isTruncated }

    /// Returns the next samples of the same size and duration in one chunk, or `nil` at the end of a table.
    mutating func nextRun(in reader: inout BufferedFileReader) throws(AudioError) -> SampleRun? {
        guard sizeTable.remainingSampleCount > 0 else { return nil }
        while remainingInChunk == 0 {
            guard let chunk = try chunkTable.nextChunk(in: &reader) else { return nil }
            (nextSampleOffset, remainingInChunk) = (chunk.offset, chunk.count)
        }
        let time = try timeToSampleTable.nextDurationRun(upTo: remainingInChunk, in: &reader)
        guard let size = try sizeTable.nextSizeRun(upTo: time.count, in: &reader) else { return nil }
        var run = SampleRun(
            dataOffset: nextSampleOffset, sampleCount: size.count, sampleSize: size.each, sampleDuration: time.delta)
        timeToSampleTable.consumeSamples(size.count)
        remainingInChunk -= size.count
        if let packetFormat { run = packetFormat.packetRun(covering: run) }
        // On overflow, the offset is beyond the end of every file.
        nextSampleOffset =
            run.sampleCount.multipliedIfNoOverflow(by: run.sampleSize)?.addingIfNoOverflow(nextSampleOffset) ?? .max
        return run
    }
}

/// Audio with a constant number of bytes and samples in each packet.
struct ConstantPacketFormat: Hashable {
    var bytesPerPacket: Int
    var samplesPerPacket: Int

    /// Returns the run of packets that contain the single audio samples of `run`.
    fileprivate func packetRun(covering run: SampleRun) -> SampleRun {
        SampleRun(
            dataOffset: run.dataOffset, sampleCount: (run.sampleCount + samplesPerPacket - 1) / samplesPerPacket,
            sampleSize: bytesPerPacket,
            sampleDuration: samplesPerPacket.multipliedIfNoOverflow(by: run.sampleDuration) ?? .max)
    }
}

/// Reads `stsz` or `stz2`: ISO/IEC 14496-12, 8.7.3.
private struct SampleSizeTable {
    /// Bytes of every sample; 0 if the sizes differ.
    private(set) var uniformSize = 0
    private(set) var remainingSampleCount = 0
    private(set) var isTruncated = false
    private var tableCursor: IntegerTableCursor
    /// The second of two 4-bit sizes in one byte, or `nil`.
    private var pendingNibble: Int?
    private let has4BitEntries: Bool

    /// Opens the table. Returns `nil` if it is missing or its entries have an invalid width.
    init?(track: ISOTrack, in reader: inout BufferedFileReader) throws(AudioError) {
        guard let box = track.sampleTableBoxes["stsz"] ?? track.sampleTableBoxes["stz2"],
            let first = try box.uint32(at: 4, in: &reader), let count = try box.uint32(at: 8, in: &reader)
        else { return nil }
        let bits = box.type == "stsz" ? 32 : first & 0xFF
        guard [4, 8, 16, 32].contains(bits) else { return nil }
        has4BitEntries = bits == 4
        let start = box.contentRange.lowerBound + 12
        tableCursor = IntegerTableCursor(
            offset: start, endOffset: box.contentRange.upperBound, count: has4BitEntries ? (count + 1) / 2 : count,
            integerWidth: max(1, bits / 8))
        remainingSampleCount = count
        if box.type == "stsz" && first > 0 {
            uniformSize = first
        } else {
            remainingSampleCount = min(count, (box.contentRange.upperBound - start) * 8 / bits)
            isTruncated = remainingSampleCount < count
        }
    }

    /// Returns the size of the next samples and their number: one if sizes are listed, else at most `count`.
    mutating func nextSizeRun(upTo count: Int, in reader: inout BufferedFileReader) throws(AudioError) -> (
        each: Int, count: Int
    )? {
        if uniformSize > 0 {
            let taken = min(count, remainingSampleCount)
            remainingSampleCount -= taken
            return (uniformSize, taken)
        }
        remainingSampleCount -= 1
        if let size = pendingNibble {
            pendingNibble = nil
            return (size, 1)
        }
        guard let value = try tableCursor.nextInteger(in: &reader) else { return nil }
        if !has4BitEntries { return (value, 1) }
        pendingNibble = value & 15
        return (value >> 4, 1)
    }
}

/// Reads `stts`: ISO/IEC 14496-12, 8.6.1.2.
private struct TimeToSampleTable {
    private(set) var isTruncated = false
    private var tableCursor: IntegerTableCursor
    private var remainingInEntry = 0
    private var sampleDuration = 0

    init(track: ISOTrack, in reader: inout BufferedFileReader) throws(AudioError) {
        (tableCursor, isTruncated) = try IntegerTableCursor.makeCursor(
            box: track.sampleTableBoxes["stts"], fieldsPerEntry: 2, in: &reader)
    }

    /// Returns the duration of the next samples, and how many of the next `count` samples have it. After the end of the
    /// table, all samples have the last duration.
    mutating func nextDurationRun(upTo count: Int, in reader: inout BufferedFileReader) throws(AudioError) -> (
        delta: Int, count: Int
    ) {
        while remainingInEntry == 0 {
            guard let entries = try tableCursor.nextInteger(in: &reader),
                let delta = try tableCursor.nextInteger(in: &reader)
            else {
                return (self.sampleDuration, count)
            }
            (remainingInEntry, self.sampleDuration) = (entries, delta)
        }
        return (sampleDuration, min(count, remainingInEntry))
    }

    /// Advances by `count` of the samples that `nextDurationRun` returned.
    mutating func consumeSamples(_ count: Int) { remainingInEntry = max(0, remainingInEntry - count) }
}

/// Reads `stco` or `co64`, and `stsc`: ISO/IEC 14496-12, 8.7.4 and 8.7.5.
private struct ChunkTable {
    private(set) var isTruncated = false
    private var chunkOffsetCursor: IntegerTableCursor
    private var sampleToChunkCursor: IntegerTableCursor
    private var chunkNumber = 0
    private var samplesPerChunk = 0
    /// The next change in the number of samples per chunk, and the number of the first chunk that it applies to.
    private var nextSampleToChunkEntry: (first: Int, samples: Int)?

    /// Opens the tables. Returns `nil` if either is missing.
    init?(track: ISOTrack, in reader: inout BufferedFileReader) throws(AudioError) {
        guard let box = track.sampleTableBoxes["stco"] ?? track.sampleTableBoxes["co64"],
            let span = track.sampleTableBoxes["stsc"]
        else {
            return nil
        }
        let areOffsetsShort: Bool
        (chunkOffsetCursor, areOffsetsShort) = try IntegerTableCursor.makeCursor(
            box: box, fieldsPerEntry: 1, integerWidth: box.type == "co64" ? 8 : 4, in: &reader)
        (sampleToChunkCursor, isTruncated) = try IntegerTableCursor.makeCursor(
            box: span, fieldsPerEntry: 3, in: &reader)
        isTruncated = isTruncated || areOffsetsShort
        try readSampleToChunkEntry(in: &reader)
    }

    private mutating func readSampleToChunkEntry(in reader: inout BufferedFileReader) throws(AudioError) {
        nextSampleToChunkEntry = nil
        if let first = try sampleToChunkCursor.nextInteger(in: &reader),
            let samples = try sampleToChunkCursor.nextInteger(in: &reader),
            try sampleToChunkCursor.nextInteger(in: &reader) != nil
        {
            nextSampleToChunkEntry = (first, samples)
        }
    }

    /// Returns the offset of the next chunk and its number of samples, which may be 0.
    mutating func nextChunk(in reader: inout BufferedFileReader) throws(AudioError) -> (offset: Int, count: Int)? {
        guard let offset = try chunkOffsetCursor.nextInteger(in: &reader) else { return nil }
        chunkNumber += 1
        while let span = nextSampleToChunkEntry, span.first <= chunkNumber {
            samplesPerChunk = span.samples
            try readSampleToChunkEntry(in: &reader)
        }
        return (offset, samplesPerChunk)
    }
}
