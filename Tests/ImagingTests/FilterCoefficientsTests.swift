import TestSupport
import Testing

@testable import Imaging

/// Filter coefficients with their mapping and filter.
struct CoefficientsFixture {
    var mapping: AxisMapping
    var reduction: Int
    var filter: ResampleFilter
    var pass: FilterCoefficients.ConvolutionPass
    var coefficients: FilterCoefficients

    /// Fractional bits of the weights: what they sum to is a power of two, whose exponent this is.
    var coefficientFractionBits: Int {
        Int(coefficients.rightShift) + (pass == .vertical ? 1 : -1) * Int(FilterCoefficients.intermediateFractionBits)
    }

    /// The weights of each output sample.
    var coefficientWindows: [[Int]] {
        let taps = coefficients.paddedTapCount
        return coefficients.sourceStarts.indices.map { k in
            coefficients.values[(k * taps)..<((k + 1) * taps)].map(Int.init)
        }
    }

    /// The tables of every geometry that the tests of weights go through, made once.
    static func allFixtures(filter: ResampleFilter, pass: FilterCoefficients.ConvolutionPass) -> [CoefficientsFixture] {
        cachedFixtures.filter { $0.filter == filter && $0.pass == pass }
    }

    private static let cachedFixtures: [CoefficientsFixture] = (1...4).flatMap { reduction in
        mappings(reduction: reduction).flatMap { mapping in
            ResampleFilter.allCases.flatMap { filter in
                [FilterCoefficients.ConvolutionPass.vertical, .horizontal].map { pass in
                    CoefficientsFixture(
                        mapping: mapping, reduction: reduction, filter: filter, pass: pass,
                        coefficients: FilterCoefficients(mapping: mapping, filter: filter, pass: pass))
                }
            }
        }
    }

    /// Source pixels to target pixels: from enlarging by 3.3 to the largest ratio that needs no box reduction.
    private static let sizes: [(Int, Int)] = [
        (1, 1), (1, 7), (2, 1), (3, 2), (5, 5), (7, 23), (10, 13), (15, 21), (24, 23), (25, 23), (28, 24), (3, 1),
        (35, 23),
        (46, 23), (63, 23), (87, 23), (100, 12), (200, 10), (317, 10), (335, 7), (641, 10), (64, 1), (448, 7),
        // With reductions of 3 and 4 the last samples of these lie furthest beyond the image; mirrored, the first.
        (6, 5), (10, 5), (6, 4), (15, 9), (45, 9), (56, 7), (47, 37),
    ]

    /// `sizes` for planes of several samplings, on a plain and on a mirrored axis.
    private static func mappings(reduction: Int) -> Set<AxisMapping> {
        var mappings: Set<AxisMapping> = []
        for (source, target) in sizes {
            for (sampling, maximum) in [(1, 1), (1, 2), (2, 3), (1, 4)] where maximum == 1 || source < 64 {
                for mirrored in [false, true] {
                    mappings.insert(
                        AxisMapping(
                            imageLength: source, targetLength: target, samplingFactor: sampling,
                            maxSamplingFactor: maximum,
                            outputReduction: reduction, isMirrored: mirrored))
                }
            }
        }
        return mappings.filter { $0.boxShrinkFactor == 1 }
    }
}

@Suite("Weight tables")
struct FilterCoefficientsTests {
    static let passes: [FilterCoefficients.ConvolutionPass] = [.vertical, .horizontal]

    /// The windows repeat after 8, 16 and 16 outputs, or 21, 63 and 21 samples.
    @Test(
        "Windows that repeat have the coefficients of a direct computation, within the last bit",
        arguments: [(630, 240), (1008, 256), (630, 480)])
    func repeatedWindowsEqualTheirDefinition(source: Int, target: Int) {
        let mapping = AxisMapping(imageLength: source, targetLength: target)
        let made = FilterCoefficients(mapping: mapping, filter: .lanczos3, pass: .vertical)
        let ratio = Double(source) / Double(target), taps = made.paddedTapCount
        let one = Double(1 << (made.rightShift + FilterCoefficients.intermediateFractionBits))
        var largestError = 0.0
        for output in 0..<target {
            let center = (Double(output) + 0.5) * ratio, start = Int(made.sourceStarts[output])
            let exact = (0..<source).map {
                ResampleFilter.lanczos3.weight(atDistance: (Double($0) + 0.5 - center) / ratio)
            }
            let sum = exact.reduce(0, +)
            for sample in exact.indices {
                let isInside = (start..<(start + taps)).contains(sample)
                let weight = isInside ? Int(made.values[output * taps + sample - start]) : 0
                largestError = max(largestError, abs(Double(weight) - exact[sample] / sum * one))
            }
        }
        // Each coefficient carries the rounding error of the one before it.
        #expect(largestError <= 1.001)
    }

