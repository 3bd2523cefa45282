import ImageCodecs
import Imaging
import Testing
import TestSupport

/// Every prefix of a file without all of its image data is truncated.
@Suite struct PrefixTests {
    /// Two by two MCUs of 4:2:0, so that files have about a kilobyte.
    private static let size = PixelSize(width: 21, height: 19)

    static let recipes: [LibJPEGFileBuilder] = [
        .yCbCr420, .gray, .yCbCr444.modified(by: JPEGVariants.codingVariants[6]),
        .yCbCr420.modified { $0.isProgressive = true },
        .yCbCr420.modified { $0.restartInterval = 1 },
        LibJPEGFileBuilder(colorSpace: .ycck, sampling: [[1, 1], [1, 1], [1, 1], [1, 1]]),
    ]

    @Test(arguments: recipes)
    func jpegPrefixIsTruncated(recipe: LibJPEGFileBuilder) throws {
        let bytes = try recipe.encodedTexture(size: Self.size)
        #expect(DecodeVerdict(decoding: []) == .rejected(.empty))
        for count in 1..<(bytes.count - 2) {
            let error = decodingError(for: Array(bytes.prefix(count)))
            #expect(error?.code == .truncated, "\(count) of \(bytes.count) bytes")
            if let offset = error?.offset { #expect(offset <= count) }
        }
        #expect(DecodeVerdict(decoding: Array(bytes.dropLast(2))) == .decoded("missing-eoi"))
        #expect(DecodeVerdict(decoding: Array(bytes.dropLast())) == .decoded("missing-eoi"))
        #expect(DecodeVerdict(decoding: bytes) == .decodedWithoutWarnings)
    }

    @Test(arguments: recipes)
    func jpegPrefixIsDecodedWhereAllowed(recipe: LibJPEGFileBuilder)
        throws
    {
        let bytes = try recipe.encodedTexture(size: Self.size)
        let parts = EditableJPEG(parsing: bytes)
        let scan = try #require(parts.segmentIndices(withMarker: 0xDA).first)
        let scanData = 2 + parts.segments[..<scan].flatMap(\.bytes).count + parts.segments[scan].payload.count + 4
        for count in 1..<scanData {
            #expect(
                DecodeVerdict(decoding: Array(bytes.prefix(count)), options: .allowingTruncated)
                    == .rejected(.truncated))
        }
        for count in scanData..<(bytes.count - 2) {
            #expect(
                DecodeVerdict(decoding: Array(bytes.prefix(count)), options: .allowingTruncated)
                    == .decoded("truncated"), "\(count) bytes")
        }
    }

    @Test func jpegPrefixKeepsAvailableRows() throws {
        let bytes = try LibJPEGFileBuilder.yCbCr420.encodedTexture()
        let whole = try decodeImage(bytes).image.planes[0]
        // Of three rows of MCUs the first is there, as the last 500 bytes hold less than two.
        let half = try decodeImage(Array(bytes.prefix(bytes.count - 500)), options: .allowingTruncated).image.planes[0]
        #expect(half.visibleRows.prefix(8) == whole.visibleRows.prefix(8))
        #expect(half.visibleRows != whole.visibleRows)
    }

    @Test(arguments: [false, true])
    func arithmeticJPEGPrefixIsTruncated(isProgressive: Bool) throws {
        let recipe = LibJPEGFileBuilder.yCbCr420.modified {
            ($0.isArithmetic, $0.isProgressive) = (true, isProgressive)
        }
        let bytes = try recipe.encodedTexture(size: Self.size)
        for count in 1..<bytes.count {
            #expect(DecodeVerdict(decoding: Array(bytes.prefix(count))) == .rejected(.truncated))
        }
        #expect(DecodeVerdict(decoding: Array(bytes.dropLast(2)), options: .allowingTruncated) == .decoded("truncated"))
        #expect(DecodeVerdict(decoding: bytes) == .decodedWithoutWarnings)
    }

    static let images: [PNGFileBuilder] = [
        PNGFileBuilder(size: PixelSize(width: 19, height: 23), colorType: .rgb) { x, y in
            [x * 13, y * 11, (x * y) % 256]
        },
        PNGFileBuilder(size: PixelSize(width: 19, height: 23), colorType: .grayAlpha, isInterlaced: true) { x, y in
            [x * 13, y * 11]
        },
        PNGFileBuilder(size: PixelSize(width: 40, height: 40), colorType: .palette, bitDepth: 1) { x, y in [x * y % 2] }
            .modified {
                $0.chunksBeforeImageData = [PNGFileBuilder.Chunk(type: "PLTE", payload: [9, 8, 7, 200, 100, 50])]
            },
    ]

    @Test(arguments: images)
    func pngPrefixIsTruncated(recipe: PNGFileBuilder) throws {
        let bytes = recipe.fileBytes
        let data = bytes.count - 12
        // Between the last pixel and the end of the image data stand two checksums: an image without one is whole.
        let lastPixel = data - 8
        for count in 1..<lastPixel {
            #expect(
                decodingError(for: Array(bytes.prefix(count)))?.code == .truncated, "\(count) of \(bytes.count) bytes")
        }
        for count in lastPixel..<data {
            let outcome = DecodeVerdict(decoding: Array(bytes.prefix(count)))
            #expect(outcome == .rejected(.truncated) || outcome == .decoded("missing-iend"), "\(count) bytes")
        }
        for count in data..<bytes.count {
            #expect(
                DecodeVerdict(decoding: Array(bytes.prefix(count))) == .decoded("missing-iend"),
                "\(count) of \(bytes.count) bytes")
        }
        #expect(DecodeVerdict(decoding: bytes) == .decodedWithoutWarnings)
    }

    @Test(arguments: images)
    func pngPrefixIsDecodedWhereAllowed(recipe: PNGFileBuilder) throws {
        let bytes = recipe.fileBytes
        let chunks = recipe.allChunks
        let header = PNGFileBuilder.signature.count + chunks.prefix { $0.type != "IDAT" }.flatMap(\.bytes).count + 8
        for count in header..<(bytes.count - 12 - 8) {
            #expect(
                DecodeVerdict(decoding: Array(bytes.prefix(count)), options: .allowingTruncated)
                    == .decoded("truncated"), "\(count) bytes")
        }
    }
}
