import Foundation
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("An interrupted run keeps its outputs, and the next run resumes")
struct InterruptionTests {
    private static let inputCount = 150

    /// Images that together take a second or two, and the output of an uninterrupted run in `whole`.
    private func makeWorkspaceWithReferenceRun() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        for number in 0..<Self.inputCount { try workspace.writeSmallImage(at: "in/\(number % 3)/\(number).jpg") }
        #expect(try workspace.runPrep("in", "--output", "whole").exitStatus == 0)
        return workspace
    }

    /// Resumes the run into `out`, and compares its output with that of the uninterrupted one.
    ///
    /// - Returns: the number of inputs that were prepared before.
    private func resumeAndCompare(in workspace: TestWorkspace) throws -> Int {
        let run = try workspace.runPrep("in", "--output", "out")
        #expect(run.exitStatus == 0)
        #expect(
            try workspace.manifestLines().withoutElapsedTimes
                == workspace.manifestLines(inOutput: "whole").withoutElapsedTimes)
        let files = workspace.filePaths(below: "whole")
        #expect(workspace.filePaths(below: "out") == files)
        for file in files where file != "manifest.jsonl" {
            #expect(try workspace.contents(ofFileAt: "out/\(file)") == workspace.contents(ofFileAt: "whole/\(file)"))
        }
        #expect(try workspace.entryNames(in: "out/.prep") == ["ledger.sqlite"])
        return Int(run.standardError.firstMatch(of: #/(\d+) of them done before/#)?.1 ?? "0") ?? 0
    }

    @Test(
        "SIGINT and SIGTERM end a run cleanly: status, ledger, manifest and message agree, and no file is partial",
        arguments: [SIGINT, SIGTERM])
    func signalEndsRunConsistently(_ signal: Int32) throws {
        let workspace = try makeWorkspaceWithReferenceRun()
        let isSent = Mutex(false)
        let run = try PrepProcess(arguments: ["in", "--output", "out"], in: workspace.url) { process in
            // In the middle of the run: the first lines are written.
            let hasBegun = (try? workspace.contents(ofFileAt: "out/manifest.jsonl"))?.isEmpty == false
            isSent.withLock { isSent in if hasBegun, !isSent { isSent = kill(process, signal) == 0 } }
        }
        #expect(run.exitStatus == 128 + signal)
        let lines = try workspace.manifestLines()
        #expect((1..<Self.inputCount).contains(lines.count))
        #expect(
            run.standardError.hasPrefix("\(lines.count) inputs before the run stopped: \(lines.count) converted; "))
        #expect(workspace.filePaths(below: "out").count == lines.count + 1)
        #expect(try workspace.entryNames(in: "out/.prep") == ["ledger.sqlite"])
        #expect(try resumeAndCompare(in: workspace) == lines.count)
    }

    #if os(Linux)  // On other platforms dd has no such flag.
        @Test("A second signal ends the run at once, even if the first has to wait")
        func secondSignalEndsRunImmediately() throws {
            let workspace = try makeWorkspaceWithReferenceRun()
            // Standard output is a full pipe without a reader, so the first line is never written.
            let script = """
                mkfifo pipe; exec 3<> pipe; dd if=/dev/zero of=pipe oflag=nonblock bs=4096 2> /dev/null
                exec "$PREP" in -o out --manifest - >&3
                """
            let calls = Mutex(0)
            let run = try PrepProcess(script: script, in: workspace.url) { process in
                guard workspace.fileExists(at: "out/0/0.jpg") else { return }
                let count = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                // Finally SIGKILL, so that the test ends in any case.
                kill(process, count == 1 ? SIGINT : count < 10_000 ? SIGTERM : SIGKILL)
            }
            #expect(run.exitStatus == -SIGTERM)
            _ = try resumeAndCompare(in: workspace)
        }
    #endif

    @Test(
        "A run ends when the reader of its standard output closes, and keeps its outputs",
        arguments: [
            #""$PREP" in -o out --manifest - >&-"#,
            #"{ "$PREP" in -o out --manifest -; echo $? > status; } | head -1; exit $(cat status)"#,
        ])
    func closedStandardOutputEndsRunAndKeepsResults(_ script: String) throws {
        let workspace = try makeWorkspaceWithReferenceRun()
        let run = try workspace.runShellScript(script)
        #expect(run.exitStatus == 2)
        #expect(run.standardError.contains("prep: the manifest - can't be written: "))
        let done = workspace.filePaths(below: "out")
        #expect((1..<Self.inputCount).contains(done.count))
        #expect(try workspace.entryNames(in: "out/.prep") == ["ledger.sqlite"])
        #expect(try resumeAndCompare(in: workspace) == done.count)
    }

    @Test("A closed standard error or standard input causes no failure")
    func closedStandardErrorOrInputIsHarmless() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg", "in/b.jpg")
        try workspace.writeFile(Data("text".utf8), at: "in/c.jpg")
        #expect(try workspace.runShellScript(#""$PREP" in -o out --progress always 2>&- <&-"#).exitStatus == 1)
        #expect(try workspace.manifestLines().verdictsByInput.count == 3)
        let run = try workspace.runShellScript(#""$PREP" in -o all --manifest - <&- 2>&-"#)
        #expect(try ManifestLineFixture.parseManifest(run.standardOutput).count == 3)
        // No file was opened with the descriptor of a standard stream.
        #expect(try workspace.contents(ofFileAt: "all/a.jpg") == workspace.contents(ofFileAt: "out/a.jpg"))
    }

    @Test("A run that is killed several times is resumed and gives the same output")
    func repeatedlyKilledRunResumes() throws {
        let workspace = try makeWorkspaceWithReferenceRun()
        // The first run is killed in the middle, the second at its beginning.
        for _ in 1...2 {
            let run = try PrepProcess(arguments: ["in", "--output", "out"], in: workspace.url) { process in
                if workspace.fileExists(at: "out/0/0.jpg") { kill(process, SIGKILL) }
            }
            try #require(run.exitStatus == -SIGKILL)
        }
        _ = try resumeAndCompare(in: workspace)
    }

    @Test(
        "A signal ends a run that waits for its list of inputs at once, and nothing is written",
        arguments: ["INT", "TERM"],
        [
            "run --files-from list --output out", "merge list --output out/manifest.jsonl",
            "upload --from-manifest list --to http://127.0.0.1:9/",
        ])
    func signalEndsWaitForInputList(_ signal: String, _ command: String) throws {
        let workspace = try TestWorkspace()
        try workspace.writeFile(Data("earlier".utf8), at: "out/manifest.jsonl")
        // Another process holds the pipe open, so that reading the list blocks. If the shell did, its child would have
        // the list open before it becomes `prep`, and ignore the signal. A run that does not end is killed after a
        // minute.
        let run = try workspace.runShellScript(
            """
            mkfifo list; sleep 600 0<>list >/dev/null 2>&1 & holder=$!
            XDG_STATE_HOME=$PWD/state $PREP \(command) & pid=$!
            until ls -l /proc/$pid/fd 2>/dev/null | grep -q 'list$'; do sleep 0.02; done
            kill -\(signal) $pid
            (trap 'kill $sleeper; exit' TERM; sleep 60 & sleeper=$!; wait $sleeper; kill -KILL $pid) >/dev/null 2>&1 &
            killer=$!
            wait $pid; echo $?; kill $killer $holder
            """)
        #expect(run.standardOutput == (signal == "INT" ? "130\n" : "143\n"))
        #expect(try workspace.contents(ofFileAt: "out/manifest.jsonl") == Data("earlier".utf8))
        #expect(try workspace.entryNames(in: "out") == ["manifest.jsonl"])
    }
}
