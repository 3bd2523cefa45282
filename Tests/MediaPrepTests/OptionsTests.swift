import Foundation
import ImageCodecs
import Imaging
import MediaPrep
import TestSupport
import Testing

@Suite("Options are validated and applied")
struct OptionsTests {
    typealias Change = @Sendable (inout ImageOptions) -> Void

    static let invalidOptionCases: [(String, Int, Change)] = [
        ("max-dimension", 0, { $0.maxDimension = 0 }), ("max-dimension", -1, { $0.maxDimension = -1 }),
        ("max-dimension", 65_501, { $0.maxDimension = 65_501 }), ("quality", 0, { $0.quality = 0 }),
        ("quality", 101, { $0.quality = 101 }), ("min-quality", 0, { $0.minQuality = 0 }),
        ("min-quality", 101, { $0.minQuality = 101 }), ("min-savings", -1, { $0.minSavings = -1 }),
        ("min-savings", 101, { $0.minSavings = 101 }), ("max-bytes", 0, { $0.maxBytes = 0 }),
        ("max-bytes", -5, { $0.maxBytes = -5 }), ("target", 29, { $0.targetScore = 29 }),
        ("target", 96, { $0.targetScore = 96 }), ("parallelism", 0, { $0.parallelism = 0 }),
        ("parallelism", 3, { $0.parallelism = 3 }),
    ]

