import Diagnostics
import Foundation
import ImageCodecs
import Imaging
import MediaPrep
import TestSupport
import Testing

@Suite("Results have no more bytes than they may")
struct OutputByteCountTests {
    @Test(
        "An image of low quality that is hardly reduced is not written with more",
        arguments: [20, 45, 60, 79, 80, 81, 95])
    func lowQualityImageBarelyReducedKeepsItsQuality(_ quality: Int) throws {
        // Just less than a factor of 1.5.
        let source = try SmallJPEGs.makeColorNoise(quality: quality)
        let image = try ImagePreparer(maxDimension: 65, quality: 80).prepare(source)
        #expect(image.verdict == .converted)
        #expect(image.quality == min(quality, 80))
    }

    @Test("An image of low quality that is reduced gets the quality asked for", arguments: [5, 20, 45, 79, 95])
    func reducedLowQualityImageGetsRequestedQuality(_ quality: Int) throws {
        let source = try SmallJPEGs.makeColorNoise(width: 384, height: 256, quality: quality)
        let image = try ImagePreparer(maxDimension: 48, quality: 80).prepare(source)
        #expect(image.quality == 80)
        #expect(image.warnings == [])
    }

    /// Checks that a result has at most `limit` bytes, and uses 97% of them or has the highest quality that meets the
    /// limit.
    private static func expectGoodUse(
        of limit: Int, by image: PreparedImage, _ source: Data, options: ImageOptions,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let quality = try #require(image.quality, sourceLocation: sourceLocation)
        #expect(image.data.count <= limit, sourceLocation: sourceLocation)
        if image.data.count * 100 >= limit * 97 { return }
        var better = options
        (better.quality, better.minQuality, better.maxBytes) = (quality + 1, quality + 1, nil)
        #expect(try ImagePreparer(better).prepare(source).data.count > limit, sourceLocation: sourceLocation)
    }

    @Test(
        "An image reduced by 1.5 gets a quality with which it does not grow, but nearly does",
        arguments: [[96, 64], [64, 96]])
    func moderatelyReducedImageNeverGrows(_ size: [Int]) throws {
        let source = try SmallJPEGs.makeColorNoise(width: size[0], height: size[1], quality: 12)
        let limit = try source.imageDataByteCount()
        let options = ImageOptions(maxDimension: 64)
        let image = try ImagePreparer(options).prepare(source)
        let quality = try #require(image.quality)
        #expect((13..<80).contains(quality))
        #expect(image.warnings == [])
        #expect(image.data.count <= limit && image.data.count * 100 >= limit * 90)
    }

    @Test("A limit takes the quality of a reduced image below the lowest allowed, but not below its source's")
    func byteLimitNeverGoesBelowSourceQuality() throws {
        var options = ImageOptions(maxDimension: 60, quality: 30)
        let fine = try SmallJPEGs.makeColorNoise(width: 120, height: 80, quality: 95)
        options.maxBytes = try ImagePreparer(options).prepare(fine).data.count
        options.quality = 80
        let error = #expect(throws: MediaError.self) { try ImagePreparer(options).prepare(fine) }
        #expect(error?.code == .maxBytesExceeded)
        #expect(error?.message.contains("quality 50") == true)

        let coarse = try SmallJPEGs.makeColorNoise(width: 120, height: 80, quality: 20)
        let image = try ImagePreparer(options).prepare(coarse)
        #expect((20..<50).contains(try #require(image.quality)))
        options.maxBytes = 300
        let rejection = #expect(throws: MediaError.self) { try ImagePreparer(options).prepare(coarse) }
        #expect(rejection?.message.contains("quality 20") == true)
    }

    @Test("A PNG, which has no quality, gets the one asked for")
    func pngGetsRequestedQuality() throws {
        #expect(try PreparedSamples.preparedImage(named: "throat-16bit-alpha.png").quality == 80)
    }

