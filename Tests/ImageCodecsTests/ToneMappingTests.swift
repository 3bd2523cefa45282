import Foundation
import Imaging
import TestSupport
import Testing

@testable import ImageCodecs

/// The conversion of PQ and HLG to sRGB: the functions of the standards, and tables of them.
@Suite struct ToneMappingTests {
    private static func space(
        _ function: HighDynamicRangeSpace.TransferFunction, primaries: Int = 9, peak: Int? = nil
    ) throws -> HighDynamicRangeSpace {
        HighDynamicRangeSpace(
            primaries: try #require(Chromaticities(codePoint: primaries)), transferFunction: function, name: "",
            statedPeak: peak)
    }

    private static func tables(
        _ function: HighDynamicRangeSpace.TransferFunction, primaries: Int = 9, peak: Int? = nil
    ) throws -> ToneMappingTables {
        try space(function, primaries: primaries, peak: peak).makeToneMapping(convertsToSRGB: true)
    }

    // MARK: Functions

    @Test(
        "PQ has the values of ITU-R BT.2408, table 1",
        arguments: [(0, 0), (26, 0.38), (100, 0.508), (203, 0.5806), (1000, 0.7518), (4000, 0.9026), (10_000, 1)])
    func perceptualQuantizerHasPublishedValues(luminance: Double, value: Double) {
        #expect(abs(PerceptualQuantizer.encoded(fromLuminance: luminance) - value) < 0.002)
        let inverse = PerceptualQuantizer.luminance(
            fromEncoded: PerceptualQuantizer.encoded(fromLuminance: luminance))
        #expect(abs(inverse - luminance) <= 1e-6 * max(luminance, 1))
    }

    @Test func perceptualQuantizerEqualsFormula() {
        for index in 0...1000 {
            let value = Double(index) / 1000, power = pow(value, 32 / 2523.0)
            let light = max(power - 107 / 128.0, 0) / (2413 / 128.0 - 2392 / 128.0 * power)
            let expected = 10_000 * pow(light, 16_384 / 2610.0)
            #expect(abs(PerceptualQuantizer.luminance(fromEncoded: value) - expected) <= 1e-9 * max(expected, 1))
        }
    }

    @Test("HLG has the values of ITU-R BT.2100: 75% is reference white on a display of 1000 cd/m²")
    func hybridLogGammaHasPublishedValues() {
        #expect(HybridLogGamma.sceneLight(fromEncoded: 0) == 0)
        #expect(abs(HybridLogGamma.sceneLight(fromEncoded: 0.5) - 1 / 12.0) < 1e-12)
        #expect(abs(HybridLogGamma.sceneLight(fromEncoded: 0.75) - 0.26496) < 1e-5)
        #expect(abs(HybridLogGamma.sceneLight(fromEncoded: 1) - 1) < 1e-6)
        let white = 1000 * pow(HybridLogGamma.sceneLight(fromEncoded: 0.75), HybridLogGamma.systemGamma)
        #expect(abs(white - 203) < 0.5)
    }

