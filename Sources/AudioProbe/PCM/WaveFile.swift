internal import MediaContainers

/// Probes WAVE files: RIFF, big-endian RIFX, RF64 and BW64 with 64-bit sizes, and the chunks of Sony Wave64.
struct WaveFile {
    private let byteOrder: BufferedFileReader.ByteOrder
    private let isQuick: Bool
    private var chunks: AudioChunkReader
    private var format: WaveFormat?
    /// Samples per channel in the `fact` chunk.
    private(set) var factSampleCount: Int?
    /// The 64-bit sizes, in RF64 and BW64 only.
    private var dataSize64: DataSize64Chunk?

    /// Probes a RIFF, RIFX, RF64 or BW64 file.
    ///
    /// - Throws: ``AudioError/Code/damaged``, `unsupported-wav-codec`, ``AudioError/Code/limitExceeded``, and the
    ///   errors of the reader.
    static func probe(
        in reader: inout BufferedFileReader, from start: Int, options: ProbeOptions
    ) throws(AudioError) -> Recording {
        let magic = try reader.fourCC(at: start)
        let byteOrder: BufferedFileReader.ByteOrder = magic == "RIFX" ? .bigEndian : .littleEndian
        let chunks = try AudioChunkReader(
            chunkFormat: .riff(byteOrder), after: start..<start + 12, limits: options.limits, in: &reader)
        var file = WaveFile(byteOrder: byteOrder, chunks: chunks, isQuick: options.isQuick)
        if magic == "RF64" || magic == "BW64" { file.dataSize64 = DataSize64Chunk() }
        return try file.readRecording(container: magic == "RF64" ? .rf64 : magic == "BW64" ? .bw64 : .wav, in: &reader)
    }

    /// Creates a file of which no chunk was read.
    init(byteOrder: BufferedFileReader.ByteOrder, chunks: AudioChunkReader, isQuick: Bool) {
        self.isQuick = isQuick
        self.byteOrder = byteOrder
        self.chunks = chunks
    }

    /// Reads all chunks and returns the result.
    mutating func readRecording(container: AudioContainer, in reader: inout BufferedFileReader) throws(AudioError)
        -> Recording
    {
        while var chunk = try chunks.nextChunk(in: &reader) {
            // The chunk's own 32-bit size is used unless it is all ones: EBU Tech 3306, 3.3.
            if chunk.declaredSize == 0xFFFF_FFFF, let size = dataSize64?.size(ofChunk: chunk.id) {
                chunk.declaredSize = size
                chunk.availableSize = min(size, chunks.walker.endOffset - chunk.contentOffset)
                try chunks.walker.skipChunk(chunk, in: &reader)
            }
            try readChunk(chunk, in: &reader)
        }
        guard let format else { throw chunks.missingChunkError("fmt ") }
        var recording = try makeRecording(container: container, format: format, in: &reader)
        try chunks.addFindings(to: &recording, in: &reader)
        if let (offset, message) = format.contradiction {
            recording.addWarning(.headerContradicts, offset: offset, message: message)
        }
        return recording
    }

    private mutating func readChunk(_ chunk: Chunk, in reader: inout BufferedFileReader) throws(AudioError) {
        if chunks.dataExtent != nil, try recordIfTrailingBytes(chunk, in: &reader) { return }
        switch chunk.id {
        case "fmt ": if format == nil { format = try WaveFormat(chunk: chunk, byteOrder: byteOrder, in: &reader) }
        case "data": try readDataChunk(chunk, in: &reader)
        case "ds64":
            if dataSize64 != nil, chunks.dataExtent == nil {
                dataSize64 = try DataSize64Chunk(chunk: chunk, in: &reader)
            }
        case "fact": factSampleCount = try readFactChunk(chunk, in: &reader)
        case "LIST", "list":
            if try chunk.listContainsUserText(chunkWalker: &chunks.walker, in: &reader) {
                chunks.metadataItems.recordMetadata(kind: .text, range: chunk.range)
            }
        default:
            if let kind = chunk.waveMetadataKind {
                chunks.metadataItems.recordMetadata(kind: kind, range: chunk.range)
            }
        }
    }

