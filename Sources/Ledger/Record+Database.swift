internal import Foundation
internal import GRDB
internal import SystemSupport

extension InputRecord {
    /// Creates a record from a row with the table's columns in their order.
    ///
    /// - Throws: `RowDecodingError` if a value has the wrong type, which happens only in a damaged file.
    init(row: Row) throws {
        func bytes(_ index: Int) throws -> [UInt8] { Array(try row.decode(Data.self, atIndex: index)) }
        func number(_ index: Int) throws -> Int64 { try row.decode(Int64.self, atIndex: index) }
        self.init(
            inputPath: try bytes(0),
            fileVersion: FileVersion(
                size: try number(1), modifiedNanoseconds: try number(2), changedNanoseconds: try number(3),
                inode: UInt64(bitPattern: try number(4))),
            fingerprint: try bytes(5),
            output: try row.decode(DatabaseValue.self, atIndex: 6).isNull
                ? nil : OutputFile(path: try bytes(6), size: try number(7), modifiedNanoseconds: try number(8)),
            verdict: try row.decode(String.self, atIndex: 9), reasonCode: try row.decode(String?.self, atIndex: 10),
            manifestLine: try bytes(11))
    }

    /// The values in the order of the table's columns.
    var statementArguments: StatementArguments {
        [
            Data(inputPath), fileVersion.size, fileVersion.modifiedNanoseconds, fileVersion.changedNanoseconds,
            Int64(bitPattern: fileVersion.inode), Data(fingerprint),
            output.map { Data($0.path) }, output?.size, output?.modifiedNanoseconds, verdict, reasonCode,
            Data(manifestLine),
        ]
    }
}

extension LedgerError {
    static let corruptionMessage = "it is damaged; if you remove it, everything is done again"

    init(databaseError: DatabaseError, path: String) {
        let (code, message): (Code, String) =
            switch databaseError.resultCode.primaryResultCode {
            case .SQLITE_BUSY, .SQLITE_LOCKED: (.inUse, "another run has it open")
            case .SQLITE_FULL: (.diskFull, "there is no room for it")
            case .SQLITE_NOTADB: (.notALedger, "it is not a ledger of this version of the program")
            case .SQLITE_CORRUPT: (.unusable, Self.corruptionMessage)
            case .SQLITE_NOMEM:
                (.unusable, "it contains values that are too large for a ledger, or memory is exhausted")
            default: (.unusable, databaseError.message ?? "SQLite's error \(databaseError.resultCode.rawValue)")
            }
        self.init(code: code, path: path, message: message, cause: databaseError)
    }
}
