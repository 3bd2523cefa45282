import ImageCodecs
import Imaging
import Testing
import TestSupport

/// A JPEG without its metadata contains only what decoding needs.
@Suite struct JPEGMetadataStrippingTests {
    private typealias Segment = EditableJPEG.Segment

    /// A text that no output may contain, wherever it was in the input.
    private static let secret = "52.5200 N 13.4050 E"

    private static let recipes: [LibJPEGFileBuilder] = [
        .gray, .yCbCr420, .yCbCr444.modified { $0.restartInterval = 2 }, .yCbCr420.modified { $0.isProgressive = true },
        .yCbCr420.modified(by: JPEGVariants.codingVariants[6]),
        .yCbCr420.modified { ($0.hasJFIFMarker, $0.hasAdobeMarker) = (false, true) },
        .yCbCr420.modified { $0.hasAdobeMarker = true }, .yCbCr420.modified { $0.hasJFIFMarker = false },
    ]

    private static let profile = Segment(
        marker: 0xE2, payload: Array("ICC_PROFILE\0".utf8) + [1, 1] + MinimalImageHeaders.makeICCProfile())

    /// Every kind of segment that a file may contain besides its image.
    private static let baggage: [Segment] =
        [
            Segment(
                marker: 0xE1,
                payload: ExifBuilder(entries: [
                    ExifBuilder.Entry(tag: ExifBuilder.gpsDirectoryTag, type: .long, value: 8)
                ]).app1Payload + Array(secret.utf8)),
            Segment(marker: 0xE1, text: "http://ns.adobe.com/xap/1.0/\0" + secret),
            Segment(marker: 0xED, text: "Photoshop 3.0\0" + secret),
            Segment(marker: 0xFE, text: secret), Segment(marker: 0xE0, text: "JFXX\0\u{10}" + secret),
            Segment(marker: 0xE2, text: "MPF\0" + secret), Segment(marker: 0xE2, text: "FPXR\0" + secret),
            Segment(marker: 0xEC, text: "Ducky" + secret),
            Segment(marker: 0xEE, text: "Adobe"), Segment(marker: 0xEE, text: "not Adobe " + secret),
            Segment(marker: 0xE0, text: "Ocad" + secret),
        ] + (0xE3...0xEF).map { Segment(marker: $0, text: secret) }

    @Test(arguments: recipes)
    func fileWithoutMetadataIsUnchanged(recipe: LibJPEGFileBuilder) throws {
        let bytes = try recipe.encodedTexture()
        #expect(try ImageSource(bytes).strippedJPEG == bytes)
        #expect(try decodeImage(bytes).canStripLosslessly)
        #expect(try decodeImage(bytes).imageDataByteCount == bytes.count)
    }

    @Test(arguments: recipes)
    func onlyImageDataSegmentsAreKept(recipe: LibJPEGFileBuilder) throws {
        var clean = try recipe.parsedTexture()
        var dirty = clean
        let place = clean.segments.firstIndex { $0.marker != 0xE0 } ?? 0
        clean.segments.insert(Self.profile, at: place)
        // Before the tables, and before every scan.
        dirty.segments.insert(contentsOf: Self.baggage + [Self.profile], at: place)
        for index in dirty.segmentIndices(withMarker: 0xDA).reversed() {
            dirty.segments.insert(contentsOf: Self.baggage, at: index)
        }
        dirty.segments += Self.baggage
        dirty.trailingBytes = Array(Self.secret.utf8) + (try LibJPEGFileBuilder.gray.encodedTexture())

        let decoded = try decodeImage(dirty.bytes)
        #expect(decoded.canStripLosslessly)
        let cleaned = try #require(try ImageSource(dirty.bytes).strippedJPEG)
        #expect(EditableJPEG(parsing: cleaned).segments == clean.segments)
        #expect(cleaned == clean.bytes)
        #expect(decoded.imageDataByteCount == cleaned.count)
        let again = try decodeImage(cleaned)
        #expect(again.image.planes.map(\.visibleRows) == decoded.image.planes.map(\.visibleRows))
        #expect(again.iccProfile == MinimalImageHeaders.makeICCProfile())
        #expect(again.warnings == [])
    }

