// `unsafe`: pread into the caller's buffer.

internal import SystemSupport

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Reads a part's file from its beginning to its end and verifies that it is the file that was prepared.
struct VerifiedFileReader: ~Copyable, Sendable {
    private let content: FileContent
    private let fileDescriptor: CInt
    private var verifier: (any ContentVerifier)?
    private var fileOffset: Int64 = 0

    /// The maximum number of bytes of one `pread`: Darwin rejects 2 GiB.
    private static let maxReadBytes = 1 << 30

    /// Opens the file.
    ///
    /// - Throws: ``MultipartError/Code/sourceChanged`` if the file is missing or differs from `content.version`;
    ///   ``MultipartError/Code/sourceUnreadable``.
    init(content: FileContent) throws(MultipartError) {
        let descriptor: CInt
        do throws(SystemCallError) {
            // `O_NONBLOCK` keeps the call from waiting for the writer of a FIFO. It has no effect on a regular file.
            descriptor = try openFile(path: content.path, flags: O_RDONLY | O_NONBLOCK)
        } catch {
            if error.isFileMissing { throw Self.sourceChangedError(reason: "there is no such file any more", at: 0) }
            if error.isNotRegularFile {
                throw Self.sourceChangedError(reason: "it is not a regular file any more", at: 0)
            }
            throw error.sourceUnreadableError(failedAction: "opened")
        }
        do {
            try Self.verifyUnchanged(descriptor: descriptor, content: content, at: 0)
        } catch {
            close(descriptor)
            throw error
        }
        self.content = content
        fileDescriptor = descriptor
        verifier = content.makeVerifier?()
    }

    deinit { close(fileDescriptor) }

    /// Appends the next bytes of the file until the buffer is full or the file ends.
    ///
    /// - Returns: Whether the last byte was appended.
    /// - Throws: ``MultipartError/Code/sourceChanged``, ``MultipartError/Code/sourceUnreadable``. The caller must
    ///   discard the bytes that this call appended.
    mutating func read(into buffer: inout OutputRawSpan) throws(MultipartError) -> Bool {
        let start = buffer.byteCount
        let wanted = Int(min(Int64(min(buffer.freeCapacity, Self.maxReadBytes)), content.version.size - fileOffset))
        try fill(&buffer, byteCount: wanted)
        verifier?.update(bytes: buffer.bytes.extracting(start..<start + wanted))
        try Self.verifyUnchanged(descriptor: fileDescriptor, content: content, at: fileOffset)
        if fileOffset == content.version.size { try verifyAtEnd() }
        return fileOffset == content.version.size
    }

    /// Appends exactly `byteCount` bytes, for which the buffer must have room.
    private mutating func fill(_ buffer: inout OutputRawSpan, byteCount: Int) throws(MultipartError) {
        var remaining = byteCount
        while remaining > 0 {
            let readCount = unsafe buffer.withUnsafeMutableBytes { [fileDescriptor, fileOffset] bytes, filled in
                let readCount = unsafe bytes.baseAddress.map {
                    unsafe pread(fileDescriptor, $0 + filled, remaining, off_t(fileOffset))
                }
                filled += max(readCount ?? 0, 0)
                return readCount ?? 0
            }
            if readCount < 0, errno == EINTR { continue }
            if readCount < 0 {
                throw SystemCallError(errnoCode: errno).sourceUnreadableError(failedAction: "read", at: fileOffset)
            }
            if readCount == 0 { throw Self.sourceChangedError(reason: "it became shorter", at: fileOffset) }
            fileOffset += Int64(readCount)
            remaining -= readCount
        }
    }

    /// Throws unless the open file still has the version that was prepared.
    ///
    /// Called after each read although once at the end would suffice: it takes 0.6 µs, and a long upload that cannot
    /// succeed ends early.
    private static func verifyUnchanged(descriptor: CInt, content: FileContent, at offset: Int64) throws(MultipartError)
    {
        let state: FileStatus
        do throws(SystemCallError) {
            state = try FileStatus(descriptor: descriptor)
        } catch {
            throw error.sourceUnreadableError(failedAction: "examined", at: offset)
        }
        guard state.isRegularFile else {
            throw sourceChangedError(reason: "it is not a regular file any more", at: offset)
        }
        guard state.version.inode == content.version.inode else {
            throw sourceChangedError(reason: "it was replaced", at: offset)
        }
        guard state.version.hasSameContent(as: content.version) else {
            throw sourceChangedError(reason: "it was written to", at: offset)
        }
    }

    /// Throws unless the path still leads to the open file and the verifier accepts the bytes that were read.
    private mutating func verifyAtEnd() throws(MultipartError) {
        let open: FileStatus
        let named: FileStatus
        do throws(SystemCallError) {
            open = try FileStatus(descriptor: fileDescriptor)
            named = try FileStatus(path: content.path)
        } catch {
            if error.isFileMissing { throw Self.sourceChangedError(reason: "it was removed", at: fileOffset) }
            throw error.sourceUnreadableError(failedAction: "examined", at: fileOffset)
        }
        guard named.identity.device == open.identity.device, named.version.hasSameContent(as: content.version) else {
            throw Self.sourceChangedError(reason: "it was replaced", at: fileOffset)
        }
        guard verifier?.matchesExpectedContent() != false else {
            throw Self.sourceChangedError(reason: "its content was changed", at: fileOffset)
        }
    }

    private static func sourceChangedError(reason: String, at offset: Int64) -> MultipartError {
        MultipartError(
            code: .sourceChanged, message: "the file is not the one that was prepared: \(reason)", offset: offset)
    }
}
