import Foundation
import Imaging
import MediaPrep
import TestSupport
import Testing

@Suite("The directory of an iPhone")
struct PhoneDirectoryTests {
    /// What an iPhone exports: HEIC images in Display P3 that are turned, with Exif; Live Photos; an edited JPEG with
    /// its sidecar; a burst; a screenshot; and a video. The names of the second Live Photo are in lower case.
    private func makeWorkspace() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        let edited = try Data(contentsOf: SampleMedia.goodImage(named: "throat-display-p3.jpg"))
        let motionPhoto = try SmallImage.gray.get() + makeQuickTimeMovie()
        for (name, data) in [
            ("IMG_0001.HEIC", try makeHEIC()), ("IMG_0001.MOV", makeQuickTimeMovie()),
            ("IMG_0001.AAE", Data(Self.adjustments.utf8)), ("IMG_E0001.JPG", edited),
            ("IMG_E0001.MOV", makeQuickTimeMovie(hasAudio: false)),
            ("img_0002.mov", makeQuickTimeMovie()), ("img_0002.heic", try makeHEIC()),
            ("IMG_0003.PNG", try Data(contentsOf: SampleMedia.goodImage(named: "throat-16bit-alpha.png"))),
            ("IMG_0004.JPG", try SmallImage.ear.get()), ("IMG_0004.MOV", makeQuickTimeMovie()),
            ("IMG_0005.MOV", makeQuickTimeMovie()), ("IMG_0006.JPG", motionPhoto),
            ("IMG_0007_BURST001.HEIC", try makeHEIC()), ("IMG_0007_BURST002.HEIC", try makeHEIC()),
        ] {
            try workspace.writeFile(data, at: "in/100APPLE/\(name)")
        }
        return workspace
    }

    private static let adjustments = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>adjustmentEditor</key><string>com.apple.Photos</string></dict></plist>

        """

    /// A quarter turn, Display P3 for the tiles only, and an item with Exif, as an iPhone writes them.
    private func makeHEIC() throws -> Data {
        let size = PixelSize(width: 256, height: 192)
        var tile = try HEIFFileBuilder.Item(sample: "throat.heic")
        tile.properties.append(HEIFFileBuilder.colorProfile(ICCProfileBuilder.displayP3.bytes))
        var file = HEIFFileBuilder(
            gridOf: tile, tileSize: size, columns: 1, rows: 1, size: size, properties: [HEIFFileBuilder.rotation(3)])
        let exif = ExifBuilder(orientation: 6).tiffBytes + Array("a secret".utf8)
        file.items.append(HEIFFileBuilder.Item(id: 9, type: "Exif", data: [[0, 0, 0, 0] + exif]))
        file.references.append(HEIFFileBuilder.Reference(type: "cdsc", from: 9, to: [1]))
        return Data(file.fileBytes)
    }

    private static let expectedVerdicts = [
        "IMG_0001.AAE": "skipped unrecognized-format", "IMG_0001.HEIC": "converted",
        "IMG_0001.MOV": "skipped live-photo-video", "IMG_0003.PNG": "converted", "IMG_0004.JPG": "converted",
        "IMG_0004.MOV": "skipped live-photo-video", "IMG_0005.MOV": "skipped has-video",
        "IMG_0006.JPG": "converted", "IMG_0007_BURST001.HEIC": "converted",
        "IMG_0007_BURST002.HEIC": "converted", "IMG_E0001.JPG": "converted",
        "IMG_E0001.MOV": "skipped live-photo-video", "img_0002.heic": "converted",
        "img_0002.mov": "skipped live-photo-video",
    ]

    private func verdicts(_ lines: [ManifestLineFixture]) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: lines.verdictsByInput.map {
                (String($0.key.dropFirst("in/100APPLE/".count)), $0.value)
            }
        )
    }

    #if HEIF
        @Test("Images are ready, upright, in sRGB and without metadata; videos and sidecars are skipped")
        func exportedDirectory() throws {
            let workspace = try makeWorkspace()
            let run = try workspace.runPrep("in", "--output", "out")
            #expect(run.exitStatus == 0)
            let lines = try workspace.manifestLines()
            #expect(verdicts(lines) == Self.expectedVerdicts)
            for line in lines {
                guard let output = line.output else { continue }
                let data = try workspace.contents(ofFileAt: "out/\(output)")
                let parsed = try StrictJPEGParser(parsing: data)
                #expect(parsed.leakedMetadataDescriptions == [], "\(output)")
                #expect(parsed.colorProfile == nil, "\(output)")
                #expect(parsed.trailingBytes == [], "\(output)")
                #expect(data.range(of: Data("secret".utf8)) == nil)
                let image = try #require(line.image)
                let probe = try ImagePreparer().probe(data)
                #expect(
                    probe.orientation == .up && probe.storedSize == PixelSize(width: image.width, height: image.height))
                #expect(image.color?.converted != false)
            }
            let heic = try #require(lines.first { $0.input.hasSuffix("IMG_0001.HEIC") })
            #expect(heic.output == "100APPLE/IMG_0001.HEIC.jpg")
            #expect(heic.image?.width == 192 && heic.image?.height == 256)
            #expect(heic.image?.color == .init(profile: "Display P3", converted: true))
            let motionPhoto = try #require(lines.first { $0.input.hasSuffix("IMG_0006.JPG") })
            #expect(motionPhoto.warnings.map(\.code) == ["motion-video-dropped"])

            let again = try workspace.runPrep("in", "--output", "out")
            #expect(again.exitStatus == 0)
            #expect(again.standardError.contains("nothing to do"))
            #expect(try workspace.manifestLines() == lines)
        }

        @Test("Jobs and shards do not change what is skipped", arguments: [1, 2, 5])
        func jobsAndShardsAgree(_ count: Int) throws {
            let workspace = try makeWorkspace()
            #expect(try workspace.runPrep("in", "--output", "jobs", "--jobs", "\(count)").exitStatus == 0)
            #expect(verdicts(try workspace.manifestLines(inOutput: "jobs")) == Self.expectedVerdicts)
            var lines: [ManifestLineFixture] = []
            for part in 1...count {
                let shard = ["--shard", "\(part)/\(count)", "--manifest", "-"]
                let run = try PrepProcess(arguments: ["in", "--output", "parts"] + shard, in: workspace.url)
                #expect(run.exitStatus == 0)
                lines += try ManifestLineFixture.parseManifest(run.standardOutput)
            }
            #expect(verdicts(lines) == Self.expectedVerdicts)
        }
    #endif

    @Test("A dry run skips the same files, and its plan repeats that")
    func dryRunAndPlan() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/IMG_1.JPG")
        try workspace.writeFile(makeQuickTimeMovie(), at: "in/IMG_1.MOV")
        let expected = ["in/IMG_1.JPG": "converted", "in/IMG_1.MOV": "skipped live-photo-video"]
        #expect(try workspace.runPrep("in", "--output", "out", "--dry-run", "--manifest", "plan").exitStatus == 0)
        let plan = String(decoding: try workspace.contents(ofFileAt: "plan"), as: UTF8.self).split(separator: "\n")
        #expect(plan.filter { $0.contains("live-photo-video") && $0.contains("IMG_1.MOV") }.count == 1)
        #expect(try workspace.runPrep("run", "--plan", "plan", "--output", "out").exitStatus == 0)
        #expect(try workspace.manifestLines().verdictsByInput == expected)
    }

    @Test("A movie is judged again when the image beside it comes or goes")
    func imageIsAddedAndRemoved() throws {
        let workspace = try TestWorkspace()
        try workspace.writeFile(makeQuickTimeMovie(), at: "in/IMG_1.MOV")
        try workspace.writeSmallImage(at: "in/a.jpg")
        func reason() throws -> String? {
            #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0)
            return try workspace.manifestLines().verdictsByInput["in/IMG_1.MOV"]
        }
        #expect(try reason() == "skipped has-video")
        try workspace.writeSmallImage(at: "in/IMG_1.JPG")
        #expect(try reason() == "skipped live-photo-video")
        try FileManager.default.removeItem(at: workspace.fileURL(at: "in/IMG_1.JPG"))
        #expect(try reason() == "skipped has-video")
    }

    @Test("The video of a Live Photo that is named, or listed, is rejected as any video")
    func namedVideo() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/IMG_1.JPG")
        try workspace.writeFile(makeQuickTimeMovie(), at: "in/IMG_1.MOV")
        #expect(try workspace.runPrep("in/IMG_1.JPG", "in/IMG_1.MOV", "--output", "out").exitStatus == 1)
        let expected = ["in/IMG_1.JPG": "converted", "in/IMG_1.MOV": "rejected has-video"]
        #expect(try workspace.manifestLines().verdictsByInput == expected)
        let list = try workspace.runShellScript("ls in/* | $PREP run --files-from - --output out")
        #expect(list.exitStatus == 1)
        #expect(try workspace.manifestLines().verdictsByInput == expected)
    }
}
