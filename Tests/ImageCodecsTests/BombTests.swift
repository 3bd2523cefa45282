import ImageCodecs
import Imaging
import Testing
import TestSupport

/// Small files that claim, or really hold, far more than any picture: refused by name, before memory or time is spent.
@Suite struct `Bombs` {
    /// Every bit of every coefficient in a scan of its own.
    private static var manyScans: JPEGRecipe {
        let first = [JPEGRecipe.Scan([0, 1, 2], 0...0)]
        let rest = (0..<3).flatMap { component in
            (1...63).flatMap { k in
                [JPEGRecipe.Scan([component], k...k, before: 0, after: 9)]
                    + (0..<9).reversed().map { JPEGRecipe.Scan([component], k...k, before: $0 + 1, after: $0) }
            }
        }
        return .yCbCr420.with { ($0.isProgressive, $0.scans) = (true, first + rest) }
    }

    @Test func `of 1,891 scans are refused for them`() throws {
        let bytes = try Self.manyScans.file()
        #expect(JPEGParts(bytes).indices(of: 0xDA).count == 1891)
        let error = try #require(refusal(bytes))
        #expect(error.code == .tooManyScans)
        #expect(error.stage == .probe)
        // At the first scan beyond the limit.
        let place = try #require(error.offset)
        #expect(bytes[place..<(place + 2)] == [0xFF, 0xDA])
    }

    @Test func `and the same scans are read where they are allowed`() throws {
        var limits = ImageLimits()
        limits.scans = 1891
        let expected = try decode(try JPEGRecipe.yCbCr420.file()).image.planes.map(\.picture)
        #expect(try decode(try Self.manyScans.file(), limits: limits).image.planes.map(\.picture) == expected)
    }

    @Test func `whose scans hide behind a segment without a length are refused too`() throws {
        // libjpeg reads on behind a comment that states a length of 0, and finds them all.
        expectTooManyScans(try Self.hidingScans(JPEGRecipe.gray) { first, rest in first + [0xFF, 0xFE, 0, 0] + rest })
    }

    @Test func `whose scans hide behind a reserved marker within a scan are refused too`() throws {
        // Where a restart marker is due, libjpeg passes over a reserved one; it doesn't believe the length behind it.
        let recipe = JPEGRecipe.gray.with { $0.restartInterval = 2 }
        let bytes = try Self.hidingScans(recipe) { first, rest in
            let restart = first.indices.last { first[$0] == 0xFF && (0xD0...0xD7).contains(first[$0 + 1]) } ?? 0
            let length = rest.count + 2
            return first[..<restart] + [0xFF, 0x02, UInt8(length >> 8), UInt8(length & 0xFF)] + rest
        }
        expectTooManyScans(bytes)
    }

    /// A progressive file of six scans, with `joined` what is made of its beginning to the first scan, and of the rest.
    private static func hidingScans(_ recipe: JPEGRecipe, _ joined: ([UInt8], [UInt8]) -> [UInt8]) throws -> [UInt8] {
        let parts = JPEGParts(try recipe.with { $0.isProgressive = true }.file())
        let scans = parts.indices(of: 0xDA)
        #expect(scans.count == 6)
        let first = parts.segments[...scans[0]].flatMap(\.bytes),
            rest = parts.segments[(scans[0] + 1)...].flatMap(\.bytes)
        return [0xFF, 0xD8] + joined(first, rest) + [0xFF, 0xD9]
    }

    private func expectTooManyScans(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
        var limits = ImageLimits()
        limits.scans = 5
        for options in [ImageSource.DecodingOptions(), .takingAll] {
            #expect(refusal(bytes, limits: limits, options)?.code == .tooManyScans, sourceLocation: sourceLocation)
        }
        limits = ImageLimits()
        limits.scanPixels = 6 * PixelSize.small.pixelCount - 1
        #expect(refusal(bytes, limits: limits, .takingAll)?.code == .tooManyScans, sourceLocation: sourceLocation)
    }

