// `unsafe`: open, on a path of bytes.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The file of a ledger: there, readable by its owner alone, before SQLite opens it.
final class LedgerFile: Sendable {
    /// For messages.
    let name: String
    /// What SQLite, which takes text, is to open.
    let openablePath: String
    /// Held open where the path leads through it; -1 otherwise.
    private let directory: CInt

    /// - Parameter path: bytes that need not be UTF-8.
    init(_ path: [UInt8]) throws(LedgerError) {
        name = String(decoding: path, as: UTF8.self)
        // Closed before SQLite opens it: to close any descriptor of a file gives up all of the process's locks on it.
        let file = Self.open(path, O_RDWR | O_CREAT)
        guard file >= 0 else { throw Self.failure(name) }
        close(file)
        if Array(name.utf8) == path {
            // SQLite takes some names for more than that: `:memory:`, `file:...`.
            openablePath = path.first == UInt8(ascii: "/") ? name : "./" + name
            directory = -1
            return
        }
        // A path that is not text: by the number of its directory, which Linux has as a name.
        let slash = path.lastIndex(of: UInt8(ascii: "/"))
        directory = Self.open(slash.map { Array(path[...$0]) } ?? Array(".".utf8), O_RDONLY | O_DIRECTORY)
        guard directory >= 0 else { throw Self.failure(name) }
        let last = String(decoding: path[(slash.map { $0 + 1 } ?? 0)...], as: UTF8.self)
        openablePath = "/proc/self/fd/\(directory)/\(last)"
    }

    deinit { if directory >= 0 { close(directory) } }

    private static func open(_ path: [UInt8], _ flags: CInt) -> CInt {
        unsafe (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
            #if canImport(Glibc)
                unsafe $0.baseAddress.map { unsafe Glibc.open($0, flags | O_CLOEXEC, 0o600) } ?? -1
            #else
                unsafe $0.baseAddress.map { unsafe Darwin.open($0, flags | O_CLOEXEC, 0o600) } ?? -1
            #endif
        }
    }

    private static func failure(_ name: String) -> LedgerError {
        let code: LedgerError.Code = [ENOSPC, EDQUOT].contains(errno) ? .full : .unusable
        return LedgerError(
            code: code, path: name, message: "it can't be opened: \(unsafe String(cString: strerror(errno)))")
    }
}
