import Foundation
import TestSupport
import Testing

@Suite("Options, messages and exit statuses")
struct UsageTests {
    static let invalidArguments: [[String]] = [
        [], ["in"], ["--output", "out"], ["in", "--output"], ["in", "--output", "out", "--no-such-option"],
        ["in", "--output", "out", "--max-dimension", "0"], ["in", "--output", "out", "--max-dimension", "65501"],
        ["in", "--output", "out", "--max-dimension", "large"], ["in", "--output", "out", "--quality", "0"],
        ["in", "--output", "out", "--quality", "101"], ["in", "--output", "out", "--quality", "80.5"],
        ["in", "--output", "out", "--chroma", "411"], ["in", "--output", "out", "--filter", "nearest"],
        ["in", "--output", "out", "--max-bytes", "0"], ["in", "--output", "out", "--max-bytes", "1MB"],
        ["in", "--output", "out", "--min-quality", "0"], ["in", "--output", "out", "--min-quality", "101"],
        ["in", "--output", "out", "--encoder", "mozjpeg"], ["in", "--output", "out", "--color", "p3"],
        ["in", "--output", "out", "--min-savings", "-1"],
        ["in", "--output", "out", "--min-savings", "101"],
        ["in", "--output", "out", "--background", "red"], ["in", "--output", "out", "--background", "#12345"],
        ["in", "--output", "out", "--background", "#12345g"], ["in", "--output", "out", "--jobs", "0"],
        ["in", "--output", "out", "--jobs", "1025"], ["in", "--output", "out", "--jobs", "two"],
        ["in", "--output", "out", "--shard", "3/2"], ["in", "--output", "out", "--shard", "-1/2"],
        ["in", "--output", "out", "--shard", "1"], ["in", "--output", "out", "--shard", "0/1"],
        ["in", "--output", "out", "--quality", "automatic"], ["in", "--output", "out", "--target", "75"],
        ["in", "--output", "out", "--quality", "80", "--target", "75"],
        ["in", "--output", "out", "--quality", "auto", "--target", "29"],
        ["in", "--output", "out", "--quality", "auto", "--target", "96"],
        ["in", "--output", "out", "--shard", "0/1/2"], ["in", "--output", "out", "--progress", "sometimes"],
    ]

