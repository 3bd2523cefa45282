import Foundation
import TestSupport
import Testing

/// Each test waits on a thread of its own, because Swift's threads serve the backends of concurrent tests.
@Suite("Concurrent runs into one directory")
struct ConcurrentRunTests {
    private func makeWorkspace() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        for number in 0..<120 { try workspace.writeSmallImage(at: "in/\(number).jpg") }
        return workspace
    }

    /// Runs `prep` with `arguments`, suspends it when its ledger is open, and meanwhile runs `prep` with `others`.
    private func runConcurrently(
        in workspace: TestWorkspace, arguments: [String], ledger: String, beside others: [String]
    ) async throws -> (first: PrepProcess, second: PrepProcess?) {
        try await runBlocking {
            func isRunning() -> Bool {
                workspace.fileExists(at: "out/\(ledger)-wal") && workspace.fileExists(at: "out/.prep/tmp")
            }
            var second: PrepProcess?
            let first = try PrepProcess(arguments: ["in", "--output", "out"] + arguments, in: workspace.url) {
                process in
                guard second == nil, isRunning() else { return }
                // On a busy machine, it would otherwise end before the other starts.
                kill(process, SIGSTOP)
                defer { kill(process, SIGCONT) }
                if isRunning() {
                    second = try? PrepProcess(arguments: ["in", "--output", "out"] + others, in: workspace.url)
                }
            }
            return (first, second)
        }
    }

    @Test(
        "A second run of the same shard is rejected with a reason, and changes nothing",
        arguments: [[], ["--shard", "1/1"]])
    func concurrentRunOfSameShardIsRejected(_ arguments: [String]) async throws {
        let workspace = try makeWorkspace()
        let name = arguments.isEmpty ? ".prep/ledger.sqlite" : ".prep/ledger-1-of-1.sqlite"
        let (first, second) = try await runConcurrently(
            in: workspace, arguments: arguments, ledger: name, beside: arguments)
        #expect(second?.exitStatus == 2)
        #expect(
            second?.standardError
                == "prep: the ledger out/\(name): another run has it open; wait for it, or give this run a shard, "
                + "or a ledger and a manifest of its own\n"
        )
        #expect(first.exitStatus == 0)
        #expect(workspace.filePaths(below: "out").filter { $0.hasSuffix(".jpg") }.count == 120)
        #expect(try workspace.entryNames(in: "out/.prep").count == 1)
    }

    @Test(
        "Another shard, and a run without a ledger, can run concurrently",
        arguments: [["--shard", "2/2"], ["--no-state", "--manifest", "lines"]])
    func concurrentRunOfOtherShardSucceeds(_ others: [String]) async throws {
        let workspace = try makeWorkspace()
        let (first, second) = try await runConcurrently(
            in: workspace, arguments: ["--shard", "1/2"], ledger: ".prep/ledger-1-of-2.sqlite", beside: others)
        #expect(first.exitStatus == 0)
        #expect(second?.exitStatus == 0)
        #expect(workspace.filePaths(below: "out").filter { $0.hasSuffix(".jpg") }.count == 120)
        #expect(!workspace.fileExists(at: "out/.prep/tmp"))
    }

    @Test("A run that is killed leaves no lock")
    func killedRunLeavesNoLock() async throws {
        let workspace = try makeWorkspace()
        let run = try await runBlocking {
            try PrepProcess(arguments: ["in", "--output", "out"], in: workspace.url) { process in
                if workspace.fileExists(at: "out/.prep/ledger.sqlite-wal") { kill(process, SIGKILL) }
            }
        }
        #expect(run.exitStatus == -SIGKILL)
        let next = try await runBlocking { try workspace.runPrep("in", "--output", "out") }
        #expect(next.exitStatus == 0)
        #expect(try workspace.entryNames(in: "out/.prep") == ["ledger.sqlite"])
    }
}
