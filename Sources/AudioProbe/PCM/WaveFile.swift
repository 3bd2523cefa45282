/// WAVE: RIFF, big-endian RIFX, RF64 and BW64 with sizes of 64 bits, and Sony's Wave64, which is made of the same
/// chunks.
struct WaveFile {
    private let order: ByteWindow.ByteOrder
    private let isQuick: Bool
    private var reader: ChunkReader
    private var format: WaveFormat?
    private var sound: SoundExtent?
    /// Samples of each channel, by the header: chunk `fact`.
    private(set) var fact: Int?
    /// In RF64 and BW64 only.
    private var sizes: DataSize64?
    private var metadata: [Metadata] = []
    /// Where what is no chunk, or none that is played, begins behind the sound.
    private var trailing: Int?

    /// The recording that a file of RIFF's kind is.
    ///
    /// - Throws: `damaged`, `unsupported-wav-codec`, `limit-exceeded`, and what reading throws.
    static func recording(in window: inout ByteWindow, _ options: ProbeOptions) throws(AudioError) -> Recording {
        let start = try LeadingTags.end(in: &window)
        let magic = try window.fourCC(at: start)
        let order: ByteWindow.ByteOrder = magic == "RIFX" ? .big : .little
        let reader = ChunkReader(
            layout: .riff(order), offset: start + 12, end: window.count, remaining: options.limits.elements)
        var file = WaveFile(order, reader, isQuick: options.isQuick)
        file.metadata = try LeadingTags.metadata(before: start, in: &window)
        if magic == "RF64" || magic == "BW64" { file.sizes = DataSize64() }
        return try file.recording(magic == "RF64" ? .rf64 : magic == "BW64" ? .bw64 : .wav, in: &window)
    }

    /// A file whose chunks `reader` walks through.
    init(_ order: ByteWindow.ByteOrder, _ reader: ChunkReader, isQuick: Bool) {
        self.isQuick = isQuick
        self.order = order
        self.reader = reader
    }

    /// Walks through all chunks.
    mutating func recording(_ container: AudioContainer, in window: inout ByteWindow) throws(AudioError) -> Recording {
        while trailing == nil, var chunk = try reader.next(in: &window) {
            // The chunk's own 32 bits count, unless they are all ones: EBU Tech 3306, 3.3.
            if chunk.size == 0xFFFF_FFFF, let size = sizes?.size(of: chunk.id) {
                chunk.size = size
                chunk.count = min(size, reader.end - chunk.body)
                try reader.skip(chunk, in: &window)
            }
            try read(chunk, in: &window)
        }
        if sound != nil, reader.offset < window.count { trailing = trailing ?? reader.offset }
        guard let format else { throw AudioError(.damaged, offset: reader.offset, "the file has no fmt chunk") }
        var recording = try recording(container, format, in: &window)
        try recording.warn(ofTrailing: trailing, in: &window)
        if let (offset, message) = format.contradiction { recording.warn(.headerContradicts, offset: offset, message) }
        recording.metadata = metadata
        return recording
    }

    private mutating func read(_ chunk: Chunk, in window: inout ByteWindow) throws(AudioError) {
        if sound != nil, try isTrailing(chunk, in: &window) { return }
        switch chunk.id {
        case "fmt ": if format == nil { format = try WaveFormat(chunk, order, in: &window) }
        case "data": try readSound(chunk, in: &window)
        case "ds64": if sizes != nil, sound == nil { sizes = try DataSize64(chunk, in: &window) }
        case "fact": fact = try readFact(chunk, in: &window)
        case "LIST", "list":
            if try chunk.isTellingList(&reader, in: &window) { metadata.note(.text, chunk.range) }
        default: if let kind = chunk.waveMetadata { metadata.note(kind, chunk.range) }
        }
    }

    /// Players play the first of several `data` chunks.
    private mutating func readSound(_ chunk: Chunk, in window: inout ByteWindow) throws(AudioError) {
        if sound != nil {
            trailing = chunk.start
            return
        }
        let isWide = if case .wave64 = reader.layout { true } else { sizes != nil }
        let placeholder = isWide ? SoundExtent.widePlaceholder : SoundExtent.placeholder
        let sound = try SoundExtent(chunk, from: chunk.body, placeholder: placeholder, reader, in: &window)
        if sound.ending != .stated { reader.offset = reader.end }
        self.sound = sound
    }

    private func readFact(_ chunk: Chunk, in window: inout ByteWindow) throws(AudioError) -> Int? {
        if case .wave64 = reader.layout, chunk.count >= 8 {
            return try window.uint64(at: chunk.body, order).map { Int(clamping: $0) }
        }
        guard chunk.count >= 4, let samples = try window.uint32(at: chunk.body, order) else { return nil }
        return samples == 0xFFFF_FFFF ? sizes?.sampleCount : samples
    }

    /// Whether `chunk`, behind the sound, is none; an ID3v1 tag looks like one of absurd size.
    private mutating func isTrailing(_ chunk: Chunk, in window: inout ByteWindow) throws(AudioError) -> Bool {
        if chunk.id.code >> 8 == 0x544147, reader.end - chunk.start == 128 {  // "TAG"
            metadata.note(.text, chunk.start..<reader.end)
            reader.offset = reader.end
            return true
        }
        if chunk.isNamed, chunk.isWhole, !["RIFF", "RIFX", "RF64", "BW64"].contains(chunk.id) { return false }
        trailing = chunk.start
        return true
    }
}

// MARK: - How long it lasts

extension WaveFile {
    private func recording(
        _ container: AudioContainer, _ format: WaveFormat, in window: inout ByteWindow
    ) throws(AudioError) -> Recording {
        let track = Recording.Track(
            codec: format.codec, sampleRate: format.rate, channels: format.channels, bitsPerSample: format.bits)
        let rate = SampleRate(format.rate)
        guard let sound else { return try Recording(container, track, rate: rate, endingAt: window.count) }
        guard let blocks = format.blocks else {
            if !isQuick, let recording = try scan(container, track, sound, in: &window) { return recording }
            return try estimate(container, track, format, sound)
        }
        var count = try BlockCount(blocks, in: sound)
        let contradiction = settle(&count, blocks)
        var recording = try Recording(container, track, rate: rate, count, in: sound)
        if let contradiction { recording.warn(.headerContradicts, contradiction) }
        return recording
    }

    /// Compares the sound with what `fact` states. Of codecs in blocks it may end inside the last, which then is played
    /// in part; for others it is only compared.
    private func settle(_ count: inout BlockCount, _ blocks: SampleBlocks) -> String? {
        // 0 stands for not known, as the largest numbers do.
        guard let fact, fact > 0, fact < SoundExtent.placeholder || fact < count.samples, !count.isTruncated else {
            return nil
        }
        if fact <= count.samples, fact > count.samples - blocks.samples {
            count.samples = fact
            return nil
        }
        return "the fact chunk states \(fact) samples, and there are \(count.samples)"
    }
}
