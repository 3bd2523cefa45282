internal import Diagnostics
internal import Imaging

/// The color space that a PNG's cICP, cHRM, gAMA and cLLI chunks describe.
///
/// Source: W3C PNG, third edition, 11.3.2, and ITU-T H.273.
struct PNGColorSpace {
    /// Code points of color primaries, transfer function and matrix, and whether the range is full; `nil` for none.
    private var codePoints: [Int]?
    private var chromaticities: Chromaticities?
    /// Gamma times 100,000; `nil` if there is none.
    private var gamma: Int?
    /// The luminance of the brightest pixel, in cd/m²; `nil` if no chunk states it.
    private var maxLuminance: Int?

    /// Reads a chunk before the image data.
    mutating func readChunk(_ type: String, payloadRange range: Range<Int>, of bytes: [UInt8]) {
        var reader = ByteReader(bytes, in: range)
        switch (type, range.count) {
        case ("cICP", 4): codePoints = (0..<4).compactMap { _ in reader.readUInt8() }
        case ("gAMA", 4): gamma = reader.readUInt32()
        case ("cLLI", 8): maxLuminance = reader.readUInt32().map { $0.dividedRoundingUp(by: 10_000) }
        case ("cHRM", 32):
            let values = (0..<8).compactMap { _ in reader.readUInt32() }
            chromaticities = Chromaticities(
                red: [values[2], values[3]], green: [values[4], values[5]], blue: [values[6], values[7]],
                white: [values[0], values[1]])
        default: break
        }
    }

    /// The color space by code points, which takes precedence over a profile and all other chunks; `nil` if there are
    /// none, or they are unsupported or of high dynamic range.
    var spaceByCodePoints: CodedColorSpace? {
        guard let codePoints, codePoints[2...] == [0, 1], let primaries = Chromaticities(codePoint: codePoints[0]),
            let transferFunction = CodedColorSpace.TransferFunction(codePoint: codePoints[1])
        else { return nil }
        return CodedColorSpace(
            primaries: primaries, transferFunction: transferFunction, name: "cICP \(codePoints[0])/\(codePoints[1])")
    }

    /// The color space by code points if it is of high dynamic range; `nil` if it is not.
    var highDynamicRangeSpace: HighDynamicRangeSpace? {
        guard let codePoints, codePoints[2...] == [0, 1], let primaries = Chromaticities(codePoint: codePoints[0]),
            let transferFunction = HighDynamicRangeSpace.TransferFunction(codePoint: codePoints[1])
        else { return nil }
        return HighDynamicRangeSpace(
            primaries: primaries, transferFunction: transferFunction, name: "cICP \(codePoints[0])/\(codePoints[1])",
            statedPeak: maxLuminance)
    }

    /// The color space by chromaticities other than sRGB's; `nil` for sRGB's, or if there are none.
    ///
    /// The samples of a gamma that differs by 5% or more from 1/2.2 are corrected to 1/2.2 when they are decoded.
    var spaceByChromaticities: CodedColorSpace? {
        guard let chromaticities, let matrix = chromaticities.matrixToXYZ, !matrix.isThatOfSRGB else { return nil }
        return CodedColorSpace(
            primaries: chromaticities, transferFunction: gamma == nil ? .sRGB : .power(220_000), name: "cHRM")
    }

    /// A warning for code points that are not supported; `nil` otherwise.
    var warning: Diagnostic? {
        guard let codePoints, spaceByCodePoints == nil, highDynamicRangeSpace == nil else { return nil }
        let numbers = codePoints.map(String.init).joined(separator: ", ")
        return Diagnostic(.profileNotApplied, message: "the color space of the cICP chunk is unsupported: \(numbers)")
    }
}
