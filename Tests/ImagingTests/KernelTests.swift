import TestSupport
import Testing

@testable import Imaging

/// What the kernels of each instruction set compute, one row at a time. Wherever a machine has several sets, they all
/// equal the formula, and so each other, bit for bit.
@Suite("Kernels")
struct KernelTests {
    static let available = InstructionSet.allCases.filter(\.isAvailable)

    @Test("The sets that this machine can't run are named, and the portable one always runs")
    func namesWhatIsNotTested() {
        let missing = InstructionSet.allCases.filter { !$0.isAvailable }.map(\.rawValue)
        print("Kernels tested: \(Self.available.map(\.rawValue)); not available here, so not tested: \(missing)")
        #expect(Self.available.contains(.portable))
    }

    @Test("Blending rows gives what its formula says", arguments: available, RowPattern.allCases)
    func blendsRows(set: InstructionSet, pattern: RowPattern) {
        var random = SplitMix64(seed: 1)
        for filter in ResampleFilter.allCases {
            for (source, target) in [(5, 7), (67, 61), (67, 32), (67, 9), (128, 2)] {
                let mapping = AxisMapping(imageLength: source, targetLength: target)
                let table = FilterCoefficients(mapping: mapping, filter: filter, pass: .vertical)
                let output = random.number(in: 0...(target - 1))
                let weights = Array(
                    table.values[(output * table.paddedTapCount)..<((output + 1) * table.paddedTapCount)])
                let blend = RowBlend(weights: weights, shift: table.rightShift, pattern: pattern, random: &random)
                #expect(blend.result(of: set) == blend.expected, "\(filter), \(source) to \(target)")
            }
        }
    }

    @Test("Convolving rows of 1 to 67 samples gives what its formula says", arguments: available, RowPattern.allCases)
    func convolvesRows(set: InstructionSet, pattern: RowPattern) {
        var random = SplitMix64(seed: 2)
        for filter in ResampleFilter.allCases {
            for width in 1...67 {
                let mapping = AxisMapping(imageLength: width, targetLength: random.number(in: 1...width))
                let table = FilterCoefficients(mapping: mapping, filter: filter, pass: .horizontal)
                let row = RowConvolution(table: table, width: width, pattern: pattern, random: &random)
                #expect(row.result(of: set) == row.expected, "\(filter), width \(width)")
            }
        }
    }

    @Test("Enlarging, which has the largest weights, gives what the formula says", arguments: available)
    func convolvesEnlargedRows(set: InstructionSet) {
        var random = SplitMix64(seed: 3)
        for filter in ResampleFilter.allCases {
            for pattern in RowPattern.allCases {
                let mapping = AxisMapping(imageLength: 13, targetLength: 41)
                let table = FilterCoefficients(mapping: mapping, filter: filter, pass: .horizontal)
                let row = RowConvolution(table: table, width: 13, pattern: pattern, random: &random)
                #expect(row.result(of: set) == row.expected, "\(filter), \(pattern)")
            }
        }
    }

