// `unsafe`: openat, on names of bytes.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The file of a ledger: there, readable by its owner alone, and a file that may be written to, before SQLite opens it.
final class LedgerFile: Sendable {
    /// For messages.
    let displayPath: String
    /// What SQLite, which takes text, is to open.
    let sqlitePath: String
    /// Held open where the path leads through it; -1 otherwise.
    private let directoryDescriptor: CInt

    /// - Parameters:
    ///   - path: bytes that need not be UTF-8.
    ///   - followsLinks: whether the file, or the directory that it is in, may be a symbolic link, and the file have
    ///     further names.
    ///   - permissions: those of a file that does not exist yet.
    init(path: [UInt8], followsLinks: Bool, permissions: UInt16) throws(LedgerError) {
        displayPath = String(decoding: path, as: UTF8.self)
        let slash = path.lastIndex(of: UInt8(ascii: "/"))
        let parent = slash.map { Array($0 == 0 ? path[...0] : path[..<$0]) } ?? Array(".".utf8)
        let fileName = slash.map { Array(path[($0 + 1)...]) } ?? path
        let linkFlag = followsLinks ? 0 : O_NOFOLLOW
        let directory = Self.openFile(name: parent, flags: O_RDONLY | O_DIRECTORY | linkFlag, directory: AT_FDCWD)
        guard directory >= 0 else { throw Self.systemCallError(path: displayPath) }
        do throws(LedgerError) {
            // Closed before SQLite opens it: to close any descriptor of a file gives up all of the process's locks on
            // it.
            let file = Self.openFile(
                name: fileName, flags: O_RDWR | O_CREAT | O_NONBLOCK | linkFlag, directory: directory,
                permissions: mode_t(permissions))
            guard file >= 0 else { throw Self.systemCallError(path: displayPath) }
            defer { close(file) }
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
            // SQLite takes some names for more than that: `:memory:`, `file:...`.
            sqlitePath = path.first == UInt8(ascii: "/") ? displayPath : "./" + displayPath
            self.directoryDescriptor = -1
            close(directory)
        } else {
            // A path that is not text: by the number of its directory, which Linux has as a name.
            self.directoryDescriptor = directory
            sqlitePath = "/proc/self/fd/\(directory)/\(String(decoding: fileName, as: UTF8.self))"
        }
    }

    deinit { if directoryDescriptor >= 0 { close(directoryDescriptor) } }

    /// Says why the last system call failed.
    static func systemCallError(path: String) -> LedgerError {
        if [ELOOP, EMLINK].contains(errno) {
            return LedgerFileValidator.notALedgerError(path: path, message: "it is a symbolic link")
        }
        if errno == ENOTDIR {
            return LedgerFileValidator.notALedgerError(
                path: path, message: "the directory that it is in is a symbolic link, or no directory")
        }
        let code: LedgerError.Code = [ENOSPC, EDQUOT].contains(errno) ? .diskFull : .unusable
        return LedgerError(
            code: code, path: path, message: "it can't be opened: \(unsafe String(cString: strerror(errno)))")
    }

    // MARK: System calls

    static func openFile(name: [UInt8], flags: CInt, directory: CInt, permissions: mode_t = 0) -> CInt {
        unsafe nullTerminated(name).withUnsafeBufferPointer {
            unsafe $0.baseAddress.map { unsafe openat(directory, $0, flags | O_CLOEXEC, permissions) } ?? -1
        }
    }

    static func nullTerminated(_ name: [UInt8]) -> [CChar] { name.map { CChar(bitPattern: $0) } + [0] }
}