    #if WebP
        @Test("A WebP gets the quality asked for even if it grows, and at most the bytes that are allowed")
        func webPGetsRequestedQuality() throws {
            let size = PixelSize(width: 120, height: 80)
            var random = SplitMix64(seed: 18)
            let noise = [size, PixelSize(width: 60, height: 40), PixelSize(width: 60, height: 40)].map {
                var plane = Plane(width: $0.width, height: $0.height)
                plane.samples = ContiguousArray(random.bytes(count: plane.samples.count))
                return plane
            }
            let source = Data(
                WebPBuilder(size: size, imageData: try LibWebP.encode(planes: noise, size: size, quality: 20)).fileBytes
            )
            let image = try ImagePreparer().prepare(source)
            #expect(image.quality == 80)
            #expect(image.data.count > source.count)
            #expect(image.warnings.map(\.code) == [.grew])
            var options = ImageOptions()
            options.maxBytes = image.data.count * 9 / 10
            let limited = try ImagePreparer(options).prepare(source)
            #expect(limited.data.count <= image.data.count * 9 / 10)
            #expect((50..<80).contains(try #require(limited.quality)))
        }
    #endif

    @Test(
        "No converted sample has more bytes than its source, except that a WebP may",
        arguments: PrivacyTests.sampleNames.filter { !$0.hasSuffix(".webp") })
    func convertedSamplesNeverGrow(_ name: String) throws {
        let image = try PreparedSamples.preparedImage(named: name)
        let source = try Data(contentsOf: SampleMedia.goodImage(named: name))
        let limit = name.hasSuffix(".png") ? source.count : try source.imageDataByteCount()
        #expect(image.data.count <= limit)
        #expect(!image.warnings.contains { $0.code == .grew })
    }

    /// It must be turned, so it can't pass through; and as a progressive JPEG it is smaller than a baseline one of
    /// nearly the same quality.
    static func makeCompactImage(quality: Int) throws -> Data {
        try SmallJPEGs.makeColorNoise(width: 120, height: 80, quality: quality, isProgressive: true)
            .addingExifOrientation(6)
    }

    @Test("An image that would grow is encoded with a quality at which it does not")
    func qualityIsLoweredToAvoidGrowth() throws {
        let source = try Self.makeCompactImage(quality: 81)
        let limit = try source.imageDataByteCount()
        var options = ImageOptions()
        options.encoder = .libjpeg
        let image = try ImagePreparer(options).prepare(source)
        #expect((50..<80).contains(try #require(image.quality)))
        try Self.expectGoodUse(of: limit, by: image, source, options: options)
        #expect(image.warnings == [])
    }

    @Test(
        "An image that grows even at the lowest quality allowed is encoded with it, with a warning",
        arguments: [79, 80, 100])
    func unavoidableGrowthUsesMinimumQualityAndWarns(_ minQuality: Int) throws {
        let source = try Self.makeCompactImage(quality: 81)
        var options = ImageOptions()
        options.minQuality = minQuality
        options.encoder = .libjpeg
        let image = try ImagePreparer(options).prepare(source)
        #expect(image.quality == min(minQuality, 80))
        #expect(image.data.count > (try source.imageDataByteCount()))
        #expect(image.warnings.map(\.code) == [.grew])
    }

    @Test("A quality below the lowest allowed is not raised to it")
    func minimumQualityDoesNotRaiseQuality() throws {
        let source = try Self.makeCompactImage(quality: 30)
        #expect(try ImagePreparer().prepare(source).quality == 30)
    }

    @Test(
        "A limit on the bytes is met with 97% of them, or the highest quality that meets it", arguments: [95, 80, 65],
        EncoderPreference.allCases)
    func byteLimitIsUsed(_ percent: Int, encoder: EncoderPreference) throws {
        let source = try SmallJPEGs.makeColorNoise(width: 120, height: 80, quality: 95)
        var options = ImageOptions(maxDimension: 100)
        options.minQuality = 20
        options.encoder = encoder
        let free = try ImagePreparer(options).prepare(source)
        let limit = free.data.count * percent / 100
        options.maxBytes = limit
        let image = try ImagePreparer(options).prepare(source)
        #expect((20..<80).contains(try #require(image.quality)))
        try Self.expectGoodUse(of: limit, by: image, source, options: options)
    }

