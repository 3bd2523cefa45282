import TestSupport
import Testing

@testable import Imaging

/// What the kernels of each instruction set compute, one row at a time. Wherever a machine has several sets, they all
/// equal the formula, and so each other, bit for bit.
@Suite("Kernels")
struct KernelTests {
    static let availableSets = InstructionSet.allCases.filter(\.isAvailable)

    @Test("The sets that this machine can't run are named, and the portable one always runs")
    func unavailableSetsAreListed() {
        let missing = InstructionSet.allCases.filter { !$0.isAvailable }.map(\.rawValue)
        print("Kernels tested: \(Self.availableSets.map(\.rawValue)); not available here, so not tested: \(missing)")
        #expect(Self.availableSets.contains(.portable))
    }

    @Test("Blending rows matches its formula", arguments: availableSets, RowPattern.allCases)
    func verticalConvolutionMatchesFormula(set: InstructionSet, pattern: RowPattern) {
        var random = SplitMix64(seed: 1)
        for filter in ResampleFilter.allCases {
            for (source, target) in [(5, 7), (67, 61), (67, 32), (67, 9), (128, 2)] {
                let mapping = AxisMapping(imageLength: source, targetLength: target)
                let table = FilterCoefficients(mapping: mapping, filter: filter, pass: .vertical)
                let output = random.number(in: 0...(target - 1))
                let weights = Array(
                    table.values[(output * table.paddedTapCount)..<((output + 1) * table.paddedTapCount)])
                let blend = VerticalConvolutionCase(
                    coefficients: weights, shift: table.rightShift, pattern: pattern, random: &random)
                #expect(blend.output(of: set) == blend.expectedSums, "\(filter), \(source) to \(target)")
            }
        }
    }

    @Test(
        "Convolving rows of 1 to 67 samples matches its formula", arguments: availableSets, RowPattern.allCases)
    func horizontalConvolutionMatchesFormula(set: InstructionSet, pattern: RowPattern) {
        var random = SplitMix64(seed: 2)
        for filter in ResampleFilter.allCases {
            for width in 1...67 {
                let mapping = AxisMapping(imageLength: width, targetLength: random.number(in: 1...width))
                let table = FilterCoefficients(mapping: mapping, filter: filter, pass: .horizontal)
                let row = HorizontalConvolutionCase(
                    coefficients: table, width: width, pattern: pattern, random: &random)
                #expect(row.output(of: set) == row.expectedSums, "\(filter), width \(width)")
                #expect(row.wideOutput(of: set) == row.expectedWideSums, "\(filter), width \(width), 16 bits")
            }
        }
    }

    @Test("Enlarging, which has the largest weights, matches the formula", arguments: availableSets)
    func enlargingConvolutionMatchesFormula(set: InstructionSet) {
        var random = SplitMix64(seed: 3)
        for filter in ResampleFilter.allCases {
            for pattern in RowPattern.allCases {
                let mapping = AxisMapping(imageLength: 13, targetLength: 41)
                let table = FilterCoefficients(mapping: mapping, filter: filter, pass: .horizontal)
                let row = HorizontalConvolutionCase(coefficients: table, width: 13, pattern: pattern, random: &random)
                #expect(row.output(of: set) == row.expectedSums, "\(filter), \(pattern)")
            }
        }
    }

    @Test("Converting 0 to 40 pixels to Y, Cb and Cr matches the standard, rounded", arguments: availableSets)
    func colorConversionMatchesStandard(set: InstructionSet) {
        var random = SplitMix64(seed: 4)
        for count in 0...40 {
            for background in [nil, [255, 255, 255], [20, 60, 200]] as [[UInt8]?] {
                let row = ColorConversionCase(count: count, background: background, random: &random)
                #expect(row.output(of: set) == row.output(of: .portable), "\(count) over \(background ?? [])")
                #expect(row.isWithinOneRounding(row.output(of: set)), "\(count) over \(background ?? [])")
            }
        }
    }
}

