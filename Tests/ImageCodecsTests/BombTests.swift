import Diagnostics
import ImageCodecs
import Imaging
import Testing
import TestSupport

/// Small files that declare or contain far more data than an image needs are rejected before they take memory or time.
@Suite struct DecompressionBombTests {
    /// Every bit of every coefficient in a scan of its own.
    private static var manyScans: LibJPEGFileBuilder {
        let first = [LibJPEGFileBuilder.ScanScriptEntry(components: [0, 1, 2], coefficients: 0...0)]
        let rest = (0..<3).flatMap { component in
            (1...63).flatMap { k in
                [
                    LibJPEGFileBuilder.ScanScriptEntry(
                        components: [component], coefficients: k...k, highBit: 0, lowBit: 9)
                ]
                    + (0..<9).reversed().map {
                        LibJPEGFileBuilder.ScanScriptEntry(
                            components: [component], coefficients: k...k, highBit: $0 + 1, lowBit: $0)
                    }
            }
        }
        return .yCbCr420.modified { ($0.isProgressive, $0.scanScript) = (true, first + rest) }
    }

    @Test func fileWithTooManyScansIsRejected() throws {
        let bytes = try Self.manyScans.encodedTexture()
        #expect(EditableJPEG(parsing: bytes).segmentIndices(withMarker: 0xDA).count == 1891)
        let error = try #require(decodingError(for: bytes))
        #expect(error.code == .tooManyScans)
        #expect(error.stage == .probe)
        // At the first scan beyond the limit.
        let place = try #require(error.offset)
        #expect(bytes[place..<(place + 2)] == [0xFF, 0xDA])
    }

