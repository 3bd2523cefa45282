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
struct LedgerCheck {
    private let directory: CInt
    private let last: [UInt8]
    private let name: String
    private let permissions: mode_t

    /// - Parameters:
    ///   - directory: the open directory that the ledger is in.
    ///   - last: its name there.
    ///   - name: its path, for messages.
    ///   - permissions: the most that files which are there may have.
    init(_ directory: CInt, _ last: [UInt8], _ name: String, _ permissions: UInt16) {
        self.directory = directory
        self.last = last
        self.name = name
        self.permissions = mode_t(permissions)
    }

    /// Checks the ledger, which is open, and the files that SQLite keeps beside it.
    func run(on ledger: CInt) throws(LedgerError) {
        let owner = try ownerOfNewFile()
        try check(ledger, owner, name)
        for suffix in ["-wal", "-journal", "-shm"] {
            let file = LedgerFile.open(last + Array(suffix.utf8), O_RDONLY | O_NOFOLLOW | O_NONBLOCK, in: directory)
            if file < 0, errno == ENOENT { continue }
            guard file >= 0 else { throw LedgerFile.failure(name + suffix) }
            defer { close(file) }
            let size = try check(file, owner, name + suffix)
            if suffix == "-journal" { try refuseSuperJournal(file, size: size) }
        }
    }

    /// - Returns: the size of the file.
    @discardableResult
    private func check(_ file: CInt, _ owner: uid_t, _ name: String) throws(LedgerError) -> Int {
        var state = stat()
        guard unsafe fstat(file, &state) == 0 else { throw LedgerFile.failure(name) }
        if state.st_mode & S_IFMT != S_IFREG { throw Self.refusal(name, "it is not a regular file") }
        if state.st_nlink > 1 { throw Self.refusal(name, "it is a hard link to a file that has other names") }
        if state.st_uid != owner { throw Self.refusal(name, "it belongs to another user") }
        // A failure is ignored: some file systems keep no permissions.
        if state.st_mode & 0o777 & ~permissions != 0 { _ = fchmod(file, state.st_mode & permissions) }
        return Int(state.st_size)
    }

    /// Refuses a journal that names a further journal: SQLite deletes the file of that name, wherever it is. It writes
    /// such names for transactions over several databases, which a ledger has none of. The name stands at the end,
    /// before the magic number that journals begin with (<https://www.sqlite.org/fileformat2.html>, section 3; pager.c,
    /// `readSuperJournal`).
    private func refuseSuperJournal(_ file: CInt, size: Int) throws(LedgerError) {
        guard size >= Self.journalMagic.count else { return }
        var end = [UInt8](repeating: 0, count: Self.journalMagic.count)
        let offset = off_t(size - end.count)
        let count = unsafe end.withUnsafeMutableBytes { unsafe pread(file, $0.baseAddress, $0.count, offset) }
        guard count == end.count else { throw LedgerFile.failure(name) }
        if end == Self.journalMagic { throw Self.refusal(name + "-journal", "it names a further file") }
    }

    private static let journalMagic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

    /// The owner that a file has which is created beside the ledger: on SMB and NFS that need not be this process's.
    private func ownerOfNewFile() throws(LedgerError) -> uid_t {
        let probe = last + Array("-\(UInt64.random(in: 0...UInt64.max))".utf8)
        let file = LedgerFile.open(probe, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, in: directory, 0o600)
        guard file >= 0 else { throw LedgerFile.failure(name) }
        defer { close(file) }
        _ = unsafe LedgerFile.terminated(probe).withUnsafeBufferPointer {
            unsafe $0.baseAddress.map { unsafe unlinkat(directory, $0, 0) }
        }
        var state = stat()
        guard unsafe fstat(file, &state) == 0 else { throw LedgerFile.failure(name) }
        return state.st_uid
    }

    static func refusal(_ name: String, _ message: String) -> LedgerError {
        LedgerError(code: .foreign, path: name, message: message)
    }
}
