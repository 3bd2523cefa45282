import Testing

@testable import Imaging

/// The sums of the kernels are 32 bits wide and the samples between the passes 16, and nothing clips them. So the worst
/// picture there can be is worked out from the weights: white where they are positive and black where they are
/// negative, or the other way round.
@Suite("No sum overflows")
struct KernelOverflowTests {
    /// What some windows can make of the samples `black...white`, as sums before the shift.
    private struct SumRange {
        var sums: ClosedRange<Int>
        var results: ClosedRange<Int>

        init(_ window: [Int], shift: Int32, samples: ClosedRange<Int>) {
            let positive = window.reduce(0) { $0 + max($1, 0) }
            let negative = window.reduce(0) { $0 + min($1, 0) }
            let half = 1 << (Int(shift) - 1)
            let least = positive * samples.lowerBound + negative * samples.upperBound + half
            let most = positive * samples.upperBound + negative * samples.lowerBound + half
            sums = least...most
            results = (least >> Int(shift))...(most >> Int(shift))
        }
    }

    /// The range of samples that the vertical pass can give with a reduction.
    private func intermediateRange(_ filter: ResampleFilter, reduction: Int) -> ClosedRange<Int> {
        var range = 0...0
        for made in CoefficientsFixture.allFixtures(filter: filter, pass: .vertical) where made.reduction == reduction {
            for window in made.coefficientWindows {
                let results = SumRange(window, shift: made.coefficients.rightShift, samples: 0...255).results
                range = min(range.lowerBound, results.lowerBound)...max(range.upperBound, results.upperBound)
            }
        }
        return range
    }

    @Test("Neither the vertical sums nor the samples that they give", arguments: ResampleFilter.allCases)
    func verticalSumsDoNotOverflow(filter: ResampleFilter) {
        for made in CoefficientsFixture.allFixtures(filter: filter, pass: .vertical) {
            for window in made.coefficientWindows {
                let extremes = SumRange(window, shift: made.coefficients.rightShift, samples: 0...255)
                #expect(Int32(exactly: extremes.sums.lowerBound) != nil, "\(made.mapping)")
                #expect(Int32(exactly: extremes.sums.upperBound) != nil, "\(made.mapping)")
                #expect(Int16(exactly: extremes.results.lowerBound) != nil, "\(made.mapping)")
                #expect(Int16(exactly: extremes.results.upperBound) != nil, "\(made.mapping)")
            }
        }
    }

    /// The two axes may be reduced differently, but never by more than 8 in all: JPEG can't say more.
    @Test(
        "Nor the horizontal sums of the worst samples that the vertical pass can give",
        arguments: ResampleFilter.allCases,
        [(1, 1), (1, 4), (2, 2), (2, 4), (3, 1), (3, 2), (4, 1), (4, 2)])
    func horizontalSumsDoNotOverflow(filter: ResampleFilter, reductions: (across: Int, down: Int)) {
        let samples = intermediateRange(filter, reduction: reductions.down)
        for made in CoefficientsFixture.allFixtures(filter: filter, pass: .horizontal)
        where made.reduction == reductions.across {
            for window in made.coefficientWindows {
                let extremes = SumRange(window, shift: made.coefficients.rightShift, samples: samples)
                #expect(Int32(exactly: extremes.sums.lowerBound) != nil, "\(made.mapping)")
                #expect(Int32(exactly: extremes.sums.upperBound) != nil, "\(made.mapping)")
            }
        }
    }
}
