import ImageCodecs
import Imaging
import TestSupport
import Testing

/// HEVC's deblocking filter, which is left out where each sample of the result covers at least 2 by 2 stored samples.
@Suite(.enabled(if: isHEIFBuilt)) struct HEIFDeblockingTests {
    private static let size = PixelSize(width: 256, height: 192)

    /// A file with the samples of `throat.heic`, which are delivered as they are stored.
    ///
    /// - Parameter suffix: What follows the picture's data.
    private static func file(suffix: [UInt8] = []) throws -> [UInt8] {
        let item = try HEIFFileBuilder.Item(sample: "throat.heic")
        return HEIFFileBuilder(
            size: size, properties: [HEIFFileBuilder.colors(matrix: 6, isFullRange: true)],
            configuration: item.properties[0], data: item.data[0] + suffix
        ).fileBytes
    }

    private static func decode(
        _ file: [UInt8], to size: PixelSize, subsampling: Int = 2, isMeasured: Bool = false
    ) throws -> PlanarImage {
        var request = ResampleRequest(
            size: size,
            minChromaSubsampling: ChromaSubsampling(horizontalFactor: subsampling, verticalFactor: subsampling))
        request.isMeasured = isMeasured
        return try ImageSource(file).decode(resampling: request).image
    }

    /// The planes of `image` resampled from the filtered samples.
    private static func filteredPlanes(like image: PlanarImage) throws -> [Plane] {
        zip(try decode(try file(), to: size).planes, image.planes).map { stored, plane in
            Plane(
                resampling: stored.samples.span, sourceSize: PixelSize(width: stored.width, height: stored.height),
                rowStride: stored.stride, to: PixelSize(width: plane.width, height: plane.height),
                instructionSet: .selected)
        }
    }

    private static func meanDifference(of planes: (Plane, Plane)) -> Double {
        let sum = zip(planes.0.visibleRows.joined(), planes.1.visibleRows.joined()).reduce(0) {
            $0 + abs(Int($1.0) - Int($1.1))
        }
        return Double(sum) / Double(planes.0.width * planes.0.height)
    }

    @Test(
        "The filter runs for every plane if one of them, or the overview, is reduced by less",
        arguments: [(130, 96, 2, false), (128, 98, 2, false), (128, 96, 1, false), (128, 96, 2, true)])
    func filterRuns(width: Int, height: Int, subsampling: Int, isMeasured: Bool) throws {
        let image = try Self.decode(
            try Self.file(), to: PixelSize(width: width, height: height), subsampling: subsampling,
            isMeasured: isMeasured)
        for planes in zip(image.planes, try Self.filteredPlanes(like: image)) {
            let difference = Self.meanDifference(of: planes)
            #expect(difference == 0)
        }
    }

    @Test(arguments: [(128, 96), (64, 48)])
    func samplesWithoutFilterDifferLittle(width: Int, height: Int) throws {
        let image = try Self.decode(try Self.file(), to: PixelSize(width: width, height: height))
        let differences = zip(image.planes, try Self.filteredPlanes(like: image)).map(Self.meanDifference)
        // The luma of this picture is too noisy to be filtered.
        #expect(differences[1] > 0 && differences[2] > 0, "\(differences)")
        // They were at most 0.15.
        #expect(differences.allSatisfy { $0 < 0.5 }, "\(differences)")
    }

    /// The hash in an SEI message is that of the filtered samples (ITU-T H.265, D.3.19).
    @Test func hashOfFilteredSamplesIsCheckedOnlyWithFilter() throws {
        let payload: [UInt8] = [0x50, 1, 132, 49, 0] + [UInt8](repeating: 0xA5, count: 48) + [0x80]
        let file = try Self.file(suffix: [0, 0, 0, UInt8(payload.count)] + payload)
        #expect(decodingError(for: file)?.code == .damaged)
        let size = PixelSize(width: 128, height: 96)
        let expected = try Self.decode(try Self.file(), to: size)
        for planes in zip(try Self.decode(file, to: size).planes, expected.planes) {
            let difference = Self.meanDifference(of: planes)
            #expect(difference == 0)
        }
    }
}
