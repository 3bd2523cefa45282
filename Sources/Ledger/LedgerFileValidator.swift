// `unsafe`: fstat, pread and unlinkat.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Refuses files that others may have put in the place of a ledger. SQLite writes to the ledger and to the files beside
/// it in place, and believes what they hold.
struct LedgerFileValidator {
    private let directoryDescriptor: CInt
    private let fileName: [UInt8]
    private let displayPath: String
    private let maxPermissions: mode_t

    /// - Parameters:
    ///   - directoryDescriptor: the open directory that the ledger is in.
    ///   - fileName: its name there.
    ///   - displayPath: its path, for messages.
    ///   - maxPermissions: the most that files which are there may have.
    init(directoryDescriptor: CInt, fileName: [UInt8], displayPath: String, maxPermissions: UInt16) {
        self.directoryDescriptor = directoryDescriptor
        self.fileName = fileName
        self.displayPath = displayPath
        self.maxPermissions = mode_t(maxPermissions)
    }

    /// Checks the ledger, which is open, and the files that SQLite keeps beside it.
    func validateLedger(descriptor: CInt) throws(LedgerError) {
        let owner = try ownerOfNewFile()
        try validateFile(descriptor: descriptor, owner: owner, displayPath: displayPath)
        for suffix in ["-wal", "-journal", "-shm"] {
            let file = LedgerFile.openFile(
                name: fileName + Array(suffix.utf8), flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK,
                directory: directoryDescriptor)
            if file < 0, errno == ENOENT { continue }
            guard file >= 0 else { throw LedgerFile.systemCallError(path: displayPath + suffix) }
            defer { close(file) }
            let size = try validateFile(descriptor: file, owner: owner, displayPath: displayPath + suffix)
            if suffix == "-journal" { try rejectSuperJournal(descriptor: file, size: size) }
        }
    }

    /// - Returns: the size of the file.
    @discardableResult
    private func validateFile(descriptor: CInt, owner: uid_t, displayPath: String) throws(LedgerError) -> Int {
        var state = stat()
        guard unsafe fstat(descriptor, &state) == 0 else { throw LedgerFile.systemCallError(path: displayPath) }
        if state.st_mode & S_IFMT != S_IFREG {
            throw Self.notALedgerError(path: displayPath, message: "it is not a regular file")
        }
        if state.st_nlink > 1 {
            throw Self.notALedgerError(path: displayPath, message: "it is a hard link to a file that has other names")
        }
        if state.st_uid != owner {
            throw Self.notALedgerError(path: displayPath, message: "it belongs to another user")
        }
        // A failure is ignored: some file systems keep no permissions.
        if state.st_mode & 0o777 & ~maxPermissions != 0 { _ = fchmod(descriptor, state.st_mode & maxPermissions) }
        return Int(state.st_size)
    }

    /// Refuses a journal that names a further journal: SQLite deletes the file of that name, wherever it is. It writes
    /// such names for transactions over several databases, which a ledger has none of. The name stands at the end,
    /// before the magic number that journals begin with (<https://www.sqlite.org/fileformat2.html>, section 3; pager.c,
    /// `readSuperJournal`).
    private func rejectSuperJournal(descriptor: CInt, size: Int) throws(LedgerError) {
        guard size >= Self.journalMagic.count else { return }
        var end = [UInt8](repeating: 0, count: Self.journalMagic.count)
        let offset = off_t(size - end.count)
        let count = unsafe end.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, offset) }
        guard count == end.count else { throw LedgerFile.systemCallError(path: displayPath) }
        if end == Self.journalMagic {
            throw Self.notALedgerError(path: displayPath + "-journal", message: "it names a further file")
        }
    }

    private static let journalMagic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

    /// The owner that a file has which is created beside the ledger: on SMB and NFS that need not be this process's.
    private func ownerOfNewFile() throws(LedgerError) -> uid_t {
        let temporaryName = fileName + Array("-\(UInt64.random(in: 0...UInt64.max))".utf8)
        let file = LedgerFile.openFile(
            name: temporaryName, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, directory: directoryDescriptor,
            permissions: 0o600)
        guard file >= 0 else { throw LedgerFile.systemCallError(path: displayPath) }
        defer { close(file) }
        _ = unsafe LedgerFile.nullTerminated(temporaryName).withUnsafeBufferPointer {
            unsafe $0.baseAddress.map { unsafe unlinkat(directoryDescriptor, $0, 0) }
        }
        var state = stat()
        guard unsafe fstat(file, &state) == 0 else { throw LedgerFile.systemCallError(path: displayPath) }
        return state.st_uid
    }

    static func notALedgerError(path: String, message: String) -> LedgerError {
        LedgerError(code: .notALedger, path: path, message: message)
    }
}