    @Test(
        "Invalid usage has status 64 and a message on standard error, and changes nothing", arguments: invalidArguments)
    func usageErrorsExitWith64(_ arguments: [String]) throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        let run = try PrepProcess(arguments: arguments, in: workspace.url)
        #expect(run.exitStatus == 64)
        #expect(run.standardError.hasPrefix("Error: "))
        #expect(run.standardOutput == "")
        #expect(!workspace.fileExists(at: "out"))
    }

    @Test(
        "A value out of range is rejected with the allowed range",
        arguments: [
            (["--max-dimension", "0"], "--max-dimension is invalid: 0 (1 to 65500)."),
            (["--max-dimension", "65501"], "--max-dimension is invalid: 65501 (1 to 65500)."),
            (["--quality", "101"], "--quality is invalid: 101 (1 to 100)."),
            (["--min-savings", "101"], "--min-savings is invalid: 101 (0 to 100)."),
            (["--jobs", "0"], "--jobs is invalid: 0 (1 to 1024)."),
            (
                ["--max-memory", "0"],
                "The value '0' is invalid for '--max-memory <bytes>': expected 1 byte or more, such as 134217728, "
                    + "128MiB or 1GB"
            ),
            (["--shard", "3/2"], "The value '3/2' is invalid for '--shard <i/n>': expected I/N, with I from 1 to N"),
            (["--min-quality", "81"], "--min-quality is invalid: 81 (at most --quality, which is 80)."),
            (
                ["--quality", "40", "--min-quality", "50"],
                "--min-quality is invalid: 50 (at most --quality, which is 40)."
            ),
        ])
    func rangeIsStated(_ arguments: [String], _ message: String) throws {
        let workspace = try TestWorkspace()
        let run = try PrepProcess(arguments: ["in", "--output", "out"] + arguments, in: workspace.url)
        #expect(run.exitStatus == 64)
        #expect(run.standardError.hasPrefix("Error: \(message)\n"))
    }

    @Test(
        "--strict without a policy is rejected",
        arguments: [
            ["in", "--output", "out"], ["inspect", "in/a.jpg"], ["upload", "in", "--to", "https://example.com/upload"],
        ])
    func strictRequiresPolicy(_ arguments: [String]) throws {
        let workspace = try TestWorkspace()
        let run = try PrepProcess(arguments: arguments + ["--strict"], in: workspace.url)
        #expect(run.exitStatus == 64)
        #expect(run.standardError.hasPrefix("Error: --strict requires --image-policy or --audio-policy.\n"))
    }

    static let validArguments: [[String]] = [
        ["--max-dimension", "none"], ["--max-dimension", "65500"], ["--quality", "1"], ["--quality", "100"],
        ["--chroma", "422"], ["--filter", "catmullrom"], ["--max-bytes", "20000"],
        ["--quality", "100", "--min-quality", "100"], ["--quality", "40"],
        ["--quality", "auto", "--min-quality", "100"],
        ["--min-savings", "100"], ["--background", "102030"], ["--background", "#A0b0C0"], ["--jobs", "1024"],
        ["--shard", "1/1"], ["--progressive"], ["--color", "keep"], ["--color", "srgb"], ["--encoder", "compact"],
        ["--encoder", "libjpeg"],
        ["--quality", "auto"], ["--quality", "auto", "--target", "30"], ["--quality", "auto", "--target", "95"],
        ["--allow-truncated", "--allow-damaged"], ["-j", "2"], ["-q"],
    ]

    @Test("The smallest and largest values, and short names, are accepted", arguments: validArguments)
    func limitValuesAndShortOptionsAreAccepted(_ arguments: [String]) throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        #expect(
            try PrepProcess(arguments: ["in", "-o", "out", "--manifest", "lines"] + arguments, in: workspace.url)
                .exitStatus == 0)
        #expect(try workspace.manifestLines(at: "lines").count == 1)
    }

    @Test("`run` is optional")
    func explicitRunSubcommandIsEquivalent() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        #expect(try workspace.runPrep("run", "in", "--output", "out").exitStatus == 0)
        #expect(workspace.fileExists(at: "out/a.jpg"))
    }

    @Test("Help and version go to standard output, with status 0")
    func helpAndVersionGoToStandardOutput() throws {
        let workspace = try TestWorkspace()
        let version = try workspace.runPrep("--version")
        #expect(version.exitStatus == 0)
        #expect(version.standardOutput.wholeMatch(of: #/\d+\.\d+\.\d+\n/#) != nil)
        let help = try workspace.runPrep("help", "run")
        #expect(help.exitStatus == 0)
        #expect(help.standardError == "")
        for option in ["--output", "--max-dimension", "--max-bytes", "--shard", "--jobs", "--manifest", "--progress"] {
            #expect(help.standardOutput.contains(option))
        }
        #expect(help.standardOutput.contains("default: 1600"))
        #expect(try workspace.runPrep("--help").standardOutput.contains("USAGE: prep"))
    }

    @Test("A rejected input gives status 1, and its message names the file, the code, the byte and the reason")
    func rejectedInputExitsWith1AndExplains() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try workspace.writeFile(try Data(contentsOf: SampleMedia.damagedFile(named: "text.jpg")), at: "in/text.jpg")
        let run = try workspace.runPrep("in", "--output", "out")
        #expect(run.exitStatus == 1)
        let message =
            "prep: in/text.jpg: rejected (unrecognized-format) at byte 0: the content is neither an image nor audio: "
            + "text\n"
        #expect(run.standardError.hasPrefix(message))
        #expect(run.standardError.dropFirst(message.count).hasPrefix("2 inputs: 1 converted, 1 rejected; "))
        #expect(try workspace.manifestLines().verdictsByInput["in/text.jpg"] == "rejected unrecognized-format")
    }

    @Test(
        "With --quiet nothing is printed; the manifest and the exit status still report failures",
        arguments: ["auto", "always"])
    func quietPrintsNothing(_ progress: String) throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try workspace.writeFile(Data("text".utf8), at: "in/b.jpg")
        let run = try workspace.runPrep("in", "--output", "out", "--quiet", "--progress", progress)
        #expect(run.exitStatus == 1)
        #expect(run.standardError == "")
        #expect(run.standardOutput == "")
        #expect(try workspace.manifestLines().count == 2)
    }

    @Test("Without a terminal there is no progress bar unless it is requested")
    func progressBarNeedsTerminalOrRequest() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg", "in/b.jpg")
        for mode in ["auto", "never"] {
            #expect(!(try workspace.runPrep("in", "-o", "out", "--progress", mode)).standardError.contains("\r"))
        }
        let bar = try workspace.runPrep("in", "-o", "out", "--force", "--progress", "always").standardError
        #expect(bar.contains("\r[##############################] 2/2"))
    }

    @Test("In a shard, the bar counts the inputs of the shard")
    func progressBarCountsShardOnly() throws {
        let workspace = try TestWorkspace()
        for number in 0..<8 { try workspace.writeSmallImage(at: "in/\(number).jpg") }
        let run = try workspace.runPrep("in", "-o", "out", "--shard", "1/2", "--progress", "always")
        let count = try workspace.manifestLines(at: "out/manifest-1-of-2.jsonl").count
        #expect((1..<8).contains(count))
        #expect(run.standardError.contains("\r[##############################] \(count)/\(count)"))
    }

    @Test("An empty directory is not an error")
    func emptyDirectorySucceeds() throws {
        let workspace = try TestWorkspace()
        try FileManager.default.createDirectory(at: workspace.fileURL(at: "in"), withIntermediateDirectories: true)
        let run = try workspace.runPrep("in", "--output", "out", "--progress", "always")
        #expect(run.exitStatus == 0)
        #expect(run.standardError.contains("0 inputs; in "))
        #expect(try workspace.manifestLines() == [])
    }

    #if arch(arm64)
        static let foreign = "avx2"
    #else
        static let foreign = "neon"
    #endif

    @Test("An unavailable instruction set is rejected before anything is prepared", arguments: [foreign, "nonsense"])
    func unavailableInstructionSetIsRejected(_ name: String) throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        let run = try workspace.runPrep("in", "--output", "out", environment: ["PREP_SIMD": name])
        #expect(run.exitStatus == 2)
        #expect(
            run.standardError.hasPrefix("prep: PREP_SIMD asks for \(name); this build on this machine has portable"))
        #expect(!workspace.fileExists(at: "out"))
        let inspection = try workspace.runPrep("inspect", "in/a.jpg", environment: ["PREP_SIMD": name])
        #expect(inspection.exitStatus == 2 && inspection.standardOutput.isEmpty)
        #expect(inspection.standardError.hasPrefix("prep: PREP_SIMD asks for \(name); "))
    }
}
