import Diagnostics
import Imaging
import Testing
import TestSupport

@testable import ImageCodecs

/// Only the orientation and the color space of Exif are used, and invalid Exif is harmless.
@Suite struct JPEGExifTests {
    @Test(arguments: Orientation.allCases, ExifBuilder.ByteOrder.allCases)
    func orientationIsReadAsShortOrLongInEitherByteOrder(
        orientation: Orientation, order: ExifBuilder.ByteOrder
    ) throws {
        for kind in ExifBuilder.FieldType.allCases {
            let exif = ExifBuilder(orientation: orientation.rawValue, fieldType: kind, byteOrder: order)
            #expect(try read(exif.app1Payload).orientation == orientation)
        }
    }

    @Test(arguments: [0, 9, 255, 65_535], ExifBuilder.ByteOrder.allCases)
    func invalidOrientationLeavesImageUpright(value: Int, order: ExifBuilder.ByteOrder) throws {
        for kind in ExifBuilder.FieldType.allCases {
            #expect(
                try read(ExifBuilder(orientation: value, fieldType: kind, byteOrder: order).app1Payload).orientation
                    == .up)
        }
        #expect(
            try read(ExifBuilder(orientation: 0x0600_0000, fieldType: .long, byteOrder: order).app1Payload).orientation
                == .up)
    }

    @Test func firstOfTwoOrientationEntriesCounts() throws {
        let entries = [
            ExifBuilder.Entry(tag: 0x0100, type: .long, value: 4000),
            ExifBuilder.Entry(tag: 0x010F, type: .short, value: 3),
            ExifBuilder.Entry(tag: ExifBuilder.orientationTag, type: .short, value: 6),
            ExifBuilder.Entry(tag: ExifBuilder.orientationTag, type: .short, value: 3),
            ExifBuilder.Entry(tag: ExifBuilder.gpsDirectoryTag, type: .long, value: 0xFFFF_FFF0),
        ]
        #expect(try read(ExifBuilder(entries: entries).app1Payload).orientation == .right)
    }

    @Test func orientationWithSeveralValuesIsIgnored() throws {
        let entry = ExifBuilder.Entry(tag: ExifBuilder.orientationTag, type: .short, value: 6, count: 2)
        #expect(try read(ExifBuilder(entries: [entry]).app1Payload).orientation == .up)
    }

    @Test func onlyFirstExifBlockCounts() throws {
        var parts = try LibJPEGFileBuilder.gray.parsedTexture()
        parts.segments.insert(
            contentsOf: [
                EditableJPEG.Segment(marker: 0xE1, text: "http://ns.adobe.com/xap/1.0/\0<x/>"),
                EditableJPEG.Segment(marker: 0xE1, payload: ExifBuilder(orientation: 8).app1Payload),
                EditableJPEG.Segment(marker: 0xE1, payload: ExifBuilder(orientation: 3).app1Payload),
            ], at: 1)
        #expect(try ImageSource(parts.bytes).header.orientation == .left)
    }

    @Test(arguments: ExifBuilder.ByteOrder.allCases)
    func truncatedExifKeepsWhatIsReadable(order: ExifBuilder.ByteOrder) throws {
        let writer = ExifBuilder(
            entries: [ExifBuilder.Entry(tag: ExifBuilder.orientationTag, type: .short, value: 6)],
            exifEntries: [ExifBuilder.Entry(tag: ExifBuilder.colorSpaceTag, type: .short, value: 0xFFFF)],
            byteOrder: order)
        let whole = writer.tiffBytes
        for count in 0...whole.count {
            let summary = ExifSummary(tiff: whole, in: 0..<count)
            // Header 8 bytes, count 2, the entry 12.
            #expect(summary.orientation == (count >= 22 ? .right : .up), "\(count) bytes")
        }
        #expect(ExifSummary(tiff: whole, in: 0..<whole.count).hasUncalibratedColors)
    }

    @Test(arguments: [0, 1, 4, 7, 8, 9, 30, 31, 1000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF])
    func invalidOrCircularOffsetsAreHarmless(offset: Int) throws {
        for order in ExifBuilder.ByteOrder.allCases {
            var writer = ExifBuilder(orientation: 6, byteOrder: order)
            writer.firstDirectoryOffset = offset
            #expect(try read(writer.app1Payload).orientation == (offset == 8 ? .right : .up))
            writer.firstDirectoryOffset = 8
            writer.entries.append(ExifBuilder.Entry(tag: ExifBuilder.exifDirectoryTag, type: .long, value: offset))
            let header = try read(writer.app1Payload)
            #expect(header.orientation == .right)
            #expect(header.warnings == [])
        }
    }

    @Test func entryCountBeyondDataIsBounded() throws {
        var tiff = ExifBuilder(orientation: 5).tiffBytes
        tiff.replaceSubrange(8..<10, with: [0xFF, 0xFF])
        #expect(try read(Array("Exif\0\0".utf8) + tiff).orientation == .leftMirrored)
    }

    @Test(arguments: ["XX*\0", "II\0*", "MM*\0", "IM*\0", "", "I"])
    func invalidTIFFSignatureIsIgnored(mark: String) throws {
        let tiff = Array(mark.utf8) + ExifBuilder(orientation: 6).tiffBytes.dropFirst(4)
        #expect(try read(Array("Exif\0\0".utf8) + tiff).orientation == .up)
    }

    @Test(arguments: ExifBuilder.ByteOrder.allCases)
    func uncalibratedColorSpaceIsWarnedWithoutProfile(order: ExifBuilder.ByteOrder) throws {
        func exif(_ space: Int) -> [UInt8] {
            ExifBuilder(
                entries: [],
                exifEntries: [ExifBuilder.Entry(tag: ExifBuilder.colorSpaceTag, type: .short, value: space)],
                byteOrder: order
            ).app1Payload
        }
        #expect(try read(exif(0xFFFF)).warnings.map(\.code) == [.unknownColorSpace])
        #expect(try read(exif(1)).warnings == [])
        let profile = EditableJPEG.Segment(
            marker: 0xE2, payload: Array("ICC_PROFILE\0".utf8) + [1, 1] + MinimalImageHeaders.makeICCProfile())
        #expect(try read(exif(0xFFFF), profile).warnings == [])
        let png = PNGFileBuilder(size: PixelSize(width: 2, height: 2), colorType: .rgb) { _, _ in [1, 2, 3] }
        let block = PNGFileBuilder.Chunk(type: "eXIf", payload: Array(exif(0xFFFF).dropFirst(6)))
        let tagged = png.modified {
            $0.chunksBeforeImageData = [block, PNGFileBuilder.Chunk(type: "sRGB", payload: [0])]
        }
        #expect(
            try ImageSource(png.modified { $0.chunksBeforeImageData = [block] }.fileBytes).header.warnings.map(
                \.code.rawValue)
                == [
                    "color-space-unknown"
                ])
        #expect(try ImageSource(tagged.fileBytes).header.warnings == [])
    }

    @Test func decodedImageIsTurnedByExif() throws {
        let recipe = LibJPEGFileBuilder.yCbCr444.modified { $0.quality = 100 }
        let size = PixelSize(width: 24, height: 16)
        for orientation in Orientation.allCases {
            // The dark corner is where the stored rows and columns begin.
            var parts = EditableJPEG(
                parsing: try recipe.encode(
                    imageSize: size, planes: recipe.makePlanes(imageSize: size) { _, x, y in x < 8 && y < 8 ? 20 : 220 }
                ))
            parts.segments.insert(
                EditableJPEG.Segment(marker: 0xE1, payload: ExifBuilder(orientation: orientation.rawValue).app1Payload),
                at: 1)
            let plane = try decodeImage(parts.bytes).image.planes[0]
            #expect(plane.width == (orientation.swapsWidthAndHeight ? 16 : 24))
            let isRight = [2, 3, 6, 7].contains(orientation.rawValue)
            let isBottom = [3, 4, 7, 8].contains(orientation.rawValue)
            #expect(plane[isRight ? plane.width - 1 : 0, isBottom ? plane.height - 1 : 0] < 40, "\(orientation)")
            #expect(plane[isRight ? 0 : plane.width - 1, isBottom ? 0 : plane.height - 1] > 200, "\(orientation)")
        }
    }

    private func read(_ payload: [UInt8], _ others: EditableJPEG.Segment...) throws -> ImageHeader {
        var parts = try LibJPEGFileBuilder.gray.parsedTexture()
        parts.segments.insert(contentsOf: [EditableJPEG.Segment(marker: 0xE1, payload: payload)] + others, at: 1)
        return try ImageSource(parts.bytes).header
    }
}
