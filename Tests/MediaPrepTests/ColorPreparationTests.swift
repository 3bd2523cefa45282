import Diagnostics
import Foundation
import ImageCodecs
import Imaging
import MediaPrep
import TestSupport
import Testing

/// The handling of color profiles, from the source to the output.
@Suite struct ColorPreparationTests {
    private static func addProfile(_ profile: [UInt8], to jpeg: Data) -> Data {
        jpeg.insertingSegment(marker: 0xE2, payload: Array("ICC_PROFILE\0".utf8) + [1, 1] + profile)
    }

    private static func prepare(_ data: Data, _ change: (inout ImageOptions) -> Void = { _ in }) throws -> PreparedImage
    {
        var options = ImageOptions(maxDimension: nil)
        change(&options)
        return try ImagePreparer(options).prepare(data)
    }

    @Test("An image whose colors are converted while it is measured has the same result")
    func measuringAtTheSameTimeChangesNothing() throws {
        // Its luma plane is reduced to the overview, so that it is shared with the thread that measures.
        let data = Self.addProfile(
            ICCProfileBuilder.displayP3.bytes,
            to: try SmallJPEGs.makeColorNoise(width: 1216, height: 640, quality: 80))
        let (alone, together) = (try Self.prepare(data), try Self.prepare(data) { $0.parallelism = 2 })
        #expect(together.data == alone.data && together.measures == alone.measures)
        #expect(alone.verdict == .converted)
    }

    @Test("An image with another profile is converted, and has no profile then")
    func otherProfileIsConverted() throws {
        let untagged = try SmallJPEGs.makeColorNoise(quality: 95)
        let converted = try Self.prepare(Self.addProfile(ICCProfileBuilder.displayP3.bytes, to: untagged))
        #expect(converted.sourceColor?.profileName == "Display P3")
        #expect(converted.sourceColor?.isConverted == true)
        #expect(!converted.hasColorProfile)
        #expect(try StrictJPEGParser(parsing: converted.data).colorProfile == nil)
        #expect(converted.warnings == [])
        #expect(converted.data != (try Self.prepare(untagged).data))
    }

