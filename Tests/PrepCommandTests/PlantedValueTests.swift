#if os(Linux)
    import Foundation
    import GRDB
    import TestSupport
    import Testing

    @Suite("Large values in a planted ledger do not exhaust the memory")
    struct PlantedValueTests {
        @Test(
            "An invalid value is not read, neither as a record nor during a search",
            arguments: [
                "path = zeroblob(100000000)", "line = zeroblob(100000000)", "fingerprint = zeroblob(100000000)",
            ])
        func largeValue(_ change: String) throws {
            let workspace = try TestWorkspace()
            try workspace.writeSmallImage(at: "in/a.jpg")
            #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0)
            let queue = try DatabaseQueue(path: workspace.fileURL(at: "out/.prep/ledger.sqlite").path)
            try queue.write { try $0.execute(sql: "UPDATE input SET \(change)") }
            try queue.close()
            let run = try workspace.runPrep("in", "--output", "out")
            #expect(run.exitStatus == 2)
            #expect(run.standardError.contains("values that are too large for a ledger"), "\(run.standardError)")
        }
    }
#endif
