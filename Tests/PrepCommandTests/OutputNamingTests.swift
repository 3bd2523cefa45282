import Foundation
import TestSupport
import Testing

@Suite("Names of outputs")
struct OutputNamingTests {
    @Test("An output has its input's whole name, followed by .jpg unless the name ends with it")
    func outputKeepsInputNameAndAppendsJPG() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(
            at: "in/a.png", "in/b.jpg", "in/b.jpeg", "in/C.JPEG", "in/d", "in/e.jpe", "in/f.tar.JPG", "in/g.jpg.png",
            "in/ä ö.webp")
        #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0)
        #expect(
            try workspace.manifestLines().outputsByInput == [
                "in/a.png": "a.png.jpg", "in/b.jpg": "b.jpg", "in/b.jpeg": "b.jpeg", "in/C.JPEG": "C.JPEG",
                "in/d": "d.jpg",
                "in/e.jpe": "e.jpe.jpg", "in/f.tar.JPG": "f.tar.JPG", "in/g.jpg.png": "g.jpg.png.jpg",
                "in/ä ö.webp": "ä ö.webp.jpg",
            ])
        #expect(workspace.filePaths(below: "out").count == 10)
    }

    @Test(
        "An output must not have the name of a directory with other outputs, whichever would be written first",
        arguments: 1...3)
    func outputYieldsToDirectoryOfSameName(_ round: Int) throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "A/x.jpg", "B/X.JPG/deep/y.jpg", "A/deep.jpg")
        let run = try workspace.runPrep("A/x.jpg", "B/X.JPG", "A/deep.jpg", "--output", "out", "--jobs", "2")
        #expect(run.exitStatus == 1)
        #expect(
            try workspace.manifestLines().verdictsByInput == [
                "A/deep.jpg": "converted", "A/x.jpg": "rejected name-collision", "B/X.JPG/deep/y.jpg": "converted",
            ])
    }

    @Test("Of two inputs with the same output, the later in byte order is rejected; names are compared without case")
    func laterCollidingInputIsRejectedIgnoringCase() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.png", "in/a.jpg", "in/a.jpeg", "in/a.png.jpg")
        // On a file system that ignores case, there is only one file and no collision.
        try workspace.writeSmallImage(at: "in/A.JPG")
        let isCaseSensitive = workspace.filePaths(below: "in").count == 5
        let run = try workspace.runPrep("in", "--output", "out")
        #expect(run.exitStatus == 1)
        let outcomes = try workspace.manifestLines().verdictsByInput
        #expect(outcomes["in/a.png"] == "converted")
        #expect(outcomes["in/a.png.jpg"] == "rejected name-collision")
        #expect(outcomes["in/a.jpeg"] == "converted")
        if isCaseSensitive {
            #expect(outcomes["in/A.JPG"] == "converted")
            #expect(outcomes["in/a.jpg"] == "rejected name-collision")
            #expect(run.standardError.contains("prep: in/a.jpg: rejected (name-collision): "))
        }
    }

    @Test("A collision only depends on the inputs, not on the number of jobs or the order of arguments")
    func collisionsDoNotDependOnJobsOrArgumentOrder() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "x/a.jpg", "y/a.jpg", "z/a.jpg")
        for arguments in [["x/a.jpg", "y/a.jpg", "z/a.jpg"], ["z/a.jpg", "x/a.jpg", "y/a.jpg"]] {
            for jobs in ["1", "8"] {
                _ = try PrepProcess(arguments: arguments + ["--output", "out", "--jobs", jobs], in: workspace.url)
                #expect(
                    try workspace.manifestLines().verdictsByInput == [
                        "x/a.jpg": "converted", "y/a.jpg": "rejected name-collision",
                        "z/a.jpg": "rejected name-collision",
                    ])
            }
        }
    }

    #if os(Linux)  // A case-sensitive file system is required.
        @Test("A text has no output and takes no name from an image; an image without an extension does")
        func nonMediaYieldsItsNameToImages() throws {
            let workspace = try TestWorkspace()
            try workspace.writeSmallImage(at: "in/photo.jpg", "in/other.jpg")
            try workspace.writeFile(Data("text".utf8), at: "in/photo")
            try FileManager.default.copyItem(
                at: workspace.fileURL(at: "in/other.jpg"), to: workspace.fileURL(at: "in/other"))
            _ = try workspace.runPrep("in", "--output", "out")
            let outcomes = try workspace.manifestLines().verdictsByInput
            #expect(outcomes["in/photo"] == "skipped unrecognized-format")
            #expect(outcomes["in/photo.jpg"] == "converted")
            #expect(outcomes["in/other"] == "converted")
            #expect(outcomes["in/other.jpg"] == "rejected name-collision")
        }

        @Test("Texts with colliding names are skipped like any others")
        func collidingNonMediaIsSkipped() throws {
            let workspace = try TestWorkspace()
            try workspace.writeSmallImage(at: "in/a.jpg")
            try workspace.writeFile(Data("text".utf8), at: "in/NOTES")
            try workspace.writeFile(Data("text".utf8), at: "in/notes")
            let run = try workspace.runPrep("in", "--output", "out")
            #expect(run.exitStatus == 0)
            #expect(try workspace.manifestLines().verdictsByInput["in/notes"] == "skipped unrecognized-format")
        }
    #endif

    @Test("A single directory is mirrored as it is", arguments: ["in", "in/", "in/.", "./in", "sub/../in"])
    func singleDirectoryIsMirrored(_ argument: String) throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg", "in/b/c.jpg", "in/b/d/e.png", "sub/x.jpg")
        #expect(try workspace.runPrep(argument, "--output", "out").exitStatus == 0)
        #expect(workspace.filePaths(below: "out") == ["a.jpg", "b/c.jpg", "b/d/e.png.jpg", "manifest.jsonl"])
    }

    @Test("The working directory is mirrored like any other")
    func currentDirectoryIsMirrored() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg", "in/b/c.jpg")
        #expect(
            try PrepProcess(arguments: [".", "--output", "../out"], in: workspace.fileURL(at: "in")).exitStatus == 0)
        #expect(workspace.filePaths(below: "out") == ["a.jpg", "b/c.jpg", "manifest.jsonl"])
    }

    @Test("Of several inputs, each directory keeps its own name", arguments: ["two", "two/", "./two/.", "one/../two"])
    func severalDirectoriesKeepTheirNames(_ second: String) throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/one/a.jpg", "in/two/a.jpg", "in/two/b/c.jpg", "in/d.jpg")
        let run = try PrepProcess(
            arguments: ["one", second, "d.jpg", "--output", "../out"], in: workspace.fileURL(at: "in"))
        #expect(run.exitStatus == 0)
        #expect(
            workspace.filePaths(below: "out") == ["d.jpg", "manifest.jsonl", "one/a.jpg", "two/a.jpg", "two/b/c.jpg"])
    }

    @Test("The working directory and its parent, among several inputs, have their real names")
    func dotDirectoriesAmongSeveralUseRealNames() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/one/a.jpg", "in/two/b.jpg")
        let run = try PrepProcess(
            arguments: [".", "../two", "--output", "../../out"], in: workspace.fileURL(at: "in/one"))
        #expect(run.exitStatus == 0)
        #expect(workspace.filePaths(below: "out") == ["manifest.jsonl", "one/a.jpg", "two/b.jpg"])
    }

    @Test("With a base directory, paths are relative to it")
    func outputPathsAreRelativeToBase() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/one/a.jpg", "in/two/b.jpg", "elsewhere/c.jpg")
        let run = try workspace.runPrep("in/one", "in/two/b.jpg", "--base", "in", "--output", "out")
        #expect(run.exitStatus == 0)
        #expect(workspace.filePaths(below: "out") == ["manifest.jsonl", "one/a.jpg", "two/b.jpg"])

        let other = try workspace.runPrep("in/one", "elsewhere", "--base", "in", "--output", "other")
        #expect(other.exitStatus == 1)
        #expect(
            try workspace.manifestLines(inOutput: "other").verdictsByInput == [
                "in/one/a.jpg": "converted", "elsewhere/c.jpg": "rejected outside-base",
            ])
        let base = workspace.url.resolvingSymlinksInPath().appending(path: "in").path
        #expect(other.standardError.contains("(outside-base): the file is not below the base directory \(base)\n"))
    }

    @Test("A base that is not a directory ends the run", arguments: ["in/a.jpg", "missing"])
    func invalidBaseEndsRun(_ base: String) throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        let run = try workspace.runPrep("in", "--base", base, "--output", "out")
        #expect(run.exitStatus == 2)
        #expect(run.standardError == "prep: the base directory \(base) does not exist or is not a directory\n")
    }

    @Test("An input that is named twice is prepared once")
    func inputNamedTwiceIsPreparedOnce() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        #expect(try workspace.runPrep("in/a.jpg", "in/a.jpg", "in//a.jpg", "--output", "out").exitStatus == 0)
        #expect(try workspace.manifestLines().count == 1)
    }
}
