import Foundation
import ImageCodecs
import Imaging
import Testing
import TestSupport

/// Unsupported formats are rejected with a code and advice of their own. The content determines the format.
@Suite struct UnsupportedFormatTests {
    struct Sample: Sendable, CustomStringConvertible {
        var code: String
        var bytes: [UInt8]
        /// A word that its message must contain.
        var word: String
        var description: String { "\(code): \(bytes.prefix(12))" }
    }

    private static let rest = [UInt8](repeating: 0x20, count: 40)

    static let samples: [Sample] = formatSamples + webPSamples + heifSamples

    #if HEIF
        private static let heifSamples: [Sample] = []

        @Test(arguments: [
            "heic", "heix", "hevc", "mif1", "msf1", "avif", "avis", "avci", "jpeg", "j2ki", "vvic", "mif3",
        ])
        func heifWithoutStillImageIsUnsupported(brand: String) {
            let bytes = MinimalImageHeaders.fileTypeBox("ftyp", brand: brand)
            let error = decodingError(for: bytes)
            #expect(
                error?.code.rawValue == (["avif", "avis"].contains(brand) ? "unsupported-avif" : "unsupported-heic"))
            #expect(error?.message.contains("no still image") == true)
        }

        /// ISO/IEC 23008-12 has since 2025 a form for small files, with a `mini` box in place of the `meta` box.
        @Test(arguments: [("mif3heic", "unsupported-heic"), ("mif3avif", "unsupported-avif")])
        func lowOverheadFormIsNamed(brands: String, code: String) {
            let file = [0, 0, 0, 16] + Self.ascii("ftyp" + brands) + [0, 0, 0, 28] + Self.ascii("mini") + Self.rest
            for bytes in [file, Array(file.prefix(36))] {
                let error = decodingError(for: bytes)
                #expect(error?.code.rawValue == code)
                #expect(error?.message.contains("the low-overhead image file format (a 'mini' box)") == true)
            }
            #expect(throws: CodecError.self) { try ImageHeader(probing: Array(file.prefix(30)), isWholeFile: false) }
        }
    #else
        private static let heifSamples =
            ["heic", "heix", "hevc", "mif1", "msf1"].map {
                Sample(
                    code: "unsupported-heic", bytes: MinimalImageHeaders.fileTypeBox("ftyp", brand: $0),
                    word: "libde265-dev")
            }
            + ["avif", "avis"].map {
                Sample(
                    code: "unsupported-avif", bytes: MinimalImageHeaders.fileTypeBox("ftyp", brand: $0),
                    word: "libdav1d-dev")
            }
    #endif

    #if WebP
        private static let webPSamples: [Sample] = []
    #else
        private static let webPSamples = [
            Sample(code: "unsupported-webp", bytes: ascii("RIFF(\0\0\0WEBPVP8 ") + rest, word: "libwebp-dev")
        ]
    #endif

    private static let formatSamples: [Sample] =
        [
            Sample(code: "unsupported-gif", bytes: ascii("GIF87a") + rest, word: "GIF"),
            Sample(code: "unsupported-gif", bytes: ascii("GIF89a") + rest, word: "GIF"),
            Sample(code: "unsupported-tiff", bytes: ascii("II*\0") + [8, 0, 0, 0] + rest, word: "TIFF"),
            Sample(code: "unsupported-tiff", bytes: ascii("MM\0*") + [0, 0, 0, 8] + rest, word: "TIFF"),
            Sample(code: "unsupported-tiff", bytes: ascii("II+\0") + [8, 0, 0, 0] + rest, word: "TIFF"),
            Sample(code: "unsupported-tiff", bytes: ascii("MM\0+") + [0, 8, 0, 0] + rest, word: "TIFF"),
            Sample(code: "unsupported-bmp", bytes: MinimalImageHeaders.bmpHeader, word: "BMP"),
            Sample(code: "unsupported-jxl", bytes: [0xFF, 0x0A] + rest, word: "JPEG XL"),
            Sample(
                code: "unsupported-jxl", bytes: [0, 0, 0, 12] + ascii("JXL \r\n") + [0x87, 10] + rest, word: "JPEG XL"),
            Sample(code: "unsupported-cgbi", bytes: cgbi, word: "CgBI"),
            Sample(
                code: "unsupported-12-bit-jpeg", bytes: MinimalImageHeaders.jpegHeader(frame: 0xC1, precision: 12),
                word: "12 bits"),
        ]
        + [0xC3, 0xCB].map {
            Sample(
                code: "unsupported-lossless-jpeg", bytes: MinimalImageHeaders.jpegHeader(frame: $0), word: "lossless")
        }
        + [0xC5, 0xC6, 0xC7, 0xCD, 0xCE, 0xCF, 0xDE].map {
            Sample(
                code: "unsupported-hierarchical-jpeg", bytes: MinimalImageHeaders.jpegHeader(frame: $0),
                word: "hierarchical")
        }

    @Test(arguments: samples)
    func unsupportedFormatIsNamedFromHeader(sample: Sample) throws {
        let error = try #require(decodingError(for: sample.bytes))
        #expect(error.code.rawValue == sample.code)
        #expect(error.stage == .probe)
        #expect(error.message.contains(sample.word))
        #expect(error.message.contains("export") || error.message.contains("save"))
        #expect(throws: CodecError.self) { try ImageHeader(probing: sample.bytes, isWholeFile: false) }
    }

    @Test(arguments: [
        "Dear diary, this is no picture.", "%PDF-1.7", "<svg xmlns='http://www.w3.org/2000/svg'/>", "BMW is no bitmap",
        "RIFF....WAVEfmt ", "....ftypisom....", "\u{FEFF}text", "{}",
    ])
    func nonImageIsUnrecognized(text: String) throws {
        let error = try #require(decodingError(for: Array(text.utf8)))
        #expect(error.code == .unrecognized)
        #expect(error.stage == .probe)
    }

    @Test func emptyFileIsReportedAsEmpty() throws {
        #expect(decodingError(for: [])?.code == .empty)
        #expect(throws: CodecError.self) { try ImageHeader(probing: []) }
        do throws(CodecError) { _ = try ImageHeader(probing: []) } catch { #expect(error.code == .empty) }
    }

    @Test(arguments: [[0xFF], [0xFF, 0xD8], [0x89], [0x89, 0x50, 0x4E, 0x47, 0x0D]])
    func partialSignatureIsTruncated(bytes: [UInt8]) {
        #expect(decodingError(for: bytes)?.code == .truncated)
    }

    @Test func similarSignatureIsUnrecognized() {
        #expect(
            decodingError(for: [0x89, 0x50, 0x4E, 0x47, 0x0A, 0x0D, 0x0A, 0x1A] + Self.rest)?.code == .unrecognized)
        #expect(decodingError(for: [0xFF, 0xD8, 0x00, 0x00] + Self.rest)?.code == .unrecognized)
    }

    @Test func damagedSamplesHaveExpectedCodes() throws {
        let samples = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Samples/damaged")
        func code(_ name: String) throws -> CodecError.Code? {
            decodingError(for: Array(try Data(contentsOf: samples.appending(path: name))))?.code
        }
        #expect(try code("header.heic")?.rawValue == "unsupported-heic")
        #expect(try code("text.jpg") == .unrecognized)
        #expect(try code("truncated.jpg") == .truncated)
    }

    private static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static var cgbi: [UInt8] {
        let recipe = PNGFileBuilder(size: PixelSize(width: 2, height: 2), colorType: .rgba) { _, _ in [1, 2, 3, 4] }
        return PNGFileBuilder.fileBytes(
            chunks: [PNGFileBuilder.Chunk(type: "CgBI", payload: [0x50, 0, 0x20, 2])] + recipe.allChunks)
    }
}

