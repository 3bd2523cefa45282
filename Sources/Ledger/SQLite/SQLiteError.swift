// `unsafe`: reads SQLite's messages, which are C strings.

internal import CLibSQLite

/// An error that SQLite reports, or the same error, found in a value that was read.
struct SQLiteError: Error, CustomStringConvertible {
    /// The extended result code (<https://www.sqlite.org/rescode.html>).
    var code: CInt
    /// SQLite's message, or `nil` if the error was found without it.
    var message: String?

    var description: String { "SQLite's error \(code)" + (message.map { ": \($0)" } ?? "") }

    /// The result code without its extension.
    var primaryCode: CInt { code & 0xFF }

    /// The database has a value that this program never writes.
    static let corrupt = SQLiteError(code: SQLITE_CORRUPT)
    /// The file is not a database of this program.
    static let notADatabase = SQLiteError(code: SQLITE_NOTADB)
}

extension SQLiteError {
    /// Creates the error of the last call that failed on a connection, or of the use of a closed one.
    init(connection handle: OpaquePointer?) {
        guard let handle = unsafe handle else {
            self.init(code: SQLITE_MISUSE, message: "the database is closed")
            return
        }
        self.init(
            code: unsafe sqlite3_extended_errcode(handle), message: unsafe String(cString: sqlite3_errmsg(handle)))
    }
}
