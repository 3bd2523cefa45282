// `unsafe`: setenv takes C strings.

import Foundation
import ImageCodecs
import Imaging
import Testing
import TestSupport

/// Every limit refuses by its own name, from the header, before anything depends on what the header claims.
@Suite struct `Limits` {
    private static let size = PixelSize(width: 40, height: 30)

    private static func limits(_ change: (inout ImageLimits) -> Void) -> ImageLimits {
        var limits = ImageLimits()
        change(&limits)
        return limits
    }

    private static func files() throws -> [[UInt8]] {
        [
            try JPEGRecipe.yCbCr420.file(size),
            PNGRecipe(size, .rgb) { x, y in [x, y, 0] }.bytes,
        ]
    }

    /// At the limit a file is read; one beyond it is refused.
    private func expect(
        _ code: CodecError.Code, _ bytes: [UInt8], stage: CodecError.Stage = .probe, at value: Int,
        _ limit: WritableKeyPath<ImageLimits, Int>, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let atLimit = Self.limits { $0[keyPath: limit] = value }
        #expect(refusal(bytes, limits: atLimit) == nil, sourceLocation: sourceLocation)
        let error = refusal(bytes, limits: Self.limits { $0[keyPath: limit] = value - 1 })
        #expect(error?.code == code, sourceLocation: sourceLocation)
        #expect(error?.stage == stage, sourceLocation: sourceLocation)
    }

    @Test func `of the file's bytes`() throws {
        for bytes in try Self.files() { expect(.inputTooLarge, bytes, at: bytes.count, \.inputBytes) }
    }

    @Test func `of pixels`() throws {
        for bytes in try Self.files() { expect(.tooManyPixels, bytes, at: 1200, \.pixels) }
    }

    @Test func `of the longer side`() throws {
        for bytes in try Self.files() { expect(.dimensionTooLarge, bytes, at: 40, \.dimension) }
    }

    @Test func `of scans`() throws {
        let progressive = JPEGRecipe.yCbCr420.with { $0.isProgressive = true }
        expect(.tooManyScans, try progressive.file(Self.size), at: 10, \.scans)
        expect(.tooManyScans, try JPEGRecipe.yCbCr444.with(Kinds.codings[6]).file(Self.size), at: 3, \.scans)
    }

    @Test func `of scans times pixels`() throws {
        let progressive = JPEGRecipe.yCbCr420.with { $0.isProgressive = true }
        expect(.tooManyScans, try progressive.file(Self.size), at: 10 * 1200, \.scanPixels)
    }

    @Test func `of segments and chunks`() throws {
        var parts = try JPEGRecipe.gray.parts()
        parts.segments += [JPEGParts.Segment](repeating: JPEGParts.Segment(0xFE, []), count: 50)
        expect(.tooManySegments, parts.bytes, at: parts.segments.count, \.segments)
        let notes = [PNGRecipe.Chunk](repeating: PNGRecipe.Chunk("tEXt", Array("a\0b".utf8)), count: 25)
        let recipe = PNGRecipe(Self.size, .gray) { x, _ in [x] }
        expect(.tooManySegments, recipe.with { ($0.before, $0.after) = (notes, notes) }.bytes, at: 50, \.segments)
    }

    @Test func `of memory for coefficients, counted from the header`() throws {
        let kinds: [@Sendable (inout JPEGRecipe) -> Void] = [Kinds.codings[1], Kinds.codings[3], Kinds.codings[6]]
        for coding in kinds {
            let bytes = try JPEGRecipe.yCbCr420.with(coding).file(Self.size)
            // 3 by 2 MCUs of 6 blocks of 64 coefficients of 2 bytes.
            let needed = 3 * 2 * 6 * 64 * 2
            #expect(try ImageSource(bytes).header.decoderBufferByteCount == needed)
            let error = refusal(bytes, limits: Self.limits { $0.decodedBytes = needed - 1 })
            #expect(error?.code == .memoryLimitExceeded)
            #expect(error?.stage == .probe)
        }
    }

