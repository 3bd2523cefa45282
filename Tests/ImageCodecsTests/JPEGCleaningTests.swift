import ImageCodecs
import Imaging
import Testing
import TestSupport

/// A cleaned JPEG holds what its picture needs, and nothing else: no byte that could say where, when or by whom.
@Suite struct `A cleaned JPEG` {
    private typealias Segment = JPEGParts.Segment

    /// A text that no cleaned file may hold, wherever it was put.
    private static let secret = "52.5200 N 13.4050 E"

    private static let recipes: [JPEGRecipe] = [
        .gray, .yCbCr420, .yCbCr444.with { $0.restartInterval = 2 }, .yCbCr420.with { $0.isProgressive = true },
        .yCbCr420.with(Kinds.codings[6]), .yCbCr420.with { ($0.hasJFIF, $0.hasAdobe) = (false, true) },
        .yCbCr420.with { $0.hasAdobe = true }, .yCbCr420.with { $0.hasJFIF = false },
    ]

    private static let profile = Segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + Headers.profile())

    /// Every kind of segment that a file may carry beside its picture.
    private static let baggage: [Segment] =
        [
            Segment(
                0xE1, ExifWriter([ExifWriter.Entry(ExifWriter.gpsDirectory, .long, 8)]).payload + Array(secret.utf8)),
            Segment(0xE1, text: "http://ns.adobe.com/xap/1.0/\0" + secret),
            Segment(0xED, text: "Photoshop 3.0\0" + secret),
            Segment(0xFE, text: secret), Segment(0xE0, text: "JFXX\0\u{10}" + secret),
            Segment(0xE2, text: "MPF\0" + secret), Segment(0xE2, text: "FPXR\0" + secret),
            Segment(0xEC, text: "Ducky" + secret),
            Segment(0xEE, text: "Adobe"), Segment(0xEE, text: "not Adobe " + secret),
            Segment(0xE0, text: "Ocad" + secret),
        ] + (0xE3...0xEF).map { Segment($0, text: secret) }

    @Test(arguments: recipes)
    func `of a file without metadata is that file, to the byte`(recipe: JPEGRecipe) throws {
        let bytes = try recipe.file()
        #expect(try ImageSource(bytes).strippedJPEG == bytes)
        #expect(try decode(bytes).canStripLosslessly)
        #expect(try decode(bytes).imageDataByteCount == bytes.count)
    }

    @Test(arguments: recipes)
    func `has the picture's segments only, each with every byte, and none of the rest`(recipe: JPEGRecipe) throws {
        var clean = try recipe.parts()
        var dirty = clean
        let place = clean.segments.firstIndex { $0.marker != 0xE0 } ?? 0
        clean.segments.insert(Self.profile, at: place)
        // Before the tables, and in front of every scan, where a progressive file has room too.
        dirty.segments.insert(contentsOf: Self.baggage + [Self.profile], at: place)
        for index in dirty.indices(of: 0xDA).reversed() { dirty.segments.insert(contentsOf: Self.baggage, at: index) }
        dirty.segments += Self.baggage
        dirty.trailing = Array(Self.secret.utf8) + (try JPEGRecipe.gray.file())

        let decoded = try decode(dirty.bytes)
        #expect(decoded.canStripLosslessly)
        let cleaned = try #require(try ImageSource(dirty.bytes).strippedJPEG)
        #expect(JPEGParts(cleaned).segments == clean.segments)
        #expect(cleaned == clean.bytes)
        #expect(decoded.imageDataByteCount == cleaned.count)
        let again = try decode(cleaned)
        #expect(again.image.planes.map(\.picture) == decoded.image.planes.map(\.picture))
        #expect(again.iccProfile == Headers.profile())
        #expect(again.warnings == [])
    }

    @Test func `has a JFIF header without the thumbnail, and only if there was one`() throws {
        var parts = try JPEGRecipe.yCbCr420.parts()
        let density: [UInt8] = [1, 2, 1, 0, 72, 0, 72]
        parts.segments[0].payload = Array("JFIF\0".utf8) + density + [2, 3] + [UInt8](repeating: 0x55, count: 18)
        let cleaned = JPEGParts(try #require(try ImageSource(parts.bytes).strippedJPEG))
        #expect(cleaned.segments.first == Segment(0xE0, Array("JFIF\0".utf8) + density + [0, 0]))
        #expect(cleaned.segments.dropFirst() == parts.segments.dropFirst())
    }

    @Test func `has Adobe's twelve bytes, and not what is written behind them`() throws {
        var parts = try JPEGRecipe.yCbCr420.with { ($0.hasJFIF, $0.hasAdobe) = (false, true) }.parts()
        let expected = parts
        let index = try #require(parts.indices(of: 0xEE).first)
        parts.segments[index].payload += Array(Self.secret.utf8)
        #expect(try ImageSource(parts.bytes).strippedJPEG == expected.bytes)
    }

    @Test func `has a profile only if it can be used`() throws {
        var parts = try JPEGRecipe.yCbCr420.parts()
        let expected = parts.bytes
        parts.segments.insert(Segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 2] + Headers.profile()), at: 1)
        #expect(try ImageSource(parts.bytes).strippedJPEG == expected)
    }

    @Test func `has a number of lines of two bytes, and not what is written behind them`() throws {
        var parts = try JPEGRecipe.gray.parts()
        let scan = try #require(parts.indices(of: 0xDA).first)
        parts.segments.insert(Segment(0xDC, [0, UInt8(PixelSize.small.height)]), at: scan + 1)
        let expected = parts.bytes
        parts.segments[scan + 1].payload += Array(Self.secret.utf8)
        #expect(try ImageSource(parts.bytes).strippedJPEG == expected)
    }

    @Test func `has nothing of what fills the space between segments`() throws {
        let parts = try JPEGRecipe.gray.with { $0.isProgressive = true }.parts()
        var bytes: [UInt8] = [0xFF, 0xD8]
        for segment in parts.segments { bytes += [0xFF, 0xFF, 0xFF] + segment.bytes }
        bytes += [0xFF, 0xFF, 0xD9]
        let source = try ImageSource(bytes)
        #expect(source.strippedJPEG == parts.bytes)
        #expect(try decode(bytes).canStripLosslessly)
    }

    @Test func `there is none of a PNG`() throws {
        let png = PNGRecipe(PixelSize(width: 2, height: 2), .gray) { _, _ in [1] }
        #expect(try ImageSource(png.bytes).strippedJPEG == nil)
        #expect(try decode(png.bytes).canStripLosslessly == false)
    }
}

