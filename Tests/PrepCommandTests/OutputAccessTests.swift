#if os(Linux)
    import Foundation
    import Ledger
    import MediaPrep
    import SystemPackage
    import TestSupport
    import Testing

    @testable import prep

    @Suite("Who may read what a run writes")
    struct OutputAccessTests {
        private func workspace(inputMode: String) throws -> Workspace {
            let workspace = try Workspace()
            try workspace.writePhotos("in/a.jpg")
            try workspace.write(wave(tone(0.5)), "in/b.wav")
            try workspace.shell("chmod \(inputMode) in/a.jpg in/b.wav")
            return workspace
        }

        private func modes(_ workspace: Workspace, _ paths: String...) throws -> [String] {
            try workspace.shell("stat -c %a \(paths.joined(separator: " "))").output.split(separator: "\n").map(
                String.init)
        }

        @Test(
            "An output has its input's permissions to read and write, less the umask, and its owner always has them",
            arguments: [
                ("600", "022", "600"), ("644", "022", "644"), ("664", "022", "644"), ("664", "002", "664"),
                ("640", "077", "600"), ("755", "022", "644"), ("400", "022", "600"), ("444", "022", "644"),
                ("644", "777", "600"), ("6644", "022", "644"),
            ])
        func outputs(input: String, umask: String, output: String) throws {
            let workspace = try workspace(inputMode: input)
            try workspace.shell("mkdir -p out/.prep/tmp; umask \(umask); $PREP in --output out --no-state --manifest -")
            #expect(try modes(workspace, "out/a.jpg", "out/b.wav") == [output, output])
        }

        @Test(
            "An input whose permissions are changed before it is prepared gives them no one else, before or after",
            arguments: [("600", "644"), ("644", "600"), ("640", "604")])
        func changedPermissions(found: String, opened: String) async throws {
            let workspace = try workspace(inputMode: found)
            var inputs = InputList()
            for name in ["a.jpg", "b.wav"] {
                let path = FilePath(workspace.file("in/\(name)").path)
                try inputs.add(
                    path: path.bytes, relativePath: Array(name.utf8), stat: try path.stat(), isExplicitlyNamed: true)
            }
            try workspace.shell("chmod \(opened) in/a.jpg in/b.wav")
            let directory = try OutputDirectory(path: FilePath(workspace.file("out").path), protecting: inputs)
            let batch = BatchRun(
                inputs: inputs, inputPositions: [0, 1], outputDirectory: directory, reprocessesAll: false,
                pipeline: MediaPipeline(),
                keepsDates: false, showProgress: { _ in }, resultConsumer: NoRecipient())
            try await batch.run()
            #expect(try modes(workspace, "out/a.jpg", "out/b.wav") == ["600", "600"])
        }

        @Test("An output that more may read than its input now is written again, with --ignore-inode too")
        func narrowedInput() throws {
            let workspace = try workspace(inputMode: "644")
            try workspace.shell("umask 022; $PREP in -o out; chmod 600 in/a.jpg")
            let run = try workspace.shell("umask 022; $PREP in -o out --ignore-inode")
            #expect(run.status == 0)
            #expect(try modes(workspace, "out/a.jpg", "out/b.wav") == ["600", "644"])
        }

        @Test("A manifest, a ledger and a report are their owner's alone, and --public-outputs gives all to everyone")
        func others() throws {
            let workspace = try workspace(inputMode: "600")
            try workspace.shell("umask 022; $PREP in -o out; $PREP report out/manifest.jsonl -o report.html")
            try workspace.shell("umask 022; $PREP merge out/manifest.jsonl -o whole.jsonl")
            let written = ["out/manifest.jsonl", "out/.prep/ledger.sqlite", "report.html", "whole.jsonl"]
            #expect(try written.flatMap { try modes(workspace, $0) } == Array(repeating: "600", count: 4))
            try workspace.shell(
                "rm -r out report.html whole.jsonl; umask 022; $PREP in -o out --public-outputs;"
                    + "$PREP report out/manifest.jsonl -o report.html --public-outputs;"
                    + "$PREP merge out/manifest.jsonl -o whole.jsonl --public-outputs")
            #expect(
                try (written + ["out/a.jpg", "out/b.wav"]).flatMap { try modes(workspace, $0) }
                    == Array(repeating: "644", count: 6))
        }

        @Test("A run that is to give outputs to everyone writes those again that an earlier run kept private")
        func madePublic() throws {
            let workspace = try workspace(inputMode: "600")
            try workspace.shell("umask 022; $PREP in -o out; $PREP in -o out --public-outputs")
            #expect(try modes(workspace, "out/a.jpg", "out/b.wav") == ["644", "644"])
        }

        @Test("A file that is there and that the user names keeps its permissions")
        func named() throws {
            let workspace = try workspace(inputMode: "600")
            try workspace.shell(
                """
                touch lines report.html whole; chmod 640 lines report.html whole
                $PREP in -o out --manifest lines; $PREP report lines -o report.html --media out; $PREP merge lines -o whole
                """)
            #expect(try modes(workspace, "lines", "report.html", "whole") == ["640", "640", "640"])
            #expect(try !workspace.contents("report.html").isEmpty && !workspace.contents("whole").isEmpty)
        }
    }

    /// Takes results, and leaves them.
    private struct NoRecipient: ResultConsumer {
        func receiveResult(_ finished: PendingOutput, json: Data) {}
        func receiveEarlierRecord(_ record: InputRecord) {}
        func flush() {}
    }
#endif