    @Test func manyScansAreReadWhereAllowed() throws {
        var limits = ImageLimits()
        limits.scans = 1891
        let expected = try decodeImage(try LibJPEGFileBuilder.yCbCr420.encodedTexture()).image.planes.map(\.visibleRows)
        #expect(
            try decodeImage(try Self.manyScans.encodedTexture(), limits: limits).image.planes.map(\.visibleRows)
                == expected)
    }

    @Test func scansAfterZeroLengthSegmentAreCounted() throws {
        // libjpeg continues after a comment with a length of 0, and finds all scans.
        expectTooManyScans(
            try Self.makeFileHidingScans(LibJPEGFileBuilder.gray) { first, rest in first + [0xFF, 0xFE, 0, 0] + rest })
    }

    @Test func scansAfterReservedMarkerAreCounted() throws {
        // Where a restart marker is due, libjpeg skips a reserved marker and ignores the length after it.
        let recipe = LibJPEGFileBuilder.gray.modified { $0.restartInterval = 2 }
        let bytes = try Self.makeFileHidingScans(recipe) { first, rest in
            let restart = first.indices.last { first[$0] == 0xFF && (0xD0...0xD7).contains(first[$0 + 1]) } ?? 0
            let length = rest.count + 2
            return first[..<restart] + [0xFF, 0x02, UInt8(length >> 8), UInt8(length & 0xFF)] + rest
        }
        expectTooManyScans(bytes)
    }

    /// A progressive file of six scans. `joined` combines its part before the first scan with the rest.
    private static func makeFileHidingScans(_ recipe: LibJPEGFileBuilder, joining joined: ([UInt8], [UInt8]) -> [UInt8])
        throws -> [UInt8]
    {
        let parts = EditableJPEG(parsing: try recipe.modified { $0.isProgressive = true }.encodedTexture())
        let scans = parts.segmentIndices(withMarker: 0xDA)
        #expect(scans.count == 6)
        let first = parts.segments[...scans[0]].flatMap(\.bytes),
            rest = parts.segments[(scans[0] + 1)...].flatMap(\.bytes)
        return [0xFF, 0xD8] + joined(first, rest) + [0xFF, 0xD9]
    }

    private func expectTooManyScans(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
        var limits = ImageLimits()
        limits.scans = 5
        for options in [ImageSource.DecodingOptions(), .allowingTruncatedAndDamaged] {
            #expect(
                decodingError(for: bytes, limits: limits, options: options)?.code == .tooManyScans,
                sourceLocation: sourceLocation)
        }
        limits = ImageLimits()
        limits.scanPixels = 6 * PixelSize.smallOdd.pixelCount - 1
        #expect(
            decodingError(for: bytes, limits: limits, options: .allowingTruncatedAndDamaged)?.code == .tooManyScans,
            sourceLocation: sourceLocation)
    }

    @Test func jpegWithHugeDimensionsIsRejected() throws {
        for marker: UInt8 in [0xC0, 0xC2, 0xC9] {
            for components in [1, 3] {
                let bytes = MinimalImageHeaders.jpegHeader(
                    frame: marker, width: 65_500, height: 65_500, components: components)
                #expect(bytes.count < 300)
                #expect(decodingError(for: bytes)?.code == .tooManyPixels)
                #expect(throws: CodecError.self) { try ImageHeader(probing: bytes, isWholeFile: false) }
            }
        }
        #expect(
            decodingError(for: MinimalImageHeaders.jpegHeader(width: 65_535, height: 1))?.code == .dimensionTooLarge)
    }

    @Test func progressiveJPEGOverMemoryLimitIsRejected() throws {
        let bytes = MinimalImageHeaders.jpegHeader(frame: 0xC2, width: 14_000, height: 14_000, components: 3)
        let error = try #require(decodingError(for: bytes))
        #expect(error.code == .memoryLimitExceeded)
        #expect(error.stage == .probe)
    }

    @Test func pngWithHugeDimensionsIsRejected() throws {
        let size = PixelSize(width: 19_000, height: 19_000)
        let data = PNGFileBuilder.Chunk(type: "IDAT", payload: DeflateStreamBuilder.unterminatedZeros(count: 5_000_000))
        #expect(data.payload.count < 44_000)
        for colorType in [0, 2, 6] {
            let header = PNGFileBuilder.makeHeaderChunk(size: size, bitDepth: 8, colorType: colorType)
            let bytes = PNGFileBuilder.fileBytes(chunks: [
                header, data, PNGFileBuilder.Chunk(type: "IEND", payload: []),
            ])
            #expect(decodingError(for: bytes)?.code == .tooManyPixels)
        }
        for huge in [PixelSize(width: 1 << 31, height: 1), PixelSize(width: 1, height: 0xFFFF_FFFF)] {
            let header = PNGFileBuilder.makeHeaderChunk(size: huge, bitDepth: 8, colorType: 0)
            #expect(decodingError(for: PNGFileBuilder.fileBytes(chunks: [header, data]))?.code == .dimensionTooLarge)
        }
    }

    @Test func compressedPNGTextIsNotInflated() throws {
        let bomb = DeflateStreamBuilder.unterminatedZeros(count: 100_000_000)
        let notes = [
            PNGFileBuilder.Chunk(type: "zTXt", payload: Array("a\0\0".utf8) + bomb),
            PNGFileBuilder.Chunk(type: "iTXt", payload: Array("a\0\u{1}\0\0\0".utf8) + bomb),
        ]
        let recipe = PNGFileBuilder(size: PixelSize(width: 3, height: 3), colorType: .gray) { x, y in [40 * x + y] }
        let decoded = try decodeImage(
            recipe.modified { ($0.chunksBeforeImageData, $0.chunksAfterImageData) = (notes, notes) }.fileBytes)
        #expect(decoded.warnings == [])
        #expect(decoded.image.planes[0].visibleRows == [[0, 40, 80], [1, 41, 81], [2, 42, 82]])
    }

    @Test func oversizedPNGProfileIsDroppedAndImageRead() throws {
        // A valid header of a profile of 100 MB, and then nothing but zeros.
        let profile = DeflateStreamBuilder.unterminatedZeros(
            count: 100_000_000, after: MinimalImageHeaders.makeICCProfileHeader(declaredByteCount: 100_000_000))
        let recipe = PNGFileBuilder(size: PixelSize(width: 3, height: 3), colorType: .rgb) { x, y in [x, y, 0] }
            .modified {
                $0.chunksBeforeImageData = [
                    PNGFileBuilder.Chunk(type: "iCCP", payload: Array("icc\0\0".utf8) + profile)
                ]
            }
        let decoded = try decodeImage(recipe.fileBytes)
        #expect(decoded.iccProfile == nil)
        #expect(decoded.warnings.map(\.code).contains(.profileDropped))
    }

    @Test func tooManyCommentsAreRejected() throws {
        var parts = try LibJPEGFileBuilder.gray.parsedTexture()
        parts.segments.insert(
            contentsOf: [EditableJPEG.Segment](
                repeating: EditableJPEG.Segment(marker: 0xFE, payload: []), count: 10_001), at: 1)
        #expect(decodingError(for: parts.bytes)?.code == .tooManySegments)
        #expect(throws: CodecError.self) { try ImageHeader(probing: parts.bytes, isWholeFile: false) }
    }

    @Test func tenProgressiveScansAreAccepted() throws {
        let bytes = try LibJPEGFileBuilder.yCbCr420.modified { $0.isProgressive = true }.encodedTexture()
        #expect(EditableJPEG(parsing: bytes).segmentIndices(withMarker: 0xDA).count == 10)
        #expect(DecodeVerdict(decoding: bytes) == .decodedWithoutWarnings)
    }
}
