internal import Foundation
internal import GRDB

extension Record {
    /// From the table's columns in their order.
    ///
    /// - Throws: for what a record can't hold, which only a damaged file has.
    init(_ row: Row) throws {
        func bytes(_ index: Int) throws -> [UInt8] { Array(try row.decode(Data.self, atIndex: index)) }
        func number(_ index: Int) throws -> Int64 { try row.decode(Int64.self, atIndex: index) }
        self.init(
            input: try bytes(0),
            stamp: FileStamp(
                size: try number(1), modified: try number(2), changed: try number(3),
                inode: UInt64(bitPattern: try number(4))),
            fingerprint: try bytes(5),
            output: try row.decode(DatabaseValue.self, atIndex: 6).isNull
                ? nil : Output(path: try bytes(6), size: try number(7), modified: try number(8)),
            verdict: try row.decode(String.self, atIndex: 9), reason: try row.decode(String?.self, atIndex: 10),
            line: try bytes(11))
    }

    /// In the order of the table's columns.
    var arguments: StatementArguments {
        [
            Data(input), stamp.size, stamp.modified, stamp.changed, Int64(bitPattern: stamp.inode), Data(fingerprint),
            output.map { Data($0.path) }, output?.size, output?.modified, verdict, reason, Data(line),
        ]
    }
}

extension LedgerError {
    static let damage = "it is damaged; without it, everything is done again"

    init(_ error: DatabaseError, _ path: String) {
        let (code, message): (Code, String) =
            switch error.resultCode.primaryResultCode {
            case .SQLITE_BUSY, .SQLITE_LOCKED: (.inUse, "another run has it open")
            case .SQLITE_FULL: (.full, "there is no room for it")
            case .SQLITE_NOTADB: (.foreign, "it is no ledger of this version of the program")
            case .SQLITE_CORRUPT: (.unusable, Self.damage)
            case .SQLITE_NOMEM: (.unusable, "it holds larger values than a ledger does, or there is no memory left")
            default: (.unusable, error.message ?? "SQLite's error \(error.resultCode.rawValue)")
            }
        self.init(code: code, path: path, message: message, cause: error)
    }
}
