import Foundation
import Testing

@Suite("A later run over the same inputs in another way")
struct LaterRunTests {
    @Test("What is no media is passed over where it is met and rejected where it is named, whatever was recorded of it")
    func namedLater() throws {
        let workspace = try Workspace()
        try workspace.write(Data("text".utf8), "in/note.txt")
        for _ in 0..<2 {
            #expect(try workspace.prep("in", "--output", "out").status == 0)
            #expect(try workspace.manifest().outcomes == ["in/note.txt": "skipped unrecognized-format"])
            #expect(try workspace.prep("in/note.txt", "--output", "out").status == 1)
            #expect(try workspace.manifest().outcomes == ["in/note.txt": "rejected unrecognized-format"])
        }
    }

    @Test("A plan that has an input twice is refused: one of its outputs would not be written")
    func plannedTwice() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        let plan = try workspace.prep("in", "--output", "out", "--dry-run").output
        let renamed = plan.replacing("\"output\":\"a.jpg\"", with: "\"output\":\"b.jpg\"")
        try workspace.write(Data((plan + renamed).utf8), "plan.jsonl")
        let run = try workspace.prep("run", "--plan", "plan.jsonl", "--output", "out")
        #expect(run.status == 2)
        #expect(run.errors == "prep: the plan has in/a.jpg twice\n")
    }

    @Test("The whole manifest goes to a device or through a link, and replaces neither")
    func mergedElsewhere() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        #expect(try workspace.prep("in", "--output", "out", "--shard", "1/1").status == 0)
        let part = "out/manifest-1-of-1.jsonl"
        #expect(
            try workspace.prep("merge", part, "--output", "/dev/stdout").output.utf8.elementsEqual(
                workspace.contents(part)))
        try workspace.write(Data(), "whole.jsonl")
        try workspace.link("link", to: "whole.jsonl")
        #expect(try workspace.prep("merge", part, "--output", "link").status == 0)
        #expect(try workspace.contents("whole.jsonl") == workspace.contents(part))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: workspace.file("link").path) == "whole.jsonl")
    }

    @Test("No output takes the place of the run's own files, wherever these were put")
    func ownFiles() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg", "in/b.jpg", "in/c.jpg")
        let run = try workspace.prep(
            "in", "--output", "out", "--manifest", "out/a.jpg", "--state", "out/b.jpg")
        #expect(run.status == 1)
        #expect(
            try workspace.lines("out/a.jpg").outcomes == [
                "in/a.jpg": "rejected reserved-name", "in/b.jpg": "rejected reserved-name", "in/c.jpg": "converted",
            ])
    }

    @Test("A list's absolute lines are below the working directory by whatever name that was reached")
    func listThroughLink() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("real/in/a.jpg")
        try workspace.link("link", to: "real")
        let run = try workspace.shell(
            "cd link && printf '%s\\n' \"$PWD/in/a.jpg\" | $PREP run --files-from - --output ../out")
        #expect(run.status == 0)
        #expect(try workspace.manifest().outputs.values.sorted() == ["in/a.jpg"])
    }

    @Test("Lines of a plan that need nothing done are not said to have been done before")
    func settledLines() throws {
        let workspace = try Workspace()
        try workspace.write(Data("text".utf8), "in/a.jpg")
        try workspace.write(Data((try workspace.prep("in", "--output", "out", "--dry-run").output).utf8), "plan")
        let run = try workspace.prep("run", "--plan", "plan", "--output", "out")
        #expect(run.status == 1)
        #expect(!run.errors.contains("before"))
        #expect(try workspace.manifest().outcomes == ["in/a.jpg": "rejected unrecognized-format"])
    }
}
