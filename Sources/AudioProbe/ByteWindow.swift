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
/// The window is 4 KiB at first, doubles up to 256 KiB while reading goes on where it ended, and is small again after a leap:
/// a table of contents at the far end costs one short read, and a scan few long ones. Its memory is the same for a file of
/// any size. A file of up to 32 KiB is read at once: to copy it costs less than to ask three times.
///
/// Reading beyond the end gives nil, never an error; only a file that can't be read, or that became shorter since it was
/// opened, throws.
public struct ByteWindow: ~Copyable {
    /// Bytes of the file.
    public let count: Int
    /// Which file it was when it was opened; nil for bytes in memory.
    package let version: FileVersion?

    /// Negative for bytes in memory.
    private let descriptor: CInt
    private var buffer: [UInt8]
    /// Where in the file the buffer's first byte lies, and how many of the buffer's bytes are the file's.
    private var start = 0
    private var filled: Int
    /// How much the next read asks for.
    private var stride = smallest
    /// Bytes of the file that a probe may still read, below 0 once it wanted more; nil outside of probes.
    private var readBudget: Int?
    /// Bytes that it may read after that: headers, and tags at the end.
    private var reserve = 0

    private static let smallest = 4 << 10
    /// A file of no more bytes is read at once.
    private static let smallFile = 32 << 10
    /// Beyond this no read is faster: it is half of a second-level cache.
    package static let largest = 256 << 10
    /// Bytes of the longest file that is opened. No file system of today holds as much data, but a sparse file may
    /// claim 2^63 bytes; below this, sums of several offsets and sizes fit into an `Int`.
    private static let longestFile = 1 << 56
    private static let largestReserve = 64 << 20

    /// Bytes in memory.
    public init(_ bytes: [UInt8]) {
        descriptor = -1
        version = nil
        buffer = bytes
        count = bytes.count
        filled = bytes.count
    }

    /// The file at `path`.
    ///
    /// - Throws: `unreadable`, `not-a-regular-file`, `input-too-large`.
    public init(path: String) throws(AudioError) {
        try self.init(opened: unsafe path.withCString { unsafe Self.opened($0) })
    }

    /// The file at a path of bytes, which need not be UTF-8, without a final zero.
    ///
    /// - Throws: `unreadable`, `not-a-regular-file`, `input-too-large`.
    public init(path: [UInt8]) throws(AudioError) {
        let path = path.map { CChar(bitPattern: $0) } + [0]
        try self.init(
            opened: unsafe path.withUnsafeBufferPointer { unsafe $0.baseAddress.map { unsafe Self.opened($0) } ?? -1 })
    }

    private static func opened(_ path: UnsafePointer<CChar>) -> CInt {
        // Not blocking, so that a pipe without a writer can't hold us up; on a regular file it has no effect. A
        // terminal does not become this process's own.
        unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    }

