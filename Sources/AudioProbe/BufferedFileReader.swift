// `unsafe`: open, fstat and pread, into the window's own memory, and a literal's own bytes.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A file, or bytes in memory, of which any part can be read and only a window is held.
///
/// The window is 4 KiB at first, doubles up to 256 KiB while reading goes on where it ended, and is small again after a
/// leap: a table of contents at the far end costs one short read, and a scan few long ones. Its memory is the same for
/// a file of any size. A file of up to 32 KiB is read at once: to copy it costs less than to ask three times.
///
/// Reading beyond the end gives nil, never an error; only a file that can't be read, or that became shorter since it
/// was opened, throws.
public struct BufferedFileReader: ~Copyable {
    /// Bytes of the file.
    public let byteCount: Int
    /// Which file it was when it was opened; nil for bytes in memory.
    package let fileVersion: FileVersion?

    /// Negative for bytes in memory.
    private let fileDescriptor: CInt
    private var buffer: [UInt8]
    /// Where in the file the buffer's first byte lies, and how many of the buffer's bytes are the file's.
    private var bufferFileOffset = 0
    private var bufferedByteCount: Int
    /// How much the next read asks for.
    private var nextReadSize = minReadSize
    /// Bytes of the file that a probe may still read, below 0 once it wanted more; nil outside of probes.
    private var readBudget: Int?
    /// Bytes that it may read after that: headers, and tags at the end.
    private var reservedReadBudget = 0

    private static let minReadSize = 4 << 10
    /// A file of no more bytes is read at once.
    private static let smallFileSize = 32 << 10
    /// Beyond this no read is faster: it is half of a second-level cache.
    package static let maxBufferSize = 256 << 10
    /// Bytes of the longest file that is opened. No file system of today holds as much data, but a sparse file may
    /// claim 2^63 bytes; below this, sums of several offsets and sizes fit into an `Int`.
    private static let maxFileSize = 1 << 56
    private static let maxReservedReadBudget = 64 << 20

    /// Bytes in memory.
    public init(bytes: [UInt8]) {
        fileDescriptor = -1
        fileVersion = nil
        buffer = bytes
        byteCount = bytes.count
        bufferedByteCount = bytes.count
    }

    /// The file at `path`.
    ///
    /// - Throws: `unreadable`, `not-a-regular-file`, `input-too-large`.
    public init(path: String) throws(AudioError) {
        try self.init(fileDescriptor: unsafe path.withCString { unsafe Self.openFile(atPath: $0) })
    }

    /// The file at a path of bytes, which need not be UTF-8, without a final zero.
    ///
    /// - Throws: `unreadable`, `not-a-regular-file`, `input-too-large`.
    public init(path: [UInt8]) throws(AudioError) {
        let path = path.map { CChar(bitPattern: $0) } + [0]
        try self.init(
            fileDescriptor: unsafe path.withUnsafeBufferPointer {
                unsafe $0.baseAddress.map { unsafe Self.openFile(atPath: $0) } ?? -1
            })
    }

    private static func openFile(atPath path: UnsafePointer<CChar>) -> CInt {
        // Not blocking, so that a pipe without a writer can't hold us up; on a regular file it has no effect. A
        // terminal does not become this process's own.
        unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    }

    /// - Parameter opened: what `open` said, or -1.
    private init(fileDescriptor opened: CInt) throws(AudioError) {
        // What Linux and Darwin say of a socket.
        if opened < 0, [ENXIO, EOPNOTSUPP].contains(errno) { throw Self.notRegularFileError }
        guard opened >= 0 else { throw Self.unreadableError(operation: "opened") }
        var status = stat()
        guard unsafe fstat(opened, &status) == 0 else {
            let error = Self.unreadableError(operation: "examined")
            close(opened)
            throw error
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            throw Self.notRegularFileError
        }
        guard status.st_size <= Self.maxFileSize else {
            close(opened)
            throw AudioError(
                .inputTooLarge, stage: .read,
                message: "the file is too large: \(status.st_size) bytes (at most \(Self.maxFileSize))")
        }
        fileDescriptor = opened
        fileVersion = FileVersion(status: status)
        byteCount = Int(status.st_size)
        buffer = []
        bufferedByteCount = 0
    }

    deinit { if fileDescriptor >= 0 { close(fileDescriptor) } }

    /// Where in the buffer the `length` bytes at `offset` are, after reading them if need be; nil if they aren't all in
    /// the file.
    @inline(__always)
    private mutating func bufferIndex(ofOffset offset: Int, byteCount length: Int) throws(AudioError) -> Int? {
        let index = offset &- bufferFileOffset
        if index >= 0, index <= bufferedByteCount &- length, offset >= 0 { return index }
        return try loadBuffer(at: offset, byteCount: length) ? offset - bufferFileOffset : nil
    }

