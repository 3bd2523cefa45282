// `unsafe`: pointers to the reader's own buffer, and the bytes of literals.

internal import MediaContainers
package import SystemSupport

/// Reads any part of a file, or of bytes in memory, through a buffer of bounded size.
///
/// The buffer has 4 KiB at first. It doubles up to 256 KiB while reads are sequential, and shrinks to 4 KiB after a
/// jump. An index at the far end of a file therefore costs one short read, and a scan costs few long reads. Memory does
/// not depend on the file's size. A file of up to 32 KiB is read at once, because copying it costs less than three
/// system calls.
///
/// Reading beyond the end returns `nil` and is not an error. Errors are thrown only if the file cannot be read or
/// became shorter since it was opened, and if a probe is cancelled or exceeds its read limit.
package struct BufferedFileReader: ~Copyable {
    /// The number of bytes in the file.
    package let byteCount: Int
    /// The identity and state of the file when it was opened; `nil` for bytes in memory.
    package var fileStatus: FileStatus? { file?.status }

    /// The open file; `nil` for bytes in memory.
    private let file: OpenFile?
    private var buffer: [UInt8]
    /// The offset in the file of the buffer's first byte.
    private var bufferFileOffset = 0
    /// The number of bytes in the buffer that were read from the file.
    private var bufferedByteCount: Int
    /// The size of the next read in bytes.
    private var nextReadSize = minReadSize
    /// The bytes that a probe may still read; `nil` outside a probe.
    private var readBudget: ReadBudget?

    private static let minReadSize = 4 << 10
    /// A file of at most this many bytes is read at once.
    private static let smallFileSize = 32 << 10
    /// The largest buffer in bytes: half of a typical second-level cache. Larger reads are not faster.
    package static let maxBufferSize = 256 << 10

    /// Creates a reader of bytes in memory.
    ///
    /// - Parameter bytes: The content of the file.
    package init(bytes: [UInt8]) {
        file = nil
        buffer = bytes
        byteCount = bytes.count
        bufferedByteCount = bytes.count
    }

    /// Opens the file at a path.
    ///
    /// - Parameter path: The path of a regular file.
    /// - Throws: ``AudioError/Code/unreadable``, ``AudioError/Code/notARegularFile``,
    ///   ``AudioError/Code/inputTooLarge``.
    package init(path: String) throws(AudioError) { try self.init(path: Array(path.utf8)) }

    /// Opens the file at a path of arbitrary bytes.
    ///
    /// - Parameter path: The bytes of the path, which need not be UTF-8, without a terminating zero.
    /// - Throws: ``AudioError/Code/unreadable``, ``AudioError/Code/notARegularFile``,
    ///   ``AudioError/Code/inputTooLarge``.
    package init(path: [UInt8]) throws(AudioError) { try self.init(file: OpenFile(path: path)) }

    private init(file: OpenFile) {
        self.file = file
        byteCount = file.byteCount
        buffer = []
        bufferedByteCount = 0
    }

    deinit { file?.closeDescriptor() }

    /// Returns the index in the buffer of `length` bytes at `offset`, reading them if necessary, or `nil` if they are
    /// not all in the file.
    @inline(__always)
    private mutating func bufferIndex(ofOffset offset: Int, byteCount length: Int) throws(AudioError) -> Int? {
        let index = offset &- bufferFileOffset
        if index >= 0, index <= bufferedByteCount &- length, offset >= 0 { return index }
        return try loadBuffer(at: offset, byteCount: length) ? offset - bufferFileOffset : nil
    }

    /// Reads at least `length` bytes at `offset` into the buffer. Returns `false` if they are not all in the file.
    ///
    /// - Precondition: `length` is at most `maxBufferSize`.
    @inline(never)
    private mutating func loadBuffer(at offset: Int, byteCount length: Int) throws(AudioError) -> Bool {
        precondition((0...Self.maxBufferSize).contains(length), "more than the buffer holds")
        guard offset >= 0, offset <= byteCount, length <= byteCount - offset, let file else { return false }
        let isSequential =
            bufferedByteCount > 0 && offset >= bufferFileOffset
            && offset <= bufferFileOffset + bufferedByteCount + nextReadSize
        nextReadSize = isSequential ? min(nextReadSize * 2, Self.maxBufferSize) : Self.minReadSize
        let size = byteCount <= Self.smallFileSize ? byteCount : max(nextReadSize, length)
        // After a jump to the end, the preceding bytes are read too, because tags are searched from the end backwards.
        bufferFileOffset = isSequential ? offset : min(offset, max(0, byteCount - size))
        let readSize = min(size, byteCount - bufferFileOffset)
        bufferedByteCount = 0
        try readBudget?.charge(byteCount: readSize, at: offset)
        if buffer.count < readSize {
            buffer = try file.readBytes(at: bufferFileOffset, count: readSize)
        } else {
            var failed: AudioError?
            unsafe buffer.withUnsafeMutableBufferPointer { [bufferFileOffset] target in
                var done = 0
                failed = unsafe file.readFully(
                    byteCount: readSize, at: bufferFileOffset, into: target, bytesRead: &done)
            }
            if let failed { throw failed }
        }
        bufferedByteCount = readSize
        return true
    }

    /// Copies bytes from `offset` on, limited by the size of `target` and by the end of the file.
    ///
    /// - Returns: The number of bytes copied.
    mutating func copyBytes(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int {
        var done = 0
        while done < target.count, offset + done < byteCount {
            let length = min(target.count - done, Self.maxBufferSize, byteCount - offset - done)
            guard let i = try bufferIndex(ofOffset: offset + done, byteCount: length) else { break }
            unsafe buffer.withUnsafeBytes {
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[done...]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: $0[i..<i + length]))
            }
            done += length
        }
        return done
    }

    /// Returns the first `length` bytes, or the whole file, in memory that is not initialized first.
    ///
    /// - Parameters:
    ///   - length: The maximum number of bytes.
    ///   - prefix: The first bytes, if they are known. They are copied instead of being read again.
    package func readContents(upTo length: Int = .max, continuing prefix: [UInt8] = []) throws(AudioError) -> [UInt8] {
        let wanted = min(length, byteCount)
        guard let file else { return wanted == byteCount ? buffer : Array(buffer[..<wanted]) }
        if wanted == prefix.count { return prefix }
        let buffered = bufferFileOffset == 0 ? buffer[..<bufferedByteCount] : []
        return try file.readBytes(at: 0, count: wanted, continuing: prefix.isEmpty ? buffered : prefix[...])
    }

    /// Checks that the file was not modified since it was opened.
    ///
    /// - Throws: ``AudioError/Code/changedWhileRead`` if it was modified; ``AudioError/Code/unreadable``.
    package func checkFileUnchanged() throws(AudioError) { try file?.checkUnchanged() }
}