    @Test("The weights of each output sum to a power of two exactly", arguments: ResampleFilter.allCases, passes)
    func coefficientSumsArePowersOfTwo(filter: ResampleFilter, pass: FilterCoefficients.ConvolutionPass) {
        for made in CoefficientsFixture.allFixtures(filter: filter, pass: pass) {
            let one = 1 << made.coefficientFractionBits
            #expect(made.coefficientWindows.allSatisfy { $0.reduce(0, +) == one }, "\(made.mapping)")
        }
    }

    @Test(
        "Weights have as many bits as fit 16, from 14 to 22 down and to 16 across",
        arguments: ResampleFilter.allCases, passes)
    func coefficientsUseAllBitsThatFit(filter: ResampleFilter, pass: FilterCoefficients.ConvolutionPass) {
        let most = pass == .vertical ? 22 : 16
        for made in CoefficientsFixture.allFixtures(filter: filter, pass: pass) {
            let bits = made.coefficientFractionBits
            #expect((14...most).contains(bits), "\(made.mapping)")
            // With one bit more the largest weight would not fit, unless there may be no more. Its rounding may have
            // taken it two units, one at this many bits, across the limit.
            let largest = made.coefficients.values.reduce(0) { max($0, abs(Int($1))) }
            #expect(bits == most || 2 * (largest + 1) >= 32_766, "\(made.mapping)")
        }
    }

    @Test("A window never leaves the source", arguments: ResampleFilter.allCases, passes)
    func windowsStayInsideSource(filter: ResampleFilter, pass: FilterCoefficients.ConvolutionPass) {
        for made in CoefficientsFixture.allFixtures(filter: filter, pass: pass) {
            for (start, window) in zip(made.coefficients.sourceStarts, made.coefficientWindows) {
                let last = window.lastIndex { $0 != 0 } ?? 0
                #expect(start >= 0 && Int(start) + last < made.mapping.sourceSampleCount, "\(made.mapping)")
                #expect(last < made.coefficients.tapCount, "\(made.mapping)")
            }
            #expect(
                made.coefficients.maxSourceStart == Int(made.coefficients.sourceStarts.max() ?? -1), "\(made.mapping)")
        }
    }

    @Test(
        "Windows only move forward, so that used rows can be released",
        arguments: ResampleFilter.allCases)
    func windowsOnlyMoveForward(filter: ResampleFilter) {
        for made in CoefficientsFixture.allFixtures(filter: filter, pass: .vertical) {
            let starts = made.coefficients.sourceStarts
            #expect(zip(starts, starts.dropFirst()).allSatisfy(<=), "\(made.mapping)")
        }
    }

    @Test("A table is padded as the kernels read it", arguments: ResampleFilter.allCases)
    func coefficientsArePaddedForKernels(filter: ResampleFilter) {
        for made in CoefficientsFixture.allFixtures(filter: filter, pass: .vertical) {
            #expect(
                made.coefficients.paddedTapCount % 2 == 0
                    && made.coefficients.sourceStarts.count == made.mapping.outputSampleCount)
        }
        for made in CoefficientsFixture.allFixtures(filter: filter, pass: .horizontal) {
            #expect(made.coefficients.paddedTapCount % 16 == 0)
            #expect(made.coefficients.sourceStarts.count == made.mapping.outputSampleCount.roundedUp(toMultipleOf: 8))
            #expect(
                made.coefficients.values.count == made.coefficients.paddedTapCount
                    * made.coefficients.sourceStarts.count)
        }
    }

    @Test("The cache gives the table that belongs to its key, however many others were made", arguments: passes)
    func cacheReturnsMatchingCoefficients(pass: FilterCoefficients.ConvolutionPass) {
        let cache = CoefficientCache()
        for _ in 1...2 {
            for target in 1...100 {
                let mapping = AxisMapping(imageLength: 100, targetLength: target)
                let table = cache.coefficients(for: .init(mapping: mapping, filter: .triangle, pass: pass))
                let made = FilterCoefficients(mapping: mapping, filter: .triangle, pass: pass)
                #expect(
                    table.values == made.values && table.sourceStarts == made.sourceStarts
                        && table.rightShift == made.rightShift)
            }
        }
    }
}
