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
    let name: String
    /// What SQLite, which takes text, is to open.
    let openablePath: String
    /// Held open where the path leads through it; -1 otherwise.
    private let directory: CInt

    /// - Parameters:
    ///   - path: bytes that need not be UTF-8.
    ///   - followsLinks: whether the file, or the directory that it is in, may be a symbolic link, and the file have
    ///     further names.
    ///   - permissions: those of a file that does not exist yet.
    init(_ path: [UInt8], followsLinks: Bool, permissions: UInt16) throws(LedgerError) {
        name = String(decoding: path, as: UTF8.self)
        let slash = path.lastIndex(of: UInt8(ascii: "/"))
        let parent = slash.map { Array($0 == 0 ? path[...0] : path[..<$0]) } ?? Array(".".utf8)
        let last = slash.map { Array(path[($0 + 1)...]) } ?? path
        let linkFlag = followsLinks ? 0 : O_NOFOLLOW
        let directory = Self.open(parent, O_RDONLY | O_DIRECTORY | linkFlag, in: AT_FDCWD)
        guard directory >= 0 else { throw Self.failure(name) }
        do throws(LedgerError) {
            // Closed before SQLite opens it: to close any descriptor of a file gives up all of the process's locks on
            // it.
            let file = Self.open(last, O_RDWR | O_CREAT | O_NONBLOCK | linkFlag, in: directory, mode_t(permissions))
            guard file >= 0 else { throw Self.failure(name) }
            defer { close(file) }
            if !followsLinks { try LedgerCheck(directory, last, name, permissions).run(on: file) }
        } catch {
            close(directory)
            throw error
        }
        if Array(name.utf8) == path {
            // SQLite takes some names for more than that: `:memory:`, `file:...`.
            openablePath = path.first == UInt8(ascii: "/") ? name : "./" + name
            self.directory = -1
            close(directory)
        } else {
            // A path that is not text: by the number of its directory, which Linux has as a name.
            self.directory = directory
            openablePath = "/proc/self/fd/\(directory)/\(String(decoding: last, as: UTF8.self))"
        }
    }

    deinit { if directory >= 0 { close(directory) } }

    /// Says why the last system call failed.
    static func failure(_ name: String) -> LedgerError {
        if [ELOOP, EMLINK].contains(errno) { return LedgerCheck.refusal(name, "it is a symbolic link") }
        if errno == ENOTDIR {
            return LedgerCheck.refusal(name, "the directory that it is in is a symbolic link, or no directory")
        }
        let code: LedgerError.Code = [ENOSPC, EDQUOT].contains(errno) ? .full : .unusable
        return LedgerError(
            code: code, path: name, message: "it can't be opened: \(unsafe String(cString: strerror(errno)))")
    }

    // MARK: System calls

    static func open(_ name: [UInt8], _ flags: CInt, in directory: CInt, _ permissions: mode_t = 0) -> CInt {
        unsafe terminated(name).withUnsafeBufferPointer {
            unsafe $0.baseAddress.map { unsafe openat(directory, $0, flags | O_CLOEXEC, permissions) } ?? -1
        }
    }

    static func terminated(_ name: [UInt8]) -> [CChar] { name.map { CChar(bitPattern: $0) } + [0] }
}
