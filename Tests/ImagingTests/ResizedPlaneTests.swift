import Testing

@testable import Imaging

/// Results that are exact with every filter.
@Suite("Resized planes")
struct ResizedPlaneTests {
    @Test("A flat plane of any value stays exactly flat", arguments: ResampleFilter.allCases)
    func flatPlaneStaysFlat(filter: ResampleFilter) {
        let sizes = [(19, 13, 7, 6), (16, 24, 5, 24), (9, 9, 8, 9), (5, 4, 11, 9), (130, 3, 3, 1)]
        for value in UInt8.min...UInt8.max {
            let (width, height, newWidth, newHeight) = sizes[Int(value) % sizes.count]
            for (w, h) in [(newWidth, newHeight), (1, 1), (3, 2)] {
                let resized = Plane(width: width, height: height, flat: value)
                    .resampled(to: PixelSize(width: w, height: h), filter: filter)
                #expect(resized.samples.allSatisfy { $0 == value }, "\(value), \(width)x\(height) to \(w)x\(h)")
            }
        }
    }

    @Test(
        "At its own size, interpolating filters reproduce a plane exactly",
        arguments: [ResampleFilter.lanczos3, .catmullrom, .triangle, .box],
        [PixelSize(width: 67, height: 41), PixelSize(width: 64, height: 64), PixelSize(width: 1, height: 1)])
    func interpolatingFiltersAreExactAtSameSize(filter: ResampleFilter, size: PixelSize) {
        let plane = Plane(noiseOf: size.width, by: size.height, seed: 1)
        #expect(plane.resampled(to: size, filter: filter).rows == plane.rows)
    }

    @Test("Mitchell's filter doesn't interpolate: at its own size it blurs by 1, 16, 1 of 18")
    func mitchellBlursAtSameSize() {
        let line = Plane(width: 9, height: 9) { x, _ in x == 4 ? 180 : 0 }
        let resized = line.resampled(to: PixelSize(width: 9, height: 9), filter: .mitchell)
        #expect(resized.rows.allSatisfy { $0 == [0, 0, 0, 10, 160, 10, 0, 0, 0] })
    }

    @Test("Halving by the box filter is the mean of four samples")
    func boxFilterHalvesByAveraging() {
        let plane = Plane(width: 4, height: 2) { x, y in [[0, 100, 10, 20], [200, 100, 30, 60]][y][x] }
        #expect(plane.resampled(to: PixelSize(width: 2, height: 1), filter: .box).rows == [[100, 30]])
    }

    /// Around the scales at which decoders that reduce by themselves would alias.
    @Test("A checkerboard of single pixels becomes its mean, without moire", arguments: [1.9, 2, 2.1, 5.3])
    func checkerboardBecomesItsMean(ratio: Double) {
        let target = PixelSize(width: Int(200 / ratio), height: Int(160 / ratio))
        let checks = Plane(width: 200, height: 160) { x, y in (x + y) % 2 == 0 ? 0 : 255 }
            .resampled(to: target)
        // Of the finest pattern Lanczos passes at most some 10% along each axis here, so 1% of 127 along both.
        let inner = (4..<(target.height - 4)).flatMap { y in (4..<(target.width - 4)).map { Int(checks[$0, y]) } }
        #expect(inner.allSatisfy { abs($0 - 128) <= 2 })
    }

    @Test("Padding beyond the right and bottom edges has no effect", arguments: ResampleFilter.allCases)
    func paddingDoesNotAffectResult(filter: ResampleFilter) {
        // `StoredImageDecoder` pads its rows to 8 with black and white, and so the rows below.
        for width in [57, 63, 64, 65] {
            let white = Plane(width: width, height: width - 8, flat: 255)
            let resized = white.resampled(to: PixelSize(width: 20, height: 17), filter: filter)
            #expect(resized.rows.joined().allSatisfy { $0 == 255 }, "width \(width)")
        }
    }

    @Test("Rows are padded to 8 by repeating their last sample")
    func rowsArePaddedByRepeatingLastSample() {
        let resized = Plane(noiseOf: 40, by: 20, seed: 2).resampled(to: PixelSize(width: 13, height: 5))
        #expect(resized.stride == 16)
        for y in 0..<5 {
            #expect((13..<16).allSatisfy { resized[$0, y] == resized[12, y] })
        }
    }
}