    @Test("A limit that is met exactly costs nothing, one byte less does")
    func exactByteLimitKeepsQuality() throws {
        let source = try SmallJPEGs.makeColorNoise(width: 120, height: 80, quality: 95)
        var options = ImageOptions(maxDimension: 100)
        let free = try ImagePreparer(options).prepare(source)
        options.maxBytes = free.data.count
        #expect(try ImagePreparer(options).prepare(source).data == free.data)
        options.maxBytes = free.data.count - 1
        let smaller = try ImagePreparer(options).prepare(source)
        #expect(smaller.data.count < free.data.count)
        #expect(try #require(smaller.quality) < 80)
    }

    @Test("A limit that no allowed quality meets is a rejection that names both")
    func impossibleByteLimitIsRejected() throws {
        let source = try SmallJPEGs.makeColorNoise(width: 120, height: 80, quality: 95)
        var options = ImageOptions()
        options.maxBytes = 700
        options.minQuality = 35
        let error = #expect(throws: MediaError.self) { try ImagePreparer(options).prepare(source) }
        #expect(error?.code == .maxBytesExceeded)
        #expect(error?.verdict == .rejected)
        #expect(error?.stage == .encode)
        #expect(error?.message.contains("700") == true)
        #expect(error?.message.contains("quality 35") == true)
    }

    @Test("A file of exactly the limit passes through; with a limit one byte lower it is encoded again")
    func byteLimitAppliesToPassthrough() throws {
        let source = try SmallJPEGs.makeColorNoise(quality: 80)
        var options = ImageOptions()
        options.maxBytes = try source.imageDataByteCount()
        let passed = try ImagePreparer(options).prepare(source)
        #expect(passed.verdict == .passthrough)
        #expect(passed.data.count == options.maxBytes)
        options.maxBytes = passed.data.count - 1
        let converted = try ImagePreparer(options).prepare(source)
        #expect(converted.verdict == .converted)
        #expect(converted.data.count < passed.data.count)
    }

    @Test("How much must be saved decides between passing through and encoding again")
    func minSavingsDecidesPassthrough() throws {
        let source = try SmallJPEGs.makeColorNoise(quality: 90)
        var options = ImageOptions(quality: 80)
        options.minSavings = 0
        let converted = try ImagePreparer(options).prepare(source)
        #expect(converted.verdict == .converted)
        let size = try source.imageDataByteCount()
        // What is saved is measured with the tables of the source, which are libjpeg's.
        options.encoder = .libjpeg
        let savings = (size - (try ImagePreparer(options).prepare(source).data.count)) * 100 / size
        options.encoder = .compact
        #expect(converted.data.count < size - size * savings / 100)
        options.minSavings = savings
        #expect(try ImagePreparer(options).prepare(source).verdict == .converted)
        options.minSavings = savings + 1
        #expect(try ImagePreparer(options).prepare(source).verdict == .passthrough)
    }

    @Test("A file's search for its quality has nothing to do with the files before it or beside it")
    func qualitySearchIsIndependentPerFile() async throws {
        let sources = try [1, 2, 3].map { seed in
            try SmallJPEGs.makeColorNoise(width: 90 + 10 * Int(seed), height: 80, quality: 95, seed: seed)
        }
        var options = ImageOptions(maxDimension: 100)
        options.maxBytes = 4500
        options.minQuality = 10
        let preparer = ImagePreparer(options)
        var alone: [Data] = []
        for source in sources { alone.append(try await ImagePreparer(options).prepare(source).data) }
        try await withThrowingTaskGroup(of: (Int, Data).self) { group in
            for (index, source) in (sources + sources.reversed()).enumerated() {
                group.addTask { (index < 3 ? index : 5 - index, try await preparer.prepare(source).data) }
            }
            for try await (index, data) in group { #expect(data == alone[index]) }
        }
    }
}
