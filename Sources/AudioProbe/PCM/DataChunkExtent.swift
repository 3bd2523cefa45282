/// Where a file's sound lies, and what became of the size that its header states.
struct DataChunkExtent {
    /// What marks the end of the sound.
    enum SizeStatus {
        /// The size in the header, all of which is there.
        case declared
        /// The end of the file, since the header states no size.
        case unknown
        /// The end of the file, before the size in the header is reached.
        case truncated
    }

    /// Where it begins.
    let startOffset: Int
    /// Where what is there of it ends.
    let endOffset: Int
    let sizeStatus: SizeStatus

    /// Sizes of 32 bits from here on stand for "not known yet": SoX writes this one into a pipe, others 0x7FFFFFFF,
    /// 0x80000000 and above; ffmpeg writes 0xFFFFFFFF.
    static let placeholderSize = 0x7FFF_F000
    /// The like of it for 64 bits: all ones, from which a chunk's head may have been taken.
    static let placeholderSize64 = Int.max - 24

    /// Bytes that are there.
    var byteCount: Int { endOffset - startOffset }

    /// Sound of `declaredSize` bytes at `startOffset`, or, without a size, to the end of the file.
    ///
    /// - Parameter fileSize: where the file ends.
    init(startOffset: Int, declaredSize: Int?, fileSize: Int) {
        self.startOffset = min(startOffset, fileSize)
        let availableSize = fileSize - self.startOffset
        endOffset = self.startOffset + min(declaredSize ?? availableSize, availableSize)
        sizeStatus =
            startOffset > fileSize
            ? .truncated : declaredSize.map { $0 > availableSize ? .truncated : .declared } ?? .unknown
    }

    /// The sound that is `chunk`'s content from `startOffset` on.
    ///
    /// A size that stands for none, or is 0 with bytes behind it, means to the end of the file, unless what follows
    /// shows that it is meant: a recorder that was cut off wrote no chunks behind its sound.
    ///
    /// - Parameter placeholderSize: the least size that may stand for none.
    init(
        chunk: Chunk, from start: Int, placeholderSize: Int = placeholderSize, chunkWalker: ChunkWalker,
        in reader: inout BufferedFileReader
    ) throws(AudioError) {
        let size = max(chunk.declaredSize - (start - chunk.contentOffset), 0)
        var isSizeTrusted = true
        if size == 0, chunk.endOffset < reader.byteCount {
            isSizeTrusted = try chunkWalker.hasOnlyCompleteChunks(from: chunk.endOffset, in: &reader)
        } else if chunk.declaredSize >= placeholderSize {
            isSizeTrusted = chunk.isComplete
            if isSizeTrusted {
                isSizeTrusted = try chunkWalker.isChunkOrEnd(at: chunk.endOffset + chunk.declaredSize % 2, in: &reader)
            }
        }
        self.init(startOffset: start, declaredSize: isSizeTrusted ? size : nil, fileSize: reader.byteCount)
    }
}

extension Recording {
    /// Says so if the header states no size.
    mutating func addWarningIfSizeUnknown(of dataExtent: DataChunkExtent) {
        if dataExtent.sizeStatus == .unknown {
            addWarning(
                .placeholderSize, offset: dataExtent.startOffset,
                message: "the header states no size; the sound goes on to the end of the file")
        }
    }

    /// Says so if behind the sound there is something, from `offset` on, that is no chunk. A lone zero is only padding.
    mutating func addTrailingBytesWarning(offset: Int?, in reader: inout BufferedFileReader) throws(AudioError) {
        guard let offset else { return }
        let last = try reader.uint8(at: reader.byteCount - 1)
        if offset == reader.byteCount - 1, last == 0 { return }
        addWarning(
            .trailingBytes, offset: offset,
            message: "\(reader.byteCount - offset) bytes follow the sound, and are no part of it")
    }
}