    @Test(
        "Highlights are compressed from a knee on, and everything else is kept", arguments: [300, 1000, 4000, 10_000])
    func highlightsAreCompressed(peak: Double) {
        let compression = HighlightCompression(from: peak, to: 203)
        var last = -1.0
        for luminance in stride(from: 0, through: peak, by: peak / 500) {
            let result = compression(luminance)
            #expect(result > last && result <= luminance + 1e-6)
            last = result
        }
        #expect(abs(last - 203) < 1e-6 && abs(compression(2 * peak) - 203) < 1e-6)
        #expect(compression(20) == 20)
        if peak <= 1000 { #expect(compression(87) == 87) }
    }

    @Test func nothingIsCompressedBelowReferenceWhite() {
        let compression = HighlightCompression(from: 203, to: 203)
        for luminance in [0, 1, 100, 202.9] { #expect(abs(compression(luminance) - luminance) < 1e-6) }
        #expect(abs(compression(500) - 203) < 1e-6)
    }

    // MARK: Tables

    static let functions: [HighDynamicRangeSpace.TransferFunction] = [.pq, .hlg]

    @Test(arguments: functions, [1, 9, 12])
    func grayStaysGrayAndGetsBrighter(function: HighDynamicRangeSpace.TransferFunction, primaries: Int) throws {
        let tables = try Self.tables(function, primaries: primaries)
        var last = 0
        for value in 0..<ToneMappingTables.levelCount {
            let (r, g, b) = tables.encodedSRGB(red: value, green: value, blue: value)
            #expect(r == g && g == b && r >= last)
            last = r
        }
        #expect(last == 255 * ToneMappingTables.levelScale)
        #expect(tables.encodedSRGB(red: 0, green: 0, blue: 0) == (0, 0, 0))
    }

    @Test("Reference white is white if nothing is brighter, and 229 below highlights of 1000 cd/m²")
    func referenceWhiteIsBright() throws {
        func level(_ tables: ToneMappingTables, _ value: Double) -> Double {
            let level = Int((value * Double(ToneMappingTables.levelCount - 1)).rounded())
            let result = tables.encodedSRGB(red: level, green: level, blue: level).green
            return Double(result) / Double(ToneMappingTables.levelScale)
        }
        #expect(abs(level(try Self.tables(.pq, peak: 203), 0.5807) - 255) < 0.5)
        #expect(abs(level(try Self.tables(.pq), 0.5807) - 229) < 1)
        #expect(abs(level(try Self.tables(.hlg), 0.75) - 229) < 1)
        // 18% gray is below the knee.
        let gray = PerceptualQuantizer.encoded(fromLuminance: 0.18 * 203)
        for peak in [203, nil, 4000] {
            #expect(abs(level(try Self.tables(.pq, peak: peak), gray) - 117.7) < (peak == 4000 ? 3 : 0.3))
        }
    }

    @Test("A stated peak counts for PQ, within limits; HLG has its nominal peak")
    func statedPeakIsUsed() throws {
        for (stated, expected) in [(nil, 1000), (0, 1000), (1, 203), (712, 712), (65_535, 10_000)] as [(Int?, Int)] {
            #expect(try Self.space(.pq, peak: stated).peakLuminance == expected)
            #expect(try Self.space(.hlg, peak: stated).peakLuminance == 1000)
        }
    }

    @Test("Random colors are within a level of the formula", arguments: functions)
    func tablesEqualFormula(function: HighDynamicRangeSpace.TransferFunction) throws {
        let tables = try Self.tables(function)
        let formula = try ToneMappingFormula(try Self.space(function))
        var random = SplitMix64(seed: 7)
        var errors: [Double] = []
        for _ in 0..<4000 {
            let values = (0..<3).map { _ in random.number(in: 0...(ToneMappingTables.levelCount - 1)) }
            let (r, g, b) = tables.encodedSRGB(red: values[0], green: values[1], blue: values[2])
            let exact = formula.sRGB(values.map { Double($0) / Double(ToneMappingTables.levelCount - 1) })
            errors += zip([r, g, b], exact).map { abs(Double($0) / 64 - $1 * 255) }
        }
        errors.sort()
        print("\(function): mean \(errors.reduce(0, +) / 12_000), 99% \(errors[11_880]), max \(errors[11_999])")
        #expect(errors[11_999] < 1)
        #expect(errors[11_880] < 0.1)
    }

    @Test("The tables have the same numbers on every machine")
    func tablesAreTheSameEverywhere() throws {
        func checksum(_ function: HighDynamicRangeSpace.TransferFunction) throws -> UInt64 {
            let tables = try Self.tables(function)
            var checksum: UInt64 = 0xCBF2_9CE4_8422_2325
            for index in 0..<20_000 {
                let color = tables.encodedSRGB(
                    red: index * 31 % 16_321, green: index * 101 % 16_321, blue: index * 997 % 16_321)
                for value in [color.red, color.green, color.blue] {
                    checksum = (checksum ^ UInt64(value)) &* 0x100_0000_01B3
                }
            }
            return checksum
        }
        let (pq, hlg) = (try checksum(.pq), try checksum(.hlg))
        #expect(pq == 11_627_617_418_353_578_691)
        #expect(hlg == 5_782_646_789_093_394_323)
    }
}

/// The conversion in floating point, from the standards.
private struct ToneMappingFormula {
    private let space: HighDynamicRangeSpace
    private let toSRGB: Matrix3x3
    private let weights: [Double]

    init(_ space: HighDynamicRangeSpace) throws {
        self.space = space
        let toXYZ = try #require(space.primaries.matrixToXYZ)
        toSRGB = Matrix3x3.xyzToLinearSRGB * toXYZ
        weights = Array(toXYZ.elements[3..<6])
    }

    func sRGB(_ encoded: [Double]) -> [Double] {
        let light = space.transferFunction == .pq ? encoded.map(luminance) : displayLight(encoded)
        return (toSRGB * light.map { compressed($0) / 203 }).map { value in
            let value = min(max(value, 0), 1)
            return value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
        }
    }

    private func luminance(_ value: Double) -> Double {
        let power = pow(value, 32 / 2523.0)
        return 10_000 * pow(max(power - 107 / 128.0, 0) / (2413 / 128.0 - 2392 / 128.0 * power), 16_384 / 2610.0)
    }

    private func encoded(_ luminance: Double) -> Double {
        let power = pow(luminance / 10_000, 2610 / 16_384.0)
        return pow((107 / 128.0 + 2413 / 128.0 * power) / (1 + 2392 / 128.0 * power), 2523 / 32.0)
    }

    private func displayLight(_ encoded: [Double]) -> [Double] {
        let scene = encoded.map { $0 <= 0.5 ? $0 * $0 / 3 : (exp(($0 - 0.55991073) / 0.17883277) + 0.28466892) / 12 }
        let luminance = zip(scene, weights).reduce(0) { $0 + $1.0 * $1.1 }
        return scene.map { 1000 * $0 * pow(luminance, 0.2) }
    }

    private func compressed(_ light: Double) -> Double {
        let peak = encoded(1000), target = encoded(203) / peak, knee = 1.5 * target - 0.5
        let value = min(encoded(max(light, 0)) / peak, 1)
        guard value > knee else { return light }
        let t = (value - knee) / (1 - knee)
        let spline =
            (2 * pow(t, 3) - 3 * t * t + 1) * knee + (pow(t, 3) - 2 * t * t + t) * (1 - knee)
            + (3 * t * t - 2 * pow(t, 3)) * target
        return luminance(spline * peak)
    }
}