/// A sample depth that JPEG does not allow makes a header invalid, and is not an unsupported format.
@Suite struct JPEGFrameHeaderTests {
    @Test(arguments: [0, 1, 7, 9, 136, 255])
    func unknownPrecisionIsDamaged(precision: UInt8) {
        #expect(decodingError(for: MinimalImageHeaders.jpegHeader(precision: precision))?.code == .damaged)
    }

    @Test func invalidSamplingFactorsAreDamaged() throws {
        for factors: UInt8 in [0x00, 0x10, 0x01, 0x51, 0x15, 0xFF] {
            var parts = try LibJPEGFileBuilder.gray.parsedTexture()
            let frame = try #require(parts.segmentIndices(withMarker: 0xC0).first)
            parts.segments[frame].payload[7] = factors
            #expect(decodingError(for: parts.bytes)?.code == .damaged)
        }
    }

    @Test func invalidFrameLengthIsDamaged() throws {
        for count: UInt8 in [0, 1, 2, 4, 255] {
            var parts = try LibJPEGFileBuilder.yCbCr420.parsedTexture()
            let frame = try #require(parts.segmentIndices(withMarker: 0xC0).first)
            parts.segments[frame].payload[5] = count
            #expect(decodingError(for: parts.bytes)?.code == .damaged)
        }
    }

    @Test func repeatedOrMissingFrameIsDamaged() throws {
        var parts = try LibJPEGFileBuilder.yCbCr420.parsedTexture()
        let frame = try #require(parts.segmentIndices(withMarker: 0xC0).first)
        let segment = parts.segments.remove(at: frame)
        #expect(decodingError(for: parts.bytes)?.code == .damaged)
        parts.segments.insert(contentsOf: [segment, segment], at: frame)
        #expect(decodingError(for: parts.bytes)?.code == .damaged)
    }

    @Test func duplicateComponentIdentifiersAreAccepted() throws {
        // Some old writers number all components 0. In the scan they then stand in the frame's order.
        var parts = try LibJPEGFileBuilder.yCbCr444.parsedTexture()
        let expected = try decodeImage(parts.bytes).image.planes.map(\.visibleRows)
        let frame = try #require(parts.segmentIndices(withMarker: 0xC0).first),
            scan = try #require(parts.segmentIndices(withMarker: 0xDA).first)
        for c in 0..<3 {
            parts.segments[frame].payload[6 + 3 * c] = 1
            parts.segments[scan].payload[1 + 2 * c] = 1
        }
        #expect(try decodeImage(parts.bytes).image.planes.map(\.visibleRows) == expected)
    }
}