    /// - Precondition: `length` is not above `maxBufferSize`.
    @inline(never)
    private mutating func loadBuffer(at offset: Int, byteCount length: Int) throws(AudioError) -> Bool {
        precondition((0...Self.maxBufferSize).contains(length), "more than a window holds")
        guard offset >= 0, offset <= byteCount, length <= byteCount - offset, fileDescriptor >= 0 else { return false }
        let isSequential =
            bufferedByteCount > 0 && offset >= bufferFileOffset
            && offset <= bufferFileOffset + bufferedByteCount + nextReadSize
        nextReadSize = isSequential ? min(nextReadSize * 2, Self.maxBufferSize) : Self.minReadSize
        let size = byteCount <= Self.smallFileSize ? byteCount : max(nextReadSize, length)
        // The last bytes are read with those before them, for tags are looked for from the end backwards.
        bufferFileOffset = isSequential ? offset : min(offset, max(0, byteCount - size))
        let readSize = min(size, byteCount - bufferFileOffset)
        bufferedByteCount = 0
        if let readBudget { try chargeReadBudget(byteCount: readSize, remaining: readBudget, at: offset) }
        if buffer.count < readSize {
            buffer = try Self.readBytes(from: fileDescriptor, at: bufferFileOffset, count: readSize)
        } else {
            var failed: AudioError?
            unsafe buffer.withUnsafeMutableBufferPointer { [fileDescriptor, bufferFileOffset] target in
                var done = 0
                failed = unsafe Self.readFully(
                    byteCount: readSize, from: fileDescriptor, at: bufferFileOffset, into: target, bytesRead: &done)
            }
            if let failed { throw failed }
        }
        bufferedByteCount = readSize
        return true
    }

    /// So many bytes of an open file, in memory that is not initialised first.
    private static func readBytes(from descriptor: CInt, at offset: Int, count: Int) throws(AudioError) -> [UInt8] {
        var failed: AudioError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { target, done in
            failed = unsafe readFully(byteCount: count, from: descriptor, at: offset, into: target, bytesRead: &done)
        }
        if let failed { throw failed }
        return bytes
    }

    /// Reads until `bytesRead` is `byteCount`, which `target` has room for.
    private static func readFully(
        byteCount: Int, from descriptor: CInt, at offset: Int, into target: UnsafeMutableBufferPointer<UInt8>,
        bytesRead: inout Int
    ) -> AudioError? {
        while bytesRead < byteCount, let base = target.baseAddress {
            let readCount = unsafe pread(descriptor, base + bytesRead, byteCount - bytesRead, off_t(offset + bytesRead))
            if readCount < 0, errno == EINTR { continue }
            if readCount < 0 { return unreadableError(operation: "read") }
            if readCount == 0 { return fileShortenedError(at: offset + bytesRead) }
            bytesRead += readCount
        }
        return nil
    }

    /// Copies bytes from `offset` on, at most as many as `target` has room for and the file has.
    ///
    /// - Returns: how many.
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

    /// The first `length` bytes, or all of the file, in memory that is not initialised first.
    package func readContents(upTo length: Int = .max) throws(AudioError) -> [UInt8] {
        let wanted = min(length, byteCount)
        if fileDescriptor < 0 { return wanted == byteCount ? buffer : Array(buffer[..<wanted]) }
        return try Self.readBytes(from: fileDescriptor, at: 0, count: wanted)
    }

    /// Finds out whether the file is still as it was when it was opened.
    ///
    /// - Throws: `changed-while-read` if it isn't; `unreadable`.
    package func checkFileUnchanged() throws(AudioError) {
        guard fileDescriptor >= 0 else { return }
        var status = stat()
        guard unsafe fstat(fileDescriptor, &status) == 0 else { throw Self.unreadableError(operation: "examined") }
        guard FileVersion(status: status) == fileVersion else {
            throw AudioError(.changedWhileRead, stage: .read, message: "the file was written to while it was read")
        }
    }

    private static var notRegularFileError: AudioError {
        AudioError(.notARegularFile, stage: .read, message: "it is not a regular file")
    }

    private static func fileShortenedError(at offset: Int) -> AudioError {
        AudioError(
            .changedWhileRead, stage: .read, offset: offset, message: "the file became shorter while it was read")
    }

    private static func unreadableError(operation: String) -> AudioError {
        AudioError(
            .unreadable, stage: .read,
            message: "the file can't be \(operation): \(unsafe String(cString: strerror(errno)))")
    }
}

// MARK: - Limits of a probe

