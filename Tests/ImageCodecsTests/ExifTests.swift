import Imaging
import Testing
import TestSupport

@testable import ImageCodecs

/// Of Exif only the orientation and the colour space count, and nothing in it can do harm.
@Suite struct `Exif in a JPEG` {
    @Test(arguments: Orientation.allCases, ExifWriter.ByteOrder.allCases)
    func `says how the picture is turned, as SHORT or LONG, in either byte order`(
        orientation: Orientation, order: ExifWriter.ByteOrder
    ) throws {
        for kind in ExifWriter.Kind.allCases {
            let exif = ExifWriter(orientation: orientation.rawValue, kind, order: order)
            #expect(try read(exif.payload).orientation == orientation)
        }
    }

    @Test(arguments: [0, 9, 255, 65_535], ExifWriter.ByteOrder.allCases)
    func `that names no orientation leaves the picture upright`(value: Int, order: ExifWriter.ByteOrder) throws {
        for kind in ExifWriter.Kind.allCases {
            #expect(try read(ExifWriter(orientation: value, kind, order: order).payload).orientation == .up)
        }
        #expect(try read(ExifWriter(orientation: 0x0600_0000, .long, order: order).payload).orientation == .up)
    }

    @Test func `is found among other entries, and the first of two counts`() throws {
        let entries = [
            ExifWriter.Entry(0x0100, .long, 4000), ExifWriter.Entry(0x010F, .short, 3),
            ExifWriter.Entry(ExifWriter.orientation, .short, 6), ExifWriter.Entry(ExifWriter.orientation, .short, 3),
            ExifWriter.Entry(ExifWriter.gpsDirectory, .long, 0xFFFF_FFF0),
        ]
        #expect(try read(ExifWriter(entries).payload).orientation == .right)
    }

    @Test func `stands for several values: then there is none`() throws {
        let entry = ExifWriter.Entry(ExifWriter.orientation, .short, 6, count: 2)
        #expect(try read(ExifWriter([entry]).payload).orientation == .up)
    }

    @Test func `counts in the file's first block only`() throws {
        var parts = try JPEGRecipe.gray.parts()
        parts.segments.insert(
            contentsOf: [
                JPEGParts.Segment(0xE1, text: "http://ns.adobe.com/xap/1.0/\0<x/>"),
                JPEGParts.Segment(0xE1, ExifWriter(orientation: 8).payload),
                JPEGParts.Segment(0xE1, ExifWriter(orientation: 3).payload),
            ], at: 1)
        #expect(try ImageSource(parts.bytes).header.orientation == .left)
    }

    @Test(arguments: ExifWriter.ByteOrder.allCases)
    func `that is cut short anywhere says what is still there, or nothing`(order: ExifWriter.ByteOrder) throws {
        let writer = ExifWriter(
            [ExifWriter.Entry(ExifWriter.orientation, .short, 6)],
            exif: [ExifWriter.Entry(ExifWriter.colorSpace, .short, 0xFFFF)], order: order)
        let whole = writer.tiff
        for count in 0...whole.count {
            let summary = ExifSummary(tiff: whole, in: 0..<count)
            // Header 8 bytes, count 2, the entry 12.
            #expect(summary.orientation == (count >= 22 ? .right : .up), "\(count) bytes")
        }
        #expect(ExifSummary(tiff: whole, in: 0..<whole.count).hasUncalibratedColors)
    }

    @Test(arguments: [0, 1, 4, 7, 8, 9, 30, 31, 1000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF])
    func `with offsets that lead nowhere, or round in a circle, is harmless`(offset: Int) throws {
        for order in ExifWriter.ByteOrder.allCases {
            var writer = ExifWriter(orientation: 6, order: order)
            writer.firstDirectory = offset
            #expect(try read(writer.payload).orientation == (offset == 8 ? .right : .up))
            writer.firstDirectory = 8
            writer.entries.append(ExifWriter.Entry(ExifWriter.exifDirectory, .long, offset))
            let header = try read(writer.payload)
            #expect(header.orientation == .right)
            #expect(header.warnings == [])
        }
    }

    @Test func `with more entries than there are bytes ends where the bytes end`() throws {
        var tiff = ExifWriter(orientation: 5).tiff
        tiff.replaceSubrange(8..<10, with: [0xFF, 0xFF])
        #expect(try read(Array("Exif\0\0".utf8) + tiff).orientation == .leftMirrored)
    }

    @Test(arguments: ["XX*\0", "II\0*", "MM*\0", "IM*\0", "", "I"])
    func `that is no TIFF structure says nothing`(mark: String) throws {
        let tiff = Array(mark.utf8) + ExifWriter(orientation: 6).tiff.dropFirst(4)
        #expect(try read(Array("Exif\0\0".utf8) + tiff).orientation == .up)
    }

    @Test(arguments: ExifWriter.ByteOrder.allCases)
    func `that calls colours uncalibrated is a warning, unless there is a profile`(order: ExifWriter.ByteOrder) throws {
        func exif(_ space: Int) -> [UInt8] {
            ExifWriter([], exif: [ExifWriter.Entry(ExifWriter.colorSpace, .short, space)], order: order).payload
        }
        #expect(try read(exif(0xFFFF)).warnings.map(\.code) == ["color-space-unknown"])
        #expect(try read(exif(1)).warnings == [])
        let profile = JPEGParts.Segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + Headers.profile())
        #expect(try read(exif(0xFFFF), profile).warnings == [])
        let png = PNGRecipe(PixelSize(width: 2, height: 2), .rgb) { _, _ in [1, 2, 3] }
        let block = PNGRecipe.Chunk("eXIf", Array(exif(0xFFFF).dropFirst(6)))
        let tagged = png.with { $0.before = [block, PNGRecipe.Chunk("sRGB", [0])] }
        #expect(
            try ImageSource(png.with { $0.before = [block] }.bytes).header.warnings.map(\.code) == [
                "color-space-unknown"
            ])
        #expect(try ImageSource(tagged.bytes).header.warnings == [])
    }

    @Test func `turns the picture that is decoded`() throws {
        let recipe = JPEGRecipe.yCbCr444.with { $0.quality = 100 }
        let size = PixelSize(width: 24, height: 16)
        for orientation in Orientation.allCases {
            // The dark corner is where the stored rows and columns begin.
            var parts = JPEGParts(try recipe.write(size, recipe.planes(size) { _, x, y in x < 8 && y < 8 ? 20 : 220 }))
            parts.segments.insert(JPEGParts.Segment(0xE1, ExifWriter(orientation: orientation.rawValue).payload), at: 1)
            let plane = try decode(parts.bytes).image.planes[0]
            #expect(plane.width == (orientation.swapsWidthAndHeight ? 16 : 24))
            let isRight = [2, 3, 6, 7].contains(orientation.rawValue)
            let isBottom = [3, 4, 7, 8].contains(orientation.rawValue)
            #expect(plane[isRight ? plane.width - 1 : 0, isBottom ? plane.height - 1 : 0] < 40, "\(orientation)")
            #expect(plane[isRight ? 0 : plane.width - 1, isBottom ? 0 : plane.height - 1] > 200, "\(orientation)")
        }
    }

    private func read(_ payload: [UInt8], _ others: JPEGParts.Segment...) throws -> ImageHeader {
        var parts = try JPEGRecipe.gray.parts()
        parts.segments.insert(contentsOf: [JPEGParts.Segment(0xE1, payload)] + others, at: 1)
        return try ImageSource(parts.bytes).header
    }
}
