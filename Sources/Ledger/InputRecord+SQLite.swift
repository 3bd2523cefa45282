internal import SystemSupport

extension InputRecord {
    /// Creates a record from a row with the table's columns in their order.
    ///
    /// - Throws: `SQLiteError` if a value has the wrong type, which happens only in a damaged file.
    init(row: SQLiteRow) throws(SQLiteError) {
        let version = FileVersion(
            size: try row.integer(1), modifiedNanoseconds: try row.integer(2), changedNanoseconds: try row.integer(3),
            inode: UInt64(bitPattern: try row.integer(4)))
        var output: OutputFile?
        if !row.isNull(6) {
            output = OutputFile(
                path: try row.bytes(6), size: try row.integer(7), modifiedNanoseconds: try row.integer(8))
        }
        self.init(
            inputPath: try row.bytes(0), fileVersion: version, fingerprint: try row.bytes(5), output: output,
            verdict: try row.text(9), reasonCode: try row.optionalText(10), manifestLine: try row.bytes(11))
    }

    /// The values in the order of the table's columns.
    var columnValues: [SQLiteValue] {
        [
            .blob(inputPath), .integer(fileVersion.size), .integer(fileVersion.modifiedNanoseconds),
            .integer(fileVersion.changedNanoseconds), .integer(Int64(bitPattern: fileVersion.inode)),
            .blob(fingerprint),
            output.map { .blob($0.path) } ?? .null, .integer(output?.size), .integer(output?.modifiedNanoseconds),
            .text(verdict), .text(reasonCode), .blob(manifestLine),
        ]
    }
}
