import CLCMSShim
import Foundation
import Imaging
import TestSupport
import Testing

@testable import ImageCodecs

/// Conversions to sRGB, compared with Little CMS in floating point.
@Suite struct ColorAccuracyTests {
    static let profiles: [(name: String, profile: ICCProfileBuilder)] = [
        ("Display P3", .displayP3), ("Adobe RGB (1998)", .adobeRGB),
    ]

    /// Y, Cb and Cr of the 24 patches of the ColorChecker and of 40 mixtures of each two neighbors.
    private static func makePatches(_ reference: ReferenceConversion) -> [[Double]] {
        let patches = LabColor.colorChecker.map { reference.yCbCr(of: $0) }
        return zip(patches, patches.dropFirst() + patches.prefix(1)).flatMap { first, second in
            (0..<40).map { step in zip(first, second).map { $0 + ($1 - $0) * Double(step) / 40 } }
        }
    }

    @Test(
        "Patches and mixtures of them are as near as 8-bit samples allow", arguments: profiles.indices)
    func patchesAreNearReference(index: Int) throws {
        let reference = try ReferenceConversion(Self.profiles[index].profile)
        let differences = try ColorDifferences(Self.makePatches(reference), reference)
        print("\(Self.profiles[index].name), patches: \(differences)")
        #expect(differences.meanExcess <= 0.05)
        #expect(differences.percentileExcess <= 0.35)
    }

    @Test("Random colors of the whole cube are near the reference", arguments: profiles.indices)
    func randomColorsAreNearReference(index: Int) throws {
        let reference = try ReferenceConversion(Self.profiles[index].profile)
        var random = SplitMix64(seed: 1)
        let colors = (0..<4000).map { _ in
            let rgb = (0..<3).map { _ in Double(random.number(in: 0...255)) / 255 }
            return ReferenceConversion.yCbCr(of: rgb)
        }
        let differences = try ColorDifferences(colors, reference)
        print("\(Self.profiles[index].name), random colors: \(differences)")
        #expect(differences.meanExcess <= 0.1)
        #expect(differences.percentileExcess <= 0.7)
    }

    @Test("A profile with a table is near the reference")
    func tableProfileIsNearReference() throws {
        // The table of a device with Adobe's colorants, and an exponent of 2.
        let matrix = ICCProfileBuilder.adobeRGBMatrix
        let profile = ICCProfileBuilder.table(
            "Scanner", colorSpace: "RGB ", channelCount: 3, gridSize: 9, exponent: 2
        ) { color in
            matrix.map { row in row[0] * color[0] + row[1] * color[1] + row[2] * color[2] }
        }
        let reference = try ReferenceConversion(profile)
        let differences = try ColorDifferences(Self.makePatches(reference), reference)
        print("table: \(differences)")
        #expect(differences.meanExcess <= 0.05)
        #expect(differences.percentileExcess <= 0.35)
    }

    @Test("CMYK by a profile is near the reference")
    func inkIsNearReference() throws {
        let profile = ICCProfileBuilder.table("Ink", colorSpace: "CMYK", channelCount: 4, gridSize: 5) { ink in
            let light = 1 - 0.9 * ink[3]
            return [
                0.9642 * (1 - 0.8 * ink[0]) * light, (1 - 0.8 * ink[1]) * light, 0.8249 * (1 - 0.8 * ink[2]) * light,
            ]
        }.bytes
        let interpretation = ColorInterpretation(.iccProfile(profile), samples: .ink)
        guard case .convertible(.ink(let table)) = interpretation.kind else {
            Issue.record("there is no conversion: \(interpretation.kind)")
            return
        }
        var random = SplitMix64(seed: 2)
        let inks = (0..<500).map { _ in random.bytes(count: 4) }
        let colors = inks.flatMap { $0.map { Double($0) / 255 } }
        let expected = ReferenceConversion.sRGB(
            fromXYZ: try LittleCMS.xyz(of: colors, profile: profile, channelCount: 4))
        var differences: [Double] = []
        for (ink, exact) in zip(inks, expected) {
            let rgb = table.rgb(c: ink[0], m: ink[1], y: ink[2], k: ink[3])
            for (value, wanted) in zip([rgb.r, rgb.g, rgb.b], exact) {
                differences.append(abs(Double(value) - wanted * 255))
            }
        }
        print("ink: mean \(differences.reduce(0, +) / 1500), max \(differences.max() ?? 0)")
        // Single dark colors differ more: this device mixes light linearly, and black is the steep part of sRGB.
        #expect(differences.reduce(0, +) / 1500 <= 1)
    }
}

/// Statistics of CIEDE2000 between results and the reference.
private struct ColorDifferences: CustomStringConvertible {
    private var ours: [Double] = []
    /// Those of the reference after rounding to 8-bit samples.
    private var rounded: [Double] = []