    @Test("With `keep` a profile is carried along, and the image data is that without one")
    func keptProfileIsNotApplied() throws {
        let untagged = try SmallJPEGs.makeColorNoise(quality: 95), profile = ICCProfileBuilder.adobeRGB.bytes
        let kept = try Self.prepare(Self.addProfile(profile, to: untagged)) { $0.color = .keep }
        #expect(kept.sourceColor?.profileName == "Adobe RGB (1998)")
        #expect(kept.sourceColor?.isConverted == false)
        let parser = try StrictJPEGParser(parsing: kept.data)
        #expect(parser.colorProfile.map(Array.init) == profile)
        #expect(
            parser.imageDataSegments == (try StrictJPEGParser(parsing: Self.prepare(untagged).data).imageDataSegments))
    }

    @Test(
        "An sRGB profile is removed, whatever its name; the image is the one without a profile",
        arguments: [95, 75], [ICCProfileBuilder.Curve.sRGB, .samples(sRGBSamples)])
    func sRGBProfileIsRemoved(quality: Int, curve: ICCProfileBuilder.Curve) throws {
        let untagged = try SmallJPEGs.makeColorNoise(quality: quality)
        let profile = ICCProfileBuilder.matrix(
            "Display P3",
            colorants: [[0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.7141]],
            curve: curve)
        let prepared = try Self.prepare(Self.addProfile(profile.bytes, to: untagged))
        #expect(prepared.data == (try Self.prepare(untagged).data))
        #expect(prepared.sourceColor?.isConverted == false)
        #expect(!prepared.hasColorProfile)
        #expect(prepared.warnings == [])
    }

    /// The curve of sRGB in 1024 samples, as in Hewlett-Packard's profile.
    private static let sRGBSamples = (0...1023).map { index in
        let value = Double(index) / 1023
        return Int(65_535 * (value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)))
    }

    @Test(
        "A profile that is cut off anywhere is removed with a warning, and the colors are treated as sRGB",
        arguments: ImageOptions.ColorHandling.allCases)
    func truncatedProfileIsRemoved(option: ImageOptions.ColorHandling) throws {
        let untagged = try SmallJPEGs.makeColorNoise(quality: 75), profile = ICCProfileBuilder.displayP3.bytes
        let expected = try Self.prepare(untagged).data
        for count in 1..<profile.count {
            let prepared = try Self.prepare(Self.addProfile(Array(profile.prefix(count)), to: untagged)) {
                $0.color = option
            }
            #expect(prepared.data == expected, "\(count) bytes")
            #expect(prepared.warnings.map(\.code) == [.profileDropped], "\(count) bytes")
            #expect(!prepared.hasColorProfile)
        }
    }

    @Test("Profiles with random damage are converted, or removed with a warning", arguments: [1, 2, 3])
    func damagedProfilesAreHandled(kind: Int) throws {
        let untagged = try SmallJPEGs.makeColorNoise(width: 16, height: 16, quality: 75)
        let profile = [ICCProfileBuilder.displayP3, .gray("Gray", curve: .gamma(2.2)), .invertedScanner][kind - 1].bytes
        var random = SplitMix64(seed: UInt64(kind))
        for _ in 0..<randomizedRounds(120) {
            var damaged = profile
            for _ in 0..<random.number(in: 1...4) {
                damaged[random.number(in: 0...(damaged.count - 1))] = UInt8(random.number(in: 0...255))
            }
            let prepared = try Self.prepare(Self.addProfile(damaged, to: untagged))
            #expect(!prepared.hasColorProfile || prepared.warnings.map(\.code) == [.profileKept])
        }
    }

    @Test("Bytes that follow a profile are not carried along", arguments: [(3, true), (4, false), (100, false)])
    func bytesAfterProfileAreNotKept(count: Int, isKept: Bool) throws {
        let profile = ICCProfileBuilder.displayP3.bytes + [UInt8](repeating: 0x41, count: count)
        let prepared = try Self.prepare(Self.addProfile(profile, to: try SmallJPEGs.makeColorNoise(quality: 75))) {
            $0.color = .keep
        }
        #expect(prepared.hasColorProfile == isKept)
        #expect(prepared.warnings.map(\.code) == (isKept ? [] : [.profileDropped]))
    }

    @Test(
        "A profile for other colors than those of the image is removed with a warning",
        arguments: ImageOptions.ColorHandling.allCases)
    func inapplicableProfileIsRemoved(option: ImageOptions.ColorHandling) throws {
        let color = try SmallJPEGs.makeColorNoise(quality: 75)
        for profile in [ICCProfileBuilder.gray("Dot gain", curve: .gamma(1.8)), .ink] {
            let prepared = try Self.prepare(Self.addProfile(profile.bytes, to: color)) { $0.color = option }
            #expect(prepared.data == (try Self.prepare(color).data))
            #expect(prepared.warnings.map(\.code) == [.profileNotApplied])
        }
    }

    @Test(
        "A gray image is converted by a gray profile, and by the curve of one with colors",
        arguments: [
            ICCProfileBuilder.gray("Gray", curve: .gamma(1)),
            .matrix(
                "Linear", colorants: [[0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1430, 0.0606, 0.7141]],
                curve: .gamma(1)),
        ])
    func grayImageIsConverted(profile: ICCProfileBuilder) throws {
        let levels: [UInt8] = [0, 16, 128, 255]
        let source = Self.addProfile(profile.bytes, to: try SmallJPEGs.makeGrayQuarters(levels, width: 64, height: 64))
        let prepared = try Self.prepare(source)
        #expect(prepared.sourceColor?.isConverted == true)
        let plane = try decodedPlanes(prepared.data)[0]
        for (index, linear) in [0, 16.0 / 255, 128.0 / 255, 1].enumerated() {
            let expected = 255 * (linear <= 0.0031308 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055)
            let sample = plane.samples[(index / 2 * 32 + 16) * plane.stride + index % 2 * 32 + 16]
            #expect(abs(Double(sample) - expected) <= 3, "\(levels[index])")
        }
    }

    @Test("An image that fits is converted at its own quality")
    func fittingImageKeepsItsQuality() throws {
        let source = Self.addProfile(
            ICCProfileBuilder.displayP3.bytes, to: try SmallJPEGs.makeColorNoise(width: 320, height: 240, quality: 83))
        let prepared = try Self.prepare(source)
        #expect(prepared.verdict == .converted)
        #expect(prepared.quality == 83)
        #expect(prepared.data.count <= source.count)
        #expect(prepared.sourceColor?.isConverted == true)
        // Its result fits too, and passes through unchanged.
        #expect(try Self.prepare(prepared.data).data == prepared.data)
    }

    @Test("An image that fits keeps its profile if the converted one has more bytes")
    func profileIsKeptIfConversionGrows() throws {
        let profile = ICCProfileBuilder.displayP3.bytes
        // A baseline file of the same quality takes more bytes than the progressive source.
        let untagged = try SmallJPEGs.makeColorNoise(width: 320, height: 240, quality: 75, isProgressive: true)
        let prepared = try Self.prepare(Self.addProfile(profile, to: untagged))
        #expect(prepared.verdict == .passthrough)
        #expect(prepared.hasColorProfile)
        #expect(
            prepared.sourceColor
                == (try Self.prepare(Self.addProfile(profile, to: untagged)) { $0.color = .keep }).sourceColor)
        #expect(prepared.warnings.map(\.code) == [.profileKept])
        let parser = try StrictJPEGParser(parsing: prepared.data)
        #expect(parser.colorProfile.map(Array.init) == profile)
        #expect(parser.imageDataSegments == (try StrictJPEGParser(parsing: untagged).imageDataSegments))
    }

    @Test("High dynamic range is tone-mapped with a warning, and measured as it then looks")
    func highDynamicRangeIsToneMapped() throws {
        // Reference white and 18% gray, in PQ.
        var file = PNGFileBuilder(size: PixelSize(width: 64, height: 64), colorType: .rgb) { x, _ in
            [Int](repeating: x < 32 ? 148 : 104, count: 3)
        }
        file.chunksBeforeImageData = [PNGFileBuilder.Chunk(type: "cICP", payload: [9, 16, 0, 1])]
        let prepared = try Self.prepare(Data(file.fileBytes))
        #expect(prepared.warnings.map(\.code) == [.toneMapped])
        #expect(prepared.sourceColor?.profileName == "cICP 9/16" && prepared.sourceColor?.isConverted == true)
        #expect(!prepared.hasColorProfile)
        let plane = try decodedPlanes(prepared.data)[0]
        #expect(abs(Int(plane.samples[20 * plane.stride + 10]) - 229) <= 3)
        #expect(abs(Int(plane.samples[20 * plane.stride + 50]) - 118) <= 4)
        #expect(abs(prepared.measures.mean - (229 + 118) / 2) <= 4)
    }

    @Test("Without a conversion, high dynamic range is rejected, because a JPEG cannot state it")
    func highDynamicRangeIsNotKept() throws {
        var file = PNGFileBuilder(size: PixelSize(width: 64, height: 64), colorType: .rgb) { x, y in [x, y, 90] }
        file.chunksBeforeImageData = [PNGFileBuilder.Chunk(type: "cICP", payload: [9, 18, 0, 1])]
        let error = #expect(throws: MediaError.self) { try Self.prepare(Data(file.fileBytes)) { $0.color = .keep } }
        #expect(error?.code.rawValue == "unsupported-color" && error?.verdict == .rejected)
    }

    @Test("Control characters of a profile's name are escaped")
    func profileNameIsEscaped() throws {
        let profile = ICCProfileBuilder.matrix(
            "a\u{1B}[2Jb\u{202E}c\n" + String(repeating: "x", count: 200),
            colorants: [[0.6097, 0.3111, 0.0195], [0.2053, 0.6257, 0.0609], [0.1492, 0.0632, 0.7446]],
            curve: .gamma(2.2))
        let name = try #require(
            try Self.prepare(Self.addProfile(profile.bytes, to: SmallJPEGs.makeColorNoise(quality: 75)))
                .sourceColor?.profileName)
        #expect(name.hasPrefix("a\\u{1B}[2Jb\\u{202E}c\\u{A}xxx"))
        #expect(name.count < 130)
    }
}

extension ICCProfileBuilder {
    /// A profile with a table, of a device with exchanged colors.
    fileprivate static let invertedScanner = table("Scanner", colorSpace: "RGB ", channelCount: 3, gridSize: 3) {
        color in
        [color[2] * 0.9642, color[1], color[0] * 0.8249]
    }

    fileprivate static let ink = table("Ink", colorSpace: "CMYK", channelCount: 4, gridSize: 2) { ink in
        let light = (1 - ink[3])
        return [0.9642 * (1 - ink[0]) * light, (1 - ink[1]) * light, 0.8249 * (1 - ink[2]) * light]
    }
}

/// The planes of a JPEG at its own size.
private func decodedPlanes(_ data: Data) throws -> [Plane] {
    let source = try ImageSource(Array(data))
    return try source.decode(
        resampling: ResampleRequest(size: source.header.uprightSize, minChromaSubsampling: .none)
    ).image.planes
}