    @Test func jfifHeaderIsKeptWithoutThumbnail() throws {
        var parts = try LibJPEGFileBuilder.yCbCr420.parsedTexture()
        let density: [UInt8] = [1, 2, 1, 0, 72, 0, 72]
        parts.segments[0].payload = Array("JFIF\0".utf8) + density + [2, 3] + [UInt8](repeating: 0x55, count: 18)
        let cleaned = EditableJPEG(parsing: try #require(try ImageSource(parts.bytes).strippedJPEG))
        #expect(cleaned.segments.first == Segment(marker: 0xE0, payload: Array("JFIF\0".utf8) + density + [0, 0]))
        #expect(cleaned.segments.dropFirst() == parts.segments.dropFirst())
    }

    @Test func adobeMarkerIsKeptWithoutTrailingBytes() throws {
        var parts = try LibJPEGFileBuilder.yCbCr420.modified { ($0.hasJFIFMarker, $0.hasAdobeMarker) = (false, true) }
            .parsedTexture()
        let expected = parts
        let index = try #require(parts.segmentIndices(withMarker: 0xEE).first)
        parts.segments[index].payload += Array(Self.secret.utf8)
        #expect(try ImageSource(parts.bytes).strippedJPEG == expected.bytes)
    }

    @Test func onlyUsableProfileIsKept() throws {
        var parts = try LibJPEGFileBuilder.yCbCr420.parsedTexture()
        let expected = parts.bytes
        parts.segments.insert(
            Segment(
                marker: 0xE2, payload: Array("ICC_PROFILE\0".utf8) + [1, 2] + MinimalImageHeaders.makeICCProfile()),
            at: 1)
        #expect(try ImageSource(parts.bytes).strippedJPEG == expected)
    }

    @Test func lineCountSegmentIsRemovedBesideHeightInFrameHeader() throws {
        var parts = try LibJPEGFileBuilder.gray.parsedTexture()
        let expected = parts.bytes
        let scan = try #require(parts.segmentIndices(withMarker: 0xDA).first)
        let payload = [0, UInt8(PixelSize.smallOdd.height)] + Array(Self.secret.utf8)
        parts.segments.insert(Segment(marker: 0xDC, payload: payload), at: scan + 1)
        #expect(try ImageSource(parts.bytes).strippedJPEG == expected)
    }

    @Test func fillBytesBetweenSegmentsAreRemoved() throws {
        let parts = try LibJPEGFileBuilder.gray.modified { $0.isProgressive = true }.parsedTexture()
        var bytes: [UInt8] = [0xFF, 0xD8]
        for segment in parts.segments { bytes += [0xFF, 0xFF, 0xFF] + segment.bytes }
        bytes += [0xFF, 0xFF, 0xD9]
        let source = try ImageSource(bytes)
        #expect(source.strippedJPEG == parts.bytes)
        #expect(try decodeImage(bytes).canStripLosslessly)
    }

    @Test func pngCannotBeStripped() throws {
        let png = PNGFileBuilder(size: PixelSize(width: 2, height: 2), colorType: .gray) { _, _ in [1] }
        #expect(try ImageSource(png.fileBytes).strippedJPEG == nil)
        #expect(try decodeImage(png.fileBytes).canStripLosslessly == false)
    }
}

/// Only an upright file without irregularities may be passed through.
@Suite struct JPEGNotStrippableTests {
    @Test(arguments: [
        LibJPEGFileBuilder.yCbCr420.modified { $0.isArithmetic = true },
        .gray.modified { ($0.isArithmetic, $0.isProgressive) = (true, true) },
        LibJPEGFileBuilder(colorSpace: .rgb, sampling: [[1, 1], [1, 1], [1, 1]]),
        LibJPEGFileBuilder(colorSpace: .cmyk, sampling: [[1, 1], [1, 1], [1, 1], [1, 1]]),
        LibJPEGFileBuilder(colorSpace: .ycck, sampling: [[1, 1], [1, 1], [1, 1], [1, 1]]),
    ])
    func unusualCodingMustBeReencoded(recipe: LibJPEGFileBuilder) throws {
        #expect(try decodeImage(try recipe.encodedTexture()).canStripLosslessly == false)
    }

    @Test(arguments: Orientation.allCases)
    func rotatedImageMustBeReencoded(orientation: Orientation) throws {
        var parts = try LibJPEGFileBuilder.yCbCr420.parsedTexture()
        parts.segments.insert(
            EditableJPEG.Segment(marker: 0xE1, payload: ExifBuilder(orientation: orientation.rawValue).app1Payload),
            at: 1)
        #expect(try decodeImage(parts.bytes).canStripLosslessly == (orientation == .up))
    }

    @Test func irregularFileMustBeReencoded() throws {
        var stray = try LibJPEGFileBuilder.yCbCr420.parsedTexture()
        let scan = try #require(stray.segmentIndices(withMarker: 0xDA).first)
        stray.segments[scan].entropyCodedData += Array("52.5200 N 13.4050 E".utf8)
        var version = try LibJPEGFileBuilder.yCbCr420.parsedTexture()
        version.segments[0].payload[5] = 2
        var noEnd = try LibJPEGFileBuilder.yCbCr420.parsedTexture()
        noEnd.hasEndOfImage = false
        for parts in [stray, version, noEnd] { #expect(try decodeImage(parts.bytes).canStripLosslessly == false) }
    }

    @Test func damagedOrTruncatedFileMustBeReencoded() throws {
        var damaged = try LibJPEGFileBuilder.yCbCr420.parsedTexture()
        let scan = try #require(damaged.segmentIndices(withMarker: 0xDA).first)
        damaged.segments[scan].entropyCodedData.removeLast(40)
        #expect(try decodeImage(damaged.bytes, options: .allowingDamaged).canStripLosslessly == false)
        damaged.hasEndOfImage = false
        #expect(try decodeImage(damaged.bytes, options: .allowingTruncated).canStripLosslessly == false)
    }
}
