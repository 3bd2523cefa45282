import Testing

@testable import Imaging

@Suite("Planes of other encodings become those of JPEG, rounded once")
struct YCbCrEncodingTests {
    static let encodings = [YCbCrEncoding.Matrix.bt601, .bt709, .bt2020].flatMap { matrix in
        [true, false].map { YCbCrEncoding(matrix: matrix, isFullRange: $0) }
    }

    /// Every sample that a row can hold, with 6 fractional bits.
    private static let allSamples = ContiguousArray((Int(Int16.min)...Int(Int16.max)).map(Int16.init))

    @Test("Every 16-bit sample of limited range is rounded to the nearest level of full range", arguments: [0, 1])
    func expansionMatchesFormula(component: Int) {
        let expansion = component == 0 ? RangeConversion.luma : .chroma
        var converted = ContiguousArray<UInt8>(repeating: 0, count: Self.allSamples.count + 3)
        expansion.convertRow(Self.allSamples.span, count: Self.allSamples.count, into: &converted, at: 3)
        var largestError = 0.0
        for (sample, result) in zip(Self.allSamples, converted.dropFirst(3)) {
            let value = Double(sample) / 64
            let exact = component == 0 ? (value - 16) * 255 / 219 : (value - 128) * 255 / 224 + 128
            largestError = max(largestError, abs(min(max(exact, 0), 255) - Double(result)))
        }
        #expect(largestError <= 0.505)
    }

    @Test("Colors keep their red, green and blue", arguments: encodings)
    func colorsAreKept(encoding: YCbCrEncoding) {
        var largestError = 0.0
        for red in stride(from: 0.0, through: 255, by: 51) {
            for green in stride(from: 0.0, through: 255, by: 51) {
                for blue in stride(from: 0.0, through: 255, by: 51) {
                    let source = Self.yCbCr(red, green, blue, in: encoding).map { UInt8($0.rounded()) }
                    let exact = Self.converted(source.map(Double.init), from: encoding)
                    let result = Self.resample(FlatDecoder(samples: source, encoding: encoding))
                    for (lhs, plane) in zip(exact, result.planes) {
                        #expect(Set(plane.samples).count == 1)
                        largestError = max(largestError, abs(lhs - Double(plane.samples[0])))
                    }
                }
            }
        }
        #expect(largestError <= 0.51)
    }

    @Test(
        "A luma sample takes the chroma of its place, however the image is turned",
        arguments: encodings, Orientation.allCases)
    func chromaHasItsPlace(encoding: YCbCrEncoding, orientation: Orientation) {
        // Odd sides, so that the last chroma sample is not whole.
        let size = PixelSize(width: 5, height: 3)
        var decoder = TwoColorDecoder(size: size, encoding: encoding)
        let request = ResampleRequest(size: orientation.orientedSize(of: size), orientation: orientation, filter: .box)
        let image = request.resampleImage(from: &decoder)
        var upright = [[UInt8]](repeating: [], count: 3)
        for c in 0..<3 {
            let plane = image.planes[c]
            upright[c] = (0..<plane.height).flatMap {
                plane.samples[($0 * plane.stride)..<($0 * plane.stride + plane.width)]
            }
        }
        let chromaWidth = image.planes[1].width, factors = image.chromaSubsampling
        for y in 0..<image.size.height {
            for x in 0..<image.size.width {
                let place = y / factors.verticalFactor * chromaWidth + x / factors.horizontalFactor
                // The luma of both colors is the same in the source, so its result follows from the chroma.
                let isFirst = abs(Int(upright[1][place]) - decoder.convertedChroma(0)) <= 1
                let isSecond = abs(Int(upright[1][place]) - decoder.convertedChroma(1)) <= 1
                guard isFirst != isSecond else { continue }
                let expected = decoder.convertedLuma(isFirst ? 0 : 1)
                #expect(abs(Int(upright[0][y * image.size.width + x]) - expected) <= 1)
            }
        }
    }

    private static func resample(_ decoder: FlatDecoder) -> PlanarImage {
        var decoder = decoder
        return ResampleRequest(size: PixelSize(width: 7, height: 5)).resampleImage(from: &decoder)
    }

