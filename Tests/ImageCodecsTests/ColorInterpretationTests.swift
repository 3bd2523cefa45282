import Diagnostics
import Imaging
import TestSupport
import Testing

@testable import ImageCodecs

/// What profiles and the chunks of PNG mean for a conversion to sRGB.
@Suite struct ColorInterpretationTests {
    private static func makePNG(_ chunks: [(type: String, payload: [UInt8])], isGray: Bool = false) -> [UInt8] {
        var random = SplitMix64(seed: 1)
        var file = PNGFileBuilder(size: PixelSize(width: 40, height: 30), colorType: isGray ? .gray : .rgb) { x, y in
            (0..<(isGray ? 1 : 3)).map { c in (x * 5 + y * 3 * c + random.number(in: 0...60)) % 256 }
        }
        file.chunksBeforeImageData = chunks.map { .init(type: $0.type, payload: $0.payload) }
        return file.fileBytes
    }

    private static func uInt32Bytes(_ values: [Int]) -> [UInt8] {
        values.flatMap { value in (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xFF) } }
    }

    private static let adobeChromaticities = uInt32Bytes([
        31_270, 32_900, 64_000, 33_000, 21_000, 71_000, 15_000, 6_000,
    ])
    private static let sRGBChromaticities = uInt32Bytes([
        31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000,
    ])

    private static func interpretation(ofPNG chunks: [(type: String, payload: [UInt8])], isGray: Bool = false) throws
        -> ColorInterpretation?
    {
        try decodeImage(makePNG(chunks, isGray: isGray)).colorInterpretation
    }

    private func table(_ interpretation: ColorInterpretation?) throws -> ColorConversionTable {
        guard case .convertible(.color(let table)) = interpretation?.kind else {
            throw CodecError(.damaged, stage: .decode, message: "there is no table: \(interpretation as Any)")
        }
        return table
    }

    /// The largest difference of two tables' results for random samples.
    private func maxDifference(_ first: ColorConversionTable, _ second: ColorConversionTable) -> Int {
        var random = SplitMix64(seed: 5)
        let planes = (0..<3).map { _ in
            var plane = Plane(width: 64, height: 64)
            for index in plane.samples.indices { plane.samples[index] = UInt8(random.number(in: 40...215)) }
            return plane
        }
        let image = PlanarImage(size: PixelSize(width: 64, height: 64), chromaSubsampling: .none, planes: planes)
        var (lhs, rhs) = (image, image)
        lhs.convertColors(with: first)
        rhs.convertColors(with: second)
        return zip(lhs.planes, rhs.planes).map { plane, other in
            zip(plane.samples, other.samples).map { abs(Int($0) - Int($1)) }.max() ?? 0
        }.max() ?? 0
    }

    @Test("cICP of Display P3 means the same as its profile")
    func codePointsEqualProfile() throws {
        let coded = try Self.interpretation(ofPNG: [("cICP", [12, 13, 0, 1])])
        #expect(coded?.profileName == "cICP 12/13")
        let profile = ColorInterpretation(.iccProfile(ICCProfileBuilder.displayP3.bytes), samples: .color)
        #expect(maxDifference(try table(coded), try table(profile)) <= 1)
    }

    @Test("cHRM and gAMA of Adobe RGB mean the same as its profile")
    func chromaticitiesEqualProfile() throws {
        let coded = try Self.interpretation(
            ofPNG: [("gAMA", Self.uInt32Bytes([45_455])), ("cHRM", Self.adobeChromaticities)])
        let profile = ColorInterpretation(.iccProfile(ICCProfileBuilder.adobeRGB.bytes), samples: .color)
        #expect(maxDifference(try table(coded), try table(profile)) <= 1)
    }

    @Test("Chunks of sRGB, of gray images, or beside an sRGB chunk describe no other color space")
    func sRGBChunksDescribeNothingElse() throws {
        let gamma = ("gAMA", Self.uInt32Bytes([45_455]))
        #expect(try Self.interpretation(ofPNG: [gamma]) == nil)
        #expect(try Self.interpretation(ofPNG: [gamma, ("cHRM", Self.sRGBChromaticities)]) == nil)
        #expect(try Self.interpretation(ofPNG: [("sRGB", [0]), gamma, ("cHRM", Self.adobeChromaticities)]) == nil)
        #expect(try Self.interpretation(ofPNG: [gamma, ("cHRM", Self.adobeChromaticities)], isGray: true) == nil)
        let coded = try Self.interpretation(ofPNG: [("cICP", [1, 13, 0, 1]), ("cHRM", Self.adobeChromaticities)])
        #expect(coded?.isSRGB == true)
    }

    @Test(
        "Code points that are not supported give a warning",
        arguments: [[9, 17, 0, 1], [9, 16, 0, 0], [10, 18, 0, 1], [12, 13, 1, 1], [12, 13, 0, 0], [3, 13, 0, 1]])
    func unsupportedCodePointsAreWarned(codePoints: [UInt8]) throws {
        let decoded = try decodeImage(Self.makePNG([("cICP", codePoints)]))
        #expect(decoded.colorInterpretation == nil)
        #expect(decoded.warnings.map(\.code) == [.profileNotApplied])
    }

    @Test("sRGB is recognized by colorants and curve, other color spaces are not")
    func sRGBIsRecognized() {
        func isSRGB(_ profile: ICCProfileBuilder) -> Bool {
            ColorInterpretation(.iccProfile(profile.bytes), samples: .color).isSRGB
        }
        var slightlyOff = ICCProfileBuilder.sRGB
        slightlyOff = .matrix(
            "x", colorants: [[0.4358, 0.2224, 0.0139], [0.3853, 0.7170, 0.0971], [0.1430, 0.0606, 0.7139]],
            curve: .sRGB)
        #expect(isSRGB(.sRGB) && isSRGB(slightlyOff))
        #expect(!isSRGB(.displayP3) && !isSRGB(.adobeRGB))
        let colorants = [[0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.7141]]
        #expect(!isSRGB(.matrix("sRGB", colorants: colorants, curve: .gamma(2.2))))
        #expect(!isSRGB(.matrix("sRGB", colorants: colorants, curve: .gamma(1.8))))
        #expect(
            ColorInterpretation(.iccProfile(ICCProfileBuilder.gray("g", curve: .sRGB).bytes), samples: .gray).isSRGB)
    }

    @Test("The table of a matrix profile has the same numbers on every machine")
    func tableIsTheSameEverywhere() throws {
        func checksum(_ profile: ICCProfileBuilder) throws -> UInt64 {
            let table = try table(ColorInterpretation(.iccProfile(profile.bytes), samples: .color))
            return table.checksum
        }
        let (displayP3, adobeRGB) = (try checksum(.displayP3), try checksum(.adobeRGB))
        #expect(displayP3 == 15_609_916_041_042_398_623)
        #expect(adobeRGB == 17_206_621_966_250_021_224)
    }
}

extension ColorInterpretation {
    fileprivate var isSRGB: Bool {
        if case .sRGB = kind { true } else { false }
    }
}
