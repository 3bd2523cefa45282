import Diagnostics
import Foundation
import ImageCodecs
import MediaPrep
import TestSupport
import Testing

@Suite("No private data reaches an output, on any path")
struct PrivacyTests {
    static let sampleNames = UprightOutputTests.expectations.map(\.name)

    @Test("The samples hold every private text that is searched for in the outputs")
    func samplesContainEveryPrivateText() throws {
        let found = try SampleMedia.goodImageNames().reduce(into: Set<String>()) { found, name in
            found.formUnion(SampleMedia.privateTextsFound(in: try Data(contentsOf: SampleMedia.goodImage(named: name))))
        }
        #expect(found == Set(SampleMedia.privateTexts))
    }

    @Test("An output only has its image data and its color profile", arguments: sampleNames)
    func outputHasOnlyImageDataAndProfile(_ name: String) throws {
        let data = try PreparedSamples.preparedImage(named: name).data
        #expect(try StrictJPEGParser(parsing: data).leakedMetadataDescriptions == [])
        #expect(SampleMedia.privateTextsFound(in: data) == [])
    }

    @Test("A color profile that is kept is carried byte for byte, when converted and when passed through")
    func colorProfileIsCarriedUnchanged() throws {
        let source = try Data(contentsOf: SampleMedia.goodImage(named: "throat-display-p3.jpg"))
        let profile = try #require(try StrictJPEGParser(parsing: source).colorProfile)
        var options = ImageOptions()
        options.color = .keep
        let converted = try ImagePreparer(options).prepare(source)
        #expect(converted.hasColorProfile)
        #expect(try StrictJPEGParser(parsing: converted.data).colorProfile == profile)
        let passed = try ImagePreparer(options).prepare(converted.data)
        #expect(passed.verdict == .passthrough)
        #expect(passed.hasColorProfile)
        #expect(try StrictJPEGParser(parsing: passed.data).colorProfile == profile)
    }

    @Test("No image has a color profile after its conversion", arguments: sampleNames)
    func outputHasNoProfile(_ name: String) throws {
        let image = try PreparedSamples.preparedImage(named: name)
        #expect(!image.hasColorProfile)
        #expect(try StrictJPEGParser(parsing: image.data).colorProfile == nil)
    }

    @Test(
        "An image that passes through keeps its tables and scans",
        arguments: ["ear-passthrough.jpg", "ear-gray.jpg"])
    func passthroughKeepsTablesAndScans(_ name: String) throws {
        let image = try PreparedSamples.preparedImage(named: name)
        #expect(image.verdict == .passthrough)
        let source = try StrictJPEGParser(parsing: try Data(contentsOf: SampleMedia.goodImage(named: name)))
        #expect(try StrictJPEGParser(parsing: image.data).imageDataSegments == source.imageDataSegments)
    }

    /// Blocks that applications leave in JPEG files: the marker and what its payload begins with.
    static let applicationBlocks: [(UInt8, String)] = [
        (0xE0, "JFXX\0\u{13}"), (0xE1, "Exif\0\0"), (0xE1, "http://ns.adobe.com/xap/1.0/\0"),
        (0xE1, "http://ns.adobe.com/xmp/extension/\0"), (0xE2, "MPF\0"), (0xE2, "FPXR\0"), (0xE3, "Meta\0\0"),
        (0xE4, "note"), (0xE5, "RMETA\0"), (0xE6, "EPPIM\0"), (0xE7, "note"), (0xE8, "SPIFF\0"),
        (0xE9, "Media Jukebox\0"),
        (0xEA, "PhotoStudio\0"), (0xEB, "HDR_RI "), (0xEC, "Ducky"), (0xED, "Photoshop 3.0\u{0}8BIM\u{4}\u{4}"),
        (0xEF, "GraphicConverter"), (0xFE, "a comment"),
    ]

    @Test(
        "No application segment is kept, whether the image passes through or is converted",
        arguments: applicationBlocks)
    func applicationBlockIsRemoved(_ marker: UInt8, _ name: String) throws {
        let source = try SmallJPEGs.makeColorNoise(quality: 80).insertingSegment(
            marker: marker, payload: Array("\(name) of a secret".utf8))
        for (maxDimension, verdict) in [(96, Verdict.passthrough), (40, .converted)] {
            let image = try ImagePreparer(maxDimension: maxDimension).prepare(source)
            #expect(image.verdict == verdict)
            #expect(try StrictJPEGParser(parsing: image.data).leakedMetadataDescriptions == [])
            #expect(image.data.range(of: Data("secret".utf8)) == nil)
        }
    }

    @Test("A thumbnail in the JFIF header is left out, the header's density stays")
    func jfifThumbnailIsRemoved() throws {
        var source = try SmallJPEGs.makeColorNoise(quality: 80)
        let header = try #require(try StrictJPEGParser(parsing: source).segments(withMarker: 0xE0).first).payload
        source.removeSubrange(2..<(2 + 4 + header.count))
        let pixels = Array("secretpixels".utf8)
        source = source.insertingSegment(marker: 0xE0, payload: header.dropLast(2) + [2, 2] + pixels)
        let image = try ImagePreparer().prepare(source)
        #expect(image.verdict == .passthrough)
        #expect(
            try StrictJPEGParser(parsing: image.data).segments(withMarker: 0xE0).map(\.payload) == [
                header.dropLast(2) + [0, 0]
            ])
        #expect(image.data.range(of: Data("secret".utf8)) == nil)
    }

    @Test("Trailing bytes are removed, with a warning", arguments: [96, 40])
    func trailingBytesAreRemovedAndWarned(_ maxDimension: Int) throws {
        let source = try SmallJPEGs.makeColorNoise(quality: 80)
        let image = try ImagePreparer(maxDimension: maxDimension).prepare(source + Data("secret".utf8))
        #expect(try StrictJPEGParser(parsing: image.data).trailingBytes == [])
        #expect(image.warnings.map(\.code) == [.trailingBytes])
        #expect(image.warnings.first?.offset == source.count)
    }

    @Test("Bytes between segments are left out")
    func bytesBetweenSegmentsAreRemoved() throws {
        var source = try SmallJPEGs.makeColorNoise(quality: 80)
        let header = try #require(try StrictJPEGParser(parsing: source).segments.first)
        source.insert(contentsOf: Array("secret".utf8), at: 2 + header.byteCount)
        let image = try ImagePreparer().prepare(source)
        #expect(try StrictJPEGParser(parsing: image.data).leakedMetadataDescriptions == [])
        #expect(image.data.range(of: Data("secret".utf8)) == nil)
    }

    @Test("A second image after the first, as phones append it, is removed, with a warning")
    func appendedSecondImageIsRemovedAndWarned() throws {
        let first = try SmallJPEGs.makeColorNoise(quality: 80),
            second = try SmallJPEGs.makeColorNoise(quality: 80, seed: 2)
        let image = try ImagePreparer().prepare(
            first.insertingSegment(marker: 0xE2, payload: Array("MPF\0MM\0*".utf8)) + second)
        #expect(
            try StrictJPEGParser(parsing: image.data).imageDataSegments
                == StrictJPEGParser(parsing: first).imageDataSegments)
        #expect(try StrictJPEGParser(parsing: image.data).leakedMetadataDescriptions == [])
        #expect(image.warnings.map(\.code) == [.extraImagesDropped])
    }
}
