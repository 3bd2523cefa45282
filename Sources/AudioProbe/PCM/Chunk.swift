/// A name, a size, and that many bytes: what RIFF, IFF and the formats after them are made of.
struct Chunk {
    /// Its name; of Wave64's names those that were RIFF's, `guid` for others, and zero for what is no name.
    let id: FourCC
    /// Where its name begins.
    let startOffset: Int
    /// Where its content begins.
    let contentOffset: Int
    /// Bytes of content by its header, which may be a lie.
    var declaredSize: Int
    /// Bytes of the content that are there, at most `declaredSize`.
    var availableSize: Int

    /// Where what is there of it ends, without a pad byte.
    var endOffset: Int { contentOffset + availableSize }
    /// Whether all of its content is there.
    var isComplete: Bool { availableSize == declaredSize }
    /// All of it that is there, header included.
    var range: Range<Int> { startOffset..<endOffset }
    /// Whether its name is one: four characters of ASCII.
    var hasPrintableID: Bool { id.isPrintable }
}

/// Walks from chunk to chunk.
struct ChunkWalker {
    /// How a format writes a chunk's head.
    enum ChunkFormat {
        /// Four characters and 32 bits of size; an odd size is padded by a byte. RIFF is little-endian; RIFX and IFF
        /// are big.
        case riff(BufferedFileReader.ByteOrder)
        /// A GUID and 64 bits of size, which counts the head itself; padded to multiples of 8.
        case wave64
        /// Four characters and 64 bits of size, big-endian and unpadded.
        case caf
    }

    let chunkFormat: ChunkFormat
    /// Where the next chunk begins.
    var nextChunkOffset: Int
    /// Where the last one ends at most: the end of the file, or that of the chunk around them.
    let endOffset: Int
    /// How many more may come.
    var remainingChunkCount: Int

    /// Bytes of a chunk's head.
    private var headerLength: Int {
        switch chunkFormat {
        case .riff: 8
        case .wave64: 24
        case .caf: 12
        }
    }

    /// The chunk at `nextChunkOffset`, which then is behind it; nil if not even a head is left.
    ///
    /// - Throws: `limit-exceeded`, and what reading throws.
    mutating func nextChunk(in reader: inout BufferedFileReader) throws(AudioError) -> Chunk? {
        guard let chunk = try chunk(at: nextChunkOffset, in: &reader) else { return nil }
        remainingChunkCount -= 1
        if remainingChunkCount < 0 {
            throw AudioError(
                .limitExceeded, offset: nextChunkOffset, message: "there are more chunks than the limit allows")
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

    /// Goes to where the chunk behind `chunk` begins, beyond the end if that is cut short.
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

    /// Whether the bytes from `startOffset` to the end are whole chunks with names, one at least.
    func hasOnlyCompleteChunks(from start: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Bool {
        var chunkWalker = self
        chunkWalker.nextChunkOffset = start
        while let chunk = try chunkWalker.nextChunk(in: &reader) {
            if !chunk.hasPrintableID || !chunk.isComplete { return false }
        }
        return chunkWalker.nextChunkOffset == endOffset && start < endOffset
    }

    /// Whether a chunk with a name, which fits, begins at `startOffset`, or nothing is left there.
    func isChunkOrEnd(at start: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Bool {
        if start >= endOffset { return true }
        guard let chunk = try chunk(at: start, in: &reader) else { return false }
        return chunk.hasPrintableID && chunk.isComplete
    }

    /// Writers that forget the pad byte are common enough: where it should be zero, a name begins.
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

    /// The names that were RIFF's are these with one ending, but for `riff` itself, which isn't walked here. Others are
    /// GUIDs of RFC 4122, whose version, 1 to 5, and variant, 2, have their places.
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
