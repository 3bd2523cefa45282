import Foundation
import Testing

@testable import Imaging

@Suite("Filters")
struct ResampleFilterTests {
    @Test("The sine of pi times x is the mathematics library's, to 4e-16")
    func sinePiMatchesLibrarySine() {
        for i in -60_000...60_000 {
            let x = Double(i) / 10_000 + 1.0 / 30_011
            // Reduced to half a turn first, without rounding: the library would otherwise see a rounded angle.
            let nearest = x.rounded()
            let expected = sin((x - nearest) * .pi) * (Int(nearest) % 2 == 0 ? 1 : -1)
            // Half an ulp of 1 is 1.1e-16. The library's own rounding, the angle's, and the series' share the rest.
            // `#expect` for each would cost more than the sine.
            if !(abs(sinPi(x) - expected) <= 4e-16) { Issue.record("at \(x)") }
        }
    }

    @Test("The sine is exactly 0 at integers, and 1 in between to one unit of the last place")
    func sinePiIsExactAtZerosAndPeaks() {
        for i in -8...8 {
            #expect(sinPi(Double(i)) == 0)
            let peak = sinPi(Double(i) + 0.5) * (i % 2 == 0 ? 1 : -1)
            #expect(abs(peak - 1) <= 1.0.ulp)
        }
        #expect(sinc(0) == 1)
    }

    @Test("The sine is odd, to the bit, so that filters are even")
    func sinePiIsOdd() {
        for i in 0...1_000 {
            let x = Double(i) / 137
            #expect(sinPi(-x) == -sinPi(x))
        }
    }

    @Test("Every filter is symmetric, and nothing beyond its support", arguments: ResampleFilter.allCases)
    func filtersAreSymmetricWithinSupport(filter: ResampleFilter) {
        for i in 0...4_000 {
            let x = Double(i) / 1_000
            #expect(filter.weight(atDistance: -x) == filter.weight(atDistance: x))
            if x > filter.supportRadius { #expect(filter.weight(atDistance: x) == 0, "at \(x)") }
        }
        #expect(filter.weight(atDistance: 0) > 0)
    }

    @Test(
        "Samples a step apart get the same weight in all, wherever the output lies among them",
        arguments: ResampleFilter.allCases)
    func filterCoefficientsPartitionUnity(filter: ResampleFilter) {
        // The polynomials do so exactly, but for rounding. Lanczos is a sinc cut off: the ripple of its sum is 1%.
        let tolerance = filter == .lanczos3 ? 0.012 : 1e-14
        let one = coefficientSum(filter, phase: 0)
        for i in 0..<1_000 {
            let sum = coefficientSum(filter, phase: Double(i) / 1_000)
            #expect(abs(sum / one - 1) <= tolerance, "at phase \(i) of 1000")
        }
    }

    private func coefficientSum(_ filter: ResampleFilter, phase: Double) -> Double {
        (-4...4).reduce(0) { $0 + filter.weight(atDistance: Double($1) - phase) }
    }

    @Test(
        "The interpolating filters leave samples that they meet as they are",
        arguments: [
            ResampleFilter.lanczos3, .catmullrom, .triangle, .box,
        ])
    func interpolatingFiltersKeepSamples(filter: ResampleFilter) {
        for i in 1...4 { #expect(filter.weight(atDistance: Double(i)) == 0) }
    }

    @Test("The cubics have the values of Mitchell and Netravali's paper")
    func cubicFiltersMatchThePaper() {
        // Theirs are divided by 6. Mitchell: 8/9 at 0, 1/18 at 1. Catmull-Rom: 9/16 and -1/16 half a step further.
        #expect(abs(ResampleFilter.mitchell.weight(atDistance: 0) / 6 - 8.0 / 9) < 1e-15)
        #expect(abs(ResampleFilter.mitchell.weight(atDistance: 1) / 6 - 1.0 / 18) < 1e-15)
        #expect(abs(ResampleFilter.catmullrom.weight(atDistance: 0.5) / 6 - 9.0 / 16) < 1e-15)
        #expect(abs(ResampleFilter.catmullrom.weight(atDistance: 1.5) / 6 + 1.0 / 16) < 1e-15)
    }
}