// MARK: - Read limit of a probe

extension BufferedFileReader {
    /// Runs `probe` with a limit on the bytes that it reads from the file. Also stops it when the task is cancelled.
    ///
    /// Bytes in memory are not counted.
    ///
    /// - Parameters:
    ///   - limit: The greatest number of bytes.
    ///   - probe: The operation.
    /// - Throws: ``AudioError/Code/cancelled``; ``AudioError/Code/limitExceeded`` for a read beyond the limit outside
    ///   of `runWithinReadLimit(_:)`; any error that `probe` throws.
    mutating func withReadLimit<Result>(
        _ limit: Int, perform probe: (inout BufferedFileReader) throws(AudioError) -> Result
    ) throws(AudioError) -> Result {
        readBudget = ReadBudget(limit: limit)
        defer { readBudget = nil }
        return try probe(&self)
    }

    /// Runs `body` until it ends or a read would exceed the limit. Afterwards, headers and tags can still be read.
    ///
    /// - Returns: Whether `body` ended before the limit was reached.
    mutating func runWithinReadLimit(_ body: (inout BufferedFileReader) throws(AudioError) -> Void) throws(AudioError)
        -> Bool
    {
        do throws(AudioError) {
            try body(&self)
            return true
        } catch {
            guard let readBudget, readBudget.isExceeded else { throw error }
            self.readBudget?.releaseReserve()
            return false
        }
    }
}

