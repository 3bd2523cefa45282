#if os(Linux)
    import Foundation
    import Ledger
    import MediaPrep
    import SystemPackage
    import TestSupport
    import Testing

    @testable import Batch

    @Suite("Permissions of outputs")
    struct OutputPermissionTests {
        private func makeWorkspace(inputMode: String) throws -> TestWorkspace {
            let workspace = try TestWorkspace()
            try workspace.writeSmallImage(at: "in/a.jpg")
            try workspace.writeFile(makeWAV(makeToneSamples(amplitude: 0.5)), at: "in/b.wav")
            try workspace.runShellScript("chmod \(inputMode) in/a.jpg in/b.wav")
            return workspace
        }

        private func fileModes(in workspace: TestWorkspace, paths: String...) throws -> [String] {
            try workspace.runShellScript("stat -c %a \(paths.joined(separator: " "))").standardOutput.split(
                separator: "\n"
            ).map(
                String.init)
        }

        @Test(
            "An output has its input's read and write permissions, restricted by the umask; its owner has both",
            arguments: [
                ("600", "022", "600"), ("644", "022", "644"), ("664", "022", "644"), ("664", "002", "664"),
                ("640", "077", "600"), ("755", "022", "644"), ("400", "022", "600"), ("444", "022", "644"),
                ("644", "777", "600"), ("6644", "022", "644"),
            ])
        func outputInheritsInputPermissions(input: String, umask: String, output: String) throws {
            let workspace = try makeWorkspace(inputMode: input)
            try workspace.runShellScript(
                "mkdir -p out/.prep/tmp; umask \(umask); $PREP in --output out --no-state --manifest -")
            #expect(try fileModes(in: workspace, paths: "out/a.jpg", "out/b.wav") == [output, output])
        }

        @Test(
            "Changing an input's permissions before it is prepared exposes the output to no other user",
            arguments: [("600", "644"), ("644", "600"), ("640", "604")])
        func changedPermissions(found: String, opened: String) async throws {
            let workspace = try makeWorkspace(inputMode: found)
            var inputs = InputList()
            for name in ["a.jpg", "b.wav"] {
                let path = FilePath(workspace.fileURL(at: "in/\(name)").path)
                try inputs.add(
                    path: path.bytes, relativePath: Array(name.utf8), stat: try path.stat(), isExplicitlyNamed: true)
            }
            try workspace.runShellScript("chmod \(opened) in/a.jpg in/b.wav")
            let directory = try OutputDirectory(path: FilePath(workspace.fileURL(at: "out").path), protecting: inputs)
            var selection = InputSelection()
            (selection.inputs, selection.inputPositions) = (inputs, [0, 1])
            let batch = BatchRun(
                selection: selection, outputDirectory: directory, history: nil, reprocessesAll: false,
                pipeline: MediaPipeline(), keepsDates: false, onStart: { _ in }, resultConsumer: NoRecipient(),
                commitPolicy: .highThroughput)
            try await batch.run()
            #expect(try fileModes(in: workspace, paths: "out/a.jpg", "out/b.wav") == ["600", "600"])
        }

        @Test("An output that more users may read than its input is written again, also with --ignore-inode")
        func narrowedInput() throws {
            let workspace = try makeWorkspace(inputMode: "644")
            try workspace.runShellScript("umask 022; $PREP in -o out; chmod 600 in/a.jpg")
            let run = try workspace.runShellScript("umask 022; $PREP in -o out --ignore-inode")
            #expect(run.exitStatus == 0)
            #expect(try fileModes(in: workspace, paths: "out/a.jpg", "out/b.wav") == ["600", "644"])
        }

        @Test("A manifest, a ledger and a report are private; --public-outputs makes them readable")
        func manifestLedgerAndReportArePrivateByDefault() throws {
            let workspace = try makeWorkspace(inputMode: "600")
            try workspace.runShellScript("umask 022; $PREP in -o out; $PREP report out/manifest.jsonl -o report.html")
            try workspace.runShellScript("umask 022; $PREP merge out/manifest.jsonl -o whole.jsonl")
            let written = ["out/manifest.jsonl", "out/.prep/ledger.sqlite", "report.html", "whole.jsonl"]
            #expect(
                try written.flatMap { try fileModes(in: workspace, paths: $0) } == Array(repeating: "600", count: 4))
            try workspace.runShellScript(
                "rm -r out report.html whole.jsonl; umask 022; $PREP in -o out --public-outputs;"
                    + "$PREP report out/manifest.jsonl -o report.html --public-outputs;"
                    + "$PREP merge out/manifest.jsonl -o whole.jsonl --public-outputs")
            #expect(
                try (written + ["out/a.jpg", "out/b.wav"]).flatMap { try fileModes(in: workspace, paths: $0) }
                    == Array(repeating: "644", count: 6))
        }

        @Test("A run with --public-outputs writes the private outputs of an earlier run again")
        func publicOutputsRewritesPrivateOutputs() throws {
            let workspace = try makeWorkspace(inputMode: "600")
            try workspace.runShellScript("umask 022; $PREP in -o out; $PREP in -o out --public-outputs")
            #expect(try fileModes(in: workspace, paths: "out/a.jpg", "out/b.wav") == ["644", "644"])
        }

        @Test("An existing file that the user names keeps its permissions")
        func existingNamedFileKeepsItsPermissions() throws {
            let workspace = try makeWorkspace(inputMode: "600")
            try workspace.runShellScript(
                """
                touch lines report.html whole; chmod 640 lines report.html whole
                $PREP in -o out --manifest lines; $PREP report lines -o report.html --media out
                $PREP merge lines -o whole
                """)
            #expect(try fileModes(in: workspace, paths: "lines", "report.html", "whole") == ["640", "640", "640"])
            #expect(
                try !workspace.contents(ofFileAt: "report.html").isEmpty
                    && !workspace.contents(ofFileAt: "whole").isEmpty)
        }
    }

    /// A consumer that discards results.
    private struct NoRecipient: ResultConsumer {
        func receiveResult(_ output: PendingOutput) {}
        func receiveEarlierRecord(_ record: InputRecord) {}
        func flush() {}
    }
#endif
