import Imaging
import TestSupport
import Testing

@testable import ImageCodecs

/// A parser reads a file in steps. The bytes that it has read are overwritten before the next step, so parsing them
/// again would fail.
@Suite("An image file is parsed once")
struct SingleParseTests {
    private static let jpegs: [LibJPEGFileBuilder] = [
        .yCbCr420, .gray, .yCbCr420.modified { $0.isProgressive = true },
        .yCbCr444.modified { ($0.isProgressive, $0.restartInterval) = (true, 3) },
    ]

    /// A JPEG with Exif, a profile in two chunks, and an index of further images.
    private static func makeJPEG(_ recipe: LibJPEGFileBuilder) throws -> [UInt8] {
        var parts = EditableJPEG(parsing: try recipe.encodedTexture())
        parts.segments.insert(
            contentsOf: [
                EditableJPEG.Segment(
                    marker: 0xE1, payload: Array("Exif\0\0".utf8) + ExifBuilder(orientation: 6).tiffBytes),
                EditableJPEG.Segment(marker: 0xE2, text: "ICC_PROFILE\0\u{2}\u{2}second"),
                EditableJPEG.Segment(marker: 0xE2, text: "ICC_PROFILE\0\u{1}\u{2}first"),
                EditableJPEG.Segment(marker: 0xE2, text: "MPF\0index"),
            ], at: 0)
        return parts.bytes
    }

    private static func makePNG(isInterlaced: Bool) -> [UInt8] {
        PNGFileBuilder(size: .smallOdd, colorType: .rgb) { x, y in [x, y, x + y] }.modified {
            $0.isInterlaced = isInterlaced
            $0.chunksBeforeImageData = [.init(type: "eXIf", payload: ExifBuilder(orientation: 6).tiffBytes)]
        }.fileBytes
    }

    @Test("The rest of a JPEG is parsed without its header", arguments: jpegs.indices)
    func parsedHeaderOfJPEGIsNotReadAgain(index: Int) throws {
        let bytes = try Self.makeJPEG(Self.jpegs[index])
        let expected = try JPEGFile(parsing: bytes)
        var parser = ImageFileParser(limits: ImageLimits())
        let header = try #require(try parser.parseHeader(of: bytes, isWholeFile: true))
        let firstScan = try #require(expected.structure.scanHeaderSegments.first)
        let file = try parser.parseFile(bytes.overwritingPrefix(count: firstScan.range.upperBound))
        guard case .jpeg(let jpeg) = file else { return #expect(Bool(false), "the format has changed") }
        try expectEqual(jpeg, expected)
        #expect(header.warnings == expected.header.warnings)
        #expect(jpeg.iccProfile.bytes(in: bytes) == Array("firstsecond".utf8))
    }

    @Test("No segment of a JPEG is parsed again when more of the file is known", arguments: jpegs.indices)
    func parsedSegmentsOfJPEGAreNotReadAgain(index: Int) throws {
        let bytes = try Self.makeJPEG(Self.jpegs[index])
        let expected = try JPEGFile(parsing: bytes)
        var structure = JPEGStructure()
        for count in 3..<bytes.count {
            let parsedCount = structure.segments.last?.endOffset ?? 2
            let prefix = Array(bytes.overwritingPrefix(count: parsedCount).prefix(count))
            _ = try structure.parse(prefix, extent: .wholeFile, isWholeFile: false, limits: ImageLimits())
        }
        let parsedCount = structure.segments.last?.endOffset ?? 2
        #expect(
            try structure.parse(
                bytes.overwritingPrefix(count: parsedCount), extent: .wholeFile, isWholeFile: true,
                limits: ImageLimits()))
        try expectEqual(try JPEGFile(bytes, structure: structure, limits: ImageLimits()), expected)
    }

    @Test("No chunk of a PNG is parsed again when more of the file is known", arguments: [false, true])
    func parsedChunksOfPNGAreNotReadAgain(isInterlaced: Bool) throws {
        let bytes = Self.makePNG(isInterlaced: isInterlaced)
        let expected = try PNGFile(parsing: bytes)
        var parser = ImageFileParser(limits: ImageLimits()), structure = PNGStructure()
        #expect(try parser.parseHeader(of: bytes, isWholeFile: true)?.orientation == .right)
        for count in PNGFile.signatureByteCount..<bytes.count {
            let prefix = Array(bytes.overwritingPrefix(count: structure.nextChunkOffset).prefix(count))
            do throws(CodecError) {
                _ = try structure.parse(prefix, extent: .wholeFile, isWholeFile: false, limits: ImageLimits())
            } catch {
                #expect(error.code == .truncated, "only the first chunk is incomplete")
            }
        }
        #expect(
            try structure.parse(
                bytes.overwritingPrefix(count: structure.nextChunkOffset), extent: .wholeFile, isWholeFile: true,
                limits: ImageLimits()))
        let imageDataOffset = try #require(expected.structure.fastPathDataRange).lowerBound
        guard case .png(let png) = try parser.parseFile(bytes.overwritingPrefix(count: imageDataOffset)) else {
            return #expect(Bool(false), "the format has changed")
        }
        for found in [try PNGFile(bytes, structure: structure), png] {
            #expect(found.header.storedSize == expected.header.storedSize)
            #expect(found.header.orientation == .right)
            #expect(found.structure.imageDataByteCount == expected.structure.imageDataByteCount)
            #expect(found.structure.fastPathDataRange == expected.structure.fastPathDataRange)
        }
    }

    private func expectEqual(_ found: JPEGFile, _ expected: JPEGFile) throws {
        #expect(found.structure.segments.map(\.range) == expected.structure.segments.map(\.range))
        #expect(found.structure.segments.map(\.scanDataRange) == expected.structure.segments.map(\.scanDataRange))
        #expect(found.structure.endOffset == expected.structure.endOffset)
        #expect(found.structure.scanHeaders.count == expected.structure.scanHeaders.count)
        #expect(found.structure.coverage.isComplete && found.structure.coverage.isInOrder)
        #expect(found.header.storedSize == expected.header.storedSize)
        #expect(found.header.orientation == .right)
        #expect(found.header.warnings == expected.header.warnings)
        #expect(found.header.iccByteCount == "firstsecond".utf8.count)
    }
}

extension [UInt8] {
    fileprivate func overwritingPrefix(count: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: Swift.min(count, self.count)) + dropFirst(count)
    }
}

extension JPEGFile {
    /// Parses a whole file.
    init(parsing bytes: [UInt8]) throws(CodecError) {
        var structure = JPEGStructure()
        _ = try structure.parse(bytes, extent: .wholeFile, isWholeFile: true, limits: ImageLimits())
        try self.init(bytes, structure: structure, limits: ImageLimits())
    }
}

extension PNGFile {
    /// Parses a whole file.
    init(parsing bytes: [UInt8]) throws(CodecError) {
        var structure = PNGStructure()
        _ = try structure.parse(bytes, extent: .wholeFile, isWholeFile: true, limits: ImageLimits())
        try self.init(bytes, structure: structure)
    }
}
