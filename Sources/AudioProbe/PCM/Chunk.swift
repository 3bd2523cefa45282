internal import MediaContainers

/// A chunk of RIFF, IFF and related formats: an ID, a size, and as many bytes of content.
struct Chunk {
    /// The ID. For Wave64, it is the original RIFF ID, `guid` for other GUIDs, and zero for an invalid one.
    let id: FourCC
    /// The offset of the header.
    let startOffset: Int
    /// The offset of the content.
    let contentOffset: Int
    /// Bytes of content that the header states, which may be wrong.
    var declaredSize: Int
    /// Bytes of content that exist, at most `declaredSize`.
    var availableSize: Int

    /// The offset at which the existing content ends, without a pad byte.
    var endOffset: Int { contentOffset + availableSize }
    /// Whether all of the content exists.
    var isComplete: Bool { availableSize == declaredSize }
    /// The existing bytes of the chunk, including its header.
    var range: Range<Int> { startOffset..<endOffset }
    /// Whether the ID consists of four printable ASCII characters.
    var hasPrintableID: Bool { id.isPrintable }
}

/// Iterates over the chunks of a file or of a chunk.
struct ChunkWalker {
    /// The format of chunk headers.
    enum ChunkFormat {
        /// Four characters and a 32-bit size. An odd size is padded by one byte. RIFF is little-endian; RIFX and IFF
        /// are big-endian.
        case riff(BufferedFileReader.ByteOrder)
        /// A GUID and a 64-bit size that includes the header. Chunks are padded to multiples of 8 bytes.
        case wave64
        /// Four characters and a 64-bit size, big-endian and without padding.
        case caf
    }

    let chunkFormat: ChunkFormat
    /// The offset of the next chunk.
    var nextChunkOffset: Int
    /// The offset at which chunks must end: the end of the file or of the enclosing chunk.
    let endOffset: Int
    /// How many more chunks may follow before the limit is exceeded.
    var remainingChunkCount: Int

    /// Bytes of a chunk header.
    private var headerLength: Int {
        switch chunkFormat {
        case .riff: 8
        case .wave64: 24
        case .caf: 12
        }
    }

    /// Returns the next chunk and advances past it, or returns `nil` if not even a header is left.
    ///
    /// - Throws: ``AudioError/Code/limitExceeded``, and the errors of the reader.
    mutating func nextChunk(in reader: inout BufferedFileReader) throws(AudioError) -> Chunk? {
        guard let chunk = try chunk(at: nextChunkOffset, in: &reader) else { return nil }
        remainingChunkCount -= 1
        if remainingChunkCount < 0 {
            throw AudioError(
                .limitExceeded, offset: nextChunkOffset, message: "the file has more chunks than the limit allows")
        }
        try skipChunk(chunk, in: &reader)
        return chunk
    }

    private func chunk(at start: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Chunk? {
        guard start <= endOffset - headerLength, let (id, size) = try readChunkHeader(at: start, in: &reader) else {
            return nil
        }
        let body = start + headerLength
        return Chunk(
            id: id, startOffset: start, contentOffset: body, declaredSize: size,
            availableSize: min(size, endOffset - body))
    }

    /// Advances to the chunk after `chunk`, or to the end if that is truncated.
    mutating func skipChunk(_ chunk: Chunk, in reader: inout BufferedFileReader) throws(AudioError) {
        nextChunkOffset = chunk.isComplete ? chunk.endOffset : endOffset
        switch chunkFormat {
        case .riff:
            if chunk.availableSize % 2 == 1, try !isPadByteMissing(at: chunk.endOffset, in: &reader) {
                nextChunkOffset += 1
            }
        case .wave64: nextChunkOffset += -(nextChunkOffset - chunk.startOffset) & 7
        case .caf: break
        }
        nextChunkOffset = min(nextChunkOffset, endOffset)
    }

    /// Returns whether the bytes from `start` to the end are complete chunks with printable IDs, at least one.
    func hasOnlyCompleteChunks(from start: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Bool {
        var chunkWalker = self
        chunkWalker.nextChunkOffset = start
        while let chunk = try chunkWalker.nextChunk(in: &reader) {
            if !chunk.hasPrintableID || !chunk.isComplete { return false }
        }
        return chunkWalker.nextChunkOffset == endOffset && start < endOffset
    }

    /// Returns whether a complete chunk with a printable ID begins at `start`, or nothing is left there.
    func isChunkOrEnd(at start: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Bool {
        if start >= endOffset { return true }
        guard let chunk = try chunk(at: start, in: &reader) else { return false }
        return chunk.hasPrintableID && chunk.isComplete
    }

    /// Returns whether the pad byte at `start` is missing. Many writers forget it: the next ID begins in its place.
    private func isPadByteMissing(at start: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Bool {
        guard let byte = try reader.uint8(at: start), byte != 0 else { return false }
        return try isChunkOrEnd(at: start, in: &reader)
    }

    private func readChunkHeader(at offset: Int, in reader: inout BufferedFileReader) throws(AudioError) -> (
        FourCC, Int
    )? {
        guard let id = try reader.fourCC(at: offset) else { return nil }
        switch chunkFormat {
        case .riff(let order):
            return try reader.uint32(at: offset + 4, byteOrder: order).map { (id, $0) }
        case .wave64:
            let name = try wave64ChunkID(firstFourCC: id, at: offset, in: &reader)
            return try reader.uint64(at: offset + 16, byteOrder: .littleEndian).map {
                (name, max(Int(clamping: $0), 24) - 24)
            }
        case .caf:
            return try reader.uint64(at: offset + 4).map { (id, Int(clamping: $0)) }
        }
    }

    /// Returns the ID of a Wave64 chunk.
    ///
    /// The GUIDs of RIFF's chunks consist of the RIFF ID and a common ending, except for `riff` itself, which is not
    /// read here. Other GUIDs conform to RFC 4122, with a version of 1 to 5 and the variant 2 at fixed positions.
    private func wave64ChunkID(
        firstFourCC: FourCC, at offset: Int, in reader: inout BufferedFileReader
    ) throws(AudioError) -> FourCC {
        guard let middle = try reader.uint64(at: offset + 4), let last = try reader.uint32(at: offset + 12) else {
            return FourCC(code: 0)
        }
        if middle == 0xF3AC_D311_8CD1_00C0, last == 0x4F8E_DB8A { return firstFourCC }
        return (1...5).contains(middle >> 36 & 15) && middle >> 30 & 3 == 2 ? "guid" : FourCC(code: 0)
    }
}
