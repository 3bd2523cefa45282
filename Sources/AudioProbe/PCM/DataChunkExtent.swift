internal import Diagnostics

/// The extent of the audio data in a file, and the status of the size in its header.
struct DataChunkExtent {
    /// What determines the end of the audio.
    enum SizeStatus {
        /// The size in the header. The file contains all of it.
        case declared
        /// The end of the file, because the header states no size.
        case unknown
        /// The end of the file, which comes before the size in the header is reached.
        case truncated
    }

    /// The offset of the audio.
    let startOffset: Int
    /// The offset at which the existing audio ends.
    let endOffset: Int
    let sizeStatus: SizeStatus

    /// The width of the field that states the size.
    enum SizeField {
        case bits32, bits64

        /// Returns whether a writer that did not know the size writes this value, as into a pipe.
        ///
        /// SoX writes 0x7FFFF000 into WAV files and 0x7F000000 into AIFF files, others 0x7FFFFFFF or 0x80000000, and
        /// FFmpeg all ones. The size may be rounded down to whole blocks, and that of a header added or subtracted.
        func isPlaceholder(_ size: Int) -> Bool {
            switch self {
            case .bits32:
                (0x7FFF_E000...0x8000_1000).contains(size) || (0x7EFF_F000...0x7F00_1000).contains(size)
                    || size >= 0xFFFF_E000
            // All ones, from which the size of a chunk header may have been subtracted.
            case .bits64: size >= Int.max - 24
            }
        }
    }

    /// Bytes of audio that exist.
    var byteCount: Int { endOffset - startOffset }

    /// Creates the extent of `declaredSize` bytes at `startOffset`, or up to the end of the file if the size is `nil`.
    ///
    /// - Parameters:
    ///   - startOffset: The offset of the audio.
    ///   - declaredSize: Bytes of audio that the header states, or `nil`.
    ///   - fileSize: The size of the file in bytes.
    init(startOffset: Int, declaredSize: Int?, fileSize: Int) {
        self.startOffset = min(startOffset, fileSize)
        let availableSize = fileSize - self.startOffset
        endOffset = self.startOffset + min(declaredSize ?? availableSize, availableSize)
        sizeStatus =
            startOffset > fileSize
            ? .truncated : declaredSize.map { $0 > availableSize ? .truncated : .declared } ?? .unknown
    }

    /// Creates the extent of the audio in `chunk` from `start` on.
    ///
    /// A placeholder size, or a size of 0 with bytes after it, means the end of the file, unless valid chunks after the
    /// audio show that the size is right: an interrupted recorder wrote no chunks after the audio.
    ///
    /// - Parameters:
    ///   - chunk: The chunk that contains the audio.
    ///   - start: The offset of the audio.
    ///   - sizeField: The width of the chunk's size field.
    ///   - chunkWalker: The walker that returned `chunk`.
    ///   - reader: The file.
    init(
        chunk: Chunk, from start: Int, sizeField: SizeField, chunkWalker: ChunkWalker,
        in reader: inout BufferedFileReader
    ) throws(AudioError) {
        let size = max(chunk.declaredSize - (start - chunk.contentOffset), 0)
        var isSizeTrusted = true
        if size == 0, chunk.endOffset < reader.byteCount {
            isSizeTrusted = try chunkWalker.hasOnlyCompleteChunks(from: chunk.endOffset, in: &reader)
        } else if sizeField.isPlaceholder(chunk.declaredSize) {
            isSizeTrusted = chunk.isComplete
            if isSizeTrusted {
                isSizeTrusted = try chunkWalker.isChunkOrEnd(at: chunk.endOffset + chunk.declaredSize % 2, in: &reader)
            }
        }
        self.init(startOffset: start, declaredSize: isSizeTrusted ? size : nil, fileSize: reader.byteCount)
    }
}

extension Recording {
    /// Adds a warning if the header states no size.
    mutating func addWarningIfSizeUnknown(of dataExtent: DataChunkExtent) {
        if dataExtent.sizeStatus == .unknown {
            addWarning(
                .placeholderSize, offset: dataExtent.startOffset,
                message: "the header states no size; the audio was assumed to extend to the end of the file")
        }
    }

    /// Adds a warning if bytes from `offset` on, after the audio, are not a chunk. A single zero byte is only padding.
    mutating func addTrailingBytesWarning(offset: Int?, in reader: inout BufferedFileReader) throws(AudioError) {
        guard let offset else { return }
        let last = try reader.uint8(at: reader.byteCount - 1)
        if offset == reader.byteCount - 1, last == 0 { return }
        addWarning(
            .trailingBytes, offset: offset,
            message: "\(reader.byteCount - offset) bytes after the audio are not part of it")
    }
}
