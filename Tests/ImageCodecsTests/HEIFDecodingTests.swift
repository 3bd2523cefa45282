import Foundation
import ImageCodecs
import Imaging
import Testing
import TestSupport

/// Decoded HEIC and AVIF: the samples, and files that are built of their pictures.
@Suite(.enabled(if: isHEIFBuilt)) struct HEIFDecodingTests {
    private static let size = PixelSize(width: 256, height: 192)

    private static func sample(_ name: String) throws -> [UInt8] { try HEIFSample.bytes(name) }

    /// The coded picture of a sample, as an item without a size.
    private static func item(_ name: String) throws -> HEIFFileBuilder.Item {
        try HEIFFileBuilder.Item(sample: name)
    }

    private static func file(
        _ name: String, properties: [[UInt8]] = [], change: (inout HEIFFileBuilder.Item) -> Void = { _ in }
    ) throws -> HEIFFileBuilder {
        var item = try item(name)
        change(&item)
        return HEIFFileBuilder(
            size: size, properties: properties, type: item.type, configuration: item.properties[0], data: item.data[0])
    }

    @Test(arguments: ["throat.heic", "throat-444.heic", "ear.avif", "ear-gray.avif"])
    func decodedSampleIsLikePainting(name: String) throws {
        let stem = name.prefix { $0 != "." }
        let painting = try decodeImage(try Self.sample("\(stem).png")).image
        let decoded = try decodeImage(try Self.sample(name), size: painting.size)
        #expect(decoded.warnings.isEmpty)
        // A gray PNG has one plane, and gray HEIF may have three.
        for (plane, expected) in zip(decoded.image.planes, painting.planes) where plane.width == expected.width {
            let differences = zip(plane.visibleRows.joined(), expected.visibleRows.joined()).map {
                abs(Int($0) - Int($1))
            }
            let mean = Double(differences.reduce(0, +)) / Double(differences.count)
            // Coding at quality 60 costs 2 to 3 levels. A wrong matrix or range costs more than 5.
            #expect(mean < 4, "a mean difference of \(mean)")
        }
    }

    @Test(arguments: ["throat.heic", "throat-444.heic", "ear.avif"])
    func gridIsJoinedFromItsTiles(name: String) throws {
        let single = try decodeImage(try Self.file(name).fileBytes).image
        let grid = HEIFFileBuilder(
            gridOf: try Self.item(name), tileSize: Self.size, columns: 2, rows: 2,
            size: PixelSize(width: 500, height: 381))
        let joined = try decodeImage(grid.fileBytes).image
        #expect(joined.size == PixelSize(width: 500, height: 381))
        for (tile, plane) in zip(single.planes, joined.planes) {
            for y in 0..<plane.height {
                for x in 0..<plane.width
                where plane[x, y] != tile[x % tile.width, y % tile.height] {
                    Issue.record("the sample at \(x), \(y) is another one")
                    return
                }
            }
        }
    }

    @Test(arguments: ["throat.heic", "ear.avif"])
    func dataMayBeInPartsAndInItemDataBox(name: String) throws {
        let expected = try decodeImage(try Self.file(name).fileBytes).image.planes.map(\.visibleRows)
        var file = try Self.file(name)
        let data = file.items[0].data[0]
        file.items[0].data = [Array(data[..<100]), Array(data[100..<101]), Array(data[101...])]
        #expect(try decodeImage(file.fileBytes).image.planes.map(\.visibleRows) == expected)
        file.items[0].isInItemDataBox = true
        #expect(try decodeImage(file.fileBytes).image.planes.map(\.visibleRows) == expected)
    }

    @Test func cleanApertureShowsPart() throws {
        let whole = try decodeImage(try Self.file("throat.heic").fileBytes).image
        let aperture = HEIFFileBuilder.cleanAperture(width: 101, height: 60, x: 20, y: 34, of: Self.size)
        let part = try decodeImage(try Self.file("throat.heic", properties: [aperture]).fileBytes).image
        #expect(part.size == PixelSize(width: 101, height: 60))
        for (index, plane) in part.planes.enumerated() {
            let factor = index == 0 ? 1 : 2
            for y in 0..<plane.height {
                for x in 0..<plane.width {
                    #expect(plane[x, y] == whole.planes[index][x + 20 / factor, y + 34 / factor])
                }
            }
        }
    }

    static let encodings: [(matrix: Int, encoding: YCbCrEncoding)] = [
        (1, YCbCrEncoding(matrix: .bt709, isFullRange: false)), (1, YCbCrEncoding(matrix: .bt709, isFullRange: true)),
        (6, YCbCrEncoding(matrix: .bt601, isFullRange: false)), (9, YCbCrEncoding(matrix: .bt2020, isFullRange: true)),
    ]

    @Test(arguments: encodings)
    func containerDecidesMatrixAndRange(matrix: Int, encoding: YCbCrEncoding) throws {
        func image(_ colors: [UInt8]) throws -> PlanarImage {
            try decodeImage(try Self.file("throat-444.heic", properties: [colors]).fileBytes).image
        }
        let stored = try image(HEIFFileBuilder.colors(matrix: 6, isFullRange: true))
        let converted = try image(HEIFFileBuilder.colors(matrix: matrix, isFullRange: encoding.isFullRange))
        let (red, blue) = [.bt601: (0.299, 0.114), .bt709: (0.2126, 0.0722), .bt2020: (0.2627, 0.0593)][
            encoding.matrix]!
        for y in stride(from: 0, to: 192, by: 7) {
            for x in stride(from: 0, to: 256, by: 5) {
                var (luma, cb, cr) = (
                    Double(stored.planes[0][x, y]), Double(stored.planes[1][x, y]) - 128,
                    Double(stored.planes[2][x, y]) - 128
                )
                if !encoding.isFullRange { (luma, cb, cr) = ((luma - 16) * 255 / 219, cb * 255 / 224, cr * 255 / 224) }
                let r = luma + 2 * (1 - red) * cr, b = luma + 2 * (1 - blue) * cb
                let g = (luma - red * r - blue * b) / (1 - red - blue)
                for (plane, value) in zip(converted.planes, yCbCrFromRGB(r: r, g: g, b: b)) {
                    #expect(abs(Double(plane[x, y]) - min(max(value, 0), 255)) <= 0.51)
                }
            }
        }
    }

    @Test func opacityIsBlendedWithBackground() throws {
        var file = try Self.file("ear.avif")
        var alpha = try Self.item("ear-gray.avif")
        alpha.id = 2
        alpha.properties += [
            HEIFFileBuilder.sizeProperty(Self.size),
            HEIFFileBuilder.auxiliaryType("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"),
        ]
        file.items.append(alpha)
        file.references = [HEIFFileBuilder.Reference(type: "auxl", from: 2, to: [1])]
        let opaque = try decodeImage(try Self.file("ear.avif").fileBytes).image
        let opacity = try decodeImage(try Self.file("ear-gray.avif").fileBytes).image
        let blended = try decodeImage(file.fileBytes, options: .init(background: RGBColor(red: 0, green: 0, blue: 0)))
            .image
        for y in 0..<192 {
            for x in 0..<256 {
                let expected = Double(opaque.planes[0][x, y] * opacity.planes[0][x, y]) / 255
                #expect(abs(Double(blended.planes[0][x, y]) - expected) <= 1)
            }
        }
    }

    @Test(arguments: ["throat.heic", "ear.avif"])
    func otherSizeThanStatedIsDamaged(name: String) throws {
        for size in [PixelSize(width: 128, height: 96), PixelSize(width: 264, height: 192)] {
            var file = try Self.file(name)
            file.items[0].properties[0] = HEIFFileBuilder.sizeProperty(size)
            let error = try #require(decodingError(for: file.fileBytes))
            #expect(error.code == .damaged)
            #expect(error.message.contains("size"))
        }
    }

    @Test(arguments: ["throat.heic", "ear.avif"])
    func changedPictureDataGivesKnownOutcome(name: String) throws {
        let bytes = try Self.sample(name)
        var random = SplitMix64(seed: 0xA71F)
        var failureCount = 0
        for _ in 0..<randomizedRounds(60) {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                changed[Int.random(in: 12..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
            }
            guard let error = decodingError(for: changed) else { continue }
            failureCount += 1
            #expect(ByteFlipTests.knownCodes.contains(error.code.rawValue), "\(error)")
        }
        #expect(failureCount > 0)
    }

    @Test(arguments: ["throat.heic", "ear.avif"])
    func prefixIsTruncated(name: String) throws {
        let bytes = try Self.sample(name)
        for count in stride(from: 500, to: bytes.count, by: 997) {
            #expect(decodingError(for: Array(bytes.prefix(count)))?.code == .truncated, "\(count) bytes")
        }
    }

    @Test(arguments: ["small-grid.heic", "small-opacity.avif"])
    func everyPrefixIsTruncated(name: String) throws {
        let bytes = try Self.sample(name)
        #expect(DecodeVerdict(decoding: bytes) == .decodedWithoutWarnings)
        // The format is known after 12 bytes, and the box with the images begins after 24.
        for count in 32..<bytes.count {
            #expect(decodingError(for: Array(bytes.prefix(count)))?.code == .truncated, "\(count) bytes")
        }
    }
}

/// The committed files of `Samples/heif`.
enum HEIFSample {
    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: SampleMedia.repositoryURL.appending(path: "Samples/heif/\(name)")))
    }
}
