// `unsafe`: calls of the system with C strings, and a read into and a write from an array's memory.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A small file that only its owner can read and write (mode 0600). It is replaced atomically.
package struct PrivateFile: Sendable {
    /// The reason why a file was not read, written or removed.
    package enum Failure: Error {
        case system(SystemCallError)
        /// The file is not a regular one of this user alone.
        case notPrivate
        case tooLarge
    }

    private let path: [UInt8]
    private let maxLength: Int

    /// Names a file.
    ///
    /// - Parameters:
    ///   - path: The path as bytes, without a terminating zero. The directory must exist.
    ///   - maxLength: The maximum size in bytes.
    package init(path: [UInt8], maxLength: Int) {
        self.path = path
        self.maxLength = maxLength
    }

    /// Returns the content, or `nil` if the file does not exist. A file that others can read, that belongs to another
    /// user, or that is a symbolic link is not read.
    package func contents() throws(Failure) -> [UInt8]? {
        let descriptor = unsafe withNullTerminatedPath(path) {
            // Without O_NONBLOCK, opening a named pipe would block.
            unsafe open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        }
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Self.systemFailure()
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw Self.systemFailure() }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw .notPrivate
        }
        var bytes = [UInt8](repeating: 0, count: maxLength + 1)
        var count = 0
        while count < bytes.count {
            let length = bytes.count - count
            let readCount = unsafe bytes.withUnsafeMutableBytes {
                unsafe read(descriptor, $0.baseAddress.map { unsafe $0 + count }, length)
            }
            if readCount < 0 && errno == EINTR { continue }
            guard readCount >= 0 else { throw Self.systemFailure() }
            if readCount == 0 { break }
            count += readCount
        }
        guard count <= maxLength else { throw .tooLarge }
        return Array(bytes.prefix(count))
    }

    /// Replaces the file. If this fails, the earlier content is kept.
    package func replace(with content: [UInt8]) throws(Failure) {
        guard content.count <= maxLength else { throw .tooLarge }
        let draft = path + Array(".\(String(UInt64.random(in: 0 ... .max), radix: 36))".utf8)
        let descriptor = unsafe withNullTerminatedPath(draft) {
            unsafe open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600 as mode_t)
        }
        guard descriptor >= 0 else { throw Self.systemFailure() }
        do throws(Failure) {
            defer { close(descriptor) }
            try Self.writeAll(content, to: descriptor)
        } catch {
            _ = unsafe withNullTerminatedPath(draft) { unsafe unlink($0) }
            throw error
        }
        let isRenamed = unsafe withNullTerminatedPath(draft) { draft in
            unsafe withNullTerminatedPath(path) { unsafe rename(draft, $0) } == 0
        }
        guard isRenamed else {
            let failure = Self.systemFailure()
            _ = unsafe withNullTerminatedPath(draft) { unsafe unlink($0) }
            throw failure
        }
    }

    /// Removes the file, if it exists.
    package func remove() throws(Failure) {
        let result = unsafe withNullTerminatedPath(path) { unsafe unlink($0) }
        guard result == 0 || errno == ENOENT else { throw Self.systemFailure() }
    }

    /// Writes all bytes durably.
    private static func writeAll(_ content: [UInt8], to descriptor: CInt) throws(Failure) {
        // The mode of `open` is reduced by the umask, which could take the owner's bits.
        guard fchmod(descriptor, 0o600) == 0 else { throw systemFailure() }
        var rest = content[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw systemFailure() }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0 else { throw systemFailure() }
    }

    private static func systemFailure() -> Failure { .system(SystemCallError(errnoCode: errno)) }
}