    /// Y, Cb and Cr by the equations of H.273, not rounded.
    static func yCbCr(_ red: Double, _ green: Double, _ blue: Double, in encoding: YCbCrEncoding) -> [Double] {
        let (kr, kb) = encoding.matrix.lumaWeights
        let luma = kr * red + (1 - kr - kb) * green + kb * blue
        let cb = (blue - luma) / (2 * (1 - kb)), cr = (red - luma) / (2 * (1 - kr))
        return encoding.isFullRange
            ? [luma, min(cb + 128, 255), min(cr + 128, 255)]
            : [luma * 219 / 255 + 16, cb * 224 / 255 + 128, cr * 224 / 255 + 128]
    }

    /// The samples in JPEG's encoding, by way of red, green and blue, and clamped.
    static func converted(_ samples: [Double], from encoding: YCbCrEncoding) -> [Double] {
        let (kr, kb) = encoding.matrix.lumaWeights
        let luma = encoding.isFullRange ? samples[0] : (samples[0] - 16) * 255 / 219
        let cb = (samples[1] - 128) * (encoding.isFullRange ? 1 : 255.0 / 224)
        let cr = (samples[2] - 128) * (encoding.isFullRange ? 1 : 255.0 / 224)
        let red = luma + 2 * (1 - kr) * cr, blue = luma + 2 * (1 - kb) * cb
        let green = (luma - kr * red - kb * blue) / (1 - kr - kb)
        let (jr, jb) = (0.299, 0.114), result = jr * red + (1 - jr - jb) * green + jb * blue
        return [result, (blue - result) / (2 * (1 - jb)) + 128, (red - result) / (2 * (1 - jr)) + 128].map {
            min(max($0, 0), 255)
        }
    }
}

/// A decoder of 4:2:0 planes with one color.
private struct FlatDecoder: PlaneDecoder {
    let samples: [UInt8]
    let layout: PlaneLayout

    init(samples: [UInt8], encoding: YCbCrEncoding) {
        self.samples = samples
        layout = PlaneLayout.halfChroma(size: PixelSize(width: 14, height: 10), encoding: encoding)
    }

    mutating func decodeRowBatch(into ringBuffer: inout RowRingBuffer) throws(Never) {
        for (c, ring) in ringBuffer.rings.enumerated() {
            for i in 0..<(ring.stride * ring.batchRowCount) { ringBuffer.bytes[ring.nextBatchOffset + i] = samples[c] }
        }
    }
}

/// A decoder of 4:2:0 planes with equal luma and two colors, which change in the middle of the chroma columns.
private struct TwoColorDecoder: PlaneDecoder {
    let layout: PlaneLayout
    private let encoding: YCbCrEncoding
    private static let colors: [[UInt8]] = [[120, 90, 180], [120, 170, 100]]

    init(size: PixelSize, encoding: YCbCrEncoding) {
        self.encoding = encoding
        layout = PlaneLayout.halfChroma(size: size, encoding: encoding)
    }

    func convertedLuma(_ color: Int) -> Int { converted(color)[0] }
    func convertedChroma(_ color: Int) -> Int { converted(color)[1] }
    private func converted(_ color: Int) -> [Int] {
        YCbCrEncodingTests.converted(Self.colors[color].map(Double.init), from: encoding).map { Int($0.rounded()) }
    }

    mutating func decodeRowBatch(into ringBuffer: inout RowRingBuffer) throws(Never) {
        for (c, ring) in ringBuffer.rings.enumerated() {
            for y in 0..<ring.batchRowCount {
                for x in 0..<layout.components[c].paddedWidth {
                    let color = c > 0 && x > 0 ? 1 : 0
                    ringBuffer.bytes[ring.nextBatchOffset + y * ring.stride + x] = Self.colors[color][c]
                }
            }
        }
    }
}

extension PlaneLayout {
    /// Planes of 4:2:0 in batches of two rows of chroma.
    fileprivate static func halfChroma(size: PixelSize, encoding: YCbCrEncoding) -> PlaneLayout {
        func component(_ sampling: Int) -> ComponentSampling {
            ComponentSampling(
                horizontalSampling: sampling, verticalSampling: sampling,
                paddedWidth: (size.width * sampling).dividedRoundingUp(by: 2), batchRowCount: 2 * sampling)
        }
        return PlaneLayout(
            storedSize: size, components: [component(2), component(1), component(1)], encoding: encoding)
    }
}
