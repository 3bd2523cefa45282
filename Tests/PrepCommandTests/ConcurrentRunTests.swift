import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Runs at the same time into one directory")
struct ConcurrentRunTests {
    private func workspace() throws -> Workspace {
        let workspace = try Workspace()
        for number in 0..<120 { try workspace.writePhotos("in/\(number).jpg") }
        return workspace
    }

    /// Runs `prep` with `arguments`, holds it once it has its ledger, and meanwhile runs it with `others`.
    private func runs(
        _ workspace: Workspace, _ arguments: [String], ledger: String, beside others: [String]
    ) throws -> (first: PrepProcess, second: PrepProcess?) {
        let isRunning = { workspace.exists("out/\(ledger)-wal") && workspace.exists("out/.prep/tmp") }
        let second = Mutex<PrepProcess?>(nil)
        let first = try PrepProcess(["in", "--output", "out"] + arguments, in: workspace.url) { process in
            second.withLock { second in
                guard second == nil, isRunning() else { return }
                // On a busy machine it would end before the other has started.
                kill(process, SIGSTOP)
                defer { kill(process, SIGCONT) }
                if isRunning() { second = try? PrepProcess(["in", "--output", "out"] + others, in: workspace.url) }
            }
        }
        return (first, second.withLock { $0 })
    }

    @Test(
        "A second run of the same part is refused, says why, and disturbs nothing",
        arguments: [[], ["--shard", "1/1"]])
    func samePart(_ arguments: [String]) throws {
        let workspace = try workspace()
        let name = arguments.isEmpty ? ".prep/ledger.sqlite" : ".prep/ledger-1-of-1.sqlite"
        let (first, second) = try runs(workspace, arguments, ledger: name, beside: arguments)
        #expect(second?.status == 2)
        #expect(
            second?.errors
                == "prep: the ledger out/\(name): another run has it open; wait for it, or give this run a --shard or --state of its own\n"
        )
        #expect(first.status == 0)
        #expect(workspace.files(below: "out").filter { $0.hasSuffix(".jpg") }.count == 120)
        #expect(try workspace.names(in: "out/.prep").count == 1)
    }

    @Test(
        "Another part, and a run without state, go beside it",
        arguments: [["--shard", "2/2"], ["--no-state", "--manifest", "lines"]])
    func otherPart(_ others: [String]) throws {
        let workspace = try workspace()
        let (first, second) = try runs(
            workspace, ["--shard", "1/2"], ledger: ".prep/ledger-1-of-2.sqlite", beside: others)
        #expect(first.status == 0)
        #expect(second?.status == 0)
        #expect(workspace.files(below: "out").filter { $0.hasSuffix(".jpg") }.count == 120)
        #expect(!workspace.exists("out/.prep/tmp"))
    }

    @Test("A run that is killed leaves no lock")
    func killed() throws {
        let workspace = try workspace()
        let run = try PrepProcess(["in", "--output", "out"], in: workspace.url) { process in
            if workspace.exists("out/.prep/ledger.sqlite-wal") { kill(process, SIGKILL) }
        }
        #expect(run.status == -SIGKILL)
        #expect(try workspace.prep("in", "--output", "out").status == 0)
        #expect(try workspace.names(in: "out/.prep") == ["ledger.sqlite"])
    }
}