    /// - Parameter opened: what `open` said, or -1.
    private init(opened: CInt) throws(AudioError) {
        // What Linux and Darwin say of a socket.
        if opened < 0, [ENXIO, EOPNOTSUPP].contains(errno) { throw Self.notRegular }
        guard opened >= 0 else { throw Self.failure("opened") }
        var status = stat()
        guard unsafe fstat(opened, &status) == 0 else {
            let error = Self.failure("examined")
            close(opened)
            throw error
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            throw Self.notRegular
        }
        guard status.st_size <= Self.longestFile else {
            close(opened)
            throw AudioError(
                .inputTooLarge, in: .read,
                "the file is too large: \(status.st_size) bytes (at most \(Self.longestFile))")
        }
        descriptor = opened
        version = FileVersion(status)
        count = Int(status.st_size)
        buffer = []
        filled = 0
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Where in the buffer the `length` bytes at `offset` are, after reading them if need be; nil if they aren't all in
    /// the file.
    @inline(__always)
    private mutating func index(of offset: Int, _ length: Int) throws(AudioError) -> Int? {
        let index = offset &- start
        if index >= 0, index <= filled &- length, offset >= 0 { return index }
        return try load(offset, length) ? offset - start : nil
    }

    /// - Precondition: `length` is not above `largest`.
    @inline(never)
    private mutating func load(_ offset: Int, _ length: Int) throws(AudioError) -> Bool {
        precondition((0...Self.largest).contains(length), "more than a window holds")
        guard offset >= 0, offset <= count, length <= count - offset, descriptor >= 0 else { return false }
        let continues = filled > 0 && offset >= start && offset <= start + filled + stride
        stride = continues ? min(stride * 2, Self.largest) : Self.smallest
        let size = count <= Self.smallFile ? count : max(stride, length)
        // The last bytes are read with those before them, for tags are looked for from the end backwards.
        start = continues ? offset : min(offset, max(0, count - size))
        let wanted = min(size, count - start)
        filled = 0
        if let readBudget { try charge(wanted, to: readBudget, at: offset) }
        if buffer.count < wanted {
            buffer = try Self.bytes(of: descriptor, at: start, count: wanted)
        } else {
            var failed: AudioError?
            unsafe buffer.withUnsafeMutableBufferPointer { [descriptor, start] target in
                var done = 0
                failed = unsafe Self.fill(wanted, of: descriptor, at: start, into: target, &done)
            }
            if let failed { throw failed }
        }
        filled = wanted
        return true
    }

    /// So many bytes of an open file, in memory that is not initialised first.
    private static func bytes(of descriptor: CInt, at offset: Int, count: Int) throws(AudioError) -> [UInt8] {
        var failed: AudioError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { target, done in
            failed = unsafe fill(count, of: descriptor, at: offset, into: target, &done)
        }
        if let failed { throw failed }
        return bytes
    }

    /// Reads until `done` is `wanted`, which `target` has room for.
    private static func fill(
        _ wanted: Int, of descriptor: CInt, at offset: Int, into target: UnsafeMutableBufferPointer<UInt8>,
        _ done: inout Int
    ) -> AudioError? {
        while done < wanted, let base = target.baseAddress {
            let got = unsafe pread(descriptor, base + done, wanted - done, off_t(offset + done))
            if got < 0, errno == EINTR { continue }
            if got < 0 { return failure("read") }
            if got == 0 { return shortened(at: offset + done) }
            done += got
        }
        return nil
    }

    /// Copies bytes from `offset` on, at most as many as `target` has room for and the file has.
    ///
    /// - Returns: how many.
    mutating func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int {
        var done = 0
        while done < target.count, offset + done < count {
            let length = min(target.count - done, Self.largest, count - offset - done)
            guard let i = try index(of: offset + done, length) else { break }
            unsafe buffer.withUnsafeBytes {
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[done...]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: $0[i..<i + length]))
            }
            done += length
        }
        return done
    }

    /// The first `length` bytes, or all of the file, in memory that is not initialised first.
    package func contents(first length: Int = .max) throws(AudioError) -> [UInt8] {
        let wanted = min(length, count)
        if descriptor < 0 { return wanted == count ? buffer : Array(buffer[..<wanted]) }
        return try Self.bytes(of: descriptor, at: 0, count: wanted)
    }

    /// Finds out whether the file is still as it was when it was opened.
    ///
    /// - Throws: `changed-while-read` if it isn't; `unreadable`.
    package func checkUnchanged() throws(AudioError) {
        guard descriptor >= 0 else { return }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw Self.failure("examined") }
        guard FileVersion(status) == version else {
            throw AudioError(.changedWhileRead, in: .read, "the file was written to while it was read")
        }
    }

    private static var notRegular: AudioError { AudioError(.notARegularFile, in: .read, "it is not a regular file") }

    private static func shortened(at offset: Int) -> AudioError {
        AudioError(.changedWhileRead, in: .read, offset: offset, "the file became shorter while it was read")
    }

    private static func failure(_ what: String) -> AudioError {
        AudioError(.unreadable, in: .read, "the file can't be \(what): \(unsafe String(cString: strerror(errno)))")
    }
}

// MARK: - Limits of a probe

