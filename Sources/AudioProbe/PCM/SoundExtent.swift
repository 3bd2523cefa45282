/// Where a file's sound lies, and what became of the size that its header states.
struct SoundExtent {
    /// What marks the end of the sound.
    enum Ending {
        /// The size in the header, all of which is there.
        case stated
        /// The end of the file, since the header states no size.
        case open
        /// The end of the file, before the size in the header is reached.
        case cut
    }

    /// Where it begins.
    let start: Int
    /// Where what is there of it ends.
    let end: Int
    let ending: Ending

    /// Sizes of 32 bits from here on stand for "not known yet": SoX writes this one into a pipe, others 0x7FFFFFFF,
    /// 0x80000000 and above; ffmpeg writes 0xFFFFFFFF.
    static let placeholder = 0x7FFF_F000
    /// The like of it for 64 bits: all ones, from which a chunk's head may have been taken.
    static let widePlaceholder = Int.max - 24

    /// Bytes that are there.
    var count: Int { end - start }

    /// Sound of `size` bytes at `start`, or, without a size, to the end of the file.
    ///
    /// - Parameter limit: where the file ends.
    init(start: Int, size: Int?, limit: Int) {
        self.start = min(start, limit)
        let there = limit - self.start
        end = self.start + min(size ?? there, there)
        ending = start > limit ? .cut : size.map { $0 > there ? .cut : .stated } ?? .open
    }

    /// The sound that is `chunk`'s content from `start` on.
    ///
    /// A size that stands for none, or is 0 with bytes behind it, means to the end of the file, unless what follows
    /// shows that it is meant: a recorder that was cut off wrote no chunks behind its sound.
    ///
    /// - Parameter placeholder: the least size that may stand for none.
    init(
        _ chunk: Chunk, from start: Int, placeholder: Int = placeholder, _ reader: ChunkReader,
        in window: inout ByteWindow
    ) throws(AudioError) {
        let size = max(chunk.size - (start - chunk.body), 0)
        var isMeant = true
        if size == 0, chunk.end < window.count {
            isMeant = try reader.isChain(from: chunk.end, in: &window)
        } else if chunk.size >= placeholder {
            isMeant = chunk.isWhole
            if isMeant { isMeant = try reader.isChunkOrEnd(at: chunk.end + chunk.size % 2, in: &window) }
        }
        self.init(start: start, size: isMeant ? size : nil, limit: window.count)
    }
}

extension Recording {
    /// Says so if the header states no size.
    mutating func warnIfOpen(_ sound: SoundExtent) {
        if sound.ending == .open {
            warn(
                .placeholderSize, offset: sound.start,
                "the header states no size; the sound goes on to the end of the file")
        }
    }

    /// Says so if behind the sound there is something, from `offset` on, that is no chunk. A lone zero is only padding.
    mutating func warn(ofTrailing offset: Int?, in window: inout ByteWindow) throws(AudioError) {
        guard let offset else { return }
        let last = try window.uint8(at: window.count - 1)
        if offset == window.count - 1, last == 0 { return }
        warn(.trailingBytes, offset: offset, "\(window.count - offset) bytes follow the sound, and are no part of it")
    }
}
