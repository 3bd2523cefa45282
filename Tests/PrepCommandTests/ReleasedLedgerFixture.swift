// `unsafe`: stat.

import Foundation
import GRDB
import JSONValues
import SHA256
import Testing

@testable import HTTPCalls
@testable import Uploading

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The ledger of a run of the first released `prep`. Of four images that it prepared with the default options, one was
/// acknowledged, one was rejected (413), one was sent completely without a response, and one was being sent when `prep`
/// was killed.
enum ReleasedLedgerFixture {
    /// The URL to which they were sent.
    private static let endpoint = "http://127.0.0.1:18437/upload"

    /// The inputs, all in the directory `in`.
    static let inputNames = ["acknowledged", "refused", "sending", "unknown"]

    /// The backend's ID of the acknowledged upload.
    static let acknowledgedID = "115af191-31fa-4f02-88cb-dc4744f07a4f"

    /// Writes the ledger as that of `out`. Its inputs become the images `in/NAME.jpg`, which differ from those that the
    /// released version prepared, as if this version prepared the same images differently. Its uploads go to
    /// `endpoint`.
    ///
    /// - Parameter version: The version of its tables: 1 has no uploads.
    static func writeLedger(to workspace: TestWorkspace, version: Int = 2, endpoint: String) throws {
        let file = workspace.fileURL(at: "out/.prep/ledger.sqlite")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let database = try DatabaseQueue(path: file.path)
        try database.write { database in
            try database.execute(sql: inputsSQL)
            if version > 1 { try database.execute(sql: uploadsSQL) }
            try database.execute(sql: "PRAGMA user_version = \(version)")
            for name in inputNames {
                try setRecordedStampToCurrentFile("in/\(name).jpg", in: workspace, database)
            }
            if version > 1 { try redirectUploads(to: endpoint, database) }
        }
        try database.close()
    }