    @Test func `of a JPEG header that states 65,500 pixels each way`() throws {
        for marker: UInt8 in [0xC0, 0xC2, 0xC9] {
            for components in [1, 3] {
                let bytes = Headers.jpeg(frame: marker, width: 65_500, height: 65_500, components: components)
                #expect(bytes.count < 300)
                #expect(refusal(bytes)?.code == .tooManyPixels)
                #expect(throws: CodecError.self) { try ImageHeader(probing: bytes, isWholeFile: false) }
            }
        }
        #expect(refusal(Headers.jpeg(width: 65_535, height: 1))?.code == .dimensionTooLarge)
    }

    @Test func `of a progressive header that asks for more memory than allowed, though its pixels are`() throws {
        let bytes = Headers.jpeg(frame: 0xC2, width: 14_000, height: 14_000, components: 3)
        let error = try #require(refusal(bytes))
        #expect(error.code == .memoryLimitExceeded)
        #expect(error.stage == .probe)
    }

    @Test func `of a PNG that states 19,000 pixels each way`() throws {
        let size = PixelSize(width: 19_000, height: 19_000)
        let data = PNGRecipe.Chunk("IDAT", Deflate.zeros(5_000_000))
        #expect(data.payload.count < 44_000)
        for colorType in [0, 2, 6] {
            let header = PNGRecipe.header(size, bitDepth: 8, colorType: colorType)
            let bytes = PNGRecipe.file([header, data, PNGRecipe.Chunk("IEND", [])])
            #expect(refusal(bytes)?.code == .tooManyPixels)
        }
        for huge in [PixelSize(width: 1 << 31, height: 1), PixelSize(width: 1, height: 0xFFFF_FFFF)] {
            let header = PNGRecipe.header(huge, bitDepth: 8, colorType: 0)
            #expect(refusal(PNGRecipe.file([header, data]))?.code == .dimensionTooLarge)
        }
    }

    @Test func `in a PNG's text are not even inflated`() throws {
        let bomb = Deflate.zeros(100_000_000)
        let notes = [
            PNGRecipe.Chunk("zTXt", Array("a\0\0".utf8) + bomb),
            PNGRecipe.Chunk("iTXt", Array("a\0\u{1}\0\0\0".utf8) + bomb),
        ]
        let recipe = PNGRecipe(PixelSize(width: 3, height: 3), .gray) { x, y in [40 * x + y] }
        let decoded = try decode(recipe.with { ($0.before, $0.after) = (notes, notes) }.bytes)
        #expect(decoded.warnings == [])
        #expect(decoded.image.planes[0].picture == [[0, 40, 80], [1, 41, 81], [2, 42, 82]])
    }

    @Test func `in a PNG's profile are dropped, and the picture is read`() throws {
        // A valid header of a profile of 100 MB, and then nothing but zeros.
        let profile = Deflate.zeros(100_000_000, behind: Headers.profileHeader(100_000_000))
        let recipe = PNGRecipe(PixelSize(width: 3, height: 3), .rgb) { x, y in [x, y, 0] }
            .with { $0.before = [PNGRecipe.Chunk("iCCP", Array("icc\0\0".utf8) + profile)] }
        let decoded = try decode(recipe.bytes)
        #expect(decoded.iccProfile == nil)
        #expect(decoded.warnings.map(\.code).contains("icc-dropped"))
    }

    @Test func `of comments by the ten thousand`() throws {
        var parts = try JPEGRecipe.gray.parts()
        parts.segments.insert(
            contentsOf: [JPEGParts.Segment](repeating: JPEGParts.Segment(0xFE, []), count: 10_001), at: 1)
        #expect(refusal(parts.bytes)?.code == .tooManySegments)
        #expect(throws: CodecError.self) { try ImageHeader(probing: parts.bytes, isWholeFile: false) }
    }

    @Test func `while a phone's ten scans are nothing odd`() throws {
        let bytes = try JPEGRecipe.yCbCr420.with { $0.isProgressive = true }.file()
        #expect(JPEGParts(bytes).indices(of: 0xDA).count == 10)
        #expect(Outcome(bytes) == .clean)
    }
}