extension ByteWindow {
    /// Lets `probe` read at most `limit` bytes of the file, and no more once the task is cancelled. Bytes in memory are
    /// not counted.
    ///
    /// - Throws: `cancelled`; `limit-exceeded` for a read beyond the limit that no ``scan(_:)`` encloses; what `probe`
    ///   throws.
    mutating func limitingReads<Result>(
        to limit: Int, _ probe: (inout ByteWindow) throws(AudioError) -> Result
    ) throws(AudioError) -> Result {
        readBudget = limit
        reserve = min(limit, Self.largestReserve)
        defer { readBudget = nil }
        return try probe(&self)
    }

    /// Runs `body` until it ends, or would read beyond the limit. After that, tags and headers can still be read.
    ///
    /// - Returns: whether it ended by itself.
    mutating func scan(_ body: (inout ByteWindow) throws(AudioError) -> Void) throws(AudioError) -> Bool {
        do throws(AudioError) {
            try body(&self)
            return true
        } catch {
            guard let readBudget, readBudget < 0 else { throw error }
            self.readBudget = reserve
            return false
        }
    }

    private mutating func charge(_ bytes: Int, to budget: Int, at offset: Int) throws(AudioError) {
        if Task.isCancelled { throw AudioError(.cancelled, in: .read, "the task was cancelled") }
        readBudget = budget - bytes
        if budget < bytes {
            throw AudioError(
                .limit, offset: offset, "the frames or tables are too large: a scan reads no more bytes than its limit")
        }
    }
}

// MARK: - What is at an offset

extension ByteWindow {
    /// In which order a number's bytes are.
    enum ByteOrder { case big, little }

    /// The byte at `offset`.
    @inline(__always)
    mutating func uint8(at offset: Int) throws(AudioError) -> Int? {
        guard let i = try index(of: offset, 1) else { return nil }
        return Int(buffer[i])
    }

    /// The two bytes at `offset` as a number.
    @inline(__always)
    mutating func uint16(at offset: Int, _ order: ByteOrder = .big) throws(AudioError) -> Int? {
        guard let i = try index(of: offset, 2) else { return nil }
        let value = UInt16(buffer[i]) << 8 | UInt16(buffer[i + 1])
        return Int(order == .big ? value : value.byteSwapped)
    }

    /// The four bytes at `offset` as a number.
    @inline(__always)
    mutating func uint32(at offset: Int, _ order: ByteOrder = .big) throws(AudioError) -> Int? {
        guard let i = try index(of: offset, 4) else { return nil }
        let value =
            UInt32(buffer[i]) << 24 | UInt32(buffer[i + 1]) << 16 | UInt32(buffer[i + 2]) << 8 | UInt32(buffer[i + 3])
        return Int(order == .big ? value : value.byteSwapped)
    }

    /// The eight bytes at `offset` as a number.
    mutating func uint64(at offset: Int, _ order: ByteOrder = .big) throws(AudioError) -> UInt64? {
        guard let i = try index(of: offset, 8) else { return nil }
        let value = (0..<8).reduce(0 as UInt64) { $0 << 8 | UInt64(buffer[i + $1]) }
        return order == .big ? value : value.byteSwapped
    }

    /// The four characters at `offset`.
    mutating func fourCC(at offset: Int) throws(AudioError) -> FourCC? {
        try uint32(at: offset).map { FourCC(UInt32($0)) }
    }

    /// Sees to it that the window holds the `length` bytes at `offset`, or those of them that are in the file: to look ahead
    /// within them and back again then costs no second read.
    @inline(__always)
    mutating func hold(_ length: Int, at offset: Int) throws(AudioError) {
        _ = try index(of: offset, max(0, min(length, count - offset)))
    }

    /// A copy of `length` bytes at `offset`; nil if they aren't all there, or are more than a window holds.
    package mutating func bytes(at offset: Int, count length: Int) throws(AudioError) -> [UInt8]? {
        guard (0...Self.largest).contains(length), let i = try index(of: offset, length) else { return nil }
        return Array(buffer[i..<i + length])
    }

    /// Whether the bytes at `offset` are those of `text`, which is ASCII.
    mutating func has(_ text: StaticString, at offset: Int) throws(AudioError) -> Bool {
        guard let i = try index(of: offset, text.utf8CodeUnitCount) else { return false }
        return text.withUTF8Buffer { unsafe $0.elementsEqual(buffer[i..<i + $0.count]) }
    }
}