// MARK: - Values at an offset

extension BufferedFileReader {
    /// The order of an integer's bytes.
    enum ByteOrder { case bigEndian, littleEndian }

    /// Returns the byte at `offset`, or `nil` beyond the end.
    @inline(__always)
    mutating func uint8(at offset: Int) throws(AudioError) -> Int? {
        guard let i = try bufferIndex(ofOffset: offset, byteCount: 1) else { return nil }
        return Int(buffer[i])
    }

    /// Returns the 16-bit unsigned integer at `offset`, or `nil` beyond the end.
    @inline(__always)
    mutating func uint16(at offset: Int, byteOrder: ByteOrder = .bigEndian) throws(AudioError) -> Int? {
        guard let i = try bufferIndex(ofOffset: offset, byteCount: 2) else { return nil }
        let value = UInt16(buffer[i]) << 8 | UInt16(buffer[i + 1])
        return Int(byteOrder == .bigEndian ? value : value.byteSwapped)
    }

    /// Returns the 32-bit unsigned integer at `offset`, or `nil` beyond the end.
    @inline(__always)
    mutating func uint32(at offset: Int, byteOrder: ByteOrder = .bigEndian) throws(AudioError) -> Int? {
        guard let i = try bufferIndex(ofOffset: offset, byteCount: 4) else { return nil }
        let value =
            UInt32(buffer[i]) << 24 | UInt32(buffer[i + 1]) << 16 | UInt32(buffer[i + 2]) << 8 | UInt32(buffer[i + 3])
        return Int(byteOrder == .bigEndian ? value : value.byteSwapped)
    }

    /// Returns the 64-bit unsigned integer at `offset`, or `nil` beyond the end.
    mutating func uint64(at offset: Int, byteOrder: ByteOrder = .bigEndian) throws(AudioError) -> UInt64? {
        guard let i = try bufferIndex(ofOffset: offset, byteCount: 8) else { return nil }
        let value = (0..<8).reduce(0 as UInt64) { $0 << 8 | UInt64(buffer[i + $1]) }
        return byteOrder == .bigEndian ? value : value.byteSwapped
    }

    /// Returns the four characters at `offset`, or `nil` beyond the end.
    mutating func fourCC(at offset: Int) throws(AudioError) -> FourCC? {
        try uint32(at: offset).map { FourCC(code: UInt32($0)) }
    }

    /// Loads `length` bytes at `offset`, or those of them that are in the file, into the buffer.
    ///
    /// Looking ahead within these bytes and going back then needs no second read.
    @inline(__always)
    mutating func prefetchBytes(count length: Int, at offset: Int) throws(AudioError) {
        _ = try bufferIndex(ofOffset: offset, byteCount: max(0, min(length, byteCount - offset)))
    }

    /// Returns a copy of `length` bytes at `offset`, or `nil` if they are not all in the file or exceed
    /// `maxBufferSize`.
    package mutating func bytes(at offset: Int, count length: Int) throws(AudioError) -> [UInt8]? {
        guard (0...Self.maxBufferSize).contains(length), let i = try bufferIndex(ofOffset: offset, byteCount: length)
        else { return nil }
        return Array(buffer[i..<i + length])
    }

    /// Returns whether the bytes at `offset` equal `text`, which is ASCII.
    mutating func hasASCII(_ text: StaticString, at offset: Int) throws(AudioError) -> Bool {
        guard let i = try bufferIndex(ofOffset: offset, byteCount: text.utf8CodeUnitCount) else { return false }
        return text.withUTF8Buffer { unsafe $0.elementsEqual(buffer[i..<i + $0.count]) }
    }
}