/// Only what was upright and without a flaw may stand as it is.
@Suite struct `A JPEG that must be written anew` {
    @Test(arguments: [
        JPEGRecipe.yCbCr420.with { $0.isArithmetic = true },
        .gray.with { ($0.isArithmetic, $0.isProgressive) = (true, true) },
        JPEGRecipe(.rgb, [[1, 1], [1, 1], [1, 1]]), JPEGRecipe(.cmyk, [[1, 1], [1, 1], [1, 1], [1, 1]]),
        JPEGRecipe(.ycck, [[1, 1], [1, 1], [1, 1], [1, 1]]),
    ])
    func `is one of a kind that not everybody reads`(recipe: JPEGRecipe) throws {
        #expect(try decode(try recipe.file()).canStripLosslessly == false)
    }

    @Test(arguments: Orientation.allCases)
    func `is one that does not stand upright`(orientation: Orientation) throws {
        var parts = try JPEGRecipe.yCbCr420.parts()
        parts.segments.insert(JPEGParts.Segment(0xE1, ExifWriter(orientation: orientation.rawValue).payload), at: 1)
        #expect(try decode(parts.bytes).canStripLosslessly == (orientation == .up))
    }

    @Test func `is one in which something was odd`() throws {
        var stray = try JPEGRecipe.yCbCr420.parts()
        let scan = try #require(stray.indices(of: 0xDA).first)
        stray.segments[scan].scanData += Array("52.5200 N 13.4050 E".utf8)
        var version = try JPEGRecipe.yCbCr420.parts()
        version.segments[0].payload[5] = 2
        var noEnd = try JPEGRecipe.yCbCr420.parts()
        noEnd.hasEnd = false
        for parts in [stray, version, noEnd] { #expect(try decode(parts.bytes).canStripLosslessly == false) }
    }

    @Test func `is one that is damaged or cut short, where that is allowed`() throws {
        var damaged = try JPEGRecipe.yCbCr420.parts()
        let scan = try #require(damaged.indices(of: 0xDA).first)
        damaged.segments[scan].scanData.removeLast(40)
        #expect(try decode(damaged.bytes, .takingDamaged).canStripLosslessly == false)
        damaged.hasEnd = false
        #expect(try decode(damaged.bytes, .takingTruncated).canStripLosslessly == false)
    }
}
