import Diagnostics
import ImageCodecs
import Imaging
import Testing
import TestSupport

/// The container of HEIF and AVIF, without decoding a picture.
@Suite(.enabled(if: isHEIFBuilt)) struct HEIFHeaderTests {
    private static let size = PixelSize(width: 40, height: 24)

    private func header(_ file: HEIFFileBuilder) throws -> ImageHeader {
        try #require(try ImageHeader(probing: file.fileBytes))
    }

    private func code(_ file: HEIFFileBuilder, limits: ImageLimits = ImageLimits()) -> String? {
        do throws(CodecError) { _ = try ImageHeader(probing: file.fileBytes, limits: limits) } catch {
            return error.code.rawValue
        }
        return nil
    }

    @Test func itemTypeDecidesFormat() throws {
        let heic = try header(HEIFFileBuilder(size: Self.size))
        #expect(heic.format == .heic)
        #expect(heic.storedSize == Self.size)
        #expect(heic.orientation == .up)
        #expect(heic.warnings.isEmpty)
        var avif = HEIFFileBuilder(
            size: Self.size, type: "av01", configuration: HEIFFileBuilder.av1Configuration)
        avif.brand = "mif1"
        #expect(try header(avif).format == .avif)
    }

    static let transforms: [([[UInt8]], Orientation)] = [
        ([HEIFFileBuilder.rotation(1)], .left), ([HEIFFileBuilder.rotation(2)], .down),
        ([HEIFFileBuilder.rotation(3)], .right), ([HEIFFileBuilder.mirroring(axis: 0)], .downMirrored),
        ([HEIFFileBuilder.mirroring(axis: 1)], .upMirrored),
        ([HEIFFileBuilder.rotation(1), HEIFFileBuilder.mirroring(axis: 1)], .rightMirrored),
        ([HEIFFileBuilder.mirroring(axis: 1), HEIFFileBuilder.rotation(1)], .leftMirrored),
        ([HEIFFileBuilder.rotation(3), HEIFFileBuilder.mirroring(axis: 0)], .rightMirrored),
        ([HEIFFileBuilder.rotation(2), HEIFFileBuilder.mirroring(axis: 0)], .upMirrored),
    ]

    @Test(arguments: transforms)
    func propertiesApplyInTheirOrder(properties: [[UInt8]], orientation: Orientation) throws {
        let header = try header(HEIFFileBuilder(size: Self.size, properties: properties))
        #expect(header.orientation == orientation)
        #expect(header.uprightSize == orientation.orientedSize(of: Self.size))
    }

    @Test(arguments: [true, false])
    func gridHasSizeOfItsDescription(isInItemDataBox: Bool) throws {
        let tile = HEIFFileBuilder(size: Self.size).items[0]
        let tileItem = HEIFFileBuilder.Item(
            id: 0, type: tile.type, data: tile.data, properties: [HEIFFileBuilder.hevcConfiguration])
        let file = HEIFFileBuilder(
            gridOf: tileItem, tileSize: Self.size, columns: 3, rows: 2, size: PixelSize(width: 101, height: 47),
            isInItemDataBox: isInItemDataBox)
        #expect(try header(file).storedSize == PixelSize(width: 101, height: 47))
        for (width, height) in [(121, 47), (80, 47), (101, 49), (101, 24)] {
            let wrong = HEIFFileBuilder(
                gridOf: tileItem, tileSize: Self.size, columns: 3, rows: 2,
                size: PixelSize(width: width, height: height))
            #expect(code(wrong) == "damaged", "\(width) x \(height)")
        }
        var missing = file
        missing.references[0].to.removeLast()
        #expect(code(missing) == "damaged")
    }

    @Test func cleanApertureCropsStoredSize() throws {
        let aperture = HEIFFileBuilder.cleanAperture(width: 21, height: 10, x: 7, y: 4, of: Self.size)
        #expect(
            try header(HEIFFileBuilder(size: Self.size, properties: [aperture])).storedSize
                == PixelSize(width: 21, height: 10))
        let outside = HEIFFileBuilder.cleanAperture(width: 41, height: 10, x: 0, y: 0, of: Self.size)
        #expect(code(HEIFFileBuilder(size: Self.size, properties: [outside])) == "unsupported-heic")
    }

    static let rejected: [(String, @Sendable (inout HEIFFileBuilder) -> Void)] = [
        ("unsupported-heic", { $0.primaryID = nil }), ("unsupported-heic", { $0.primaryID = 9 }),
        ("unsupported-heic", { $0.items[0].type = "iovl" }),
        ("unsupported-heic", { $0.items[0].properties.append(HEIFFileBuilder.box("zzzz", [])) }),
        ("unsupported-heic", { $0.items[0].properties.append(HEIFFileBuilder.box("a1op", [1])) }),
        ("unsupported-heic", { $0.items[0].properties.append(HEIFFileBuilder.box("lsel", [0, 1])) }),
        ("damaged", { $0.items[0].properties.removeFirst() }),
        ("damaged", { $0.items[0].properties.removeLast() }),
        ("damaged", { $0.items[0].properties[0] = HEIFFileBuilder.sizeProperty(PixelSize(width: 0, height: 5)) }),
        ("damaged", { $0.items[0].properties[1] = HEIFFileBuilder.box("hvcC", [1, 2, 3]) }),
        (
            "damaged",
            {
                let content = Array(HEIFFileBuilder.hevcConfiguration.dropFirst(8))
                $0.items[0].properties[1] = HEIFFileBuilder.box(
                    "hvcC", content + [UInt8](repeating: 0, count: 20_000))
            }
        ),
        (
            "dimension-too-large",
            { $0.items[0].properties[0] = HEIFFileBuilder.sizeProperty(PixelSize(width: 70_000, height: 5)) }
        ),
        (
            "too-many-pixels",
            { $0.items[0].properties[0] = HEIFFileBuilder.sizeProperty(PixelSize(width: 60_000, height: 60_000)) }
        ),
    ]

    @Test(arguments: rejected)
    func invalidItemIsRejected(expected: String, change: @Sendable (inout HEIFFileBuilder) -> Void) {
        var file = HEIFFileBuilder(size: Self.size)
        change(&file)
        #expect(code(file) == expected)
    }

    @Test("The first operating point, and all layers, are what the decoders take")
    func defaultSelectionIsAccepted() throws {
        let file = HEIFFileBuilder(
            size: Self.size,
            properties: [HEIFFileBuilder.box("a1op", [0]), HEIFFileBuilder.box("lsel", [0xFF, 0xFF])])
        #expect(try header(file).storedSize == Self.size)
    }

    @Test("A grid with an unknown essential property is rejected, too")
    func unknownEssentialPropertyOfGridIsRejected() throws {
        var file = Self.fileWithSharedTile(tileCount: 2)
        #expect(code(file) == nil)
        file.items[0].properties.append(HEIFFileBuilder.box("zzzz", []))
        #expect(code(file) == "unsupported-heic")
    }

    @Test func limitsAreChecked() {
        var limits = ImageLimits()
        limits.segments = 8
        #expect(code(HEIFFileBuilder(size: Self.size), limits: limits) == "too-many-segments")
        var file = HEIFFileBuilder(size: Self.size)
        file.leadingBoxes = [UInt8]((0..<100).flatMap { _ in HEIFFileBuilder.box("free", []) })
        limits.segments = 90
        #expect(code(file, limits: limits) == "too-many-segments")
        file = HEIFFileBuilder(size: Self.size)
        file.items[0].properties[0] = HEIFFileBuilder.sizeProperty(PixelSize(width: 0xFFFF_FFFF, height: 0xFFFF_FFFF))
        limits = ImageLimits()
        (limits.dimension, limits.pixels) = (.max, .max)
        #expect(code(file, limits: limits) == "dimension-too-large")
        limits = ImageLimits()
        limits.decodedBytes = 1000
        #expect(code(HEIFFileBuilder(size: Self.size), limits: limits) == "memory-limit")
    }

    /// A grid of tiles that are all the same item, of 10,000 bytes.
    private static func fileWithSharedTile(tileCount: Int) -> HEIFFileBuilder {
        let tile = HEIFFileBuilder.Item(
            id: 0, type: "hvc1", data: [[UInt8](repeating: 1, count: 10_000)],
            properties: [HEIFFileBuilder.hevcConfiguration])
        var file = HEIFFileBuilder(
            gridOf: tile, tileSize: size, columns: tileCount, rows: 1,
            size: PixelSize(width: tileCount * size.width, height: size.height))
        file.items.removeSubrange(2...)
        file.references[0].to = [Int](repeating: 2, count: tileCount)
        return file
    }

    @Test("Tiles may share data, up to twice the file's size and the limit on it")
    func sharedTileDataIsLimited() throws {
        let file = Self.fileWithSharedTile(tileCount: 3), bytes = file.fileBytes
        #expect(throws: Never.self) { try ImageSource(Self.fileWithSharedTile(tileCount: 2).fileBytes) }
        let error = try #require(decodingError(for: bytes))
        #expect(error.code == .inputTooLarge && error.stage == .probe)
        #expect(
            error.message == "the data of all tiles is too large: 30000 bytes (at most \(2 * bytes.count))")
        var limits = ImageLimits()
        limits.inputBytes = 30_000
        #expect(code(file, limits: limits) == nil)
        limits.inputBytes -= 1
        #expect(code(file, limits: limits) == "input-too-large")
    }

    @Test("The sum of the data of all tiles does not overflow: 200 tiles of 200 parts of 256 TiB")
    func hugeTileDataIsRejected() throws {
        let part = [0, 0, 0, 0] + [0, 0] + [UInt8](repeating: 0xFF, count: 6)
        let grid: [UInt8] = [0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 8]
        let tile: [UInt8] = [0, 2, 0, 0, 0, 0, 0, 200] + [[UInt8]](repeating: part, count: 200).joined()
        let locations = HEIFFileBuilder.fullBox("iloc", version: 1, [0x48, 0, 0, 2] + grid + tile)
        // The box replaces that of the builder, and its container becomes larger.
        var bytes = Self.fileWithSharedTile(tileCount: 200).fileBytes
        func box(_ type: String) throws -> Range<Int> {
            let start = try #require(bytes.firstRange(of: Array(type.utf8))).lowerBound - 4
            return start..<(start + bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) })
        }
        let replaced = try box("iloc"), container = try box("meta")
        bytes.replaceSubrange(replaced, with: locations)
        let containerCount = container.count + locations.count - replaced.count
        for index in 0..<4 {
            bytes[container.lowerBound + index] = UInt8(truncatingIfNeeded: containerCount >> (24 - 8 * index))
        }
        #expect(decodingError(for: bytes)?.code == .inputTooLarge)
    }

    @Test func auxiliaryImagesGiveWarnings() throws {
        for (urn, warning) in [
            ("urn:com:apple:photo:2020:aux:hdrgainmap", "gain-map-dropped"),
            ("urn:mpeg:hevc:2015:auxid:2", "extra-images-dropped"),
        ] {
            var file = HEIFFileBuilder(size: Self.size)
            var auxiliary = file.items[0]
            auxiliary.id = 2
            auxiliary.properties.append(HEIFFileBuilder.auxiliaryType(urn))
            file.items.append(auxiliary)
            file.references = [HEIFFileBuilder.Reference(type: "auxl", from: 2, to: [1])]
            #expect(try header(file).warnings.map(\.code.rawValue) == [warning])
        }
    }

    @Test func movieBesideStillImageGivesWarning() throws {
        var file = HEIFFileBuilder(size: Self.size)
        file.leadingBoxes = HEIFFileBuilder.box("moov", [])
        #expect(try header(file).warnings.map(\.code) == [.animationDropped])
    }

    @Test("A movie after the images gives the warning; one in a file that is appended belongs to a motion photo")
    func movieAfterStillImageGivesWarning() throws {
        let image = HEIFFileBuilder(size: Self.size).fileBytes
        let movie = HEIFFileBuilder.box("moov", [])
        let appendedFile = HEIFFileBuilder.box("ftyp", Array("mp42\0\0\0\0".utf8)) + movie
        let cases: [(trailing: [UInt8], isAnimation: Bool)] = [
            (movie, true), (HEIFFileBuilder.box("free", []) + movie, true), (movie + appendedFile, true),
            (appendedFile, false), (HEIFFileBuilder.box("mpvd", movie), false),
        ]
        for (trailing, isAnimation) in cases {
            let warnings = try ImageHeader(probing: image + trailing)?.warnings
            #expect(warnings?.map(\.code) == (isAnimation ? [.animationDropped] : []))
        }
    }

    @Test func prefixIsTruncatedAndProbeAsksForMore() throws {
        let bytes = HEIFFileBuilder(size: Self.size).fileBytes
        let dataCount = 8 + 5
        for count in 12..<(bytes.count - dataCount) {
            let prefix = Array(bytes.prefix(count))
            #expect(try ImageHeader(probing: prefix, isWholeFile: false) == nil, "\(count) bytes")
            let code = decodingError(for: prefix)?.code.rawValue
            #expect(code == "truncated" || code == "unsupported-heic", "\(count) bytes")
        }
        for count in (bytes.count - dataCount)..<bytes.count {
            let prefix = Array(bytes.prefix(count))
            #expect(try ImageHeader(probing: prefix, isWholeFile: false)?.storedSize == Self.size)
            #expect(decodingError(for: prefix)?.code == .truncated, "\(count) bytes")
        }
    }

    @Test func overlappingExtentsAreDamaged() {
        var file = HEIFFileBuilder(size: Self.size)
        file.items[0].data = [[UInt8]](repeating: [0, 0, 0, 1, 0x26], count: 3)
        #expect(decodingError(for: file.fileBytes)?.code == .damaged)
    }

    @Test func changedBytesGiveKnownOutcome() {
        let bytes = HEIFFileBuilder(
            size: Self.size,
            properties: [HEIFFileBuilder.rotation(1), HEIFFileBuilder.colors(matrix: 6, isFullRange: true)]
        ).fileBytes
        var random = SplitMix64(seed: 0x4E1C)
        let codes = ByteFlipTests.knownCodes.union(["unsupported-heic", "unsupported-avif"])
        for _ in 0..<randomizedRounds(3000) {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                changed[Int.random(in: 12..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            // Without decoding, because the picture's data is invalid.
            do throws(CodecError) { _ = try ImageHeader(probing: changed) } catch {
                #expect(codes.contains(error.code.rawValue), "\(error)")
            }
        }
    }
}

#if HEIF
    let isHEIFBuilt = true
#else
    let isHEIFBuilt = false
#endif
