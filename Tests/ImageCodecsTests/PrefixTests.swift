import ImageCodecs
import Imaging
import Testing
import TestSupport

/// A file that ends anywhere is cut short, and never anything else, until all of its picture is there.
@Suite struct `Every prefix` {
    /// Two by two MCUs of 4:2:0, so that files have about a kilobyte.
    private static let size = PixelSize(width: 21, height: 19)

    static let recipes: [JPEGRecipe] = [
        .yCbCr420, .gray, .yCbCr444.with(Kinds.codings[6]), .yCbCr420.with { $0.isProgressive = true },
        .yCbCr420.with { $0.restartInterval = 1 },
        JPEGRecipe(.ycck, [[1, 1], [1, 1], [1, 1], [1, 1]]),
    ]

    @Test(arguments: recipes)
    func `of a JPEG is truncated, until only the end of image is missing`(recipe: JPEGRecipe) throws {
        let bytes = try recipe.file(Self.size)
        #expect(Outcome([]) == .refused(.empty))
        for count in 1..<(bytes.count - 2) {
            let error = refusal(Array(bytes.prefix(count)))
            #expect(error?.code == .truncated, "\(count) of \(bytes.count) bytes")
            if let offset = error?.offset { #expect(offset <= count) }
        }
        #expect(Outcome(Array(bytes.dropLast(2))) == .decoded("missing-eoi"))
        #expect(Outcome(Array(bytes.dropLast())) == .decoded("missing-eoi"))
        #expect(Outcome(bytes) == .clean)
    }

    @Test(arguments: recipes)
    func `of a JPEG behind the first scan's header gives what is there, where that is allowed`(recipe: JPEGRecipe)
        throws
    {
        let bytes = try recipe.file(Self.size)
        let parts = JPEGParts(bytes)
        let scan = try #require(parts.indices(of: 0xDA).first)
        let scanData = 2 + parts.segments[..<scan].flatMap(\.bytes).count + parts.segments[scan].payload.count + 4
        for count in 1..<scanData {
            #expect(Outcome(Array(bytes.prefix(count)), .takingTruncated) == .refused(.truncated))
        }
        for count in scanData..<(bytes.count - 2) {
            #expect(Outcome(Array(bytes.prefix(count)), .takingTruncated) == .decoded("truncated"), "\(count) bytes")
        }
    }

    @Test func `of a JPEG keeps the rows that are there as they are`() throws {
        let bytes = try JPEGRecipe.yCbCr420.file()
        let whole = try decode(bytes).image.planes[0]
        // Of three rows of MCUs the first is there, as the last 500 bytes hold less than two.
        let half = try decode(Array(bytes.prefix(bytes.count - 500)), .takingTruncated).image.planes[0]
        #expect(half.picture.prefix(8) == whole.picture.prefix(8))
        #expect(half.picture != whole.picture)
    }

    @Test(arguments: [false, true])
    func `of an arithmetic-coded JPEG is truncated, as such data doesn't tell where it ends`(isProgressive: Bool) throws
    {
        let recipe = JPEGRecipe.yCbCr420.with { ($0.isArithmetic, $0.isProgressive) = (true, isProgressive) }
        let bytes = try recipe.file(Self.size)
        for count in 1..<bytes.count { #expect(Outcome(Array(bytes.prefix(count))) == .refused(.truncated)) }
        #expect(Outcome(Array(bytes.dropLast(2)), .takingTruncated) == .decoded("truncated"))
        #expect(Outcome(bytes) == .clean)
    }

    static let pictures: [PNGRecipe] = [
        PNGRecipe(PixelSize(width: 19, height: 23), .rgb) { x, y in [x * 13, y * 11, (x * y) % 256] },
        PNGRecipe(PixelSize(width: 19, height: 23), .grayAlpha, isInterlaced: true) { x, y in [x * 13, y * 11] },
        PNGRecipe(PixelSize(width: 40, height: 40), .palette, bitDepth: 1) { x, y in [x * y % 2] }
            .with { $0.before = [PNGRecipe.Chunk("PLTE", [9, 8, 7, 200, 100, 50])] },
    ]

    @Test(arguments: pictures)
    func `of a PNG is truncated, until only the end chunk is missing`(recipe: PNGRecipe) throws {
        let bytes = recipe.bytes
        let data = bytes.count - 12
        // Between the last pixel and the end of the image data stand two checksums: a picture without one is whole.
        let lastPixel = data - 8
        for count in 1..<lastPixel {
            #expect(refusal(Array(bytes.prefix(count)))?.code == .truncated, "\(count) of \(bytes.count) bytes")
        }
        for count in lastPixel..<data {
            let outcome = Outcome(Array(bytes.prefix(count)))
            #expect(outcome == .refused(.truncated) || outcome == .decoded("missing-iend"), "\(count) bytes")
        }
        for count in data..<bytes.count {
            #expect(Outcome(Array(bytes.prefix(count))) == .decoded("missing-iend"), "\(count) of \(bytes.count) bytes")
        }
        #expect(Outcome(bytes) == .clean)
    }

    @Test(arguments: pictures)
    func `of a PNG within the image data gives what is there, where that is allowed`(recipe: PNGRecipe) throws {
        let bytes = recipe.bytes
        let chunks = recipe.chunks
        let header = PNGRecipe.signature.count + chunks.prefix { $0.type != "IDAT" }.flatMap(\.bytes).count + 8
        for count in header..<(bytes.count - 12 - 8) {
            #expect(Outcome(Array(bytes.prefix(count)), .takingTruncated) == .decoded("truncated"), "\(count) bytes")
        }
    }
}
