internal import MediaContainers

/// Reads the chunks of a file that has its audio in one of them.
///
/// It ends at the first bytes after the audio that are not a chunk, which taggers and interrupted recorders leave.
struct AudioChunkReader {
    var walker: ChunkWalker
    private(set) var dataExtent: DataChunkExtent?
    var metadataItems: [MetadataItem]
    /// The offset of bytes after the audio that are not a chunk or are not played, or `nil`.
    var trailingBytesOffset: Int?

    /// Creates a reader of the chunks after the file's header. Tags before the header are metadata.
    ///
    /// - Throws: The errors of the file's reader.
    init(
        chunkFormat: ChunkWalker.ChunkFormat, after header: Range<Int>, limits: AudioLimits,
        in reader: inout BufferedFileReader
    ) throws(AudioError) {
        walker = ChunkWalker(
            chunkFormat: chunkFormat, nextChunkOffset: header.upperBound, endOffset: reader.byteCount,
            remainingChunkCount: limits.elements)
        metadataItems = try LeadingTags.metadata(before: header.lowerBound, in: &reader)
    }

    /// Returns the next chunk, or `nil` at the end or if the trailing bytes are found.
    ///
    /// - Throws: ``AudioError/Code/limitExceeded``, and the errors of the file's reader.
    mutating func nextChunk(in reader: inout BufferedFileReader) throws(AudioError) -> Chunk? {
        if trailingBytesOffset != nil { return nil }
        if let chunk = try walker.nextChunk(in: &reader) { return chunk }
        if dataExtent != nil, walker.nextChunkOffset < reader.byteCount { trailingBytesOffset = walker.nextChunkOffset }
        return nil
    }

    /// Records that the audio is in `chunk`, from `start` on.
    mutating func recordAudio(
        in chunk: Chunk, from start: Int, sizeField: DataChunkExtent.SizeField, in reader: inout BufferedFileReader
    ) throws(AudioError) {
        let extent = try DataChunkExtent(
            chunk: chunk, from: start, sizeField: sizeField, chunkWalker: walker, in: &reader)
        // The audio then extends to the end of the file.
        if extent.sizeStatus != .declared { walker.nextChunkOffset = walker.endOffset }
        dataExtent = extent
    }

    /// Returns an error for a file without a chunk that it must have.
    func missingChunkError(_ id: FourCC) -> AudioError {
        AudioError(.damaged, offset: walker.nextChunkOffset, message: "the '\(id)' chunk is missing")
    }

    /// Adds the metadata, and a warning about trailing bytes.
    func addFindings(to recording: inout Recording, in reader: inout BufferedFileReader) throws(AudioError) {
        try recording.addTrailingBytesWarning(offset: trailingBytesOffset, in: &reader)
        recording.metadata = metadataItems
    }
}
