import Foundation
import TestSupport
import Testing

@testable import Imaging

/// Resized planes are compared with float64 arithmetic that shares no code with the package.
@Suite("Accuracy")
struct ResamplerAccuracyTests {
    /// Rounding to bytes alone leaves 58.9 dB against an unrounded reference: 58.5 leaves 0.4 dB for the arithmetic. It
    /// may carry no sample further than half a level beyond what rounding does.
    @Test(
        "Planes are within 1 level and 58.5 dB of the reference", arguments: ResampleFilter.allCases,
        [1.1, 1.37, 1.5, 2, 2.72, 3.785, 5.3, 8, 12.5, 20])
    func resampledPlanesMatchReference(filter: ResampleFilter, ratio: Double) {
        // Some thousand outputs are needed for the mean of squares to be near what is expected of it.
        let size = ratio < 8 ? PixelSize(width: 240, height: 180) : PixelSize(width: 800, height: 500)
        let target = PixelSize(
            width: Int((Double(size.width) / ratio).rounded()), height: Int((Double(size.height) / ratio).rounded()))
        for content in Content.allCases {
            let plane = content.makePlane(size: size)
            let reference = ReferencePlane(
                resampling: plane,
                horizontalAxis: ReferenceResampleAxis(sourceCount: size.width, outputCount: target.width),
                verticalAxis: ReferenceResampleAxis(sourceCount: size.height, outputCount: target.height),
                filter: filter)
            let deviation = reference.psnrAndLargestDifference(from: plane.resampled(to: target, filter: filter))
            // Halving by the box gives quarters of a level: rounded perfectly they leave 58.4 dB, and no more is
            // possible.
            #expect(deviation.psnr >= 58.5 || deviation.largest <= 0.5, "\(content)")
            #expect(deviation.largest <= 1, "\(content)")
        }
    }

    @Test("Chroma on the image's grid is as near to the reference, mirrored or not", arguments: [false, true])
    func resampledChromaMatchesReference(mirrored: Bool) {
        let size = PixelSize(width: 201, height: 151), target = PixelSize(width: 111, height: 83)
        let chroma = Plane(noiseOf: 101, by: 76, seed: 4)
        let firstPixel = mirrored ? -1 : 0
        let reference = ReferencePlane(
            resampling: chroma,
            horizontalAxis: ReferenceResampleAxis(
                imagePixelCount: 201, targetPixelCount: 111, sampleDensity: 0.5, chromaReduction: 2,
                firstPixel: firstPixel),
            verticalAxis: ReferenceResampleAxis(
                imagePixelCount: 151, targetPixelCount: 83, sampleDensity: 0.5, chromaReduction: 2,
                firstPixel: firstPixel),
            filter: .lanczos3)
        var decoder = StoredImageDecoder(
            size: size, planes: [Plane(width: 201, height: 151), chroma, chroma], sampling: .s420)
        // Upside down both axes are mirrored; turned back, the result lies as it is stored.
        let orientation: Orientation = mirrored ? .down : .up
        let image = ResampleRequest(size: target, orientation: orientation).resampleImage(from: &decoder)
        let deviation = reference.psnrAndLargestDifference(from: image.planes[1].oriented(by: orientation))
        #expect(deviation.psnr >= 58.5)
        #expect(deviation.largest <= 1)
    }
}

private enum Content: CaseIterable {
    case noise
    /// Edges of black and white, which overshoot, over a zone plate of all frequencies.
    case edgesAndZonePlate

    func makePlane(size: PixelSize) -> Plane {
        switch self {
        case .noise: Plane(noiseOf: size.width, by: size.height, seed: 3)
        case .edgesAndZonePlate:
            Plane(width: size.width, height: size.height) { x, y in
                if (x / 37 + y / 23) % 4 == 0 { return (x + 2 * y) % 61 < 30 ? 0 : 255 }
                let square = Double(x * x + y * y) / Double(size.width)
                // On a slope, since where the plate averages out a level would be rounded the same way everywhere.
                let slope = 40 * Double(x) / Double(size.width) + 31 * Double(y) / Double(size.height)
                return UInt8((90 + slope + 80 * cos(.pi / 2 * square)).rounded())
            }
        }
    }
}
