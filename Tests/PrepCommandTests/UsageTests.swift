import Foundation
import TestSupport
import Testing

@Suite("Options, messages and exit statuses")
struct UsageTests {
    static let wrong: [[String]] = [
        [], ["in"], ["--output", "out"], ["in", "--output"], ["in", "--output", "out", "--no-such-option"],
        ["in", "--output", "out", "--max-dimension", "0"], ["in", "--output", "out", "--max-dimension", "65501"],
        ["in", "--output", "out", "--max-dimension", "large"], ["in", "--output", "out", "--quality", "0"],
        ["in", "--output", "out", "--quality", "101"], ["in", "--output", "out", "--quality", "80.5"],
        ["in", "--output", "out", "--chroma", "411"], ["in", "--output", "out", "--filter", "nearest"],
        ["in", "--output", "out", "--max-bytes", "0"], ["in", "--output", "out", "--max-bytes", "1MB"],
        ["in", "--output", "out", "--min-quality", "0"], ["in", "--output", "out", "--min-quality", "101"],
        ["in", "--output", "out", "--min-savings", "-1"], ["in", "--output", "out", "--min-savings", "101"],
        ["in", "--output", "out", "--background", "red"], ["in", "--output", "out", "--background", "#12345"],
        ["in", "--output", "out", "--background", "#12345g"], ["in", "--output", "out", "--jobs", "0"],
        ["in", "--output", "out", "--jobs", "1025"], ["in", "--output", "out", "--jobs", "two"],
        ["in", "--output", "out", "--shard", "3/2"], ["in", "--output", "out", "--shard", "-1/2"],
        ["in", "--output", "out", "--shard", "1"], ["in", "--output", "out", "--shard", "0/1"],
        ["in", "--output", "out", "--shard", "0/1/2"], ["in", "--output", "out", "--progress", "sometimes"],
    ]

    @Test("Wrong usage is told on standard error with status 64, and nothing is done", arguments: wrong)
    func wrongUsage(_ arguments: [String]) throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        let run = try PrepProcess(arguments, in: workspace.url)
        #expect(run.status == 64)
        #expect(run.errors.hasPrefix("Error: "))
        #expect(run.output == "")
        #expect(!workspace.exists("out"))
    }

    static let right: [[String]] = [
        ["--max-dimension", "none"], ["--max-dimension", "65500"], ["--quality", "1"], ["--quality", "100"],
        ["--chroma", "422"], ["--filter", "catmullrom"], ["--max-bytes", "20000"], ["--min-quality", "100"],
        ["--min-savings", "100"], ["--background", "102030"], ["--background", "#A0b0C0"], ["--jobs", "1024"],
        ["--shard", "1/1"], ["--progressive"], ["--allow-truncated", "--allow-damaged"], ["-j", "2"], ["-q"],
    ]

    @Test("Values at the ends of what is allowed, and short names, are taken", arguments: right)
    func rightUsage(_ arguments: [String]) throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        #expect(try PrepProcess(["in", "-o", "out", "--manifest", "lines"] + arguments, in: workspace.url).status == 0)
        #expect(try workspace.lines("lines").count == 1)
    }

    @Test("`run` may be said, and means the same")
    func runByName() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        #expect(try workspace.prep("run", "in", "--output", "out").status == 0)
        #expect(workspace.exists("out/a.jpg"))
    }

    @Test("Help and version go to standard output, with status 0")
    func help() throws {
        let workspace = try Workspace()
        let version = try workspace.prep("--version")
        #expect(version.status == 0)
        #expect(version.output.wholeMatch(of: #/\d+\.\d+\.\d+\n/#) != nil)
        let help = try workspace.prep("help", "run")
        #expect(help.status == 0)
        #expect(help.errors == "")
        for option in ["--output", "--max-dimension", "--max-bytes", "--shard", "--jobs", "--manifest", "--progress"] {
            #expect(help.output.contains(option))
        }
        #expect(help.output.contains("default: 1600"))
        #expect(try workspace.prep("--help").output.contains("USAGE: prep"))
    }

    @Test("Something rejected gives status 1, and its message names the file, the code, the byte and the reason")
    func someRejected() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        try workspace.write(try Data(contentsOf: Samples.damaged("text.jpg")), "in/text.jpg")
        let run = try workspace.prep("in", "--output", "out")
        #expect(run.status == 1)
        let message =
            "prep: in/text.jpg: rejected (unrecognized-format) at byte 0: the content is text, neither an image nor a recording\n"
        #expect(run.errors.hasPrefix(message))
        #expect(run.errors.dropFirst(message.count).hasPrefix("2 inputs: 1 converted, 1 rejected; "))
        #expect(try workspace.manifest().outcomes["in/text.jpg"] == "rejected unrecognized-format")
    }

    @Test(
        "Quiet means silent, whatever happens; the manifest and the status still tell", arguments: ["auto", "always"])
    func quiet(_ progress: String) throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        try workspace.write(Data("text".utf8), "in/b.jpg")
        let run = try workspace.prep("in", "--output", "out", "--quiet", "--progress", progress)
        #expect(run.status == 1)
        #expect(run.errors == "")
        #expect(run.output == "")
        #expect(try workspace.manifest().count == 2)
    }

    @Test("Without a terminal there is no progress bar, unless it is asked for")
    func progress() throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg", "in/b.jpg")
        for mode in ["auto", "never"] {
            #expect(!(try workspace.prep("in", "-o", "out", "--progress", mode)).errors.contains("\r"))
        }
        let bar = try workspace.prep("in", "-o", "out", "--force", "--progress", "always").errors
        #expect(bar.contains("\r[##############################] 2/2"))
    }

    @Test("In a part of a batch, the bar counts that part")
    func progressOfShard() throws {
        let workspace = try Workspace()
        for number in 0..<8 { try workspace.writePhotos("in/\(number).jpg") }
        let run = try workspace.prep("in", "-o", "out", "--shard", "1/2", "--progress", "always")
        let count = try workspace.lines("out/manifest-1-of-2.jsonl").count
        #expect((1..<8).contains(count))
        #expect(run.errors.contains("\r[##############################] \(count)/\(count)"))
    }

    @Test("An empty directory is no mistake")
    func emptyDirectory() throws {
        let workspace = try Workspace()
        try FileManager.default.createDirectory(at: workspace.file("in"), withIntermediateDirectories: true)
        let run = try workspace.prep("in", "--output", "out", "--progress", "always")
        #expect(run.status == 0)
        #expect(run.errors.contains("0 inputs; in "))
        #expect(try workspace.manifest() == [])
    }

    #if arch(arm64)
        static let foreign = "avx2"
    #else
        static let foreign = "neon"
    #endif

    @Test("Instructions that can't be had are refused before anything is done", arguments: [foreign, "nonsense"])
    func instructionSet(_ name: String) throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        let run = try workspace.prep("in", "--output", "out", environment: ["PREP_SIMD": name])
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix("prep: PREP_SIMD asks for \(name); this build on this machine has portable"))
        #expect(!workspace.exists("out"))
    }
}
