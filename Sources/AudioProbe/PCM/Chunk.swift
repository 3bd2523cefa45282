/// A name, a size, and that many bytes: what RIFF, IFF and the formats after them are made of.
struct Chunk {
    /// Its name; of Wave64's names those that were RIFF's, `guid` for others, and zero for what is no name.
    let id: FourCC
    /// Where its name begins.
    let start: Int
    /// Where its content begins.
    let body: Int
    /// Bytes of content by its header, which may be a lie.
    var size: Int
    /// Bytes of the content that are there, at most `size`.
    var count: Int

    /// Where what is there of it ends, without a pad byte.
    var end: Int { body + count }
    /// Whether all of its content is there.
    var isWhole: Bool { count == size }
    /// All of it that is there, header included.
    var range: Range<Int> { start..<end }
    /// Whether its name is one: four characters of ASCII.
    var isNamed: Bool { id.isPrintable }
}

/// Walks from chunk to chunk.
struct ChunkReader {
    /// How a format writes a chunk's head.
    enum Layout {
        /// Four characters and 32 bits of size; an odd size is padded by a byte. RIFF is little-endian; RIFX and IFF
        /// are big.
        case riff(ByteWindow.ByteOrder)
        /// A GUID and 64 bits of size, which counts the head itself; padded to multiples of 8.
        case wave64
        /// Four characters and 64 bits of size, big-endian and unpadded.
        case caf
    }

    let layout: Layout
    /// Where the next chunk begins.
    var offset: Int
    /// Where the last one ends at most: the end of the file, or that of the chunk around them.
    let end: Int
    /// How many more may come.
    var remaining: Int

    /// Bytes of a chunk's head.
    private var headLength: Int {
        switch layout {
        case .riff: 8
        case .wave64: 24
        case .caf: 12
        }
    }

    /// The chunk at `offset`, which then is behind it; nil if not even a head is left.
    ///
    /// - Throws: `limit-exceeded`, and what reading throws.
    mutating func next(in window: inout ByteWindow) throws(AudioError) -> Chunk? {
        guard let chunk = try chunk(at: offset, in: &window) else { return nil }
        remaining -= 1
        if remaining < 0 { throw AudioError(.limit, offset: offset, "there are more chunks than the limit allows") }
        try skip(chunk, in: &window)
        return chunk
    }

    private func chunk(at start: Int, in window: inout ByteWindow) throws(AudioError) -> Chunk? {
        guard start <= end - headLength, let (id, size) = try head(at: start, in: &window) else { return nil }
        let body = start + headLength
        return Chunk(id: id, start: start, body: body, size: size, count: min(size, end - body))
    }

    /// Goes to where the chunk behind `chunk` begins, beyond the end if that is cut short.
    mutating func skip(_ chunk: Chunk, in window: inout ByteWindow) throws(AudioError) {
        offset = chunk.isWhole ? chunk.end : end
        switch layout {
        case .riff:
            if chunk.count % 2 == 1, try !isPadMissing(at: chunk.end, in: &window) { offset += 1 }
        case .wave64: offset += -(offset - chunk.start) & 7
        case .caf: break
        }
        offset = min(offset, end)
    }

    /// Whether the bytes from `start` to the end are whole chunks with names, one at least.
    func isChain(from start: Int, in window: inout ByteWindow) throws(AudioError) -> Bool {
        var reader = self
        reader.offset = start
        while let chunk = try reader.next(in: &window) {
            if !chunk.isNamed || !chunk.isWhole { return false }
        }
        return reader.offset == end && start < end
    }

    /// Whether a chunk with a name, which fits, begins at `start`, or nothing is left there.
    func isChunkOrEnd(at start: Int, in window: inout ByteWindow) throws(AudioError) -> Bool {
        if start >= end { return true }
        guard let chunk = try chunk(at: start, in: &window) else { return false }
        return chunk.isNamed && chunk.isWhole
    }

    /// Writers that forget the pad byte are common enough: where it should be zero, a name begins.
    private func isPadMissing(at start: Int, in window: inout ByteWindow) throws(AudioError) -> Bool {
        guard let byte = try window.uint8(at: start), byte != 0 else { return false }
        return try isChunkOrEnd(at: start, in: &window)
    }

    private func head(at offset: Int, in window: inout ByteWindow) throws(AudioError) -> (FourCC, Int)? {
        guard let id = try window.fourCC(at: offset) else { return nil }
        switch layout {
        case .riff(let order):
            return try window.uint32(at: offset + 4, order).map { (id, $0) }
        case .wave64:
            let name = try wave64Name(id, at: offset, in: &window)
            return try window.uint64(at: offset + 16, .little).map { (name, max(Int(clamping: $0), 24) - 24) }
        case .caf:
            return try window.uint64(at: offset + 4).map { (id, Int(clamping: $0)) }
        }
    }

    /// The names that were RIFF's are these with one ending, but for `riff` itself, which isn't walked here. Others are
    /// GUIDs of RFC 4122, whose version, 1 to 5, and variant, 2, have their places.
    private func wave64Name(
        _ first: FourCC, at offset: Int, in window: inout ByteWindow
    ) throws(AudioError) -> FourCC {
        guard let middle = try window.uint64(at: offset + 4), let last = try window.uint32(at: offset + 12) else {
            return FourCC(0)
        }
        if middle == 0xF3AC_D311_8CD1_00C0, last == 0x4F8E_DB8A { return first }
        return (1...5).contains(middle >> 36 & 15) && middle >> 30 & 3 == 2 ? "guid" : FourCC(0)
    }
}