    @Test("Converting 0 to 40 pixels to Y, Cb and Cr gives what the standard says, rounded", arguments: available)
    func convertsPixels(set: InstructionSet) {
        var random = SplitMix64(seed: 4)
        for count in 0...40 {
            for background in [nil, [255, 255, 255], [20, 60, 200]] as [[UInt8]?] {
                let row = PixelConversion(count: count, background: background, random: &random)
                #expect(row.result(of: set) == row.result(of: .portable), "\(count) over \(background ?? [])")
                #expect(row.isWithinHalf(row.result(of: set)), "\(count) over \(background ?? [])")
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

    func sample(_ x: Int, weight: Int16, _ random: inout SplitMix64) -> UInt8 {
        switch self {
        case .noise: UInt8(truncatingIfNeeded: random.next())
        case .black: 0
        case .white: 255
        case .alternating: x % 2 == 0 ? 0 : 255
        case .largestSum: weight > 0 ? 255 : 0
        case .smallestSum: weight > 0 ? 0 : 255
        }
    }
}

/// One call of the vertical kernel, and what it must give.
private struct RowBlend {
    let columns: Int
    let rows: ContiguousArray<UInt8>
    let offsets: ContiguousArray<Int32>
    let weights: ContiguousArray<Int16>
    let shift: Int32

    init(weights: [Int16], shift: Int32, pattern: RowPattern, random: inout SplitMix64) {
        self.weights = ContiguousArray(weights)
        self.shift = shift
        columns = random.number(in: 1...3) * PixelKernels.columnBlockSize
        // Rows at odd distances, so that nothing may rely on their alignment.
        let distance = columns + random.number(in: 0...31)
        offsets = ContiguousArray(weights.indices.map { Int32($0 * distance + 1) })
        var rows = random.bytes(weights.count * distance + 1)
        for (k, weight) in weights.enumerated() {
            for x in 0..<columns { rows[Int(offsets[k]) + x] = pattern.sample(x, weight: weight, &random) }
        }
        self.rows = ContiguousArray(rows)
    }

    /// The formula in 64 bits, where nothing can overflow.
    var expected: [Int] {
        (0..<columns).map { x in
            let sum = weights.indices.reduce(0) { $0 + Int(weights[$1]) * Int(rows[Int(offsets[$1]) + x]) }
            return (sum + 1 << (Int(shift) - 1)) >> Int(shift)
        }
    }

    func result(of set: InstructionSet) -> [Int] {
        var out = ContiguousArray<Int16>(repeating: -1, count: columns)
        PixelKernels(instructionSet: set).convolveVertically(
            rows.span, rowOffsets: offsets.span, coefficients: weights.span, shift: shift, columnCount: columns,
            into: &out)
        return out.map(Int.init)
    }
}

/// One call of the horizontal kernel, and what it must give.
private struct RowConvolution {
    let table: FilterCoefficients
    let row: ContiguousArray<Int16>

    /// Where the outputs begin in what the kernel writes to: rows of a plane begin at multiples of 8.
    private let start = 8

    init(table: FilterCoefficients, width: Int, pattern: RowPattern, random: inout SplitMix64) {
        self.table = table
        // The intermediate samples keep overshoot: up to a third beyond black and white.
        let black = -85 * 64, white = 340 * 64
        let favoured = random.number(in: 0...(table.sourceStarts.count - 1))
        let first = Int(table.sourceStarts[favoured])
        let samples = (0..<(width.roundedUp(toMultipleOf: PixelKernels.columnBlockSize) + table.paddedTapCount)).map {
            x in
            let tap = x - first
            let weight =
                (0..<table.paddedTapCount).contains(tap) ? table.values[favoured * table.paddedTapCount + tap] : 0
            if pattern == .noise { return Int16(random.number(in: black...white)) }
            return pattern.sample(x, weight: weight, &random) == 0 ? Int16(black) : Int16(white)
        }
        row = ContiguousArray(samples)
    }

    /// The formula in 64 bits, where nothing can overflow.
    var expected: [Int] {
        let shift = Int(table.rightShift)
        return table.sourceStarts.indices.map { i in
            let sum = (0..<table.paddedTapCount).reduce(0) {
                $0 + Int(table.values[i * table.paddedTapCount + $1]) * Int(row[Int(table.sourceStarts[i]) + $1])
            }
            return min(max((sum + 1 << (shift - 1)) >> shift, 0), 255)
        }
    }

    func result(of set: InstructionSet) -> [Int] {
        var out = ContiguousArray<UInt8>(repeating: 1, count: start + table.sourceStarts.count)
        PixelKernels(instructionSet: set).convolveHorizontally(row.span, coefficients: table, into: &out, at: start)
        return out[start...].map(Int.init)
    }
}

/// A row of pixels, as often of the extreme values as of others.
struct PixelConversion {
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
        pixels = ContiguousArray(bytes)
    }

    /// Y, Cb and Cr, and around each three samples that must stay 9.
    func result(of set: InstructionSet) -> ContiguousArray<UInt8> {
        var planes = ContiguousArray<UInt8>(repeating: 9, count: 3 * (count + 3))
        PixelKernels(instructionSet: set).convertRGBToYCbCr(
            pixels.span, background: background, into: &planes, planeOffsets: [0, count + 3, 2 * (count + 3)])
        return planes
    }

    /// Against floating point: a blend's rounding moves a value by a half at most, and so does that of the result.
    func isWithinHalf(_ planes: ContiguousArray<UInt8>) -> Bool {
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
