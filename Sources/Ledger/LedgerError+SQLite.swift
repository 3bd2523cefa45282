internal import CLibSQLite

extension LedgerError {
    /// Creates the error of a ledger whose database reports `error`.
    init(_ error: SQLiteError, path: String) {
        let (code, message): (Code, String) =
            switch error.primaryCode {
            case SQLITE_BUSY, SQLITE_LOCKED: (.inUse, "another run has it open")
            case SQLITE_FULL: (.diskFull, "there is no room for it")
            case SQLITE_NOTADB: (.notALedger, "it is not a ledger of this version of the program")
            case SQLITE_CORRUPT: (.unusable, "it is damaged; if you remove it, everything is done again")
            case SQLITE_NOMEM: (.unusable, "it contains values that are too large for a ledger, or memory is exhausted")
            default: (.unusable, error.message ?? "SQLite's error \(error.code)")
            }
        self.init(code: code, path: path, message: message, cause: error)
    }
}
