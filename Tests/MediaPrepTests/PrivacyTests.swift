import Foundation
import ImageCodecs
import MediaPrep
import TestSupport
import Testing

@Suite("Nothing private gets out, whichever way a picture takes")
struct PrivacyTests {
    static let names = UprightTests.expectations.map(\.name)

    @Test("The samples hold every private text that is searched for in the outputs")
    func samplesArePrivate() throws {
        let found = try Samples.photoNames().reduce(into: Set<String>()) { found, name in
            found.formUnion(Samples.privateTexts(in: try Data(contentsOf: Samples.photo(name))))
        }
        #expect(found == Set(Samples.privateTexts))
    }

    @Test("An output holds what its picture needs, its colour profile, and nothing else", arguments: names)
    func output(_ name: String) throws {
        let data = try PreparedSamples.image(name).data
        #expect(try SegmentWalker(data).leaks == [])
        #expect(Samples.privateTexts(in: data) == [])
    }

    @Test("The colour profile is carried byte for byte, when converted and when passed through")
    func colorProfile() throws {
        let source = try Data(contentsOf: Samples.photo("throat-display-p3.jpg"))
        let profile = try #require(try SegmentWalker(source).colorProfile)
        let converted = try PreparedSamples.image("throat-display-p3.jpg")
        #expect(converted.hasColorProfile)
        #expect(try SegmentWalker(converted.data).colorProfile == profile)
        let passed = try ImagePreparer().prepare(converted.data)
        #expect(passed.verdict == .passthrough)
        #expect(passed.hasColorProfile)
        #expect(try SegmentWalker(passed.data).colorProfile == profile)
    }

    @Test("A picture without a colour profile is given none", arguments: names.filter { !$0.contains("p3") })
    func noColorProfile(_ name: String) throws {
        let image = try PreparedSamples.image(name)
        #expect(!image.hasColorProfile)
        #expect(try SegmentWalker(image.data).colorProfile == nil)
    }

    @Test(
        "What passes through keeps its tables and scans as they were",
        arguments: ["ear-passthrough.jpg", "ear-gray.jpg"])
    func scans(_ name: String) throws {
        let image = try PreparedSamples.image(name)
        #expect(image.verdict == .passthrough)
        let source = try SegmentWalker(try Data(contentsOf: Samples.photo(name)))
        #expect(try SegmentWalker(image.data).picture == source.picture)
    }

    /// Blocks that applications leave in JPEG files: the marker and what its payload begins with.
    static let blocks: [(UInt8, String)] = [
        (0xE0, "JFXX\0\u{13}"), (0xE1, "Exif\0\0"), (0xE1, "http://ns.adobe.com/xap/1.0/\0"),
        (0xE1, "http://ns.adobe.com/xmp/extension/\0"), (0xE2, "MPF\0"), (0xE2, "FPXR\0"), (0xE3, "Meta\0\0"),
        (0xE4, "note"), (0xE5, "RMETA\0"), (0xE6, "EPPIM\0"), (0xE7, "note"), (0xE8, "SPIFF\0"),
        (0xE9, "Media Jukebox\0"),
        (0xEA, "PhotoStudio\0"), (0xEB, "HDR_RI "), (0xEC, "Ducky"), (0xED, "Photoshop 3.0\u{0}8BIM\u{4}\u{4}"),
        (0xEF, "GraphicConverter"), (0xFE, "a comment"),
    ]

    @Test("No application's block gets through, whether the picture is passed through or converted", arguments: blocks)
    func block(_ marker: UInt8, _ name: String) throws {
        let source = try SmallPhotos.noise(quality: 80).adding(marker: marker, Array("\(name) of a secret".utf8))
        for (maxDimension, verdict) in [(96, PreparedImage.Verdict.passthrough), (40, .converted)] {
            let image = try ImagePreparer(maxDimension: maxDimension).prepare(source)
            #expect(image.verdict == verdict)
            #expect(try SegmentWalker(image.data).leaks == [])
            #expect(image.data.range(of: Data("secret".utf8)) == nil)
        }
    }

    @Test("A thumbnail in the JFIF header is left out, the header's density stays")
    func thumbnail() throws {
        var source = try SmallPhotos.noise(quality: 80)
        let header = try #require(try SegmentWalker(source).all(0xE0).first).payload
        source.removeSubrange(2..<(2 + 4 + header.count))
        let pixels = Array("secretpixels".utf8)
        source = source.adding(marker: 0xE0, header.dropLast(2) + [2, 2] + pixels)
        let image = try ImagePreparer().prepare(source)
        #expect(image.verdict == .passthrough)
        #expect(try SegmentWalker(image.data).all(0xE0).map(\.payload) == [header.dropLast(2) + [0, 0]])
        #expect(image.data.range(of: Data("secret".utf8)) == nil)
    }

    @Test("Bytes behind the end are left out, and told of", arguments: [96, 40])
    func trailingBytes(_ maxDimension: Int) throws {
        let source = try SmallPhotos.noise(quality: 80)
        let image = try ImagePreparer(maxDimension: maxDimension).prepare(source + Data("secret".utf8))
        #expect(try SegmentWalker(image.data).trailing == [])
        #expect(image.warnings.map(\.code) == ["trailing-bytes"])
        #expect(image.warnings.first?.offset == source.count)
    }

    @Test("Bytes between segments are left out")
    func bytesBetweenSegments() throws {
        var source = try SmallPhotos.noise(quality: 80)
        let header = try #require(try SegmentWalker(source).segments.first)
        source.insert(contentsOf: Array("secret".utf8), at: 2 + header.byteCount)
        let image = try ImagePreparer().prepare(source)
        #expect(try SegmentWalker(image.data).leaks == [])
        #expect(image.data.range(of: Data("secret".utf8)) == nil)
    }

    @Test("A second picture behind the first, as phones append them, is left out, and told of")
    func secondPicture() throws {
        let first = try SmallPhotos.noise(quality: 80), second = try SmallPhotos.noise(quality: 80, seed: 2)
        let image = try ImagePreparer().prepare(first.adding(marker: 0xE2, Array("MPF\0MM\0*".utf8)) + second)
        #expect(try SegmentWalker(image.data).picture == SegmentWalker(first).picture)
        #expect(try SegmentWalker(image.data).leaks == [])
        #expect(image.warnings.map(\.code) == ["extra-images-dropped"])
    }
}
