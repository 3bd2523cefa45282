import Foundation
import TestSupport
import Testing

@Suite("What an earlier run did is not done again, and what it didn't do is")
struct ContinuingTests {
    /// Which file it is, and when it was written.
    private struct Stamp: Equatable {
        var inode: UInt64
        var modified: Date
    }

    private func stamps(_ workspace: Workspace) throws -> [String: Stamp] {
        let names = workspace.files(below: "out").filter { $0 != "manifest.jsonl" }
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                let of = try FileManager.default.attributesOfItem(atPath: workspace.file("out/\(name)").path)
                let inode = try #require(of[.systemFileNumber] as? NSNumber).uint64Value
                return (name, Stamp(inode: inode, modified: try #require(of[.modificationDate] as? Date)))
            })
    }

    /// Two photos, a recording, a text and what is rejected, prepared once.
    private func workspace(_ arguments: String...) throws -> Workspace {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg", "in/b/c.jpg")
        try workspace.write(wave(tone(0.5)), "in/note.wav")
        try workspace.write(Data("text".utf8), "in/notes.txt")
        try workspace.write(Data("text".utf8), "in/text.jpg")
        #expect(try PrepProcess(["in", "--output", "out"] + arguments, in: workspace.url).status == 1)
        return workspace
    }

    /// Runs again, and gives the outputs that were written anew.
    private func rewritten(_ workspace: Workspace, _ arguments: String...) throws -> Set<String> {
        let before = try stamps(workspace)
        let run = try PrepProcess(["in", "--output", "out"] + arguments, in: workspace.url)
        #expect(run.status == 1)
        let after = try stamps(workspace)
        return Set(after.keys.filter { after[$0] != before[$0] })
    }

    @Test("A second run touches nothing, says so, and leaves the same manifest, byte for byte")
    func nothingToDo() throws {
        let workspace = try workspace()
        let (before, manifest) = (try stamps(workspace), try workspace.contents("out/manifest.jsonl"))
        let run = try workspace.prep("in", "--output", "out")
        // What was rejected is rejected still.
        #expect(run.status == 1)
        #expect(run.errors.contains("5 inputs: 2 converted, 1 accepted, 1 skipped, 1 rejected; "))
        #expect(run.errors.contains("; nothing to do: all was done before\n"))
        #expect(!run.errors.contains("prep: "))
        #expect(try stamps(workspace) == before)
        let lines = { (data: Data) in
            data.split(separator: UInt8(ascii: "\n")).map { $0.base64EncodedString() }.sorted()
        }
        #expect(try lines(workspace.contents("out/manifest.jsonl")) == lines(manifest))
    }

    @Test(
        "An input that changed is done again, even at the same size, or with the same content and a new date",
        arguments: [
            ("echo more >> in/a.jpg", "a.jpg"),
            (#"printf '\1' | dd of=in/note.wav bs=1 seek=1000 conv=notrunc"#, "note.wav"),
            ("touch -d 2001-02-03T04:05:06 in/a.jpg", "a.jpg"),
        ])
    func changedInput(_ change: String, _ output: String) throws {
        let workspace = try workspace()
        try workspace.shell(change)
        #expect(try rewritten(workspace) == [output])
        #expect(try rewritten(workspace) == [])
    }

    @Test(
        "So is one whose output is missing or is not what was written",
        arguments: [
            "rm out/a.jpg", "echo more >> out/a.jpg", "touch -d 2001-02-03T04:05:06 out/a.jpg",
        ])
    func changedOutput(_ change: String) throws {
        let workspace = try workspace()
        let contents = try workspace.contents("out/a.jpg")
        try workspace.shell(change)
        #expect(try rewritten(workspace) == ["a.jpg"])
        #expect(try workspace.contents("out/a.jpg") == contents)
    }

    @Test(
        "Other options, and --force, do everything again; the options of before, once more",
        arguments: [["--quality", "60"], ["--max-dimension", "50"], ["--keep-dates"], ["--force"]])
    func otherOptions(_ options: [String]) throws {
        let workspace = try workspace()
        let before = try stamps(workspace)
        #expect(try PrepProcess(["in", "--output", "out"] + options, in: workspace.url).status == 1)
        let after = try stamps(workspace)
        #expect(after.keys == before.keys)
        #expect(after.allSatisfy { $0.value.inode != before[$0.key]?.inode })
        #expect(try rewritten(workspace) == (options == ["--force"] ? [] : Set(after.keys)))
    }

    @Test("The number of jobs, and where the manifest goes, are no other options")
    func sameOptions() throws {
        let workspace = try workspace()
        #expect(try rewritten(workspace, "--jobs", "1", "--manifest", "lines", "--quiet", "--progress", "always") == [])
        #expect(try workspace.lines("lines") == workspace.manifest())
    }

    @Test("What came later is done, what went is forgotten, and the rest stays")
    func otherInputs() throws {
        let workspace = try workspace()
        try workspace.writePhotos("in/new.jpg")
        try FileManager.default.removeItem(at: workspace.file("in/a.jpg"))
        #expect(try rewritten(workspace) == ["new.jpg"])
        #expect(
            try workspace.manifest().map(\.input) == [
                "in/b/c.jpg", "in/new.jpg", "in/note.wav", "in/notes.txt", "in/text.jpg",
            ])
        // An output is never taken away.
        #expect(workspace.exists("out/a.jpg"))
    }

