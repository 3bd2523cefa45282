import Diagnostics
import Foundation
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

    @Test(
        "An image reduced by 1.5 gets the highest quality with which it does not grow",
        arguments: [[96, 64], [64, 96]])
    func moderatelyReducedImageNeverGrows(_ size: [Int]) throws {
        let source = try SmallJPEGs.makeColorNoise(width: size[0], height: size[1], quality: 20)
        let limit = try source.imageDataByteCount()
        let image = try ImagePreparer(maxDimension: 64).prepare(source)
        let quality = try #require(image.quality)
        #expect((21..<80).contains(quality))
        #expect(image.data.count <= limit)
        #expect(image.warnings == [])

        var options = ImageOptions(maxDimension: 64, quality: quality + 1)
        options.minQuality = quality + 1
        // That is above the source's, which the search may go down to.
        #expect(try ImagePreparer(options).prepare(source).quality == quality)
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
        options.maxBytes = 700
        let rejection = #expect(throws: MediaError.self) { try ImagePreparer(options).prepare(coarse) }
        #expect(rejection?.message.contains("quality 20") == true)
    }

    @Test("A PNG, which has no quality, gets the one asked for")
    func pngGetsRequestedQuality() throws {
        #expect(try PreparedSamples.preparedImage(named: "throat-16bit-alpha.png").quality == 80)
    }

    @Test("No converted sample has more bytes than its source", arguments: PrivacyTests.sampleNames)
    func convertedSamplesNeverGrow(_ name: String) throws {
        let image = try PreparedSamples.preparedImage(named: name)
        let source = try Data(contentsOf: SampleMedia.goodImage(named: name))
        let limit = name.hasSuffix(".png") ? source.count : try source.imageDataByteCount()
        #expect(image.data.count <= limit)
        #expect(!image.warnings.contains { $0.code == .grew })
    }

    /// It must be turned, so it can't pass through; and as a progressive JPEG it is smaller than a baseline one of the
    /// same quality.
    static func makeCompactImage(quality: Int) throws -> Data {
        try SmallJPEGs.makeColorNoise(width: 120, height: 80, quality: quality, isProgressive: true)
            .addingExifOrientation(6)
    }

    @Test("An image that would grow is encoded with the highest quality at which it does not")
    func qualityIsLoweredToAvoidGrowth() throws {
        let source = try Self.makeCompactImage(quality: 80)
        let limit = try source.imageDataByteCount()
        let image = try ImagePreparer().prepare(source)
        let quality = try #require(image.quality)
        #expect((50..<80).contains(quality))
        #expect(image.data.count <= limit)
        #expect(image.warnings == [])

        var options = ImageOptions(quality: quality + 1)
        options.minQuality = quality + 1
        let better = try ImagePreparer(options).prepare(source)
        #expect(better.quality == quality + 1)
        #expect(better.data.count > limit)
    }

    @Test(
        "An image that grows even at the lowest quality allowed is encoded with it, with a warning",
        arguments: [79, 80, 100])
    func unavoidableGrowthUsesMinimumQualityAndWarns(_ minQuality: Int) throws {
        let source = try Self.makeCompactImage(quality: 80)
        var options = ImageOptions()
        options.minQuality = minQuality
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

    @Test("A limit on the bytes is met with the highest quality that meets it", arguments: [95, 80, 65])
    func byteLimitIsMetWithHighestQuality(_ percent: Int) throws {
        let source = try SmallJPEGs.makeColorNoise(width: 120, height: 80, quality: 95)
        var options = ImageOptions(maxDimension: 100)
        options.minQuality = 20
        let free = try ImagePreparer(options).prepare(source)
        let limit = free.data.count * percent / 100
        options.maxBytes = limit
        let image = try ImagePreparer(options).prepare(source)
        let quality = try #require(image.quality)
        #expect(image.data.count <= limit)
        #expect((20..<80).contains(quality))

        options.quality = quality + 1
        options.minQuality = quality + 1
        let error = #expect(throws: MediaError.self) { try ImagePreparer(options).prepare(source) }
        #expect(error?.code == .maxBytesExceeded)
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
        let savings = (size - converted.data.count) * 100 / size
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
