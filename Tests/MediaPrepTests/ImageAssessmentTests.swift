import Diagnostics
import Foundation
import ImageCodecs
import Imaging
import MediaPrep
import TestSupport
import Testing

@Suite("Images that are assessed without being prepared")
struct ImageAssessmentTests {
    @Test("The measures are those of the prepared image", arguments: try SampleMedia.goodImageNames())
    func measuresAreThoseOfThePreparedImage(_ name: String) throws {
        let url = SampleMedia.goodImage(named: name)
        let assessed = try ImagePreparer().assess(contentsOf: url).measures
        let prepared = try ImagePreparer().prepare(contentsOf: url).measures
        #expect(assessed.shorterSide == prepared.shorterSide)
        #expect((assessed.colorCast == nil) == (prepared.colorCast == nil))
        // The result of more than 1,024 pixels was reduced once more.
        let tolerance = max(assessed.shorterSide, prepared.shorterSide) <= 600 ? 0 : 1.0
        #expect(abs(assessed.mean - prepared.mean) <= tolerance)
        #expect(abs(assessed.percentile5 - prepared.percentile5) <= tolerance)
        #expect(abs(assessed.percentile95 - prepared.percentile95) <= tolerance)
    }

    @Test(
        "A JPEG is decoded at half size from a reduction of 3, and has about the sharpness of the prepared image",
        arguments: [(3000, false), (3100, true)])
    func halfSizeKeepsSharpness(width: Int, isHalfSize: Bool) throws {
        var random = SplitMix64(seed: 4)
        // Blocks of 21 by 21 pixels: hard edges, and coarse detail of every direction.
        let side = 21, height = 420
        let levels = random.bytes(count: (width / side + 1) * (height / side)).map { 32 + $0 / 4 * 3 }
        var plane = Plane(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                plane.samples[y * plane.stride + x] = levels[y / side * (width / side + 1) + x / side]
            }
        }
        let size = PixelSize(width: width, height: height)
        var encoder = try JPEGEncoder()
        let file = Data(
            try encoder.encode(
                PlanarImage(size: size, chromaSubsampling: .none, planes: [plane]), iccProfile: nil,
                options: .init(quality: 90)))
        let preparer = ImagePreparer(maxDimension: ResampleRequest.maxOverviewDimension)
        let assessed = try preparer.assess(file).measures, prepared = try preparer.prepare(file).measures
        #expect((assessed.sharpness != prepared.sharpness) == isHalfSize && prepared.sharpness < 1)
        // The sharpness of seven photos was 0.6 to 1.2% lower. That of these blocks, with harder edges, is 2.8% lower.
        #expect(abs(assessed.sharpness / prepared.sharpness - 1) < 0.04)
    }

    @Test(
        "A JPEG with less chroma than a block along one axis is measured",
        arguments: [(12_300, 3), (12_300, 6), (6, 12_300)])
    func narrowImageIsMeasured(width: Int, height: Int) throws {
        let size = PixelSize(width: width, height: height)
        let recipe = LibJPEGFileBuilder.yCbCr420
        let planes = recipe.makePlanes(imageSize: size) { c, x, y in 100 + Double(c) * 20 + (x + y) / 200 }
        let file = Data(try recipe.encode(imageSize: size, planes: planes))
        let preparer = ImagePreparer(maxDimension: ResampleRequest.maxOverviewDimension)
        let assessed = try preparer.assess(file).measures, prepared = try preparer.prepare(file).measures
        #expect(assessed.shorterSide == min(width, height) && assessed.colorCast != nil)
        #expect(abs(assessed.mean - prepared.mean) <= 2)
        // The samples are 100 to 161 along the longer side, in even steps.
        #expect(abs(assessed.mean - 130.7) < 3 && assessed.percentile5 > 98 && assessed.percentile95 > 152)
    }

    @Test("The name and the content are compared, as in preparing")
    func nameIsComparedWithContent() throws {
        let directory = try TemporaryDirectory()
        let url = try directory.writeFile(
            try Data(contentsOf: SampleMedia.goodImage(named: "throat-16bit-alpha.png")), named: "photo.jpg")
        let assessed = try ImagePreparer().assess(contentsOf: url).warnings.map(\.code)
        #expect(assessed.contains(.nameMismatch))
        #expect(try ImagePreparer().prepare(contentsOf: url).warnings.map(\.code).filter { $0 != .grew } == assessed)
        var options = ImageOptions()
        options.policy = ImagePolicy([.tooSmall: .init(limit: 5000, action: .reject)])
        #expect(try ImagePreparer(options).assess(contentsOf: url).warnings.map(\.code) == assessed)
    }

    @Test("A luma plane in memory has the measures of a grayscale image", arguments: [0, 5])
    func lumaPlaneIsMeasured(padding: Int) throws {
        var random = SplitMix64(seed: 9)
        let width = 120, height = 90
        let samples = random.bytes(count: (width + padding) * height - padding)
        let assessment = ImagePreparer().assess(
            luma: samples.span, width: width, height: height, bytesPerRow: width + padding)
        #expect(assessment.measures.shorterSide == height && assessment.measures.colorCast == nil)
        let rows = (0..<height).flatMap { samples[($0 * (width + padding))..<($0 * (width + padding) + width)] }
        // Cells of 4 samples cover the width, and all but two of the rows.
        let covered = rows[width..<(width * (height - 1))]
        let mean = covered.reduce(0.0) { $0 + Double($1) } / Double(covered.count)
        #expect(abs(assessment.measures.mean - mean) < 1e-9)
        #expect(assessment.sourceProbe == nil && assessment.rejectionReasons.isEmpty)
    }
}
