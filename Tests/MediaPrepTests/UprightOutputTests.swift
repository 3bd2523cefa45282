import Foundation
import ImageCodecs
import Imaging
import MediaPrep
import TestSupport
import Testing

@Suite("Outputs are upright, and no larger than requested")
struct UprightOutputTests {
    /// What becomes of a sample at the defaults. Sizes follow from those in Samples/SOURCES.md: the upright frame, its
    /// longer side cut to 1600, the shorter rounded to nearest.
    struct Expectation: Sendable {
        var name: String
        var verdict: Verdict
        var width: Int
        var height: Int
        var orientation: Orientation
    }

    static let expectations: [Expectation] = [
        .init(name: "ear-444.jpg", verdict: .converted, width: 1600, height: 1224, orientation: .up),
        .init(name: "ear-gray.jpg", verdict: .passthrough, width: 1600, height: 1200, orientation: .up),
        .init(name: "ear-mirrored.jpg", verdict: .converted, width: 1203, height: 901, orientation: .leftMirrored),
        .init(name: "ear-passthrough.jpg", verdict: .passthrough, width: 1200, height: 900, orientation: .up),
        .init(name: "ear-turned-left.jpg", verdict: .converted, width: 1067, height: 1600, orientation: .left),
        .init(name: "ear-upright.jpg", verdict: .converted, width: 1600, height: 1200, orientation: .up),
        .init(name: "throat-12mp.jpg", verdict: .converted, width: 1200, height: 1600, orientation: .right),
        .init(name: "throat-16bit-alpha.png", verdict: .converted, width: 800, height: 600, orientation: .up),
        .init(name: "throat-display-p3.jpg", verdict: .converted, width: 1600, height: 1200, orientation: .up),
        .init(name: "throat-progressive.jpg", verdict: .converted, width: 1600, height: 1200, orientation: .up),
        .init(name: "throat-turned-180.jpg", verdict: .converted, width: 1600, height: 1066, orientation: .down),
        .init(name: "throat.webp", verdict: .converted, width: 480, height: 640, orientation: .right),
    ]

    @Test("Every sample is in the table below")
    func everySampleIsListed() throws { #expect(try SampleMedia.goodImageNames() == Self.expectations.map(\.name)) }

    @Test("A sample has the verdict and the upright size that are due", arguments: expectations)
    func sampleHasExpectedVerdictAndSize(_ expected: Expectation) throws {
        let image = try PreparedSamples.preparedImage(named: expected.name)
        #expect(image.verdict == expected.verdict)
        #expect(image.width == expected.width)
        #expect(image.height == expected.height)
        #expect(image.sourceProbe.orientation == expected.orientation)
        let frame = try #require(try StrictJPEGParser(parsing: image.data).frameSize)
        #expect(frame == (expected.width, expected.height))
    }

    @Test("A second run turns nothing, resizes nothing, and keeps every byte", arguments: expectations.map(\.name))
    func preparingAgainKeepsEveryByte(_ name: String) throws {
        let first = try PreparedSamples.preparedImage(named: name)
        let second = try ImagePreparer().prepare(first.data)
        #expect(second.sourceProbe.orientation == .up)
        #expect(second.verdict == .passthrough)
        #expect(second.data == first.data)
    }

    /// Where the four quarters of a stored image stand when it is upright, by Exif 3.0's table of the tag.
    static let orientationCases: [(Int, [UInt8])] = [
        (1, [30, 90, 150, 210]), (2, [90, 30, 210, 150]), (3, [210, 150, 90, 30]), (4, [150, 210, 30, 90]),
        (5, [30, 150, 90, 210]), (6, [150, 30, 210, 90]), (7, [210, 90, 150, 30]), (8, [90, 210, 30, 150]),
    ]

    @Test("Each of the eight orientations is turned to stand upright", arguments: orientationCases, [nil, 63, 24])
    func everyOrientationIsTurnedUpright(_ turn: (orientation: Int, quarters: [UInt8]), maxDimension: Int?) throws {
        let stored = try SmallJPEGs.makeGrayQuarters([30, 90, 150, 210], width: 96, height: 64).addingExifOrientation(
            turn.orientation)
        let image = try ImagePreparer(maxDimension: maxDimension).prepare(stored)
        let longer = maxDimension ?? 96, shorter = (longer * 64 + 48) / 96
        let isTransposed = turn.orientation >= 5
        #expect(image.width == (isTransposed ? shorter : longer))
        #expect(image.height == (isTransposed ? longer : shorter))
        let found = try Self.quarterLumaValues(of: image)
        for (level, expected) in zip(found, turn.quarters) {
            // In the middle of a flat quarter only two lossy encodes are between the levels: a few steps, when the
            // quarters are 60 apart.
            #expect(abs(Int(level) - Int(expected)) <= 6)
        }
    }

    @Test("Preparing an upright output again does not rotate it", arguments: orientationCases)
    func preparingTurnedImageAgainTurnsNothing(_ turn: (orientation: Int, quarters: [UInt8])) throws {
        let stored = try SmallJPEGs.makeGrayQuarters([30, 90, 150, 210], width: 96, height: 64).addingExifOrientation(
            turn.orientation)
        let first = try ImagePreparer().prepare(stored)
        let second = try ImagePreparer().prepare(first.data)
        #expect(second.data == first.data)
    }

    @Test("The maximum dimension applies to the upright image", arguments: 1...8)
    func sizeLimitAppliesToDisplayedFrame(_ orientation: Int) throws {
        let stored = try SmallJPEGs.makeColorNoise(width: 90, height: 60, quality: 90).addingExifOrientation(
            orientation)
        let image = try ImagePreparer(maxDimension: 30).prepare(stored)
        #expect(max(image.width, image.height) == 30)
        #expect((image.width < image.height) == (orientation >= 5))
    }

    @Test(
        "Nothing is enlarged, no side vanishes, and the shorter side is rounded to nearest",
        arguments: [
            (96, 64, 1600, 96, 64), (96, 64, 96, 96, 64), (96, 64, 95, 95, 63), (1, 200, 40, 1, 40),
            (200, 1, 40, 40, 1),
            (1, 1, 1, 1, 1), (150, 100, 50, 50, 33), (150, 101, 50, 50, 34),
        ])
    func imagesAreNeverEnlargedAndRoundedToNearest(
        _ width: Int, _ height: Int, _ maxDimension: Int, _ expectedWidth: Int, _ expectedHeight: Int
    ) throws {
        let source = try SmallJPEGs.makeColorNoise(width: width, height: height, quality: 90)
        let image = try ImagePreparer(maxDimension: maxDimension).prepare(source)
        #expect(image.width == expectedWidth)
        #expect(image.height == expectedHeight)
    }

    @Test("Without a maximum dimension a large image keeps its size, and is rotated")
    func imageWithoutLimitKeepsSizeAndIsTurned() throws {
        let image = try ImagePreparer(maxDimension: nil).prepare(
            contentsOf: SampleMedia.goodImage(named: "ear-turned-left.jpg"))
        #expect(image.width == 1200)
        #expect(image.height == 1800)
        #expect(image.verdict == .converted)
    }

    /// Luma in the middle of each quarter.
    private static func quarterLumaValues(of image: PreparedImage) throws -> [UInt8] {
        let size = PixelSize(width: image.width, height: image.height)
        let decoded = try ImageSource([UInt8](image.data)).decode(resampling: ResampleRequest(size: size))
        let plane = try #require(decoded.image.planes.first)
        return [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y in
            plane.samples[y * plane.height / 4 * plane.stride + x * plane.width / 4]
        }
    }
}
