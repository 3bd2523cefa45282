import Foundation
import TestSupport
import Testing

@Suite("How outputs are named")
struct NameTests {
    @Test("An output has its input's whole name, and .jpg behind it unless that is how it ends")
    func wholeNames() throws {
        let workspace = try Workspace()
        try workspace.writePhotos(
            "in/a.png", "in/b.jpg", "in/b.jpeg", "in/C.JPEG", "in/d", "in/e.jpe", "in/f.tar.JPG", "in/g.jpg.png",
            "in/ä ö.webp")
        #expect(try workspace.prep("in", "--output", "out").status == 0)
        #expect(
            try workspace.manifest().outputs == [
                "in/a.png": "a.png.jpg", "in/b.jpg": "b.jpg", "in/b.jpeg": "b.jpeg", "in/C.JPEG": "C.JPEG",
                "in/d": "d.jpg",
                "in/e.jpe": "e.jpe.jpg", "in/f.tar.JPG": "f.tar.JPG", "in/g.jpg.png": "g.jpg.png.jpg",
                "in/ä ö.webp": "ä ö.webp.jpg",
            ])
        #expect(workspace.files(below: "out").count == 10)
    }

    @Test(
        "An output gives way to a directory of its name that others lie in, whichever would be written first",
        arguments: 1...3)
    func directories(_ round: Int) throws {
        let workspace = try Workspace()
        try workspace.writePhotos("A/x.jpg", "B/X.JPG/deep/y.jpg", "A/deep.jpg")
        let run = try workspace.prep("A/x.jpg", "B/X.JPG", "A/deep.jpg", "--output", "out", "--jobs", "2")
        #expect(run.status == 1)
        #expect(
            try workspace.manifest().outcomes == [
                "A/deep.jpg": "converted", "A/x.jpg": "rejected name-collision", "B/X.JPG/deep/y.jpg": "converted",
            ])
    }

    @Test("Of two inputs with one output, the later in byte order is rejected; case doesn't tell names apart")
    func collisions() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.png", "in/a.jpg", "in/a.jpeg", "in/a.png.jpg")
        // Where names that differ in case are one file, there is nothing to collide.
        try workspace.writePhotos("in/A.JPG")
        let isCaseSensitive = workspace.files(below: "in").count == 5
        let run = try workspace.prep("in", "--output", "out")
        #expect(run.status == 1)
        let outcomes = try workspace.manifest().outcomes
        #expect(outcomes["in/a.png"] == "converted")
        #expect(outcomes["in/a.png.jpg"] == "rejected name-collision")
        #expect(outcomes["in/a.jpeg"] == "converted")
        if isCaseSensitive {
            #expect(outcomes["in/A.JPG"] == "converted")
            #expect(outcomes["in/a.jpg"] == "rejected name-collision")
            #expect(run.errors.contains("prep: in/a.jpg: rejected (name-collision): "))
        }
    }

    @Test("A collision is judged by the inputs alone, whatever the number of jobs and the order of arguments")
    func collisionsAreStable() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("x/a.jpg", "y/a.jpg", "z/a.jpg")
        for arguments in [["x/a.jpg", "y/a.jpg", "z/a.jpg"], ["z/a.jpg", "x/a.jpg", "y/a.jpg"]] {
            for jobs in ["1", "8"] {
                _ = try PrepProcess(arguments + ["--output", "out", "--jobs", jobs], in: workspace.url)
                #expect(
                    try workspace.manifest().outcomes == [
                        "x/a.jpg": "converted", "y/a.jpg": "rejected name-collision",
                        "z/a.jpg": "rejected name-collision",
                    ])
            }
        }
    }

    #if os(Linux)  // It takes a file system that tells names apart by their case.
        @Test("A text without an output leaves its name to a photo; a photo without an ending doesn't")
        func textsGiveWay() throws {
            let workspace = try Workspace()
            try workspace.writePhotos("in/photo.jpg", "in/other.jpg")
            try workspace.write(Data("text".utf8), "in/photo")
            try FileManager.default.copyItem(at: workspace.file("in/other.jpg"), to: workspace.file("in/other"))
            _ = try workspace.prep("in", "--output", "out")
            let outcomes = try workspace.manifest().outcomes
            #expect(outcomes["in/photo"] == "skipped unrecognized-format")
            #expect(outcomes["in/photo.jpg"] == "converted")
            #expect(outcomes["in/other"] == "converted")
            #expect(outcomes["in/other.jpg"] == "rejected name-collision")
        }

        @Test("Texts that would collide are skipped like any others")
        func textsDoNotCollide() throws {
            let workspace = try Workspace()
            try workspace.writePhotos("in/a.jpg")
            try workspace.write(Data("text".utf8), "in/NOTES")
            try workspace.write(Data("text".utf8), "in/notes")
            let run = try workspace.prep("in", "--output", "out")
            #expect(run.status == 0)
            #expect(try workspace.manifest().outcomes["in/notes"] == "skipped unrecognized-format")
        }
    #endif

    @Test("A single directory is mirrored as it is", arguments: ["in", "in/", "in/.", "./in", "sub/../in"])
    func singleDirectory(_ argument: String) throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg", "in/b/c.jpg", "in/b/d/e.png", "sub/x.jpg")
        #expect(try workspace.prep(argument, "--output", "out").status == 0)
        #expect(workspace.files(below: "out") == ["a.jpg", "b/c.jpg", "b/d/e.png.jpg", "manifest.jsonl"])
    }

    @Test("The current directory is a directory like any other")
    func currentDirectory() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg", "in/b/c.jpg")
        #expect(try PrepProcess([".", "--output", "../out"], in: workspace.file("in")).status == 0)
        #expect(workspace.files(below: "out") == ["a.jpg", "b/c.jpg", "manifest.jsonl"])
    }

    @Test("Of several inputs, each directory keeps its own name", arguments: ["two", "two/", "./two/.", "one/../two"])
    func severalDirectories(_ second: String) throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/one/a.jpg", "in/two/a.jpg", "in/two/b/c.jpg", "in/d.jpg")
        let run = try PrepProcess(["one", second, "d.jpg", "--output", "../out"], in: workspace.file("in"))
        #expect(run.status == 0)
        #expect(workspace.files(below: "out") == ["d.jpg", "manifest.jsonl", "one/a.jpg", "two/a.jpg", "two/b/c.jpg"])
    }

    @Test("The current directory and its parent, among several inputs, have their real names")
    func dotsAmongSeveral() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/one/a.jpg", "in/two/b.jpg")
        let run = try PrepProcess([".", "../two", "--output", "../../out"], in: workspace.file("in/one"))
        #expect(run.status == 0)
        #expect(workspace.files(below: "out") == ["manifest.jsonl", "one/a.jpg", "two/b.jpg"])
    }

    @Test("With a base, paths are relative to that")
    func base() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/one/a.jpg", "in/two/b.jpg", "elsewhere/c.jpg")
        let run = try workspace.prep("in/one", "in/two/b.jpg", "--base", "in", "--output", "out")
        #expect(run.status == 0)
        #expect(workspace.files(below: "out") == ["manifest.jsonl", "one/a.jpg", "two/b.jpg"])

        let other = try workspace.prep("in/one", "elsewhere", "--base", "in", "--output", "other")
        #expect(other.status == 1)
        #expect(
            try workspace.manifest("other").outcomes == [
                "in/one/a.jpg": "converted", "elsewhere/c.jpg": "rejected outside-base",
            ])
    }

    @Test("A base that is no directory ends the run", arguments: ["in/a.jpg", "missing"])
    func wrongBase(_ base: String) throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        let run = try workspace.prep("in", "--base", base, "--output", "out")
        #expect(run.status == 2)
        #expect(run.errors == "prep: --base \(base) is not a directory\n")
    }

    @Test("An input that is named twice is prepared once")
    func namedTwice() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        #expect(try workspace.prep("in/a.jpg", "in/a.jpg", "in//a.jpg", "--output", "out").status == 0)
        #expect(try workspace.manifest().count == 1)
    }
}
