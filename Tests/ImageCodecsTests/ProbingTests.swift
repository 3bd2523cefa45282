import Diagnostics
import ImageCodecs
import Imaging
import Testing
import TestSupport

/// A probe of the beginning of a file gives the same header as the whole file.
@Suite struct PartialProbeTests {
    private static func richJPEG(_ recipe: LibJPEGFileBuilder) throws -> [UInt8] {
        var parts = try recipe.parsedTexture()
        let exif = ExifBuilder(
            entries: [ExifBuilder.Entry(tag: ExifBuilder.orientationTag, type: .short, value: 6)],
            exifEntries: [ExifBuilder.Entry(tag: ExifBuilder.colorSpaceTag, type: .short, value: 0xFFFF)])
        parts.segments.insert(
            contentsOf: [
                EditableJPEG.Segment(marker: 0xE1, payload: exif.app1Payload),
                EditableJPEG.Segment(marker: 0xE2, text: "MPF\0II*\0"),
            ], at: 1)
        return parts.bytes
    }

    private static func richPNG(isInterlaced: Bool) -> [UInt8] {
        PNGFileBuilder(size: .smallOdd, colorType: .rgba, isInterlaced: isInterlaced) { x, y in [x, y, 5, 200] }
            .modified {
                $0.chunksBeforeImageData = [
                    PNGFileBuilder.Chunk(type: "acTL", payload: [0, 0, 0, 1, 0, 0, 0, 0]),
                    PNGFileBuilder.Chunk(
                        type: "iCCP",
                        payload: Array("icc\0\0".utf8)
                            + DeflateStreamBuilder.storedBlocks(MinimalImageHeaders.makeICCProfile())),
                    PNGFileBuilder.Chunk(type: "eXIf", payload: ExifBuilder(orientation: 6).tiffBytes),
                ]
            }.fileBytes
    }

    private static func files() throws -> [(bytes: [UInt8], data: Int)] {
        let recipes: [LibJPEGFileBuilder] = [
            .yCbCr420, .yCbCr420.modified { $0.isProgressive = true }, .gray.modified { $0.isArithmetic = true },
            .yCbCr444.modified(by: JPEGVariants.codingVariants[6]),
        ]
        let jpegs = try recipes.map { recipe in
            let bytes = try richJPEG(recipe)
            let parts = EditableJPEG(parsing: bytes)
            let scan = parts.segmentIndices(withMarker: 0xDA)[0]
            let header = parts.segments[..<scan].flatMap(\.bytes).count + parts.segments[scan].payload.count
            return (bytes: bytes, data: 2 + header + 4)
        }
        let pngs = [false, true].map { isInterlaced in
            let bytes = richPNG(isInterlaced: isInterlaced)
            let mark = Array("IDAT".utf8)
            let place = bytes.indices.first { bytes[$0...].starts(with: mark) } ?? 0
            return (bytes: bytes, data: place + 4)
        }
        return jpegs + pngs
    }

    @Test func probeReturnsNilUntilHeaderIsComplete() throws {
        for (bytes, data) in try Self.files() {
            let whole = try ImageSource(bytes).header
            for count in 0..<data {
                let prefix = Array(bytes.prefix(count))
                #expect(
                    try ImageHeader(probing: prefix, isWholeFile: false) == nil, "\(whole.format), \(count) of \(data)")
            }
            for count in [data, data + 1, data + 100, bytes.count] {
                for isWhole in [false, true] {
                    let header = try ImageHeader(probing: Array(bytes.prefix(count)), isWholeFile: isWhole)
                    expect(try #require(header), equals: whole)
                }
            }
        }
    }

    @Test func incompleteHeaderAtEndOfFileIsTruncated() throws {
        for (bytes, data) in try Self.files() {
            for count in [1, 2, 3, 10, 20, data / 2, data - 5] {
                do throws(CodecError) {
                    _ = try ImageHeader(probing: Array(bytes.prefix(count)))
                    Issue.record("\(count) bytes were taken for a header")
                } catch {
                    #expect(error.code == .truncated, "\(count) of \(data) bytes")
                }
            }
        }
    }

    @Test func probeWaitsForDNLHeight() throws {
        let bytes = try DNLSegmentTests.parts(.yCbCr420).bytes
        let statement = bytes.count - 2 - 6
        for count in stride(from: 1, to: statement, by: 7) {
            #expect(try ImageHeader(probing: Array(bytes.prefix(count)), isWholeFile: false) == nil)
        }
        #expect(
            try ImageHeader(probing: Array(bytes.prefix(statement + 6)), isWholeFile: false)?.uprightSize == .smallOdd)
    }

    @Test func probeReadsNoFurtherThanHeader() throws {
        // The data after it is invalid, which only decoding detects.
        for (bytes, data) in try Self.files() {
            let damaged = bytes.prefix(data) + [UInt8](repeating: 0xFF, count: 500)
            expect(try #require(try ImageHeader(probing: Array(damaged))), equals: try ImageSource(bytes).header)
        }
    }

    @Test func probedSizeIsUpright() throws {
        let header = try #require(try ImageHeader(probing: try Self.richJPEG(.yCbCr420)))
        #expect(header.storedSize == .smallOdd)
        #expect(header.uprightSize == PixelSize(width: PixelSize.smallOdd.height, height: PixelSize.smallOdd.width))
        #expect(header.orientation == .right)
        #expect(header.format == .jpeg)
        #expect(Set(header.warnings.map(\.code)) == [.unknownColorSpace, .extraImagesDropped])
    }

    private func expect(
        _ header: ImageHeader, equals whole: ImageHeader, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(header.format == whole.format, sourceLocation: sourceLocation)
        #expect(header.storedSize == whole.storedSize, sourceLocation: sourceLocation)
        #expect(header.orientation == whole.orientation, sourceLocation: sourceLocation)
        #expect(header.isProgressive == whole.isProgressive, sourceLocation: sourceLocation)
        #expect(header.iccByteCount == whole.iccByteCount, sourceLocation: sourceLocation)
        #expect(header.decoderBufferByteCount == whole.decoderBufferByteCount, sourceLocation: sourceLocation)
        #expect(header.warnings == whole.warnings, sourceLocation: sourceLocation)
    }
}
