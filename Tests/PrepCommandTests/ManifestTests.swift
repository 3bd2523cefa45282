import Foundation
import TestSupport
import Testing

@Suite("The manifest")
struct ManifestTests {
    private static let expectedLineKeys: Set<String> = [
        "input", "output", "kind", "verdict", "reasons", "warnings", "format", "input_bytes", "output_bytes", "sha256",
        "elapsed_ms",
    ]
    private static let imageKeys: Set<String> = [
        "width", "height", "source_width", "source_height", "orientation", "quality", "estimated_score",
        "chroma", "icc", "color", "measures",
    ]

    /// An image that is converted, a gray one that is passed through, and a text.
    private func makeWorkspace() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try workspace.writeFile(try Data(contentsOf: SampleMedia.goodImage(named: "ear-gray.jpg")), at: "in/gray.jpg")
        try workspace.writeFile(Data("text".utf8), at: "in/notes.txt")
        return workspace
    }

    @Test("Every line has every key, with null for missing values; only images have `image`")
    func everyLineHasEveryKey() throws {
        let workspace = try makeWorkspace()
        #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0)
        let text = String(decoding: try workspace.contents(ofFileAt: "out/manifest.jsonl"), as: UTF8.self)
        #expect(text.hasSuffix("}\n"))
        let lines = try text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(lines.count == 3)
        for line in lines {
            let isImage = line["kind"] as? String == "image"
            #expect(Set(line.keys) == (isImage ? Self.expectedLineKeys.union(["image"]) : Self.expectedLineKeys))
            if let image = line["image"] as? [String: Any] { #expect(Set(image.keys) == Self.imageKeys) }
            if !isImage {
                for key in ["output", "format", "output_bytes", "sha256"] { #expect(line[key] is NSNull) }
            }
        }
        let gray = try #require(lines.first { $0["input"] as? String == "in/gray.jpg" }?["image"] as? [String: Any])
        #expect(gray["quality"] is NSNull)
        #expect(gray["estimated_score"] is NSNull)
        #expect(gray["chroma"] is NSNull)
    }

    @Test("A line describes the input and the output")
    func lineDescribesInputAndOutput() throws {
        let workspace = try makeWorkspace()
        _ = try workspace.runPrep("in", "--output", "out", "--max-dimension", "50")
        let line = try #require(try workspace.manifestLines().first)
        #expect(line.input == "in/a.jpg")
        #expect(line.inputBase64 == nil)
        #expect(line.output == "a.jpg")
        #expect(line.kind == "image")
        #expect(line.verdict == "converted")
        #expect(line.format == "jpeg")
        #expect(line.inputBytes == (try workspace.contents(ofFileAt: "in/a.jpg").count))
        #expect(line.outputBytes == (try workspace.contents(ofFileAt: "out/a.jpg").count))
        #expect(line.elapsedMs > 0)
        let image = ManifestLineFixture.Image(
            width: 50, height: 38, sourceWidth: 96, sourceHeight: 73, orientation: 1, quality: 80, chroma: "420",
            icc: false)
        var described = line.image
        described?.measures = nil
        #expect(described == image)
        #expect((1...254).contains(try #require(line.image?.measures).mean))
    }

    @Test("A line has the quality that was chosen, and its estimated score")
    func lineHasChosenQualityAndScore() throws {
        let workspace = try TestWorkspace()
        let photo = SampleMedia.goodImage(named: "throat-16bit-alpha.png").path
        for (target, name) in [(nil, "75"), (60, "60")] as [(Int?, String)] {
            let options = ["--quality", "auto"] + (target.map { ["--target", "\($0)"] } ?? [])
            let run = try PrepProcess(arguments: [photo, "--output", name] + options, in: workspace.url)
            #expect(run.exitStatus == 0, "\(run.standardError)")
            let line = try #require(try workspace.manifestLines(at: "\(name)/manifest.jsonl").first)
            #expect((20..<95).contains(try #require(line.image?.quality)))
            let score = try #require(line.image?.estimatedScore)
            #expect((0..<4).contains(score - Double(target ?? 75)))
        }
    }

    @Test("Standard output has only the manifest, and no file is written")
    func manifestOnStandardOutputIsWrittenNowhereElse() throws {
        let workspace = try makeWorkspace()
        let run = try workspace.runPrep("in", "--output", "out", "--manifest", "-", "--progress", "always")
        #expect(run.exitStatus == 0)
        #expect(
            try ManifestLineFixture.parseManifest(run.standardOutput).map(\.input) == [
                "in/a.jpg", "in/gray.jpg", "in/notes.txt",
            ])
        #expect(run.standardError.contains("3 inputs: "))
        #expect(workspace.filePaths(below: "out") == ["a.jpg", "gray.jpg"])
    }

    @Test("A manifest file named by the caller is replaced")
    func manifestReplacesChosenFile() throws {
        let workspace = try makeWorkspace()
        try workspace.writeFile(Data(repeating: 10, count: 100_000), at: "report.jsonl")
        #expect(try workspace.runPrep("in", "--output", "out", "--manifest", "report.jsonl").exitStatus == 0)
        let text = String(decoding: try workspace.contents(ofFileAt: "report.jsonl"), as: UTF8.self)
        #expect(try ManifestLineFixture.parseManifest(text).count == 3)
        #expect(!text.hasPrefix("\n"))
        #expect(workspace.filePaths(below: "out") == ["a.jpg", "gray.jpg"])
    }

    @Test(
        "A manifest that can't be written ends the run before its first image",
        arguments: ["missing/report.jsonl", "in"])
    func unwritableManifestEndsRunBeforeFirstInput(_ path: String) throws {
        let workspace = try makeWorkspace()
        let run = try workspace.runPrep("in", "--output", "out", "--manifest", path)
        #expect(run.exitStatus == 2)
        #expect(run.standardError.hasPrefix("prep: the manifest \(path) can't be written: "))
        #expect(workspace.filePaths(below: "out") == [])
    }

    @Test(
        "A manifest that would replace an input is rejected, and the input is kept",
        arguments: ["in/a.jpg", "in/../in/a.jpg", "link"])
    func manifestReplacingAnInputIsRejected(_ path: String) throws {
        let workspace = try makeWorkspace()
        try workspace.createSymbolicLink(at: "link", to: "in/a.jpg")
        let before = try workspace.contents(ofFileAt: "in/a.jpg")
        #expect(try workspace.runPrep("in", "--output", "out", "--manifest", path).exitStatus == 2)
        #expect(try workspace.contents(ofFileAt: "in/a.jpg") == before)
    }
}
