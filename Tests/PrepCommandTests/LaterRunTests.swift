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
}
