// `unsafe`: open, fstat and pread, which take a path as a C string and write to buffers of known size.

internal import SystemSupport

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A regular file that is open for reading. Its owner closes it.
struct OpenFile {
    /// The size in bytes of the largest file that is opened.
    ///
    /// No current file system stores as much data, but a sparse file may claim 2^63 bytes. Below this size, sums of
    /// several offsets and sizes fit into an `Int`.
    private static let maxFileSize = 1 << 56

    /// The identity and state of the file when it was opened.
    let status: FileStatus
    private let descriptor: CInt

    /// The size of the file when it was opened.
    var byteCount: Int { Int(status.version.size) }

    /// Opens the file at `path`.
    ///
    /// - Parameter path: The bytes of the path, which need not be UTF-8, without a terminating zero.
    /// - Throws: ``AudioError/Code/unreadable``, ``AudioError/Code/notARegularFile``,
    ///   ``AudioError/Code/inputTooLarge``.
    init(path: [UInt8]) throws(AudioError) {
        let opened = unsafe withNullTerminatedPath(path) {
            // O_NONBLOCK: opening a pipe without a writer must not block. It has no effect on a regular file. O_NOCTTY:
            // a terminal must not become the controlling terminal of this process.
            unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        }
        guard opened >= 0 else {
            let error = SystemCallError(errnoCode: errno)
            throw error.isNotRegularFile
                ? Self.notRegularFileError : Self.unreadableError(operation: "opened", cause: error)
        }
        descriptor = opened
        do throws(AudioError) {
            status = try Self.regularFileStatus(descriptor: opened)
        } catch {
            close(opened)
            throw error
        }
    }

    private static func regularFileStatus(descriptor: CInt) throws(AudioError) -> FileStatus {
        let status = try currentStatus(descriptor: descriptor)
        guard status.isRegularFile else { throw notRegularFileError }
        guard status.version.size <= maxFileSize else {
            throw AudioError(
                .inputTooLarge, stage: .read,
                message: "the file is too large: \(status.version.size) bytes (at most \(maxFileSize))")
        }
        return status
    }

    private static func currentStatus(descriptor: CInt) throws(AudioError) -> FileStatus {
        do throws(SystemCallError) {
            return try FileStatus(descriptor: descriptor)
        } catch {
            throw unreadableError(operation: "examined", cause: error)
        }
    }

    /// Closes the file. It must not be used afterwards.
    func closeDescriptor() { close(descriptor) }

    /// Checks that the file was not modified since it was opened.
    ///
    /// - Throws: ``AudioError/Code/changedWhileRead`` if it was modified; ``AudioError/Code/unreadable``.
    func checkUnchanged() throws(AudioError) {
        guard try Self.currentStatus(descriptor: descriptor) == status else {
            throw AudioError(.changedWhileRead, stage: .read, message: "the file was modified while it was read")
        }
    }

    /// Returns `count` bytes, in memory that is not initialized first. The first of them may be known.
    func readBytes(
        at offset: Int, count: Int, continuing known: ArraySlice<UInt8> = []
    ) throws(AudioError) -> [UInt8] {
        var failed: AudioError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { target, done in
            done = unsafe target.initialize(fromContentsOf: known.prefix(count))
            failed = unsafe readFully(byteCount: count, at: offset, into: target, bytesRead: &done)
        }
        if let failed { throw failed }
        return bytes
    }

    /// Reads until `bytesRead` equals `byteCount`. `target` has room for that many bytes.
    ///
    /// - Returns: The error that ended the read, or `nil`.
    func readFully(
        byteCount: Int, at offset: Int, into target: UnsafeMutableBufferPointer<UInt8>, bytesRead: inout Int
    ) -> AudioError? {
        while bytesRead < byteCount, let base = target.baseAddress {
            let readCount = unsafe pread(descriptor, base + bytesRead, byteCount - bytesRead, off_t(offset + bytesRead))
            if readCount < 0, errno == EINTR { continue }
            if readCount < 0 {
                return Self.unreadableError(operation: "read", cause: SystemCallError(errnoCode: errno))
            }
            if readCount == 0 { return Self.fileShortenedError(at: offset + bytesRead) }
            bytesRead += readCount
        }
        return nil
    }

    private static var notRegularFileError: AudioError {
        AudioError(.notARegularFile, stage: .read, message: "the input is not a regular file")
    }

    private static func fileShortenedError(at offset: Int) -> AudioError {
        AudioError(
            .changedWhileRead, stage: .read, offset: offset, message: "the file became shorter while it was read")
    }

    private static func unreadableError(operation: String, cause: SystemCallError) -> AudioError {
        AudioError(.unreadable, stage: .read, message: "the file cannot be \(operation): \(cause.message)")
    }
}
