import Foundation
import TestSupport
import Testing

@Suite("A run does not replace a file that no run has recorded, if its output directory is below an input directory")
struct UnrecordedFileTests {
    /// An image `in/a.jpg`, and another image of the user with the name of its output.
    private func makeWorkspace() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try workspace.writeFile(try SmallImage.throat.get(), at: "in/out/a.jpg")
        return workspace
    }

    @Test("The input is rejected in each run, until the file is moved away")
    func inputIsRejected() throws {
        let workspace = try makeWorkspace()
        for _ in 1...2 {
            let run = try workspace.runPrep("in", "--output", "in/out")
            #expect(run.exitStatus == 1)
            #expect(
                run.standardError.contains(
                    "prep: in/a.jpg: rejected (name-collision): its output would replace in/out/a.jpg, which "
                        + "the ledger does not record: choose another output directory, remove that file, or use "
                        + "--force\n"))
            #expect(
                try workspace.manifestLines(inOutput: "in/out").verdictsByInput == [
                    "in/a.jpg": "rejected name-collision"
                ])
            #expect(try workspace.contents(ofFileAt: "in/out/a.jpg") == SmallImage.throat.get())
        }
        try workspace.runShellScript("mv in/out/a.jpg mine.jpg")
        #expect(try workspace.runPrep("in", "--output", "in/out").exitStatus == 0)
        // From now on it is an output, which other options replace.
        #expect(try workspace.runPrep("in", "--output", "in/out", "--quality", "40").exitStatus == 0)
    }

    @Test("An input that takes over the name of a recorded output replaces it")
    func nameThatIsTakenOverIsRecorded() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.png.jpg")
        #expect(try workspace.runPrep("in", "--output", "in/out").exitStatus == 0)
        try workspace.writeFile(try SmallImage.throat.get(), at: "in/a.png")
        _ = try workspace.runPrep("in", "--output", "in/out")
        #expect(
            try workspace.manifestLines(inOutput: "in/out").verdictsByInput == [
                "in/a.png": "converted", "in/a.png.jpg": "rejected name-collision",
            ])
    }

    @Test("The file is replaced with --force, and without a ledger", arguments: ["--force", "--no-state"])
    func fileIsReplaced(option: String) throws {
        let workspace = try makeWorkspace()
        #expect(try workspace.runPrep("in", "--output", "in/out", option).exitStatus == 0)
        #expect(try workspace.contents(ofFileAt: "in/out/a.jpg") != SmallImage.throat.get())
    }

    @Test("An output that was published, but not recorded before its run was killed, is accepted")
    func sameContentIsAccepted() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        #expect(try workspace.runPrep("in", "--output", "in/out").exitStatus == 0)
        try workspace.runShellScript("rm -r in/out/.prep")
        #expect(try workspace.runPrep("in", "--output", "in/out").exitStatus == 0)
        #expect(try workspace.manifestLines(inOutput: "in/out").verdictsByInput == ["in/a.jpg": "converted"])
        try workspace.runShellScript("rm -r in/out/.prep")
        #expect(try workspace.runPrep("in", "--output", "in/out", "--quality", "40").exitStatus == 1)
    }
}
