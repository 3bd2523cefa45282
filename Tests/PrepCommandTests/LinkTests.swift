import Foundation
import Testing

@Suite("Links among inputs")
struct LinkTests {
    private static func message(_ link: String) -> String {
        "prep: \(link): link to a directory not followed; --follow follows it\n"
    }

    @Test("A link to a file is that file; a link to a directory is named, and followed only with --follow")
    func links() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("elsewhere/a.jpg", "elsewhere/more/b.jpg")
        try workspace.link("in/a link.jpg", to: "../elsewhere/a.jpg")
        try workspace.link("in/more", to: "../elsewhere/more")
        try workspace.link("in/z", to: "../elsewhere")
        let run = try workspace.prep("in", "--output", "out")
        #expect(run.status == 0)
        #expect(run.errors.hasPrefix(Self.message("in/more") + Self.message("in/z") + "1 input: 1 converted; "))
        #expect(workspace.files(below: "out") == ["a link.jpg", "manifest.jsonl"])
        let following = try workspace.prep("in", "--output", "all", "--follow")
        #expect(following.status == 0)
        #expect(following.errors.hasPrefix("3 inputs: 3 converted; "))
        #expect(workspace.files(below: "all") == ["a link.jpg", "manifest.jsonl", "more/b.jpg", "z/a.jpg"])
        #expect(try workspace.contents("all/a link.jpg") == workspace.contents("all/more/b.jpg"))
    }

    @Test("Quiet runs count the links that are not followed", arguments: [1, 2])
    func quiet(_ count: Int) throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg", "elsewhere/b.jpg")
        for number in 1...count { try workspace.link("in/\(number)", to: "../elsewhere") }
        let links = count == 1 ? "1 link to a directory" : "2 links to directories"
        let run = try workspace.prep("in", "--output", "out", "--quiet")
        #expect(run.status == 0)
        #expect(run.errors == "prep: \(links) not followed; --follow follows \(count == 1 ? "it" : "them")\n")
        #expect(try workspace.prep("in", "--output", "out", "--quiet", "--follow").errors == "")
    }

    @Test("Links that are named themselves, on the command line or in a list, are followed")
    func named() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("elsewhere/a.jpg", "elsewhere/deep/b.jpg")
        try workspace.link("in/link", to: "../elsewhere")
        try workspace.write(Data("in/link\nin/link/deep/b.jpg\n".utf8), "list")
        for arguments in [["in/link"], ["--files-from", "list"]] {
            let run = try PrepProcess(arguments + ["--output", "out", "--quiet"], in: workspace.url)
            #expect(run.status == 0 && run.errors == "", "\(run.errors)")
            let expected = ["in/link/a.jpg": "converted", "in/link/deep/b.jpg": "converted"]
            #expect(try workspace.manifest().outcomes == expected)
        }
    }

    @Test("Without --follow, a directory that is reached twice without links is searched twice")
    func nothingElseLeftOut() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/sub/a.jpg")
        try workspace.link("link", to: "in/sub")
        #expect(try workspace.prep("in", "link", "--output", "out").status == 0)
        #expect(try workspace.manifest().outputs == ["in/sub/a.jpg": "in/sub/a.jpg", "link/a.jpg": "link/a.jpg"])
    }

    @Test("Loops end, with --follow too, and nothing is found twice through them", arguments: [[], ["--follow"]])
    func loops(_ options: [String]) throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg", "in/deep/b.jpg")
        try workspace.link("in/self", to: ".")
        try workspace.link("in/deep/up", to: "..")
        try workspace.link("in/endless", to: "endless")
        let run = try PrepProcess(["in", "--output", "out"] + options, in: workspace.url)
        #expect(run.status == 1)
        #expect(run.errors.contains(Self.message("in/self")) == options.isEmpty)
        #expect(
            try workspace.manifest().outcomes == [
                "in/a.jpg": "converted", "in/deep/b.jpg": "converted", "in/endless": "failed unreadable",
            ])
    }

    /// Each of 40 directories has two links to the next: 2^40 paths. A 41st, out of the tree, has a photo.
    @Test("Links that double at each level are followed once each, in any order of entries and arguments")
    func doubling() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("elsewhere/a.jpg")
        for level in 0..<40 {
            let names = level % 2 == 0 ? ["x", "y"] : ["y", "x"]
            for name in names {
                try workspace.link("in/\(10 + level)/\(name)", to: level < 39 ? "../\(11 + level)" : "../../elsewhere")
            }
        }
        let path = "in/10" + String(repeating: "/x", count: 40) + "/a.jpg"
        for inputs in [["in"], ["in/12", "in/10", "in"], ["in", "in/10", "in/12"]] {
            let run = try PrepProcess(inputs + ["--base", "in", "--output", "out", "--follow"], in: workspace.url)
            #expect(run.status == 0)
            #expect(try workspace.manifest().map(\.input) == [path])
        }
        let unfollowed = try workspace.prep("in", "--output", "none", "--quiet")
        #expect(unfollowed.errors == "prep: 80 links to directories not followed; --follow follows them\n")
    }

    @Test("A directory out of the tree is found under its first path in byte order; one in it always at its place")
    func firstPath() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("elsewhere/sub/a.jpg", "in/z/b.jpg")
        // `a.b` comes before `a/…` in byte order.
        try workspace.link("in/a/whole", to: "../../elsewhere")
        try workspace.link("in/a.b", to: "../elsewhere/sub")
        try workspace.link("in/c", to: "../elsewhere")
        try workspace.link("in/d", to: "z")
        try workspace.link("in/z/e", to: ".")
        #expect(try workspace.prep("in", "--output", "out", "--follow").status == 0)
        #expect(try workspace.manifest().map(\.input) == ["in/a.b/a.jpg", "in/d/b.jpg", "in/z/b.jpg"])
    }

    @Test("A link to the output directory is passed over without a word", arguments: [[], ["--follow"]])
    func output(_ options: [String]) throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg", "out/old.jpg")
        try workspace.link("in/out", to: "../out")
        let run = try PrepProcess(["in", "--output", "out", "--quiet"] + options, in: workspace.url)
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        #expect(try workspace.manifest().map(\.input) == ["in/a.jpg"])
    }

    @Test("A plan and a manifest that is sent name their inputs: --follow is wrong usage there")
    func usage() throws {
        let workspace = try Workspace()
        #expect(try workspace.prep("run", "--plan", "-", "--output", "out", "--follow").status == 64)
        let upload = ["upload", "--from-manifest", "-", "--to", "https://example.com/", "--follow"]
        #expect(try PrepProcess(upload, in: workspace.url).status == 64)
    }
}
