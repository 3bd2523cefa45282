/// AIFF and AIFF-C: IFF with its sound in one chunk, `SSND`, and what it is in another, `COMM`, in any order.
struct AIFFFile {
    private let isCompressed: Bool
    private var reader: ChunkReader
    private var common: AIFFCommon?
    private var sound: SoundExtent?
    private var metadata: [Metadata] = []
    /// What stands behind the sound and is no chunk.
    private var trailing: Int?

    /// The recording that the file is.
    ///
    /// - Throws: `damaged`, `limit-exceeded`, and what reading throws.
    static func recording(in window: inout ByteWindow, _ options: ProbeOptions) throws(AudioError) -> Recording {
        let start = try LeadingTags.end(in: &window)
        let isCompressed = try window.fourCC(at: start + 8) == "AIFC"
        let reader = ChunkReader(
            layout: .riff(.big), offset: start + 12, end: window.count, remaining: options.limits.elements)
        var file = AIFFFile(isCompressed: isCompressed, reader: reader)
        file.metadata = try LeadingTags.metadata(before: start, in: &window)
        return try file.recording(in: &window)
    }

    private init(isCompressed: Bool, reader: ChunkReader) {
        self.isCompressed = isCompressed
        self.reader = reader
    }

    private mutating func recording(in window: inout ByteWindow) throws(AudioError) -> Recording {
        while trailing == nil, let chunk = try reader.next(in: &window) { try read(chunk, in: &window) }
        if sound != nil, reader.offset < window.count { trailing = trailing ?? reader.offset }
        guard let common else { throw AudioError(.damaged, offset: reader.offset, "the file has no COMM chunk") }
        var recording = try recording(common, limit: window.count)
        try recording.warn(ofTrailing: trailing, in: &window)
        recording.metadata = metadata
        return recording
    }

    private mutating func read(_ chunk: Chunk, in window: inout ByteWindow) throws(AudioError) {
        if sound != nil, !chunk.isNamed || !chunk.isWhole || chunk.id == "FORM" {
            trailing = chunk.start
            return
        }
        switch chunk.id {
        case "COMM": if common == nil { common = try AIFFCommon(chunk, isCompressed: isCompressed, in: &window) }
        case "SSND": if sound == nil { try readSound(chunk, in: &window) }
        case "NAME", "AUTH", "(c) ", "ANNO", "COMT":
            if try window.isTelling(chunk) { metadata.note(.text, chunk.range) }
        case "ID3 ", "id3 ": metadata.note(.text, chunk.range)
        case "APPL": metadata.note(.application, chunk.range)
        default: break
        }
    }

    /// SoX writes this many bytes of sound into a pipe, and in `COMM` the frames that they would be.
    private static let placeholder = 0x7F00_0000

    /// The sound is behind its offset and the size of blocks that it may be aligned to; the size counts these.
    private mutating func readSound(_ chunk: Chunk, in window: inout ByteWindow) throws(AudioError) {
        let offset = try window.uint32(at: chunk.body) ?? 0
        let sound = try SoundExtent(
            chunk, from: chunk.body + 8 + offset, placeholder: Self.placeholder, reader, in: &window)
        if sound.ending != .stated { reader.offset = reader.end }
        self.sound = sound
    }

    private func recording(_ common: AIFFCommon, limit: Int) throws(AudioError) -> Recording {
        let container: AudioContainer = isCompressed ? .aifc : .aiff
        let track = Recording.Track(
            codec: common.codec, sampleRate: common.rate.rounded, channels: common.channels, bitsPerSample: common.bits)
        guard let sound else { return try Recording(container, track, rate: common.rate, endingAt: limit) }
        guard let blocks = common.blocks else { return try estimate(container, track, common, sound) }
        var count = try BlockCount(blocks, in: sound)
        let difference = settle(&count, common, blocks, sound)
        var recording = try Recording(container, track, rate: common.rate, count, in: sound)
        if count.blocks > 0, isUnknown(common.frames, blocks, sound) {
            recording.warn(.placeholderSize, "the COMM chunk states no number of frames")
        } else if difference != 0 {
            recording.warn(
                .headerContradicts, "the COMM chunk states \(common.frames) frames, and there are \(count.blocks)")
            // Of more than are there no player plays more. Of fewer, libsndfile and ffmpeg play all the same what is
            // there.
            let bound = try common.rate.duration(of: max(difference, 0), method: .header).seconds
            recording.tracks[0].duration?.errorBound += bound
        }
        return recording
    }

    /// Whether `COMM` counts no frames, or those of a placeholder's bytes.
    private func isUnknown(_ frames: Int, _ blocks: SampleBlocks, _ sound: SoundExtent) -> Bool {
        frames == 0 || frames >= Self.placeholder
            || sound.ending == .open && frames * blocks.bytes >= Self.placeholder
    }

    /// Compares the sound with what `COMM` states, and returns how many samples that lacks.
    private func settle(
        _ count: inout BlockCount, _ common: AIFFCommon, _ blocks: SampleBlocks, _ sound: SoundExtent
    ) -> Int {
        let stated = common.frames
        if stated == count.blocks || isUnknown(stated, blocks, sound) { return 0 }
        // Where packets hold several frames, some writers count frames all the same; the last packet may then be cut.
        if !count.isTruncated, stated > count.samples - blocks.samples, stated <= count.samples {
            count.samples = stated
            return 0
        }
        if stated > count.blocks, sound.ending == .open { count.isTruncated = true }
        return count.isTruncated ? 0 : (count.blocks - stated) * blocks.samples
    }

    /// A codec whose packets aren't known: the header is all there is to go by.
    private func estimate(
        _ container: AudioContainer, _ track: Recording.Track, _ common: AIFFCommon, _ sound: SoundExtent
    ) throws(AudioError) -> Recording {
        var recording = Recording(container, track: track, mediaBytes: sound.count)
        recording.warnIfOpen(sound)
        let isUnknown = common.frames == 0 || common.frames >= Self.placeholder
        var duration = try common.rate.duration(of: isUnknown ? 0 : common.frames, method: .estimate)
        duration.errorBound = duration.seconds
        if sound.ending == .cut {
            recording.completeness = .truncated(offset: sound.end)
        } else if isUnknown {
            recording.completeness = sound.count == 0 ? .empty : .unfinalised
        }
        if [.complete, .empty].contains(recording.completeness) { recording.tracks[0].duration = duration }
        return recording
    }
}
