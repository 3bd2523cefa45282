// `unsafe`: setenv takes C strings.

import Foundation
import ImageCodecs
import Imaging
import Testing
import TestSupport

/// Every limit has its own error code, and is checked before anything depends on the header's values.
@Suite struct ImageLimitsTests {
    private static let size = PixelSize(width: 40, height: 30)

    private static func limits(_ change: (inout ImageLimits) -> Void) -> ImageLimits {
        var limits = ImageLimits()
        change(&limits)
        return limits
    }

    private static func files() throws -> [[UInt8]] {
        [
            try LibJPEGFileBuilder.yCbCr420.encodedTexture(size: size),
            PNGFileBuilder(size: size, colorType: .rgb) { x, y in [x, y, 0] }.fileBytes,
        ]
    }

    /// Checks that a file at the limit is decoded, and that a file one beyond it is rejected.
    private func expect(
        _ code: CodecError.Code, _ bytes: [UInt8], stage: CodecError.Stage = .probe, at value: Int,
        _ limit: WritableKeyPath<ImageLimits, Int>, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let atLimit = Self.limits { $0[keyPath: limit] = value }
        #expect(decodingError(for: bytes, limits: atLimit) == nil, sourceLocation: sourceLocation)
        let error = decodingError(for: bytes, limits: Self.limits { $0[keyPath: limit] = value - 1 })
        #expect(error?.code == code, sourceLocation: sourceLocation)
        #expect(error?.stage == stage, sourceLocation: sourceLocation)
    }

    @Test func inputByteLimitIsExact() throws {
        for bytes in try Self.files() { expect(.inputTooLarge, bytes, at: bytes.count, \.inputBytes) }
    }

    @Test func pixelLimitIsExact() throws {
        for bytes in try Self.files() { expect(.tooManyPixels, bytes, at: 1200, \.pixels) }
    }

    @Test func dimensionLimitIsExact() throws {
        for bytes in try Self.files() { expect(.dimensionTooLarge, bytes, at: 40, \.dimension) }
    }

    @Test func scanLimitIsExact() throws {
        let progressive = LibJPEGFileBuilder.yCbCr420.modified { $0.isProgressive = true }
        expect(.tooManyScans, try progressive.encodedTexture(size: Self.size), at: 10, \.scans)
        expect(
            .tooManyScans,
            try LibJPEGFileBuilder.yCbCr444.modified(by: JPEGVariants.codingVariants[6]).encodedTexture(
                size: Self.size), at: 3, \.scans)
    }

    @Test func scanPixelLimitIsExact() throws {
        let progressive = LibJPEGFileBuilder.yCbCr420.modified { $0.isProgressive = true }
        expect(.tooManyScans, try progressive.encodedTexture(size: Self.size), at: 10 * 1200, \.scanPixels)
    }

    @Test func segmentAndChunkLimitIsExact() throws {
        var parts = try LibJPEGFileBuilder.gray.parsedTexture()
        parts.segments += [EditableJPEG.Segment](repeating: EditableJPEG.Segment(marker: 0xFE, payload: []), count: 50)
        expect(.tooManySegments, parts.bytes, at: parts.segments.count, \.segments)
        let notes = [PNGFileBuilder.Chunk](
            repeating: PNGFileBuilder.Chunk(type: "tEXt", payload: Array("a\0b".utf8)), count: 25)
        let recipe = PNGFileBuilder(size: Self.size, colorType: .gray) { x, _ in [x] }
        expect(
            .tooManySegments,
            recipe.modified { ($0.chunksBeforeImageData, $0.chunksAfterImageData) = (notes, notes) }.fileBytes, at: 50,
            \.segments)
    }

    @Test func coefficientMemoryLimitIsExact() throws {
        let kinds: [@Sendable (inout LibJPEGFileBuilder) -> Void] = [
            JPEGVariants.codingVariants[1], JPEGVariants.codingVariants[3], JPEGVariants.codingVariants[6],
        ]
        for coding in kinds {
            let bytes = try LibJPEGFileBuilder.yCbCr420.modified(by: coding).encodedTexture(size: Self.size)
            // 3 by 2 MCUs of 6 blocks of 64 coefficients of 2 bytes.
            let needed = 3 * 2 * 6 * 64 * 2
            #expect(try ImageSource(bytes).header.decoderBufferByteCount == needed)
            let error = decodingError(for: bytes, limits: Self.limits { $0.decodedBytes = needed - 1 })
            #expect(error?.code == .memoryLimitExceeded)
            #expect(error?.stage == .probe)
        }
    }

