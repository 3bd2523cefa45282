/// WAVE: RIFF, big-endian RIFX, RF64 and BW64 with sizes of 64 bits, and Sony's Wave64, which is made of the same
/// chunks.
struct WaveFile {
    private let byteOrder: BufferedFileReader.ByteOrder
    private let isQuick: Bool
    private var chunkWalker: ChunkWalker
    private var format: WaveFormat?
    private var dataExtent: DataChunkExtent?
    /// Samples of each channel, by the header: chunk `factSampleCount`.
    private(set) var factSampleCount: Int?
    /// In RF64 and BW64 only.
    private var dataSize64: DataSize64Chunk?
    private var metadataItems: [MetadataItem] = []
    /// Where what is no chunk, or none that is played, begins behind the sound.
    private var trailingBytesOffset: Int?

    /// The recording that a file of RIFF's kind is.
    ///
    /// - Throws: `damaged`, `unsupported-wav-codec`, `limit-exceeded`, and what reading throws.
    static func probe(in reader: inout BufferedFileReader, options: ProbeOptions) throws(AudioError) -> Recording {
        let start = try LeadingTags.endOffset(in: &reader)
        let magic = try reader.fourCC(at: start)
        let byteOrder: BufferedFileReader.ByteOrder = magic == "RIFX" ? .bigEndian : .littleEndian
        let chunkWalker = ChunkWalker(
            chunkFormat: .riff(byteOrder), nextChunkOffset: start + 12, endOffset: reader.byteCount,
            remainingChunkCount: options.limits.elements)
        var file = WaveFile(byteOrder: byteOrder, chunkWalker: chunkWalker, isQuick: options.isQuick)
        file.metadataItems = try LeadingTags.metadata(before: start, in: &reader)
        if magic == "RF64" || magic == "BW64" { file.dataSize64 = DataSize64Chunk() }
        return try file.readRecording(container: magic == "RF64" ? .rf64 : magic == "BW64" ? .bw64 : .wav, in: &reader)
    }

    /// A file whose chunks `chunkWalker` walks through.
    init(byteOrder: BufferedFileReader.ByteOrder, chunkWalker: ChunkWalker, isQuick: Bool) {
        self.isQuick = isQuick
        self.byteOrder = byteOrder
        self.chunkWalker = chunkWalker
    }

    /// Walks through all chunks.
    mutating func readRecording(container: AudioContainer, in reader: inout BufferedFileReader) throws(AudioError)
        -> Recording
    {
        while trailingBytesOffset == nil, var chunk = try chunkWalker.nextChunk(in: &reader) {
            // The chunk's own 32 bits count, unless they are all ones: EBU Tech 3306, 3.3.
            if chunk.declaredSize == 0xFFFF_FFFF, let size = dataSize64?.size(ofChunk: chunk.id) {
                chunk.declaredSize = size
                chunk.availableSize = min(size, chunkWalker.endOffset - chunk.contentOffset)
                try chunkWalker.skipChunk(chunk, in: &reader)
            }
            try readChunk(chunk, in: &reader)
        }
        if dataExtent != nil, chunkWalker.nextChunkOffset < reader.byteCount {
            trailingBytesOffset = trailingBytesOffset ?? chunkWalker.nextChunkOffset
        }
        guard let format else {
            throw AudioError(.damaged, offset: chunkWalker.nextChunkOffset, message: "the file has no fmt chunk")
        }
        var recording = try makeRecording(container: container, format: format, in: &reader)
        try recording.addTrailingBytesWarning(offset: trailingBytesOffset, in: &reader)
        if let (offset, message) = format.contradiction {
            recording.addWarning(.headerContradicts, offset: offset, message: message)
        }
        recording.metadata = metadataItems
        return recording
    }

    private mutating func readChunk(_ chunk: Chunk, in reader: inout BufferedFileReader) throws(AudioError) {
        if dataExtent != nil, try recordIfTrailingBytes(chunk, in: &reader) { return }
        switch chunk.id {
        case "fmt ": if format == nil { format = try WaveFormat(chunk: chunk, byteOrder: byteOrder, in: &reader) }
        case "data": try readDataChunk(chunk, in: &reader)
        case "ds64":
            if dataSize64 != nil, dataExtent == nil { dataSize64 = try DataSize64Chunk(chunk: chunk, in: &reader) }
        case "fact": factSampleCount = try readFactChunk(chunk, in: &reader)
        case "LIST", "list":
            if try chunk.listContainsUserText(chunkWalker: &chunkWalker, in: &reader) {
                metadataItems.recordMetadata(kind: .text, range: chunk.range)
            }
        default: if let kind = chunk.waveMetadataKind { metadataItems.recordMetadata(kind: kind, range: chunk.range) }
        }
    }