    init(_ colors: [[Double]], _ reference: ReferenceConversion) throws {
        let table = try #require(reference.table)
        let samples = colors.map { $0.map { UInt8(min(max($0.rounded(), 0), 255)) } }
        for (sample, exact) in zip(samples, try reference.sRGB(ofSamples: samples)) {
            let exactLab = ReferenceConversion.lab(ofSRGB: exact)
            let best = ReferenceConversion.yCbCr(of: exact).map { min(max($0.rounded(), 0), 255) }
            rounded.append(exactLab.difference(from: ReferenceConversion.lab(ofYCbCr: best)))
            let result = table.color(ofSample: sample).map(Double.init)
            ours.append(exactLab.difference(from: ReferenceConversion.lab(ofYCbCr: result)))
        }
        ours.sort()
        rounded.sort()
    }

    private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    private static func percentile99(_ values: [Double]) -> Double { values[values.count * 99 / 100] }

    var meanExcess: Double { Self.mean(ours) - Self.mean(rounded) }
    var percentileExcess: Double { Self.percentile99(ours) - Self.percentile99(rounded) }

    var description: String {
        String(
            format: "mean %.3f (rounding alone %.3f), 99%% %.3f (%.3f), max %.3f (%.3f)", Self.mean(ours),
            Self.mean(rounded), Self.percentile99(ours), Self.percentile99(rounded), ours[ours.count - 1],
            rounded[rounded.count - 1])
    }
}

/// The conversion of a profile by Little CMS in floating point, to XYZ, and from there to sRGB by the standard.
private struct ReferenceConversion {
    private let profile: [UInt8]
    let table: ColorConversionTable?
    /// The matrix of the profile's colors, from Little CMS.
    private let primaries: Matrix3x3

    init(_ builder: ICCProfileBuilder) throws {
        profile = builder.bytes
        let interpretation = ColorInterpretation(.iccProfile(profile), samples: .color)
        if case .convertible(.color(let table)) = interpretation.kind { self.table = table } else { table = nil }
        let xyz = try Self.xyz([1, 0, 0, 0, 1, 0, 0, 0, 1], profile)
        primaries = Matrix3x3((0..<9).map { xyz[$0 % 3 * 3 + $0 / 3] })
    }

    private static func xyz(_ colors: [Double], _ profile: [UInt8]) throws -> [Double] {
        try LittleCMS.xyz(of: colors, profile: profile, channelCount: 3)
    }

    /// Y, Cb and Cr, in levels, of the device's color that is nearest to `color`: by bisection along each curve.
    func yCbCr(of color: LabColor) -> [Double] {
        let linear = (primaries.inverse ?? .identity) * color.xyz
        let ramp = (0...4095).map { Double($0) / 4095 }
        let luminances = (try? Self.xyz(ramp.flatMap { [$0, $0, $0] }, profile)) ?? []
        let rgb = linear.map { value in
            ramp[(0...4095).first { luminances[$0 * 3 + 1] >= value } ?? 4095]
        }
        return Self.yCbCr(of: rgb)
    }

    /// sRGB from 0 to 1 of samples, after clamping the device's colors, as a decoder does.
    func sRGB(ofSamples samples: [[UInt8]]) throws -> [[Double]] {
        let colors = samples.flatMap { Self.rgb(ofYCbCr: $0.map(Double.init)) }
        return Self.sRGB(fromXYZ: try Self.xyz(colors, profile))
    }

    /// sRGB from 0 to 1 of XYZ, three numbers for each color, clamped.
    static func sRGB(fromXYZ xyz: [Double]) -> [[Double]] {
        (0..<(xyz.count / 3)).map { index in
            (Matrix3x3.xyzToLinearSRGB * Array(xyz[(index * 3)..<(index * 3 + 3)])).map { value in
                let clamped = min(max(value, 0), 1)
                return clamped <= 0.0031308 ? clamped * 12.92 : 1.055 * pow(clamped, 1 / 2.4) - 0.055
            }
        }
    }

    static func yCbCr(of rgb: [Double]) -> [Double] {
        let y = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]
        return [y * 255, (rgb[2] - y) / 1.772 * 255 + 128, (rgb[0] - y) / 1.402 * 255 + 128]
    }

    static func rgb(ofYCbCr color: [Double]) -> [Double] {
        let (y, cb, cr) = (color[0] / 255, (color[1] - 128) / 255, (color[2] - 128) / 255)
        let green = y - (0.114 * 1.772 * cb + 0.299 * 1.402 * cr) / 0.587
        return [y + 1.402 * cr, green, y + 1.772 * cb].map { min(max($0, 0), 1) }
    }

    static func lab(ofYCbCr color: [Double]) -> LabColor { lab(ofSRGB: rgb(ofYCbCr: color)) }

    static func lab(ofSRGB color: [Double]) -> LabColor {
        let linear = color.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        return LabColor(xyz: (Chromaticities.rec709.matrixToXYZ ?? .identity) * linear)
    }
}

extension ColorConversionTable {
    /// The result for one sample of each plane.
    fileprivate func color(ofSample sample: [UInt8]) -> [UInt8] {
        let planes = sample.map { value in
            var plane = Plane(width: 8, height: 1)
            for x in 0..<8 { plane.samples[x] = value }
            return plane
        }
        var image = PlanarImage(size: PixelSize(width: 8, height: 1), chromaSubsampling: .none, planes: planes)
        image.convertColors(with: self)
        return image.planes.map { $0.samples[0] }
    }
}
