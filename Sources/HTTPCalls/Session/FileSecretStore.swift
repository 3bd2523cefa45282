// `unsafe`: calls of the system with C strings, and a read into and a write from an array's memory.

internal import SystemSupport

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Keeps a secret in a file that only its owner can read and write (mode 0600).
///
/// The file is replaced atomically. A file that others can read, that belongs to another user, or that is a symbolic
/// link is not read.
public struct FileSecretStore: SecretStore {
    /// The path of the file. Its directory must exist.
    public var path: String

    /// More than any tokens: a JSON Web Token has a few thousand bytes.
    private static let maxSecretLength = 64 << 10

    /// Creates a store.
    ///
    /// - Parameter path: The path of the file. Its directory must exist.
    public init(path: String) { self.path = path }

    /// Returns the content of the file, or `nil` if it does not exist.
    ///
    /// - Throws: ``SecretStoreError`` if the file cannot be read, or is not the user's alone.
    public func readSecret() throws -> [UInt8]? {
        let descriptor = unsafe withNullTerminatedPath(Array(path.utf8)) {
            // Without O_NONBLOCK, opening a named pipe would block.
            unsafe open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        }
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("can't be read")
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure("can't be read") }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw SecretStoreError(
                message: "\(path) is not a file of this user alone: sign in again, or make it so with chmod 600")
        }
        var bytes = [UInt8](repeating: 0, count: Self.maxSecretLength + 1)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        guard count >= 0 else { throw failure("can't be read") }
        guard count <= Self.maxSecretLength else { throw SecretStoreError(message: "\(path) is too large") }
        return Array(bytes.prefix(count))
    }

    /// Replaces the file.
    ///
    /// - Parameter secret: The new content, at most 64 KiB.
    /// - Throws: ``SecretStoreError`` if the file cannot be replaced. The earlier one is then kept.
    public func writeSecret(_ secret: [UInt8]) throws {
        guard secret.count <= Self.maxSecretLength else { throw SecretStoreError(message: "the secret is too large") }
        let temporaryPath = "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        let descriptor = unsafe withNullTerminatedPath(Array(temporaryPath.utf8)) {
            unsafe open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600 as mode_t)
        }
        guard descriptor >= 0 else { throw failure("can't be written") }
        // The mode of `open` is reduced by the umask, which could take the owner's bits.
        var isWritten = fchmod(descriptor, 0o600) == 0
        var rest = secret[...]
        while isWritten, !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            isWritten = count > 0
            rest = rest.dropFirst(max(count, 0))
        }
        isWritten = isWritten && fsync(descriptor) == 0
        let error = errno
        isWritten = close(descriptor) == 0 && isWritten
        guard isWritten, unsafe rename(temporaryPath, path) == 0 else {
            let failure = failure("can't be written", errnoCode: isWritten ? errno : error)
            _ = unsafe unlink(temporaryPath)
            throw failure
        }
    }

    /// Removes the file, if it exists.
    ///
    /// - Throws: ``SecretStoreError`` if the file cannot be removed.
    public func removeSecret() throws {
        let result = unsafe withNullTerminatedPath(Array(path.utf8)) { unsafe unlink($0) }
        guard result == 0 || errno == ENOENT else { throw failure("can't be removed") }
    }

    private func failure(_ predicate: String, errnoCode: CInt = errno) -> SecretStoreError {
        SecretStoreError(message: "\(path) \(predicate): \(SystemCallError(errnoCode: errnoCode).message)")
    }
}
