// `unsafe`: fstat and pread write into memory of the caller, and unlinkat takes a null-terminated name.

internal import SystemSupport

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Rejects files that another user may have put in the place of a ledger.
///
/// SQLite writes to the ledger and its companion files in place, and trusts their content.
struct LedgerFileValidator {
    private let directoryDescriptor: CInt
    private let fileName: [UInt8]
    private let displayPath: String
    private let maxPermissions: mode_t

    /// Creates a validator for one ledger.
    ///
    /// - Parameters:
    ///   - directoryDescriptor: The open directory that contains the ledger.
    ///   - fileName: The ledger's name in that directory.
    ///   - displayPath: The ledger's path, for messages.
    ///   - maxPermissions: The permissions that existing files may keep. Others are removed.
    init(directoryDescriptor: CInt, fileName: [UInt8], displayPath: String, maxPermissions: UInt16) {
        self.directoryDescriptor = directoryDescriptor
        self.fileName = fileName
        self.displayPath = displayPath
        self.maxPermissions = mode_t(maxPermissions)
    }

    /// Checks the open ledger and the files that SQLite keeps beside it.
    ///
    /// - Throws: `notALedger` if one of them is not acceptable; `unusable` or `diskFull` if one cannot be examined.
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

    /// Returns the state of an open file.
    ///
    /// - Throws: `notALedger` if it is not a regular file; `unusable` if it cannot be examined.
    static func stateOfRegularFile(descriptor: CInt, displayPath: String) throws(LedgerError) -> stat {
        var state = stat()
        guard unsafe fstat(descriptor, &state) == 0 else { throw LedgerFile.systemCallError(path: displayPath) }
        if state.st_mode & S_IFMT != S_IFREG {
            throw notALedgerError(path: displayPath, message: "it is not a regular file")
        }
        return state
    }

    /// Checks one file, and removes permissions beyond `maxPermissions`.
    ///
    /// - Returns: The file's size, in bytes.
    @discardableResult
    private func validateFile(descriptor: CInt, owner: uid_t, displayPath: String) throws(LedgerError) -> Int {
        let state = try Self.stateOfRegularFile(descriptor: descriptor, displayPath: displayPath)
        if state.st_nlink > 1 {
            throw Self.notALedgerError(path: displayPath, message: "it is a hard link to a file that has other names")
        }
        if state.st_uid != owner {
            throw Self.notALedgerError(path: displayPath, message: "it belongs to another user")
        }
        // Failure is ignored, because some file systems do not store permissions.
        if state.st_mode & 0o777 & ~maxPermissions != 0 { _ = fchmod(descriptor, state.st_mode & maxPermissions) }
        return Int(state.st_size)
    }

    /// Rejects a journal that names a super-journal.
    ///
    /// SQLite deletes the super-journal, wherever it is. SQLite writes such a name only for transactions across several
    /// databases, which a ledger never has. The name is at the journal's end, followed by the magic number that also
    /// starts a journal (<https://www.sqlite.org/fileformat2.html>, section 3; `readSuperJournal` in pager.c).
    private func rejectSuperJournal(descriptor: CInt, size: Int) throws(LedgerError) {
        guard size >= Self.journalMagic.count else { return }
        var end = [UInt8](repeating: 0, count: Self.journalMagic.count)
        let offset = off_t(size - end.count)
        let count = unsafe end.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, offset) }
        guard count == end.count else { throw LedgerFile.systemCallError(path: displayPath) }
        if end == Self.journalMagic {
            throw Self.notALedgerError(path: displayPath + "-journal", message: "it refers to another file")
        }
    }

    private static let journalMagic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

    /// Returns the owner of a file that is created beside the ledger. On SMB and NFS it may differ from the process's
    /// user.
    private func ownerOfNewFile() throws(LedgerError) -> uid_t {
        let temporaryName = fileName + Array("-\(UInt64.random(in: 0...UInt64.max))".utf8)
        let file = LedgerFile.openFile(
            name: temporaryName, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, directory: directoryDescriptor,
            permissions: 0o600)
        guard file >= 0 else { throw LedgerFile.systemCallError(path: displayPath) }
        defer { close(file) }
        _ = unsafe withNullTerminatedPath(temporaryName) { unsafe unlinkat(directoryDescriptor, $0, 0) }
        var state = stat()
        guard unsafe fstat(file, &state) == 0 else { throw LedgerFile.systemCallError(path: displayPath) }
        return state.st_uid
    }

    static func notALedgerError(path: String, message: String) -> LedgerError {
        LedgerError(code: .notALedger, path: path, message: message)
    }
}