    @Test func libJPEGMemoryOverheadIsAllowed() throws {
        // libjpeg allocates a few rows of blocks regardless of the limit. A scan for each component needs libjpeg.
        let bytes = try LibJPEGFileBuilder.yCbCr420.modified(by: JPEGVariants.codingVariants[6]).encodedTexture(
            size: PixelSize(width: 40, height: 400))
        let needed = try ImageSource(bytes).header.decoderBufferByteCount
        let error = decodingError(for: bytes, limits: Self.limits { $0.decodedBytes = needed })
        #expect(error?.code == .memoryLimitExceeded)
        #expect(error?.stage == .decode)
        #expect(decodingError(for: bytes, limits: Self.limits { $0.decodedBytes = needed + 256 * 1024 }) == nil)
    }

    @Test func interlacedPNGMemoryLimitIsExact() throws {
        let interlaced = PNGFileBuilder(size: Self.size, colorType: .rgb, isInterlaced: true) { x, y in [x, y, 0] }
        // Four channels, as transparency may come yet.
        #expect(try ImageSource(interlaced.fileBytes).header.decoderBufferByteCount == 1200 * 4)
        expect(.memoryLimitExceeded, interlaced.fileBytes, at: 1200 * 4, \.decodedBytes)
    }

    @Test func streamedFilesIgnoreMemoryLimit() throws {
        for bytes in try Self.files() {
            #expect(try ImageSource(bytes).header.decoderBufferByteCount == 0)
            #expect(decodingError(for: bytes, limits: Self.limits { $0.decodedBytes = 1 }) == nil)
        }
    }

    @Test func arithmeticCodedFilesHaveNarrowerLimit() throws {
        let progressive = LibJPEGFileBuilder.yCbCr444.modified { $0.isProgressive = true }
        let arithmetic = progressive.modified { $0.isArithmetic = true }
        let (huffman, slow) = (
            try progressive.encodedTexture(size: Self.size), try arithmetic.encodedTexture(size: Self.size)
        )
        let scans = EditableJPEG(parsing: slow).segments.filter { $0.marker == 0xDA }.count
        let atScanPixels = Self.limits { $0.scanPixels = 3 * scans * Self.size.pixelCount - 3 }
        #expect(decodingError(for: slow, limits: atScanPixels)?.code == .tooManyScans)
        #expect(decodingError(for: huffman, limits: atScanPixels) == nil)
        #expect(
            decodingError(for: slow, limits: Self.limits { $0.scanPixels = 3 * scans * Self.size.pixelCount }) == nil)
        let atBytes = Self.limits { $0.arithmeticBytes = 100 }
        #expect(decodingError(for: slow, limits: atBytes)?.code == .inputTooLarge)
        #expect(decodingError(for: huffman, limits: atBytes) == nil)
    }

    @Test func limitsApplyToProbes() throws {
        for bytes in try Self.files() {
            for limit in [\ImageLimits.pixels, \.dimension, \.inputBytes] {
                #expect(throws: CodecError.self) {
                    try ImageHeader(probing: bytes, limits: Self.limits { $0[keyPath: limit] = 10 })
                }
            }
        }
    }

    @Test func defaultLimitsAreDocumented() {
        let limits = ImageLimits()
        #expect(limits.inputBytes == 256 << 20)
        #expect(limits.pixels == 200_000_000)
        #expect(limits.dimension == 65_500)
        #expect(limits.scans == 100)
        #expect(limits.scanPixels == 1_500_000_000)
        #expect(limits.arithmeticBytes == 32 << 20)
        #expect(limits.iccBytes == 4 << 20)
        #expect(limits.decodedBytes == 1 << 30)
    }
}

#if os(Linux) || os(macOS)
    /// The environment variable for libjpeg's memory has no effect.
    @Suite struct JPEGMemEnvironmentTests {
        @Test func jpegMemDoesNotChangeLimits() async {
            await #expect(processExitsWith: .success) {
                let bytes = try LibJPEGFileBuilder.yCbCr420.modified(by: JPEGVariants.codingVariants[6]).encodedTexture(
                    size: PixelSize(width: 600, height: 400))
                let needed = try ImageSource(bytes).header.decoderBufferByteCount
                var enough = ImageLimits(), tooLittle = ImageLimits()
                enough.decodedBytes = needed + 1 << 20
                tooLittle.decodedBytes = needed
                for value in ["1", "1000M", "nonsense", "0"] {
                    unsafe setenv("JPEGMEM", value, 1)
                    precondition(decodingError(for: bytes, limits: enough) == nil, value)
                    precondition(decodingError(for: bytes, limits: tooLittle)?.code == .memoryLimitExceeded, value)
                }
            }
        }
    }
#endif