    @Test("Copies of the inputs, with their dates, are taken for them with --ignore-inode, and only then")
    func copies() throws {
        let workspace = try workspace()
        try workspace.shell("cp -Rp in copy && rm -r in && mv copy in")
        #expect(try rewritten(workspace, "--ignore-inode") == [])
        #expect(try rewritten(workspace) == ["a.jpg", "b/c.jpg", "note.wav"])
        try workspace.write(try SmallPhoto.throat.get(), "in/a.jpg")
        #expect(try rewritten(workspace, "--ignore-inode") == ["a.jpg"])
    }

    @Test("With --keep-dates outputs are as old as their inputs, and are known again")
    func keepDates() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg", "in/b.jpg")
        try workspace.shell("touch -d 2001-02-03T04:05:06.789 in/a.jpg")
        #expect(try workspace.prep("in", "--output", "out", "--keep-dates").status == 0)
        for name in ["a.jpg", "b.jpg"] {
            let dates = try ["in", "out"].map {
                try FileManager.default.attributesOfItem(atPath: workspace.file("\($0)/\(name)").path)[
                    .modificationDate] as? Date
            }
            #expect(dates[0] == dates[1])
        }
        #expect(try workspace.prep("in", "--output", "out", "--keep-dates").errors.contains("nothing to do"))
    }

    @Test("A manifest whose last line is torn, or that is gone, is made anew from the ledger")
    func tornManifest() throws {
        let workspace = try workspace()
        let lines = try workspace.manifest()
        for damage in [
            "head -c 1000 out/manifest.jsonl > torn && mv torn out/manifest.jsonl", "rm out/manifest.jsonl",
            "echo '{' > out/manifest.jsonl",
        ] {
            try workspace.shell(damage)
            #expect(try rewritten(workspace) == [])
            #expect(try workspace.manifest() == lines)
        }
    }

    @Test("Without state nothing is kept, and everything is done every time")
    func noState() throws {
        let workspace = try workspace("--no-state")
        #expect(!workspace.exists("out/.prep"))
        #expect(try rewritten(workspace, "--no-state") == ["a.jpg", "b/c.jpg", "note.wav"])
    }

    @Test("The state can be kept elsewhere, and is then all that a run knows of earlier ones")
    func stateElsewhere() throws {
        let workspace = try workspace("--state", "state")
        #expect(!workspace.exists("out/.prep"))
        #expect(try rewritten(workspace, "--state", "state") == [])
        #expect(try rewritten(workspace, "--state", "other") == ["a.jpg", "b/c.jpg", "note.wav"])
    }

    @Test("A state that is no ledger, or a damaged one, is refused and not replaced")
    func foreignState() throws {
        let workspace = try workspace()
        try workspace.write(Data(repeating: 65, count: 5000), "state")
        let run = try workspace.prep("in", "--output", "out", "--state", "state")
        #expect(run.status == 2)
        #expect(run.errors == "prep: the ledger state: it is no ledger of this version of the program\n")
        #expect(try workspace.contents("state") == Data(repeating: 65, count: 5000))
    }
}
