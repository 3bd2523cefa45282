import Foundation
import ImageCodecs
import MediaPrep
import TestSupport
import Testing

@Suite("The lowest quality that reaches a score") struct AutomaticQualityTests {
    private static func makePhoto() throws -> Data {
        try Data(contentsOf: SampleMedia.goodImage(named: "ear-upright.jpg"))
    }

    @Test("is taken: the next lower quality does not reach it", arguments: [30, 50, 65, 75, 85, 92])
    func lowestSufficientQualityIsTaken(target: Int) throws {
        let source = try Self.makePhoto()
        var options = ImageOptions(maxDimension: 400, targetScore: target)
        let image = try ImagePreparer(options).prepare(source)
        let quality = try #require(image.quality)
        #expect(try #require(image.estimatedScore) >= Double(target))
        // It is the same file as with that quality.
        #expect(try ImagePreparer(maxDimension: 400, quality: quality).prepare(source).data == image.data)
        options.quality = quality - 1
        let lower = try ImagePreparer(options).prepare(source)
        #expect(lower.quality == quality - 1)
        #expect(try #require(lower.estimatedScore) < Double(target))
    }

    @Test("is higher for a higher score")
    func qualityIncreasesWithTarget() throws {
        let source = try Self.makePhoto()
        let qualities = try [30, 45, 60, 75, 90].map { target in
            try #require(try ImagePreparer(.init(maxDimension: 400, targetScore: target)).prepare(source).quality)
        }
        #expect(qualities == qualities.sorted() && Set(qualities).count == qualities.count)
    }

    @Test("is not above the highest quality allowed")
    func qualityIsBounded() throws {
        var options = ImageOptions(maxDimension: 400, targetScore: 95)
        options.quality = 70
        let image = try ImagePreparer(options).prepare(try Self.makePhoto())
        #expect(image.quality == 70)
        #expect(try #require(image.estimatedScore) < 95)
    }

    @Test("yields to a limit on the bytes, and the score is that of the file", arguments: [90, 75])
    func byteLimitIsMet(percent: Int) throws {
        let source = try Self.makePhoto()
        var options = ImageOptions(maxDimension: 400, targetScore: 85)
        let free = try ImagePreparer(options).prepare(source)
        options.maxBytes = free.data.count * percent / 100
        let image = try ImagePreparer(options).prepare(source)
        #expect(image.data.count <= free.data.count * percent / 100)
        #expect(try #require(image.quality) < free.quality ?? 0)
        #expect(try #require(image.estimatedScore) < free.estimatedScore ?? 0)
    }

    static let secondRunCases = PrivacyTests.sampleNames.flatMap { name in
        [(name, 50, false), (name, 75, false), (name, 90, true)]
    }

    @Test("leaves a result as it is in a second run", arguments: secondRunCases)
    func resultPassesThrough(_ name: String, target: Int, isProgressive: Bool) throws {
        var options = ImageOptions(maxDimension: 500, targetScore: target)
        options.isProgressive = isProgressive
        let preparer = ImagePreparer(options)
        let first = try preparer.prepare(contentsOf: SampleMedia.goodImage(named: name))
        let second = try preparer.prepare(first.data)
        #expect(second.verdict == .passthrough)
        #expect(second.data == first.data)
        #expect(second.estimatedScore == nil)
    }

    @Test("leaves a result of an image that is not reduced as it is", arguments: [60, 70, 80, 90, 98], [0, 3])
    func unreducedResultPassesThrough(sourceQuality: Int, orientation: Int) throws {
        let noise = try SmallJPEGs.makeColorNoise(width: 200, height: 160, quality: sourceQuality)
        for target in [40, 60, 75, 90] {
            let preparer = ImagePreparer(.init(maxDimension: nil, targetScore: target))
            let source = orientation > 0 ? noise.addingExifOrientation(orientation) : noise
            let first = try preparer.prepare(source)
            let second = try preparer.prepare(first.data)
            #expect(second.verdict == .passthrough, "target \(target)")
            #expect(second.data == first.data)
        }
    }

    @Test("keeps a JPEG with a loss of its own that leaves no room, and not one of high quality")
    func lossOfSourceCounts() throws {
        let decoded = try ImagePreparer(maxDimension: 700, quality: 100).prepare(try Self.makePhoto())
        var options = ImageOptions(maxDimension: 600)
        options.encoder = .libjpeg
        for (quality, verdict) in [(70, Verdict.passthrough), (97, .converted)] {
            options.quality = quality
            let source = try ImagePreparer(options).prepare(decoded.data)
            #expect(try ImagePreparer(.init(targetScore: 75)).prepare(source.data).verdict == verdict)
        }
    }
}
