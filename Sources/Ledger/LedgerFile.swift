// `unsafe`: openat takes a null-terminated name.

internal import SystemSupport

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Creates and validates the file of a ledger before SQLite opens it.
///
/// A new file gets restricted permissions. An existing file must be writable. If links are not followed, it must also
/// pass ``LedgerFileValidator``.
final class LedgerFile: Sendable {
    /// The path for messages. It is lossy if the path is not UTF-8.
    let displayPath: String
    /// The path that SQLite opens. SQLite takes only UTF-8.
    let sqlitePath: String
    /// The open directory if `sqlitePath` leads through its descriptor, otherwise -1.
    private let directoryDescriptor: CInt

    /// Opens the file, or creates it if it does not exist.
    ///
    /// - Parameters:
    ///   - path: The path, as bytes of which only the file name must be UTF-8.
    ///   - followsLinks: Whether the file and the directory that contains it may be symbolic links, and whether the
    ///     file may have other hard links.
    ///   - permissions: The permissions of a new file. If links are not followed, an existing file is restricted to
    ///     them.
    /// - Throws: `LedgerError` if the file cannot be opened, or is not acceptable as a ledger.
    init(path: [UInt8], followsLinks: Bool, permissions: UInt16) throws(LedgerError) {
        displayPath = String(decoding: path, as: UTF8.self)
        let slash = path.lastIndex(of: UInt8(ascii: "/"))
        let parent = slash.map { Array($0 == 0 ? path[...0] : path[..<$0]) } ?? Array(".".utf8)
        let fileName = slash.map { Array(path[($0 + 1)...]) } ?? path
        guard let fileNameText = String(validating: fileName, as: UTF8.self) else {
            throw LedgerError(
                code: .unusable, path: displayPath, message: "its name is not UTF-8, and SQLite opens only such files")
        }
        let linkFlag = followsLinks ? 0 : O_NOFOLLOW
        let directory = Self.openFile(name: parent, flags: O_RDONLY | O_DIRECTORY | linkFlag, directory: AT_FDCWD)
        guard directory >= 0 else { throw Self.systemCallError(path: displayPath) }
        do throws(LedgerError) {
            // The descriptor is closed before SQLite opens the file: closing any descriptor of a file releases all
            // locks that the process has on it.
            let file = Self.openFile(
                name: fileName, flags: O_RDWR | O_CREAT | O_NONBLOCK | linkFlag, directory: directory,
                permissions: mode_t(permissions))
            guard file >= 0 else { throw Self.systemCallError(path: displayPath) }
            defer { close(file) }
            // SQLite would create its journal beside a device.
            _ = try LedgerFileValidator.stateOfRegularFile(descriptor: file, displayPath: displayPath)
            if !followsLinks {
                try LedgerFileValidator(
                    directoryDescriptor: directory, fileName: fileName, displayPath: displayPath,
                    maxPermissions: permissions
                ).validateLedger(descriptor: file)
            }
        } catch {
            close(directory)
            throw error
        }
        if Array(displayPath.utf8) == path {
            // SQLite interprets some names, such as `:memory:` and `file:...`. A prefix makes them plain paths.
            sqlitePath = path.first == UInt8(ascii: "/") ? displayPath : "./" + displayPath
            self.directoryDescriptor = -1
            close(directory)
        } else {
            // The directory is not UTF-8: open the file through its descriptor, which has a path on Linux.
            self.directoryDescriptor = directory
            sqlitePath = "/proc/self/fd/\(directory)/\(fileNameText)"
        }
    }

    deinit { if directoryDescriptor >= 0 { close(directoryDescriptor) } }

    /// Returns the error of the last system call, according to `errno`.
    static func systemCallError(path: String) -> LedgerError {
        if [ELOOP, EMLINK].contains(errno) {
            return LedgerFileValidator.notALedgerError(path: path, message: "it is a symbolic link")
        }
        if errno == ENOTDIR {
            return LedgerFileValidator.notALedgerError(
                path: path, message: "its directory is a symbolic link, or not a directory")
        }
        let code: LedgerError.Code = [ENOSPC, EDQUOT].contains(errno) ? .diskFull : .unusable
        return LedgerError(
            code: code, path: path, message: "it can't be opened: \(SystemCallError(errnoCode: errno).message)")
    }

    // MARK: System calls

    static func openFile(name: [UInt8], flags: CInt, directory: CInt, permissions: mode_t = 0) -> CInt {
        unsafe withNullTerminatedPath(name) { unsafe openat(directory, $0, flags | O_CLOEXEC, permissions) }
    }
}