    /// Copies the ledger to the place for uploads without an output directory.
    static func copyToState(
        in workspace: TestWorkspace, endpoint: String, from path: String = "out/.prep/ledger.sqlite"
    ) throws {
        var digest = SHA256Hasher()
        digest.update(bytes: Array(endpoint.utf8))
        let file = workspace.fileURL(at: "state/prep/upload-\(digest.hexDigest().prefix(16))/ledger.sqlite")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: workspace.fileURL(at: path), to: file)
    }

    /// Gives the record of an input the version of the current file.
    private static func setRecordedStampToCurrentFile(
        _ input: String, in workspace: TestWorkspace, _ database: Database
    ) throws {
        var status = stat()
        try #require(unsafe stat(workspace.fileURL(at: input).path, &status) == 0)
        #if canImport(Darwin)
            let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
        #else
            let (modified, changed) = (status.st_mtim, status.st_ctim)
        #endif
        func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) }
        try database.execute(
            sql: "UPDATE input SET size = ?, modified_ns = ?, changed_ns = ?, inode = ? WHERE path = ?",
            arguments: [
                Int64(status.st_size), nanoseconds(modified), nanoseconds(changed), Int64(status.st_ino),
                Data(input.utf8),
            ])
        #expect(database.changesCount == 1)
    }

    private static func uploadIdentity(_ sha256: String, at url: String) throws -> Data {
        Data(UploadKey(endpoint: try Endpoint(url), fields: [], partName: "file").uploadIdentity(sha256: sha256))
    }

    /// Changes the digests of a ledger without records as if other bytes had been prepared and sent.
    ///
    /// - Parameter count: The number of digests that the ledger must have.
    static func replaceDigests(_ ledger: URL, count: Int, endpoint: String) throws {
        let database = try DatabaseQueue(path: ledger.path)
        try database.write { database in
            let digests = try String.fetchAll(database, sql: "SELECT sha256 FROM output_digest")
            try #require(digests.count == count)
            for sha256 in digests {
                let other = String(sha256.reversed())
                try database.execute(
                    sql: "UPDATE output_digest SET sha256 = ? WHERE sha256 = ?", arguments: [other, sha256])
                try database.execute(
                    sql: "UPDATE upload SET identity = ? WHERE identity = ?",
                    arguments: [uploadIdentity(other, at: endpoint), uploadIdentity(sha256, at: endpoint)])
                #expect(database.changesCount == 1)
            }
        }
        try database.close()
    }

    /// Gives the uploads the identities of uploads to another URL.
    private static func redirectUploads(to endpoint: String, _ database: Database) throws {
        for line in try Data.fetchAll(database, sql: "SELECT line FROM input") {
            let sha256 = try #require(JSONDecoder().decode([String: JSONValue].self, from: line)["sha256"]?.displayText)
            try database.execute(
                sql: "UPDATE upload SET identity = ? WHERE identity = ?",
                arguments: [uploadIdentity(sha256, at: endpoint), uploadIdentity(sha256, at: Self.endpoint)])
            #expect(database.changesCount == 1)
        }
    }

    private static let inputsSQL = """
        PRAGMA application_id = 0x70726570;
        CREATE TABLE input (
            path BLOB NOT NULL PRIMARY KEY,
            size INTEGER NOT NULL, modified_ns INTEGER NOT NULL, changed_ns INTEGER NOT NULL, inode INTEGER NOT NULL,
            fingerprint BLOB NOT NULL,
            output BLOB, output_size INTEGER, output_modified_ns INTEGER,
            verdict TEXT NOT NULL, reason TEXT, line BLOB NOT NULL
        );
        INSERT INTO input VALUES(CAST('in/acknowledged.jpg' AS BLOB),821830,1795370009714016759,1795370009714016759,\
        16228388,CAST('88d013d8956b214f3bcd35e483a8a50f' AS BLOB),CAST('acknowledged.jpg' AS BLOB),294155,1795370010\
        447360950,'converted',NULL,CAST('{"elapsed_ms":391.183,"format":"jpeg","image":{"chroma":"420","height":1224\
        ,"icc":false,"orientation":1,"quality":80,"source_height":1300,"source_width":1700,"width":1600},"input":"in\
        /acknowledged.jpg","input_bytes":821830,"kind":"image","output":"acknowledged.jpg","output_bytes":294155,"re\
        asons":[],"sha256":"68dcfb23f4bf0b216e0d0c44d9341335a2aeae62b3a38a0aff93f94482b86d26","verdict":"converted",\
        "warnings":[]}' AS BLOB));
        INSERT INTO input VALUES(CAST('in/refused.jpg' AS BLOB),287331,1795370011014945064,1795370011014945064,16228\
        586,CAST('88d013d8956b214f3bcd35e483a8a50f' AS BLOB),CAST('refused.jpg' AS BLOB),233486,1795370011459360918,\
        'converted',NULL,CAST('{"elapsed_ms":179.582,"format":"jpeg","image":{"chroma":"420","height":901,"icc":fals\
        e,"orientation":5,"quality":80,"source_height":1203,"source_width":901,"width":1203},"input":"in/refused.jpg\
        ","input_bytes":287331,"kind":"image","output":"refused.jpg","output_bytes":233486,"reasons":[],"sha256":"f9\
        1a40d2b99403ef1119c6c171f1c2cc40199a9fd40f46fd59b61af53fcd3609","verdict":"converted","warnings":[]}' AS BLO\
        B));
        INSERT INTO input VALUES(CAST('in/sending.jpg' AS BLOB),882623,1795370011485085937,1795370011485085937,16228\
        411,CAST('88d013d8956b214f3bcd35e483a8a50f' AS BLOB),CAST('sending.jpg' AS BLOB),225870,1795370012151360896,\
        'converted',NULL,CAST('{"elapsed_ms":404.404,"format":"jpeg","image":{"chroma":"420","height":1200,"icc":fal\
        se,"orientation":1,"quality":80,"source_height":1800,"source_width":2400,"width":1600},"input":"in/sending.j\
        pg","input_bytes":882623,"kind":"image","output":"sending.jpg","output_bytes":225870,"reasons":[],"sha256":"\
        f882830500b921a3b2fdbd7810ab35253efcf79e29a9d4ec7a0608bc3fd663b1","verdict":"converted","warnings":[]}' AS B\
        LOB));
        INSERT INTO input VALUES(CAST('in/unknown.jpg' AS BLOB),367418,1795370010515189204,1795370010515189204,16228\
        357,CAST('88d013d8956b214f3bcd35e483a8a50f' AS BLOB),CAST('unknown.jpg' AS BLOB),367418,1795370010975360934,\
        'passthrough',NULL,CAST('{"elapsed_ms":205.715,"format":"jpeg","image":{"chroma":null,"height":1200,"icc":fa\
        lse,"orientation":1,"quality":null,"source_height":1200,"source_width":1600,"width":1600},"input":"in/unknow\
        n.jpg","input_bytes":367418,"kind":"image","output":"unknown.jpg","output_bytes":367418,"reasons":[],"sha256\
        ":"436aae382eebf64a1351e94c158baec3c12bb610993d9e2ae411509e46b45c09","verdict":"passthrough","warnings":[]}'\
         AS BLOB));
        """

    private static let uploadsSQL = """
        CREATE TABLE upload (
            identity BLOB NOT NULL PRIMARY KEY, repeats INTEGER NOT NULL, state TEXT NOT NULL, doubt TEXT,
            id TEXT, reference TEXT, attempts INTEGER NOT NULL, bytes_sent INTEGER NOT NULL, reason TEXT, message TEXT
        );
        INSERT INTO upload VALUES(X'cc475455af7a247abc06eef85eb1104344037a3c5ec3fd992fe9821d98d159dd',0,'acknowledge\
        d',NULL,'115af191-31fa-4f02-88cb-dc4744f07a4f',NULL,1,294326,NULL,NULL);
        INSERT INTO upload VALUES(X'fe8a85530fed3308416e122c41e39d8e1d1dd677c953bfa92b34f1be9cde3cd3',0,'failed',NUL\
        L,NULL,NULL,1,233657,'too-large','the server answered 413: The body has more than 100 bytes.');
        INSERT INTO upload VALUES(X'66ae8e8b9234018abd93b998f84b45aab75ce39a01335988333d33f51026d0fe',0,'outcome-unk\
        nown','unkeyed',NULL,NULL,1,367589,'outcome-unknown','it was sent whole, and may have been taken; the connec\
        tion was lost: Recv failure: Connection reset by peer');
        INSERT INTO upload VALUES(X'75ecc7177add0b1b2f266cd8925c4ba5006ae606213d7d11fd7eafed74507b0b',0,'sending','u\
        nkeyed',NULL,NULL,0,0,NULL,NULL);
        """
}