/// Contents of rows.
enum RowPattern: CaseIterable {
    case noise, black, white, alternating
    /// White where the weight is positive and black where it is negative: the largest sum there can be.
    case largestSum
    /// The other way round.
    case smallestSum

    func sample(at x: Int, coefficient: Int16, random: inout SplitMix64) -> UInt8 {
        switch self {
        case .noise: UInt8(truncatingIfNeeded: random.next())
        case .black: 0
        case .white: 255
        case .alternating: x % 2 == 0 ? 0 : 255
        case .largestSum: coefficient > 0 ? 255 : 0
        case .smallestSum: coefficient > 0 ? 0 : 255
        }
    }
}

/// One call of the vertical kernel, and what it must give.
private struct VerticalConvolutionCase {
    let columns: Int
    let rows: ContiguousArray<UInt8>
    let offsets: ContiguousArray<Int32>
    let coefficients: ContiguousArray<Int16>
    let shift: Int32

    init(coefficients: [Int16], shift: Int32, pattern: RowPattern, random: inout SplitMix64) {
        self.coefficients = ContiguousArray(coefficients)
        self.shift = shift
        columns = random.number(in: 1...3) * PixelKernels.columnBlockSize
        // Rows at odd distances, so that nothing may rely on their alignment.
        let distance = columns + random.number(in: 0...31)
        offsets = ContiguousArray(coefficients.indices.map { Int32($0 * distance + 1) })
        var rows = random.bytes(count: coefficients.count * distance + 1)
        for (k, weight) in coefficients.enumerated() {
            for x in 0..<columns {
                rows[Int(offsets[k]) + x] = pattern.sample(at: x, coefficient: weight, random: &random)
            }
        }
        self.rows = ContiguousArray(rows)
    }

    /// The formula in 64 bits, where nothing can overflow.
    var expectedSums: [Int] {
        (0..<columns).map { x in
            let sum = coefficients.indices.reduce(0) { $0 + Int(coefficients[$1]) * Int(rows[Int(offsets[$1]) + x]) }
            return (sum + 1 << (Int(shift) - 1)) >> Int(shift)
        }
    }

    func output(of set: InstructionSet) -> [Int] {
        var out = ContiguousArray<Int16>(repeating: -1, count: columns)
        PixelKernels(instructionSet: set).convolveVertically(
            rows.span, rowOffsets: offsets.span, coefficients: coefficients.span, shift: shift, columnCount: columns,
            into: &out)
        return out.map(Int.init)
    }
}

/// One call of the horizontal kernel, and what it must give.
private struct HorizontalConvolutionCase {
    let coefficients: FilterCoefficients
    let row: ContiguousArray<Int16>

    /// Where the outputs begin in what the kernel writes to: rows of a plane begin at multiples of 8.
    private let outputOffset = 8

    init(coefficients: FilterCoefficients, width: Int, pattern: RowPattern, random: inout SplitMix64) {
        self.coefficients = coefficients
        // The intermediate samples keep overshoot: up to a third beyond black and white.
        let black = -85 * 64, white = 340 * 64
        let favored = random.number(in: 0...(coefficients.sourceStarts.count - 1))
        let first = Int(coefficients.sourceStarts[favored])
        let samples = (0..<(width.roundedUp(toMultipleOf: PixelKernels.columnBlockSize) + coefficients.paddedTapCount))
            .map { x in
                let tap = x - first
                let weight =
                    (0..<coefficients.paddedTapCount).contains(tap)
                    ? coefficients.values[favored * coefficients.paddedTapCount + tap] : 0
                if pattern == .noise { return Int16(random.number(in: black...white)) }
                return pattern.sample(at: x, coefficient: weight, random: &random) == 0 ? Int16(black) : Int16(white)
            }
        row = ContiguousArray(samples)
    }

    var expectedSums: [Int] { sums(shift: Int(coefficients.rightShift)).map { min(max($0, 0), 255) } }

