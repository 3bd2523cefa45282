import TestSupport
import Testing

@testable import Imaging

/// Samples of more than 8 bits: kernels, sums, averages and whole planes.
@Suite struct WideRowTests {
    static let bitDepths = [9, 10, 12]

    @Test(arguments: InstructionSet.allCases.filter(\.isAvailable), bitDepths)
    func verticalConvolutionMatchesFormula(set: InstructionSet, bitDepth: Int) {
        var random = SplitMix64(seed: 5)
        let limit = 1 << bitDepth - 1
        for filter in ResampleFilter.allCases {
            for (source, target) in [(5, 7), (67, 61), (67, 9), (128, 2)] {
                let table = FilterCoefficients(
                    mapping: AxisMapping(imageLength: source, targetLength: target), filter: filter,
                    pass: .wideVertical(sampleBitCount: bitDepth))
                let output = random.number(in: 0...(target - 1)), taps = table.paddedTapCount
                let coefficients = ContiguousArray(table.values[(output * taps)..<((output + 1) * taps)])
                let columns = random.number(in: 1...3) * PixelKernels.columnBlockSize
                // Half of the rows begin at an odd byte.
                let distance = 2 * columns + random.number(in: 0...31)
                let offsets = ContiguousArray(coefficients.indices.map { Int32($0 * distance) })
                var rows = ContiguousArray<UInt8>(repeating: 0, count: taps * distance)
                var sums = [Int](repeating: 1 << (Int(table.rightShift) - 1), count: columns)
                for (k, coefficient) in coefficients.enumerated() {
                    for x in 0..<columns {
                        // White or black where that makes the sum the largest, and noise.
                        let isWhite = x % 3 == 0 ? coefficient > 0 : coefficient < 0
                        let sample = x % 3 == 2 ? random.number(in: 0...limit) : isWhite ? limit : 0
                        rows.setWideSample(sample, at: Int(offsets[k]) + 2 * x)
                        sums[x] += Int(coefficient) * sample
                    }
                }
                var out = ContiguousArray<Int16>(repeating: -1, count: columns)
                PixelKernels(instructionSet: set).convolveWideRowsVertically(
                    rows.span, rowOffsets: offsets.span, coefficients: coefficients.span, shift: table.rightShift,
                    columnCount: columns, into: &out)
                #expect(
                    out.map(Int.init) == sums.map { $0 >> Int(table.rightShift) }, "\(filter), \(source), \(target)")
            }
        }
    }

    @Test(arguments: ResampleFilter.allCases, bitDepths)
    func verticalSumsDoNotOverflow(filter: ResampleFilter, bitDepth: Int) {
        for made in CoefficientsFixture.allFixtures(filter: filter, pass: .vertical) {
            let table = FilterCoefficients(
                mapping: made.mapping, filter: filter, pass: .wideVertical(sampleBitCount: bitDepth))
            let limit = 1 << bitDepth - 1, taps = table.paddedTapCount
            for output in table.sourceStarts.indices {
                let window = table.values[(output * taps)..<((output + 1) * taps)].map(Int.init)
                let half = 1 << (Int(table.rightShift) - 1)
                let most = window.reduce(half) { $0 + max($1, 0) * limit }
                let least = window.reduce(half) { $0 + min($1, 0) * limit }
                #expect(Int32(exactly: most) != nil && Int32(exactly: least) != nil)
                #expect(Int16(exactly: most >> Int(table.rightShift)) != nil)
                #expect(Int16(exactly: least >> Int(table.rightShift)) != nil)
            }
        }
    }

    static let encodings = [10, 12].flatMap { bitDepth in
        [YCbCrEncoding.Matrix.bt601, .bt709].flatMap { matrix in
            [true, false].map { YCbCrEncoding(matrix: matrix, isFullRange: $0, bitDepth: bitDepth) }
        }
    }

    /// From a reduction that needs averages of blocks to an enlargement.
    @Test(arguments: encodings, [(700, 600, 5, 4), (41, 30, 17, 13), (9, 8, 20, 30)])
    func flatImageIsRoundedOnce(encoding: YCbCrEncoding, sizes: (Int, Int, Int, Int)) {
        let scale = 1 << (encoding.bitDepth - 8)
        for samples in [[0, 128, 128], [70, 200, 90], [181, 100, 140], [235, 128, 128], [255, 128, 128]] {
            // Between two levels of 8 bits, except for gray.
            let stored = samples.map { $0 == 128 ? 128 * scale : $0 * scale + scale / 2 - ($0 == 0 ? scale / 2 : 0) }
            var decoder = FlatWideDecoder(
                samples: stored, size: PixelSize(width: sizes.0, height: sizes.1), encoding: encoding)
            let image = ResampleRequest(size: PixelSize(width: sizes.2, height: sizes.3))
                .resampleImage(from: &decoder)
            let exact = Self.converted(stored.map(Double.init), from: encoding)
            for (plane, expected) in zip(image.planes, exact) {
                #expect(Set(plane.samples).count == 1)
                #expect(abs(Double(plane.samples[0]) - expected) <= 0.51)
            }
        }
    }

    /// The samples in JPEG's encoding, clamped, by the equations of H.273 for more than 8 bits.
    private static func converted(_ samples: [Double], from encoding: YCbCrEncoding) -> [Double] {
        let scale = Double(1 << (encoding.bitDepth - 8)), limit = Double(1 << encoding.bitDepth - 1)
        // In units of 8 bits, with the range of 8 bits.
        let units =
            encoding.isFullRange
            ? [samples[0] * 255 / limit] + samples[1...].map { ($0 - 128 * scale) * 255 / limit + 128 }
            : samples.map { $0 / scale }
        return YCbCrEncodingTests.converted(
            units, from: YCbCrEncoding(matrix: encoding.matrix, isFullRange: encoding.isFullRange))
    }
}

/// A decoder of 4:4:4 planes of one color, with samples of two bytes.
private struct FlatWideDecoder: PlaneDecoder {
    let samples: [Int]
    let layout: PlaneLayout

    init(samples: [Int], size: PixelSize, encoding: YCbCrEncoding) {
        self.samples = samples
        let component = PlaneLayout.ComponentSampling(
            horizontalSampling: 1, verticalSampling: 1, paddedWidth: size.width, batchRowCount: 2)
        layout = PlaneLayout(
            storedSize: size, components: [component, component, component], encoding: encoding)
    }

    mutating func decodeRowBatch(into ringBuffer: inout RowRingBuffer) throws(Never) {
        for (c, ring) in ringBuffer.rings.enumerated() {
            for i in stride(from: 0, to: ring.stride * ring.batchRowCount, by: 2) {
                ringBuffer.bytes.setWideSample(samples[c], at: ring.nextBatchOffset + i)
            }
        }
    }
}

extension ContiguousArray<UInt8> {
    fileprivate mutating func setWideSample(_ sample: Int, at offset: Int) {
        self[offset] = UInt8(truncatingIfNeeded: sample)
        self[offset + 1] = UInt8(truncatingIfNeeded: sample >> 8)
    }
}