extension BufferedFileReader {
    /// Lets `probe` read at most `limit` bytes of the file, and no more once the task is cancelled. Bytes in memory are
    /// not counted.
    ///
    /// - Throws: `cancelled`; `limit-exceeded` for a read beyond the limit that no ``scan(_:)`` encloses; what `probe`
    ///   throws.
    mutating func withReadLimit<Result>(
        _ limit: Int, perform probe: (inout BufferedFileReader) throws(AudioError) -> Result
    ) throws(AudioError) -> Result {
        readBudget = limit
        reservedReadBudget = min(limit, Self.maxReservedReadBudget)
        defer { readBudget = nil }
        return try probe(&self)
    }

    /// Runs `body` until it ends, or would read beyond the limit. After that, tags and headers can still be read.
    ///
    /// - Returns: whether it ended by itself.
    mutating func runWithinReadLimit(_ body: (inout BufferedFileReader) throws(AudioError) -> Void) throws(AudioError)
        -> Bool
    {
        do throws(AudioError) {
            try body(&self)
            return true
        } catch {
            guard let readBudget, readBudget < 0 else { throw error }
            self.readBudget = reservedReadBudget
            return false
        }
    }

    private mutating func chargeReadBudget(byteCount bytes: Int, remaining budget: Int, at offset: Int)
        throws(AudioError)
    {
        if Task.isCancelled { throw AudioError(.cancelled, stage: .read, message: "the task was cancelled") }
        readBudget = budget - bytes
        if budget < bytes {
            throw AudioError(
                .limitExceeded, offset: offset,
                message: "the frames or tables are too large: a scan reads no more bytes than its limit")
        }
    }
}

// MARK: - What is at an offset

extension BufferedFileReader {
    /// In which order a number's bytes are.
    enum ByteOrder { case bigEndian, littleEndian }

    /// The byte at `offset`.
    @inline(__always)
    mutating func uint8(at offset: Int) throws(AudioError) -> Int? {
        guard let i = try bufferIndex(ofOffset: offset, byteCount: 1) else { return nil }
        return Int(buffer[i])
    }

    /// The two bytes at `offset` as a number.
    @inline(__always)
    mutating func uint16(at offset: Int, byteOrder: ByteOrder = .bigEndian) throws(AudioError) -> Int? {
        guard let i = try bufferIndex(ofOffset: offset, byteCount: 2) else { return nil }
        let value = UInt16(buffer[i]) << 8 | UInt16(buffer[i + 1])
        return Int(byteOrder == .bigEndian ? value : value.byteSwapped)
    }

    /// The four bytes at `offset` as a number.
    @inline(__always)
    mutating func uint32(at offset: Int, byteOrder: ByteOrder = .bigEndian) throws(AudioError) -> Int? {
        guard let i = try bufferIndex(ofOffset: offset, byteCount: 4) else { return nil }
        let value =
            UInt32(buffer[i]) << 24 | UInt32(buffer[i + 1]) << 16 | UInt32(buffer[i + 2]) << 8 | UInt32(buffer[i + 3])
        return Int(byteOrder == .bigEndian ? value : value.byteSwapped)
    }

    /// The eight bytes at `offset` as a number.
    mutating func uint64(at offset: Int, byteOrder: ByteOrder = .bigEndian) throws(AudioError) -> UInt64? {
        guard let i = try bufferIndex(ofOffset: offset, byteCount: 8) else { return nil }
        let value = (0..<8).reduce(0 as UInt64) { $0 << 8 | UInt64(buffer[i + $1]) }
        return byteOrder == .bigEndian ? value : value.byteSwapped
    }

    /// The four characters at `offset`.
    mutating func fourCC(at offset: Int) throws(AudioError) -> FourCC? {
        try uint32(at: offset).map { FourCC(code: UInt32($0)) }
    }

    /// Sees to it that the window holds the `length` bytes at `offset`, or those of them that are in the file: to look
    /// ahead within them and back again then costs no second read.
    @inline(__always)
    mutating func prefetchBytes(count length: Int, at offset: Int) throws(AudioError) {
        _ = try bufferIndex(ofOffset: offset, byteCount: max(0, min(length, byteCount - offset)))
    }

    /// A copy of `length` bytes at `offset`; nil if they aren't all there, or are more than a window holds.
    package mutating func bytes(at offset: Int, count length: Int) throws(AudioError) -> [UInt8]? {
        guard (0...Self.maxBufferSize).contains(length), let i = try bufferIndex(ofOffset: offset, byteCount: length)
        else { return nil }
        return Array(buffer[i..<i + length])
    }

    /// Whether the bytes at `offset` are those of `text`, which is ASCII.
    mutating func hasASCII(_ text: StaticString, at offset: Int) throws(AudioError) -> Bool {
        guard let i = try bufferIndex(ofOffset: offset, byteCount: text.utf8CodeUnitCount) else { return false }
        return text.withUTF8Buffer { unsafe $0.elementsEqual(buffer[i..<i + $0.count]) }
    }
}