    @Test func `of memory, where libjpeg needs a little more than its coefficients`() throws {
        // Of less than some rows of blocks libjpeg makes no fuss. A scan for each component is not for our own decoder.
        let bytes = try JPEGRecipe.yCbCr420.with(Kinds.codings[6]).file(PixelSize(width: 40, height: 400))
        let needed = try ImageSource(bytes).header.decoderBufferByteCount
        let error = refusal(bytes, limits: Self.limits { $0.decodedBytes = needed })
        #expect(error?.code == .memoryLimitExceeded)
        #expect(error?.stage == .decode)
        #expect(refusal(bytes, limits: Self.limits { $0.decodedBytes = needed + 256 * 1024 }) == nil)
    }

    @Test func `of memory for an interlaced PNG, which is kept whole`() throws {
        let interlaced = PNGRecipe(Self.size, .rgb, isInterlaced: true) { x, y in [x, y, 0] }
        // Four channels, as transparency may come yet.
        #expect(try ImageSource(interlaced.bytes).header.decoderBufferByteCount == 1200 * 4)
        expect(.memoryLimitExceeded, interlaced.bytes, at: 1200 * 4, \.decodedBytes)
    }

    @Test func `of memory do not concern what is read a few rows at a time`() throws {
        for bytes in try Self.files() {
            #expect(try ImageSource(bytes).header.decoderBufferByteCount == 0)
            #expect(refusal(bytes, limits: Self.limits { $0.decodedBytes = 1 }) == nil)
        }
    }

    @Test func `of an arithmetic-coded file are narrower, as it takes longer`() throws {
        let progressive = JPEGRecipe.yCbCr444.with { $0.isProgressive = true }
        let arithmetic = progressive.with { $0.isArithmetic = true }
        let (huffman, slow) = (try progressive.file(Self.size), try arithmetic.file(Self.size))
        let scans = JPEGParts(slow).segments.filter { $0.marker == 0xDA }.count
        let atScanPixels = Self.limits { $0.scanPixels = 3 * scans * Self.size.pixelCount - 3 }
        #expect(refusal(slow, limits: atScanPixels)?.code == .tooManyScans)
        #expect(refusal(huffman, limits: atScanPixels) == nil)
        #expect(refusal(slow, limits: Self.limits { $0.scanPixels = 3 * scans * Self.size.pixelCount }) == nil)
        let atBytes = Self.limits { $0.arithmeticBytes = 100 }
        #expect(refusal(slow, limits: atBytes)?.code == .inputTooLarge)
        #expect(refusal(huffman, limits: atBytes) == nil)
    }

    @Test func `hold for a probe as well`() throws {
        for bytes in try Self.files() {
            for limit in [\ImageLimits.pixels, \.dimension, \.inputBytes] {
                #expect(throws: CodecError.self) {
                    try ImageHeader(probing: bytes, limits: Self.limits { $0[keyPath: limit] = 10 })
                }
            }
        }
    }

    @Test func `are the documented ones by default`() {
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
    /// The environment variable that sets libjpeg's memory decides nothing here.
    @Suite struct `JPEGMEM in the environment` {
        @Test func `lets nothing through, and keeps nothing out`() async {
            await #expect(processExitsWith: .success) {
                let bytes = try JPEGRecipe.yCbCr420.with(Kinds.codings[6]).file(PixelSize(width: 600, height: 400))
                let needed = try ImageSource(bytes).header.decoderBufferByteCount
                var enough = ImageLimits(), tooLittle = ImageLimits()
                enough.decodedBytes = needed + 1 << 20
                tooLittle.decodedBytes = needed
                for value in ["1", "1000M", "nonsense", "0"] {
                    unsafe setenv("JPEGMEM", value, 1)
                    precondition(refusal(bytes, limits: enough) == nil, value)
                    precondition(refusal(bytes, limits: tooLittle)?.code == .memoryLimitExceeded, value)
                }
            }
        }
    }
#endif
