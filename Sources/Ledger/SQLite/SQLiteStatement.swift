// `unsafe`: calls SQLite, which identifies a statement by a pointer and returns values in its own memory.

internal import CLibSQLite

/// A value that is stored in a database.
enum SQLiteValue: Hashable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    static func text(_ string: String?) -> SQLiteValue { string.map { .text($0) } ?? .null }
    static func integer(_ integer: Int64?) -> SQLiteValue { integer.map { .integer($0) } ?? .null }
}

/// A prepared statement. Its rows are read by one reader at a time.
@safe final class SQLiteStatement {
    fileprivate let handle: OpaquePointer
    private let connection: OpaquePointer

    fileprivate var error: SQLiteError { unsafe SQLiteError(connection: connection) }

    /// Prepares the first statement of `sql`.
    init(_ sql: String, connection: OpaquePointer?) throws(SQLiteError) {
        var statement: OpaquePointer?
        guard let connection = unsafe connection,
            unsafe sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
                == SQLITE_OK, let statement = unsafe statement
        else { throw unsafe SQLiteError(connection: connection) }
        unsafe handle = statement
        unsafe self.connection = connection
    }

    deinit { unsafe sqlite3_finalize(handle) }

    /// Begins to execute the statement.
    ///
    /// - Parameter arguments: The values of the parameters `?1`, `?2`, and so on, or of each `?` in turn.
    /// - Returns: The rows, which are found as they are read. A statement that returns no rows is executed when the
    ///   first row is requested.
    func rows(_ arguments: [SQLiteValue]) throws(SQLiteError) -> SQLiteRows {
        guard arguments.count == Int(unsafe sqlite3_bind_parameter_count(handle)) else {
            throw SQLiteError(code: SQLITE_RANGE)
        }
        for (index, argument) in zip(CInt(1)..., arguments) {
            guard bind(argument, at: index) == SQLITE_OK else { throw error }
        }
        return SQLiteRows(statement: self)
    }

    private func bind(_ value: SQLiteValue, at index: CInt) -> CInt {
        // SQLite copies the bytes.
        let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: return unsafe sqlite3_bind_null(handle, index)
        case .integer(let integer): return unsafe sqlite3_bind_int64(handle, index, integer)
        case .text(let text):
            return unsafe sqlite3_bind_text64(
                handle, index, text, UInt64(text.utf8.count), copied, UInt8(SQLITE_UTF8))
        case .blob(let bytes):
            // The address of an empty array may be null, which SQLite takes for NULL.
            if bytes.isEmpty { return unsafe sqlite3_bind_zeroblob(handle, index, 0) }
            return unsafe sqlite3_bind_blob64(handle, index, bytes, UInt64(bytes.count), copied)
        }
    }
}

/// The rows that one execution of a statement returns. The statement can be executed again when they are discarded.
struct SQLiteRows: ~Copyable {
    private let statement: SQLiteStatement
    private var hasEnded = false

    fileprivate init(statement: SQLiteStatement) { self.statement = statement }

    deinit {
        unsafe sqlite3_reset(statement.handle)
        // The values are not kept until the next execution: one may be a manifest's line of any length.
        unsafe sqlite3_clear_bindings(statement.handle)
    }

    /// Returns the next row, or `nil` after the last. The row is valid until the next call.
    mutating func next() throws(SQLiteError) -> SQLiteRow? {
        // Another step after the last row would execute the statement again.
        if hasEnded { return nil }
        let status = unsafe sqlite3_step(statement.handle)
        if status == SQLITE_ROW { return SQLiteRow(statement: statement) }
        hasEnded = true
        if status != SQLITE_DONE { throw statement.error }
        return nil
    }
}

/// A row of a query. Methods that return a value throw if it has another type, which happens only in a damaged or
/// planted database.
struct SQLiteRow {
    fileprivate let statement: SQLiteStatement

    /// Returns the values of all columns. Fractional numbers are not supported.
    func values() throws(SQLiteError) -> [SQLiteValue] {
        var values: [SQLiteValue] = []
        for column in 0..<Int(unsafe sqlite3_column_count(statement.handle)) {
            let value: SQLiteValue =
                switch type(of: column) {
                case SQLITE_NULL: .null
                case SQLITE_INTEGER: .integer(try integer(column))
                case SQLITE_TEXT: .text(try text(column))
                default: .blob(try bytes(column))
                }
            values.append(value)
        }
        return values
    }

    func isNull(_ column: Int) -> Bool { type(of: column) == SQLITE_NULL }

    func integer(_ column: Int) throws(SQLiteError) -> Int64 {
        guard type(of: column) == SQLITE_INTEGER else { throw .corrupt }
        return unsafe sqlite3_column_int64(statement.handle, CInt(column))
    }

    func bytes(_ column: Int) throws(SQLiteError) -> [UInt8] {
        guard type(of: column) == SQLITE_BLOB else { throw .corrupt }
        let start = unsafe sqlite3_column_blob(statement.handle, CInt(column))
        return unsafe Array(try storedBytes(of: column, start: start))
    }

    /// Returns a text. Bytes that are not UTF-8 are replaced.
    func text(_ column: Int) throws(SQLiteError) -> String {
        guard type(of: column) == SQLITE_TEXT else { throw .corrupt }
        // This call converts a text of a database in UTF-16.
        let start = unsafe sqlite3_column_text(statement.handle, CInt(column))
        return unsafe String(decoding: try storedBytes(of: column, start: start), as: UTF8.self)
    }

    func optionalText(_ column: Int) throws(SQLiteError) -> String? { isNull(column) ? nil : try text(column) }

    private func type(of column: Int) -> CInt { unsafe sqlite3_column_type(statement.handle, CInt(column)) }

    /// Returns the bytes of a blob or text, which begin at `start` in SQLite's memory, and are valid until the next
    /// row.
    private func storedBytes(
        of column: Int, start: UnsafeRawPointer?
    ) throws(SQLiteError) -> UnsafeRawBufferPointer {
        let count = Int(unsafe sqlite3_column_bytes(statement.handle, CInt(column)))
        // Without memory for the value, SQLite returns null.
        if unsafe start == nil, count > 0 { throw statement.error }
        return unsafe UnsafeRawBufferPointer(start: start, count: count)
    }
}