    @Test("Every option is encoded under its own name, in one object")
    func everyOptionIsEncoded() throws {
        var options = ImageOptions()
        options.maxBytes = 1000
        options.encoder = .libjpeg
        options.color = .keep
        options.targetScore = 75
        options.policy = .ear
        options.isolation = DecoderIsolation(executable: "/usr/local/bin/prep")
        let object = try #require(
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(options)) as? [String: Any])
        let names = [options as Any, options.decoding].flatMap { Mirror(reflecting: $0).children.compactMap(\.label) }
        // The result depends neither on isolation nor on threads.
        #expect(Set(object.keys) == Set(names).subtracting(["decoding", "isolation", "parallelism"]))
        #expect(object.count == 16)
        #expect(object["limits"] is [String: Any])
    }

    @Test("Options without the newest members are encoded as before these existed")
    func newestMembersAreNotEncodedByDefault() throws {
        let object = try #require(
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(ImageOptions())) as? [String: Any])
        #expect(object["encoder"] == nil && object["targetScore"] == nil && object["color"] == nil)
        #expect(object["policy"] == nil)
    }

    @Test("The encoder is selected, for baseline and progressive JPEGs", arguments: [false, true])
    func selectedEncoderIsUsed(isProgressive: Bool) throws {
        let source = try SmallJPEGs.makeColorNoise(width: 200, height: 150, quality: 95)
        var options = ImageOptions(maxDimension: 120)
        options.isProgressive = isProgressive
        let compact = try StrictJPEGParser(parsing: ImagePreparer(options).prepare(source).data)
        options.encoder = .libjpeg
        let byLibJPEG = try StrictJPEGParser(parsing: ImagePreparer(options).prepare(source).data)
        for parts in [byLibJPEG, compact] {
            #expect(parts.segments(withMarker: isProgressive ? 0xC2 : 0xC0).count == 1)
        }
        // The encoders have different quantization tables.
        #expect(compact.segments(withMarker: 0xDB).count == 2)
        #expect(compact.segments(withMarker: 0xDB) != byLibJPEG.segments(withMarker: 0xDB))
    }

    @Test("A value out of its range is an error that names the option and the value", arguments: invalidOptionCases)
    func outOfRangeValueNamesOptionAndValue(_ name: String, _ value: Int, _ change: Change) throws {
        var options = ImageOptions()
        change(&options)
        let preparer = ImagePreparer(options)
        let jpeg = try SmallJPEGs.makeColorNoise(quality: 80)
        for attempt in [{ _ = try preparer.prepare(jpeg) }, { _ = try preparer.probe(jpeg) }] as [() throws -> Void] {
            let error = #expect(throws: MediaError.self, performing: attempt)
            #expect(error?.code == .invalidOptions)
            #expect(error?.verdict == .failed)
            #expect(error?.stage == .options)
            #expect(error?.message.hasPrefix("\(name) is invalid: \(value) (") == true)
        }
    }

    static let limitValueCases: [Change] = [
        { $0.maxDimension = 1 }, { $0.maxDimension = 65_500 }, { $0.maxDimension = nil }, { $0.quality = 1 },
        { $0.quality = 100 }, { $0.minQuality = 1 }, { $0.minQuality = 100 }, { $0.minSavings = 0 },
        { $0.minSavings = 100 }, { $0.targetScore = 30 }, { $0.targetScore = 95 }, { $0.maxBytes = .max },
        { $0.maxBytes = nil },
    ]

    @Test("The ends of the ranges are fine", arguments: limitValueCases)
    func limitValuesAreAccepted(_ change: Change) throws {
        var options = ImageOptions()
        change(&options)
        let image = try ImagePreparer(options).prepare(try SmallJPEGs.makeColorNoise(quality: 80))
        #expect(try StrictJPEGParser(parsing: image.data).frameSize ?? (0, 0) == (image.width, image.height))
    }

    @Test("Chroma is kept up to the requested resolution, and never enlarged")
    func chromaIsNeverEnlarged() throws {
        let full = try Data(contentsOf: SampleMedia.goodImage(named: "ear-444.jpg"))
        let half = try SmallJPEGs.makeColorNoise(quality: 95)
        for (chroma, ofFull) in [(ImageOptions.ChromaFormat.yuv420, "420"), (.yuv422, "422"), (.yuv444, "444")] {
            var options = ImageOptions(maxDimension: 90)
            options.chroma = chroma
            let preparer = ImagePreparer(options)
            #expect(try preparer.prepare(full).chromaSubsampling?.notation == ofFull)
            // Barely smaller than its source, whose chroma has half the resolution: more can't be had.
            #expect(try preparer.prepare(half).chromaSubsampling?.notation == "420")
        }
    }

    @Test("A gray image keeps its single component")
    func grayImageStaysGray() throws {
        let image = try ImagePreparer(maxDimension: 50).prepare(
            contentsOf: SampleMedia.goodImage(named: "ear-gray.jpg"))
        #expect(image.chromaSubsampling == nil)
        #expect(try StrictJPEGParser(parsing: image.data).segments(withMarker: 0xC0).map { $0.payload[5] } == [1])
    }

    @Test("Progressive JPEGs are written on request, and baseline ones otherwise", arguments: [false, true])
    func progressiveJPEGIsWrittenOnRequest(_ isProgressive: Bool) throws {
        var options = ImageOptions(maxDimension: 48)
        options.isProgressive = isProgressive
        let walker = try StrictJPEGParser(
            parsing: try ImagePreparer(options).prepare(try SmallJPEGs.makeColorNoise(quality: 80)).data)
        #expect(walker.segments(withMarker: isProgressive ? 0xC2 : 0xC0).count == 1)
        #expect((walker.segments(withMarker: 0xDA).count > 1) == isProgressive)
    }

    @Test("The background only shows where an image is transparent")
    func backgroundShowsThroughTransparency() throws {
        let source = try Data(contentsOf: SampleMedia.goodImage(named: "throat-16bit-alpha.png"))
        var options = ImageOptions(maxDimension: 80)
        let white = try cornerAndCenterLuma(ImagePreparer(options).prepare(source))
        options.background = RGBColor(red: 0, green: 0, blue: 0)
        let black = try cornerAndCenterLuma(ImagePreparer(options).prepare(source))
        // JPEG's loss at quality 80 in a flat corner is a few levels at most.
        #expect(white.corner >= 250)
        #expect(black.corner <= 5)
        #expect(abs(white.middle - black.middle) <= 5)
    }

    @Test("Each filter gives a different image")
    func everyFilterGivesDifferentImage() throws {
        let source = try SmallJPEGs.makeColorNoise(quality: 95)
        let results = try ResampleFilter.allCases.map { filter in
            var options = ImageOptions(maxDimension: 50)
            options.filter = filter
            return try ImagePreparer(options).prepare(source).data
        }
        #expect(Set(results).count == 5)
    }

    @Test("Limits are the caller's to set")
    func customLimitsAreApplied() throws {
        var options = ImageOptions()
        options.limits.pixels = 96 * 64 - 1
        let error = #expect(throws: MediaError.self) {
            try ImagePreparer(options).prepare(try SmallJPEGs.makeColorNoise(width: 96, height: 64, quality: 80))
        }
        #expect(error?.code.rawValue == "too-many-pixels")
        #expect(error?.stage == .probe)
        options.limits.pixels += 1
        #expect(throws: Never.self) {
            try ImagePreparer(options).prepare(try SmallJPEGs.makeColorNoise(width: 96, height: 64, quality: 80))
        }
    }

    private func cornerAndCenterLuma(_ image: PreparedImage) throws -> (corner: Int, middle: Int) {
        let size = image.sourceProbe.preparedSize
        let decoded = try ImageSource([UInt8](image.data)).decode(resampling: .init(size: size))
        let plane = try #require(decoded.image.planes.first)
        return (Int(plane.samples[0]), Int(plane.samples[plane.height / 2 * plane.stride + plane.width / 2]))
    }
}
