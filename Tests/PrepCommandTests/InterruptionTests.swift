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

@Suite("A run that is stopped keeps what it did, and the next goes on from there")
struct InterruptionTests {
    private static let count = 150

    /// Photos that take a second or two together, and what an uninterrupted run makes of them, at `whole`.
    private func workspace() throws -> Workspace {
        let workspace = try Workspace()
        for number in 0..<Self.count { try workspace.writePhotos("in/\(number % 3)/\(number).jpg") }
        #expect(try workspace.prep("in", "--output", "whole").status == 0)
        return workspace
    }

    /// Continues the run into `out`, and compares it with the uninterrupted one.
    ///
    /// - Returns: how many inputs were done before.
    private func continued(in workspace: Workspace) throws -> Int {
        let run = try workspace.prep("in", "--output", "out")
        #expect(run.status == 0)
        #expect(try workspace.manifest().timeless == workspace.manifest("whole").timeless)
        let files = workspace.files(below: "whole")
        #expect(workspace.files(below: "out") == files)
        for file in files where file != "manifest.jsonl" {
            #expect(try workspace.contents("out/\(file)") == workspace.contents("whole/\(file)"))
        }
        #expect(try workspace.names(in: "out/.prep") == ["ledger.sqlite"])
        return Int(run.errors.firstMatch(of: #/(\d+) of them done before/#)?.1 ?? "0") ?? 0
    }

    @Test(
        "SIGINT and SIGTERM end it in order: status, ledger, manifest and message agree, and nothing is partial",
        arguments: [SIGINT, SIGTERM])
    func order(_ signal: Int32) throws {
        let workspace = try workspace()
        let isSent = Mutex(false)
        let run = try PrepProcess(["in", "--output", "out"], in: workspace.url) { process in
            // In the middle: the first lines are written.
            let hasBegun = (try? workspace.contents("out/manifest.jsonl"))?.isEmpty == false
            isSent.withLock { isSent in if hasBegun, !isSent { isSent = kill(process, signal) == 0 } }
        }
        #expect(run.status == 128 + signal)
        let lines = try workspace.manifest()
        #expect((1..<Self.count).contains(lines.count))
        #expect(run.errors.hasPrefix("\(lines.count) inputs before the interruption: \(lines.count) converted; "))
        #expect(workspace.files(below: "out").count == lines.count + 1)
        #expect(try workspace.names(in: "out/.prep") == ["ledger.sqlite"])
        #expect(try continued(in: workspace) == lines.count)
    }

    #if os(Linux)  // Elsewhere dd knows no such flag.
        @Test("A second signal ends it at once, even where the first has to wait")
        func twice() throws {
            let workspace = try workspace()
            // Standard output is a pipe that is full and that nobody reads, so that the first line is never written.
            let script = """
                mkfifo pipe; exec 3<> pipe; dd if=/dev/zero of=pipe oflag=nonblock bs=4096 2> /dev/null
                exec "$PREP" in -o out --manifest - >&3
                """
            let calls = Mutex(0)
            let run = try PrepProcess(script: script, in: workspace.url) { process in
                guard workspace.exists("out/0/0.jpg") else { return }
                let count = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                // In the end by force, so that the test ends too.
                kill(process, count == 1 ? SIGINT : count < 10_000 ? SIGTERM : SIGKILL)
            }
            #expect(run.status == -SIGTERM)
            _ = try continued(in: workspace)
        }
    #endif

    @Test(
        "With nobody left to read the manifest on standard output, it ends, and keeps what it did",
        arguments: [
            #""$PREP" in -o out --manifest - >&-"#,
            #"{ "$PREP" in -o out --manifest -; echo $? > status; } | head -1; exit $(cat status)"#,
        ])
    func closedOutput(_ script: String) throws {
        let workspace = try workspace()
        let run = try workspace.shell(script)
        #expect(run.status == 2)
        #expect(run.errors.contains("prep: the manifest - can't be written: "))
        let done = workspace.files(below: "out")
        #expect((1..<Self.count).contains(done.count))
        #expect(try workspace.names(in: "out/.prep") == ["ledger.sqlite"])
        #expect(try continued(in: workspace) == done.count)
    }

    @Test("A closed standard error, or input, does no harm")
    func closedStreams() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg", "in/b.jpg")
        try workspace.write(Data("text".utf8), "in/c.jpg")
        #expect(try workspace.shell(#""$PREP" in -o out --progress always 2>&- <&-"#).status == 1)
        #expect(try workspace.manifest().outcomes.count == 3)
        let run = try workspace.shell(#""$PREP" in -o all --manifest - <&- 2>&-"#)
        #expect(try Line.all(in: run.output).count == 3)
        // No file has come to stand where a stream was.
        #expect(try workspace.contents("all/a.jpg") == workspace.contents("out/a.jpg"))
    }

    @Test("A run that is killed, again and again, is continued as if nothing had been")
    func killed() throws {
        let workspace = try workspace()
        // The first in the middle, the second at its very beginning.
        for _ in 1...2 {
            let run = try PrepProcess(["in", "--output", "out"], in: workspace.url) { process in
                if workspace.exists("out/0/0.jpg") { kill(process, SIGKILL) }
            }
            try #require(run.status == -SIGKILL)
        }
        _ = try continued(in: workspace)
    }
}