    /// Players play the first of several `data` chunks.
    private mutating func readDataChunk(_ chunk: Chunk, in reader: inout BufferedFileReader) throws(AudioError) {
        if dataExtent != nil {
            trailingBytesOffset = chunk.startOffset
            return
        }
        let has64BitSizes = if case .wave64 = chunkWalker.chunkFormat { true } else { dataSize64 != nil }
        let placeholderSize = has64BitSizes ? DataChunkExtent.placeholderSize64 : DataChunkExtent.placeholderSize
        let dataExtent = try DataChunkExtent(
            chunk: chunk, from: chunk.contentOffset, placeholderSize: placeholderSize, chunkWalker: chunkWalker,
            in: &reader)
        if dataExtent.sizeStatus != .declared { chunkWalker.nextChunkOffset = chunkWalker.endOffset }
        self.dataExtent = dataExtent
    }

    private func readFactChunk(_ chunk: Chunk, in reader: inout BufferedFileReader) throws(AudioError) -> Int? {
        if case .wave64 = chunkWalker.chunkFormat, chunk.availableSize >= 8 {
            return try reader.uint64(at: chunk.contentOffset, byteOrder: byteOrder).map { Int(clamping: $0) }
        }
        guard chunk.availableSize >= 4, let samples = try reader.uint32(at: chunk.contentOffset, byteOrder: byteOrder)
        else { return nil }
        return samples == 0xFFFF_FFFF ? dataSize64?.sampleCount : samples
    }

    /// Whether `chunk`, behind the sound, is none; an ID3v1 tag looks like one of absurd size.
    private mutating func recordIfTrailingBytes(_ chunk: Chunk, in reader: inout BufferedFileReader) throws(AudioError)
        -> Bool
    {
        if chunk.id.code >> 8 == 0x544147, chunkWalker.endOffset - chunk.startOffset == 128 {  // "TAG"
            metadataItems.recordMetadata(kind: .text, range: chunk.startOffset..<chunkWalker.endOffset)
            chunkWalker.nextChunkOffset = chunkWalker.endOffset
            return true
        }
        if chunk.hasPrintableID, chunk.isComplete, !["RIFF", "RIFX", "RF64", "BW64"].contains(chunk.id) {
            return false
        }
        trailingBytesOffset = chunk.startOffset
        return true
    }
}

// MARK: - How long it lasts

extension WaveFile {
    private func makeRecording(
        container: AudioContainer, format: WaveFormat, in reader: inout BufferedFileReader
    ) throws(AudioError) -> Recording {
        let track = Recording.Track(
            codec: format.codec, sampleRate: format.sampleRate, channels: format.channels,
            bitsPerSample: format.bitsPerSample)
        let rate = SampleRate(format.sampleRate)
        guard let dataExtent else {
            return try Recording(container: container, track: track, sampleRate: rate, truncatedAt: reader.byteCount)
        }
        guard let blockLayout = format.blockLayout else {
            if !isQuick,
                let recording = try scannedRecording(
                    container: container, track: track, dataExtent: dataExtent, in: &reader)
            {
                return recording
            }
            return try estimatedRecording(container: container, track: track, format: format, dataExtent: dataExtent)
        }
        var availableBlocks = try AvailableBlocks(layout: blockLayout, dataExtent: dataExtent)
        let contradiction = reconcileSampleCount(of: &availableBlocks, blockLayout: blockLayout)
        var recording = try Recording(
            container: container, track: track, sampleRate: rate, availableBlocks: availableBlocks,
            dataExtent: dataExtent)
        if let contradiction { recording.addWarning(.headerContradicts, message: contradiction) }
        return recording
    }

    /// Compares the sound with what `factSampleCount` states. Of codecs in blocks it may end inside the last, which
    /// then is played in part; for others it is only compared.
    private func reconcileSampleCount(of availableBlocks: inout AvailableBlocks, blockLayout: SampleBlockLayout)
        -> String?
    {
        // 0 stands for not known, as the largest numbers do.
        guard let factSampleCount, factSampleCount > 0,
            factSampleCount < DataChunkExtent.placeholderSize || factSampleCount < availableBlocks.sampleCount,
            !availableBlocks.isTruncated
        else {
            return nil
        }
        if factSampleCount <= availableBlocks.sampleCount,
            factSampleCount > availableBlocks.sampleCount - blockLayout.samplesPerBlock
        {
            availableBlocks.sampleCount = factSampleCount
            return nil
        }
        return "the fact chunk states \(factSampleCount) samples, and there are \(availableBlocks.sampleCount)"
    }
}