    var expectedWideSums: [Int] {
        sums(shift: Int(coefficients.rightShift - FilterCoefficients.intermediateFractionBits)).map {
            min(max($0, Int(Int16.min)), Int(Int16.max))
        }
    }

    /// The formula in 64 bits, where nothing can overflow.
    private func sums(shift: Int) -> [Int] {
        coefficients.sourceStarts.indices.map { i in
            let sum = (0..<coefficients.paddedTapCount).reduce(0) {
                $0 + Int(coefficients.values[i * coefficients.paddedTapCount + $1])
                    * Int(row[Int(coefficients.sourceStarts[i]) + $1])
            }
            return (sum + 1 << (shift - 1)) >> shift
        }
    }

    func wideOutput(of set: InstructionSet) -> [Int] {
        var out = ContiguousArray<Int16>(repeating: 1, count: coefficients.sourceStarts.count)
        PixelKernels(instructionSet: set).convolveHorizontally(
            row.span, coefficients: coefficients, into: &out, at: 0)
        return out.map(Int.init)
    }

    func output(of set: InstructionSet) -> [Int] {
        var out = ContiguousArray<UInt8>(repeating: 1, count: outputOffset + coefficients.sourceStarts.count)
        PixelKernels(instructionSet: set).convolveHorizontally(
            row.span, coefficients: coefficients, into: &out, at: outputOffset)
        return out[outputOffset...].map(Int.init)
    }
}

/// A row of pixels, as often of the extreme values as of others.
struct ColorConversionCase {
    private let pixels: ContiguousArray<UInt8>
    private let background: [UInt8]?
    private let count: Int

    init(count: Int, background: [UInt8]?, random: inout SplitMix64) {
        self.count = count
        self.background = background
        let bytes = (0..<(count * (background == nil ? 3 : 4))).map { _ in
            let byte = UInt8(truncatingIfNeeded: random.next())
            return byte < 64 ? 0 : byte < 128 ? 255 : byte
        }
        var pixels = ContiguousArray(bytes)
        // Kernels have shorter paths for eight transparent or opaque pixels.
        for x in 0..<(background == nil ? 0 : count) where x / 8 % 3 < 2 {
            pixels[x * 4 + 3] = x / 8 % 3 == 0 ? 0 : 255
        }
        self.pixels = pixels
    }

    /// Y, Cb and Cr, and around each three samples that must stay 9.
    func output(of set: InstructionSet) -> ContiguousArray<UInt8> {
        var planes = ContiguousArray<UInt8>(repeating: 9, count: 3 * (count + 3))
        PixelKernels(instructionSet: set).convertRGBToYCbCr(
            pixels.span, background: background, into: &planes, planeOffsets: [0, count + 3, 2 * (count + 3)])
        return planes
    }

    /// Against floating point: a blend's rounding moves a value by a half at most, and so does that of the result.
    func isWithinOneRounding(_ planes: ContiguousArray<UInt8>) -> Bool {
        let matrix = [[0.299, 0.587, 0.114], [-0.168736, -0.331264, 0.5], [0.5, -0.418688, -0.081312]]
        let channels = background == nil ? 3 : 4
        return (0..<3).allSatisfy { plane in
            let samples = planes[(plane * (count + 3))..<((plane + 1) * (count + 3))]
            let isNear = samples.prefix(count).enumerated().allSatisfy { x, sample in
                let value = (0..<3).reduce(plane == 0 ? 0.0 : 128.0) { sum, c in
                    let alpha = channels == 4 ? Double(pixels[x * 4 + 3]) / 255 : 1
                    let blended =
                        Double(pixels[x * channels + c]) * alpha + Double(background?[c] ?? 0) * (1 - alpha)
                    return sum + matrix[plane][c] * blended
                }
                return abs(value - Double(sample)) <= 0.51 + (channels == 4 ? 0.5 : 0)
            }
            return isNear && samples.suffix(3).allSatisfy { $0 == 9 }
        }
    }
}