    /// Reads a `data` chunk. Of several, players play only the first.
    private mutating func readDataChunk(_ chunk: Chunk, in reader: inout BufferedFileReader) throws(AudioError) {
        if chunks.dataExtent != nil {
            chunks.trailingBytesOffset = chunk.startOffset
            return
        }
        let has64BitSizes = if case .wave64 = chunks.walker.chunkFormat { true } else { dataSize64 != nil }
        try chunks.recordAudio(
            in: chunk, from: chunk.contentOffset, sizeField: has64BitSizes ? .bits64 : .bits32, in: &reader)
    }

    private func readFactChunk(_ chunk: Chunk, in reader: inout BufferedFileReader) throws(AudioError) -> Int? {
        if case .wave64 = chunks.walker.chunkFormat, chunk.availableSize >= 8 {
            return try reader.uint64(at: chunk.contentOffset, byteOrder: byteOrder).map { Int(clamping: $0) }
        }
        guard chunk.availableSize >= 4, let samples = try reader.uint32(at: chunk.contentOffset, byteOrder: byteOrder)
        else { return nil }
        return samples == 0xFFFF_FFFF ? dataSize64?.sampleCount : samples
    }

    /// Records bytes after the audio that are not a chunk. An ID3v1 tag looks like a chunk of an implausible size.
    ///
    /// - Returns: Whether `chunk` consists of such bytes.
    private mutating func recordIfTrailingBytes(_ chunk: Chunk, in reader: inout BufferedFileReader) throws(AudioError)
        -> Bool
    {
        if chunk.id.code >> 8 == 0x544147, chunks.walker.endOffset - chunk.startOffset == 128 {  // "TAG"
            chunks.metadataItems.recordMetadata(kind: .text, range: chunk.startOffset..<chunks.walker.endOffset)
            chunks.walker.nextChunkOffset = chunks.walker.endOffset
            return true
        }
        if chunk.hasPrintableID, chunk.isComplete, !["RIFF", "RIFX", "RF64", "BW64"].contains(chunk.id) {
            return false
        }
        chunks.trailingBytesOffset = chunk.startOffset
        return true
    }
}

// MARK: - Duration

extension WaveFile {
    private func makeRecording(
        container: AudioContainer, format: WaveFormat, in reader: inout BufferedFileReader
    ) throws(AudioError) -> Recording {
        let track = Recording.Track(
            codec: format.encoding.codec, sampleRate: format.sampleRate, channels: format.channels,
            bitsPerSample: format.encoding.bitsPerSample)
        let rate = SampleRate(format.sampleRate)
        guard let dataExtent = chunks.dataExtent else {
            return try Recording(container: container, track: track, sampleRate: rate, truncatedAt: reader.byteCount)
        }
        guard let blockLayout = format.encoding.blockLayout else {
            if !isQuick,
                let recording = try scannedRecording(
                    container: container, track: track, dataExtent: dataExtent, in: &reader)
            {
                return recording
            }
            return try estimatedRecording(container: container, track: track, format: format, dataExtent: dataExtent)
        }
        var availableBlocks = try AvailableBlocks(layout: blockLayout, dataExtent: dataExtent)
        let contradiction = reconcileSampleCount(of: &availableBlocks)
        var recording = try Recording(
            container: container, track: track, sampleRate: rate, availableBlocks: availableBlocks)
        if let contradiction { recording.addWarning(.headerContradicts, message: contradiction) }
        return recording
    }

    /// Compares the audio with the number of samples in the `fact` chunk.
    ///
    /// With a block codec, the audio may end inside the last block. That block is then played in part.
    ///
    /// - Returns: A message about a contradiction, or `nil`.
    private func reconcileSampleCount(of availableBlocks: inout AvailableBlocks) -> String? {
        guard let factSampleCount, factSampleCount > 0, !availableBlocks.isTruncated else { return nil }
        // A placeholder means unknown, and so does a number that was computed from a placeholder size.
        let isUnknown =
            availableBlocks.dataExtent.sizeStatus == .unknown
            || DataChunkExtent.SizeField.bits32.isPlaceholder(factSampleCount)
        if isUnknown && factSampleCount > availableBlocks.sampleCount { return nil }
        if factSampleCount <= availableBlocks.sampleCount,
            factSampleCount > availableBlocks.sampleCount - availableBlocks.layout.samplesPerBlock
        {
            availableBlocks.sampleCount = factSampleCount
            return nil
        }
        return "the 'fact' chunk states \(factSampleCount) samples, but the file has \(availableBlocks.sampleCount)"
    }
}
