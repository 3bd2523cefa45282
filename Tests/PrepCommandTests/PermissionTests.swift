#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @Suite(
        "Unreadable and unwritable directories and files",
        .enabled(if: Privileges.canBeOrdinary, "root may read everything, and must become someone else"))
    struct PermissionTests {
        private func makeWorkspace() throws -> TestWorkspace {
            let workspace = try TestWorkspace()
            try workspace.writeSmallImage(at: "in/a.jpg", "in/b/c.jpg", "in/d.jpg", "out/.keep", "out/b/.keep")
            return workspace
        }

        /// Runs a script as an unprivileged user while `path` has the given mode.
        private func runUnprivileged(
            _ workspace: TestWorkspace, _ path: String, mode: String, _ more: String = ""
        ) throws -> PrepProcess {
            try workspace.runShellScript("chmod -R a+rX . && chmod -R a+w out && chmod \(mode) \(path)")
            defer { _ = try? workspace.runShellScript("chmod -R u+rwX .") }
            return try workspace.runShellScript("\(Privileges.ordinary) \"$PREP\" in --output out \(more)")
        }

        @Test("An unreadable file fails, and the rest is prepared; once it is readable, only it is retried")
        func unreadableFileFailsAndIsRetriedAlone() throws {
            let workspace = try makeWorkspace()
            #expect(try runUnprivileged(workspace, "in/d.jpg", mode: "000").exitStatus == 1)
            #expect(
                try workspace.manifestLines().verdictsByInput == [
                    "in/a.jpg": "converted", "in/b/c.jpg": "converted", "in/d.jpg": "failed unreadable",
                ])
            let run = try runUnprivileged(workspace, "in/d.jpg", mode: "644", "--quiet --manifest -")
            #expect(run.exitStatus == 0)
            #expect(
                try ManifestLineFixture.parseManifest(run.standardOutput).verdictsByInput["in/d.jpg"] == "converted")
        }

        @Test("A directory that can't be read fails, and the rest is prepared")
        func unreadableDirectoryFailsAndOthersArePrepared() throws {
            let workspace = try makeWorkspace()
            let run = try runUnprivileged(workspace, "in/b", mode: "000")
            #expect(run.exitStatus == 1)
            #expect(
                run.standardError.contains(
                    "prep: in/b: failed (unreadable): the directory can't be read: Permission denied"))
            #expect(
                try workspace.manifestLines().verdictsByInput == [
                    "in/a.jpg": "converted", "in/b": "failed unreadable", "in/d.jpg": "converted",
                ])
        }

        @Test("An output directory that can't be written to ends the run at once")
        func readOnlyOutputDirectoryEndsRun() throws {
            let workspace = try makeWorkspace()
            let run = try runUnprivileged(workspace, "out", mode: "555")
            #expect(run.exitStatus == 2)
            #expect(run.standardError == "prep: the output directory out can't be written to: Permission denied\n")
            #expect(workspace.filePaths(below: "out") == [".keep", "b/.keep"])
        }

        @Test("Outputs below a directory that can't be written to fail and leave nothing")
        func readOnlySubdirectoryFailsItsOutputsOnly() throws {
            let workspace = try makeWorkspace()
            #expect(try runUnprivileged(workspace, "out/b", mode: "555").exitStatus == 1)
            #expect(
                try workspace.manifestLines().verdictsByInput == [
                    "in/a.jpg": "converted", "in/b/c.jpg": "failed unwritable", "in/d.jpg": "converted",
                ])
            #expect(workspace.filePaths(below: "out") == [".keep", "a.jpg", "b/.keep", "d.jpg", "manifest.jsonl"])
            #expect(try workspace.entryNames(in: "out/.prep") == ["ledger.sqlite"])
        }
    }

    /// How to run a command as a user without root's privileges.
    enum Privileges {
        /// The shell prefix that drops privileges; empty if this process has none.
        static let ordinary = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""

        /// Whether an unprivileged user can execute `prep`: it may be in a directory that only root can enter.
        static let canBeOrdinary =
            (try? TestWorkspace().runShellScript("\(ordinary) \"$PREP\" --version"))?.exitStatus == 0
    }
#endif
