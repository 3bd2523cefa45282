#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @Suite(
        "Directories and files that can't be read or written",
        .enabled(if: Privileges.canBeOrdinary, "root may read everything, and must become someone else"))
    struct PermissionTests {
        private func workspace() throws -> Workspace {
            let workspace = try Workspace()
            try workspace.writePhotos("in/a.jpg", "in/b/c.jpg", "in/d.jpg", "out/.keep", "out/b/.keep")
            return workspace
        }

        /// Runs `prep` as somebody ordinary, while `path` has this mode.
        private func prep(
            _ workspace: Workspace, _ path: String, mode: String, _ more: String = ""
        ) throws -> PrepProcess {
            try workspace.shell("chmod -R a+rX . && chmod -R a+w out && chmod \(mode) \(path)")
            defer { _ = try? workspace.shell("chmod -R u+rwX .") }
            return try workspace.shell("\(Privileges.ordinary) \"$PREP\" in --output out \(more)")
        }

        @Test("A file that can't be read has failed, and the rest is done; once it can be, it alone is tried again")
        func unreadableFile() throws {
            let workspace = try workspace()
            #expect(try prep(workspace, "in/d.jpg", mode: "000").status == 1)
            #expect(
                try workspace.manifest().outcomes == [
                    "in/a.jpg": "converted", "in/b/c.jpg": "converted", "in/d.jpg": "failed unreadable",
                ])
            let run = try prep(workspace, "in/d.jpg", mode: "644", "--quiet --manifest -")
            #expect(run.status == 0)
            #expect(try Line.all(in: run.output).outcomes["in/d.jpg"] == "converted")
        }

        @Test("A directory that can't be read has failed, and the rest is done")
        func unreadableDirectory() throws {
            let workspace = try workspace()
            let run = try prep(workspace, "in/b", mode: "000")
            #expect(run.status == 1)
            #expect(
                run.errors.contains("prep: in/b: failed (unreadable): the directory can't be read: Permission denied"))
            #expect(
                try workspace.manifest().outcomes == [
                    "in/a.jpg": "converted", "in/b": "failed unreadable", "in/d.jpg": "converted",
                ])
        }

        @Test("An output directory that can't be written to ends the run at once")
        func readOnlyOutput() throws {
            let workspace = try workspace()
            let run = try prep(workspace, "out", mode: "555")
            #expect(run.status == 2)
            #expect(run.errors == "prep: the output directory out can't be written to: Permission denied\n")
            #expect(workspace.files(below: "out") == [".keep", "b/.keep"])
        }

        @Test("A directory in it that can't be written to fails those that belong there, and leaves nothing of them")
        func readOnlySubdirectory() throws {
            let workspace = try workspace()
            #expect(try prep(workspace, "out/b", mode: "555").status == 1)
            #expect(
                try workspace.manifest().outcomes == [
                    "in/a.jpg": "converted", "in/b/c.jpg": "failed unwritable", "in/d.jpg": "converted",
                ])
            #expect(workspace.files(below: "out") == [".keep", "a.jpg", "b/.keep", "d.jpg", "manifest.jsonl"])
            #expect(try workspace.names(in: "out/.prep") == ["ledger.sqlite"])
        }
    }

    /// Being someone whom the file system refuses something.
    enum Privileges {
        /// What makes a command run so, in a shell; empty where this process is ordinary itself.
        static let ordinary = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""

        /// Whether `prep` can run so: it may lie where only root can go.
        static let canBeOrdinary = (try? Workspace().shell("\(ordinary) \"$PREP\" --version"))?.status == 0
    }
#endif
