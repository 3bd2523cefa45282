import TestSupport
import Testing

@testable import Imaging

/// A weight table, with what it was made for.
struct MadeTable {
    var mapping: AxisMapping
    var reduction: Int
    var filter: ResampleFilter
    var pass: WeightTable.Pass
    var table: WeightTable

    /// Fractional bits of the weights: what they sum to is a power of two, whose exponent this is.
    var weightBits: Int {
        Int(table.shift) + (pass == .vertical ? 1 : -1) * Int(WeightTable.intermediateBits)
    }

    /// The weights of each output sample.
    var windows: [[Int]] {
        let taps = table.taps
        return table.starts.indices.map { k in table.weights[(k * taps)..<((k + 1) * taps)].map(Int.init) }
    }

    /// The tables of every geometry that the tests of weights go through, made once.
    static func all(_ filter: ResampleFilter, _ pass: WeightTable.Pass) -> [MadeTable] {
        made.filter { $0.filter == filter && $0.pass == pass }
    }

    private static let made: [MadeTable] = (1...4).flatMap { reduction in
        mappings(reduction: reduction).flatMap { mapping in
            ResampleFilter.allCases.flatMap { filter in
                [WeightTable.Pass.vertical, .horizontal].map { pass in
                    MadeTable(
                        mapping: mapping, reduction: reduction, filter: filter, pass: pass,
                        table: WeightTable(mapping, filter: filter, pass: pass))
                }
            }
        }
    }

    /// Source pixels to target pixels: from enlarging by 3.3 to the largest ratio that needs no box reduction.
    private static let sizes: [(Int, Int)] = [
        (1, 1), (1, 7), (2, 1), (3, 2), (5, 5), (7, 23), (10, 13), (15, 21), (24, 23), (25, 23), (28, 24), (3, 1),
        (35, 23),
        (46, 23), (63, 23), (87, 23), (100, 12), (200, 10), (317, 10), (335, 7), (641, 10), (64, 1), (448, 7),
        // With reductions of 3 and 4 the last samples of these lie furthest beyond the picture; mirrored, the first.
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
                            pictureCount: source, targetCount: target, sampling: sampling, maxSampling: maximum,
                            reduction: reduction, mirrored: mirrored))
                }
            }
        }
        return mappings.filter { $0.boxFactor == 1 }
    }
}

@Suite("Weight tables")
struct WeightTableTests {
    static let passes: [WeightTable.Pass] = [.vertical, .horizontal]

    @Test("The weights of each output sum to a power of two exactly", arguments: ResampleFilter.allCases, passes)
    func sumsAreExact(filter: ResampleFilter, pass: WeightTable.Pass) {
        for made in MadeTable.all(filter, pass) {
            let one = 1 << made.weightBits
            #expect(made.windows.allSatisfy { $0.reduce(0, +) == one }, "\(made.mapping)")
        }
    }

    @Test(
        "Weights have as many bits as fit 16, from 14 to 22 down and to 16 across",
        arguments: ResampleFilter.allCases, passes)
    func usesTheBitsThatFit(filter: ResampleFilter, pass: WeightTable.Pass) {
        let most = pass == .vertical ? 22 : 16
        for made in MadeTable.all(filter, pass) {
            let bits = made.weightBits
            #expect((14...most).contains(bits), "\(made.mapping)")
            // With one bit more the largest weight would not fit, unless there may be no more. Its rounding may have
            // taken it two units, one at this many bits, across the limit.
            let largest = made.table.weights.reduce(0) { max($0, abs(Int($1))) }
            #expect(bits == most || 2 * (largest + 1) >= 32_766, "\(made.mapping)")
        }
    }

    @Test("A window never leaves the source", arguments: ResampleFilter.allCases, passes)
    func windowsStayInside(filter: ResampleFilter, pass: WeightTable.Pass) {
        for made in MadeTable.all(filter, pass) {
            for (start, window) in zip(made.table.starts, made.windows) {
                let last = window.lastIndex { $0 != 0 } ?? 0
                #expect(start >= 0 && Int(start) + last < made.mapping.sourceCount, "\(made.mapping)")
                #expect(last < made.table.neededTaps, "\(made.mapping)")
            }
            #expect(made.table.lastStart == Int(made.table.starts.max() ?? -1), "\(made.mapping)")
        }
    }

    @Test(
        "Windows move forward only, which is what lets rows go once they were used",
        arguments: ResampleFilter.allCases)
    func windowsMoveForward(filter: ResampleFilter) {
        for made in MadeTable.all(filter, .vertical) {
            let starts = made.table.starts
            #expect(zip(starts, starts.dropFirst()).allSatisfy(<=), "\(made.mapping)")
        }
    }

    @Test("A table is padded as the kernels read it", arguments: ResampleFilter.allCases)
    func tablesArePadded(filter: ResampleFilter) {
        for made in MadeTable.all(filter, .vertical) {
            #expect(made.table.taps % 2 == 0 && made.table.starts.count == made.mapping.outputCount)
        }
        for made in MadeTable.all(filter, .horizontal) {
            #expect(made.table.taps % 16 == 0)
            #expect(made.table.starts.count == made.mapping.outputCount.roundedUp(to: 8))
            #expect(made.table.weights.count == made.table.taps * made.table.starts.count)
        }
    }

    @Test("The cache gives the table that belongs to its key, however many others were made", arguments: passes)
    func cacheGivesTheRightTable(pass: WeightTable.Pass) {
        let cache = WeightTableCache()
        for _ in 1...2 {
            for target in 1...100 {
                let mapping = AxisMapping(pictureCount: 100, targetCount: target)
                let table = cache.table(for: .init(mapping: mapping, filter: .triangle, pass: pass))
                let made = WeightTable(mapping, filter: .triangle, pass: pass)
                #expect(table.weights == made.weights && table.starts == made.starts && table.shift == made.shift)
            }
        }
    }
}
