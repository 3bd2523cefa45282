import Foundation
import Testing

@Suite("Symbolic links among inputs")
struct SymbolicLinkInputTests {
    private static func unfollowedLinkMessage(_ link: String) -> String {
        "prep: \(link): link to a directory not followed; --follow follows it\n"
    }

    @Test("A link to a file is an input; a link to a directory is reported, and followed only with --follow")
    func fileLinksAreFollowedDirectoryLinksOnlyWithFollow() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "elsewhere/a.jpg", "elsewhere/more/b.jpg")
        try workspace.createSymbolicLink(at: "in/a link.jpg", to: "../elsewhere/a.jpg")
        try workspace.createSymbolicLink(at: "in/more", to: "../elsewhere/more")
        try workspace.createSymbolicLink(at: "in/z", to: "../elsewhere")
        let run = try workspace.runPrep("in", "--output", "out")
        #expect(run.exitStatus == 0)
        #expect(
            run.standardError.hasPrefix(
                Self.unfollowedLinkMessage("in/more") + Self.unfollowedLinkMessage("in/z") + "1 input: 1 converted; "))
        #expect(workspace.filePaths(below: "out") == ["a link.jpg", "manifest.jsonl"])
        let following = try workspace.runPrep("in", "--output", "all", "--follow")
        #expect(following.exitStatus == 0)
        #expect(following.standardError.hasPrefix("3 inputs: 3 converted; "))
        #expect(workspace.filePaths(below: "all") == ["a link.jpg", "manifest.jsonl", "more/b.jpg", "z/a.jpg"])
        #expect(try workspace.contents(ofFileAt: "all/a link.jpg") == workspace.contents(ofFileAt: "all/more/b.jpg"))
    }

    @Test("Quiet runs count the links that are not followed", arguments: [1, 2])
    func quietRunsCountUnfollowedLinks(_ count: Int) throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg", "elsewhere/b.jpg")
        for number in 1...count { try workspace.createSymbolicLink(at: "in/\(number)", to: "../elsewhere") }
        let links = count == 1 ? "1 link to a directory" : "2 links to directories"
        let run = try workspace.runPrep("in", "--output", "out", "--quiet")
        #expect(run.exitStatus == 0)
        #expect(run.standardError == "prep: \(links) not followed; --follow follows \(count == 1 ? "it" : "them")\n")
        #expect(try workspace.runPrep("in", "--output", "out", "--quiet", "--follow").standardError == "")
    }

    @Test("Links that are named themselves, on the command line or in a list, are followed")
    func explicitlyNamedLinksAreFollowed() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "elsewhere/a.jpg", "elsewhere/deep/b.jpg")
        try workspace.createSymbolicLink(at: "in/link", to: "../elsewhere")
        try workspace.writeFile(Data("in/link\nin/link/deep/b.jpg\n".utf8), at: "list")
        for arguments in [["in/link"], ["--files-from", "list"]] {
            let run = try PrepProcess(arguments: arguments + ["--output", "out", "--quiet"], in: workspace.url)
            #expect(run.exitStatus == 0 && run.standardError == "", "\(run.standardError)")
            let expected = ["in/link/a.jpg": "converted", "in/link/deep/b.jpg": "converted"]
            #expect(try workspace.manifestLines().verdictsByInput == expected)
        }
    }

    @Test("Without --follow, a directory that is reached twice without links is searched twice")
    func directoryReachedTwiceWithoutLinksIsSearchedTwice() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/sub/a.jpg")
        try workspace.createSymbolicLink(at: "link", to: "in/sub")
        #expect(try workspace.runPrep("in", "link", "--output", "out").exitStatus == 0)
        #expect(
            try workspace.manifestLines().outputsByInput == [
                "in/sub/a.jpg": "in/sub/a.jpg", "link/a.jpg": "link/a.jpg",
            ])
    }

    @Test("Loops end, with --follow too, and nothing is found twice through them", arguments: [[], ["--follow"]])
    func linkLoopsTerminateWithoutDuplicates(_ options: [String]) throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg", "in/deep/b.jpg")
        try workspace.createSymbolicLink(at: "in/self", to: ".")
        try workspace.createSymbolicLink(at: "in/deep/up", to: "..")
        try workspace.createSymbolicLink(at: "in/endless", to: "endless")
        let run = try PrepProcess(arguments: ["in", "--output", "out"] + options, in: workspace.url)
        #expect(run.exitStatus == 1)
        #expect(run.standardError.contains(Self.unfollowedLinkMessage("in/self")) == options.isEmpty)
        #expect(
            try workspace.manifestLines().verdictsByInput == [
                "in/a.jpg": "converted", "in/deep/b.jpg": "converted", "in/endless": "failed unreadable",
            ])
    }

    /// Each of 40 directories has two links to the next, which gives 2^40 paths. The 41st, outside the tree, has an
    /// image.
    @Test("Two links at each level are followed once each, in any order of entries and arguments")
    func exponentialLinkTreeIsFollowedOnce() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "elsewhere/a.jpg")
        for level in 0..<40 {
            let names = level % 2 == 0 ? ["x", "y"] : ["y", "x"]
            for name in names {
                try workspace.createSymbolicLink(
                    at: "in/\(10 + level)/\(name)", to: level < 39 ? "../\(11 + level)" : "../../elsewhere")
            }
        }
        let path = "in/10" + String(repeating: "/x", count: 40) + "/a.jpg"
        for inputs in [["in"], ["in/12", "in/10", "in"], ["in", "in/10", "in/12"]] {
            let run = try PrepProcess(
                arguments: inputs + ["--base", "in", "--output", "out", "--follow"], in: workspace.url)
            #expect(run.exitStatus == 0)
            #expect(try workspace.manifestLines().map(\.input) == [path])
        }
        let unfollowed = try workspace.runPrep("in", "--output", "none", "--quiet")
        #expect(unfollowed.standardError == "prep: 80 links to directories not followed; --follow follows them\n")
    }

    @Test("A directory outside the tree has its first path in byte order; one inside the tree always has its own path")
    func linkedDirectoryIsFoundUnderFirstPathInByteOrder() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "elsewhere/sub/a.jpg", "in/z/b.jpg")
        // `a.b` comes before `a/…` in byte order.
        try workspace.createSymbolicLink(at: "in/a/whole", to: "../../elsewhere")
        try workspace.createSymbolicLink(at: "in/a.b", to: "../elsewhere/sub")
        try workspace.createSymbolicLink(at: "in/c", to: "../elsewhere")
        try workspace.createSymbolicLink(at: "in/d", to: "z")
        try workspace.createSymbolicLink(at: "in/z/e", to: ".")
        #expect(try workspace.runPrep("in", "--output", "out", "--follow").exitStatus == 0)
        #expect(try workspace.manifestLines().map(\.input) == ["in/a.b/a.jpg", "in/d/b.jpg", "in/z/b.jpg"])
    }

    @Test("A link to the output directory is ignored without a message", arguments: [[], ["--follow"]])
    func linkToOutputDirectoryIsIgnored(_ options: [String]) throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg", "out/old.jpg")
        try workspace.createSymbolicLink(at: "in/out", to: "../out")
        let run = try PrepProcess(arguments: ["in", "--output", "out", "--quiet"] + options, in: workspace.url)
        #expect(run.exitStatus == 0 && run.standardError == "", "\(run.standardError)")
        #expect(try workspace.manifestLines().map(\.input) == ["in/a.jpg"])
    }

    @Test("With --quiet, links that are not followed are counted even if the run cannot begin")
    func unfollowedLinksAreCountedBeforeAnError() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg", "elsewhere/b.jpg")
        try workspace.createSymbolicLink(at: "in/link", to: "../elsewhere")
        let run = try workspace.runPrep("in", "--output", "out", "--quiet", "--manifest", "in/a.jpg")
        #expect(run.exitStatus == 2)
        #expect(
            run.standardError.hasPrefix("prep: 1 link to a directory not followed; --follow follows it\nprep: "),
            "\(run.standardError)")
    }

    @Test("A plan and a manifest that is sent name their inputs: --follow is wrong usage there")
    func followWithPlanOrManifestIsUsageError() throws {
        let workspace = try TestWorkspace()
        #expect(try workspace.runPrep("run", "--plan", "-", "--output", "out", "--follow").exitStatus == 64)
        let upload = ["upload", "--from-manifest", "-", "--to", "https://example.com/", "--follow"]
        #expect(try PrepProcess(arguments: upload, in: workspace.url).exitStatus == 64)
    }
}
