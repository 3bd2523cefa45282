import Diagnostics
import ImageCodecs
import Imaging
import Testing
import TestSupport

/// A file with changed bytes gives an image or an error with a known code.
@Suite struct ByteFlipTests {
    /// The codes of all errors that decoding may throw.
    static let knownCodes: Set<String> = [
        "damaged", "dimension-too-large", "input-too-large", "memory-limit", "too-many-pixels", "too-many-scans",
        "too-many-segments", "truncated", "unrecognized-format", "unsupported-12-bit-jpeg", "unsupported-cgbi",
        "unsupported-color", "unsupported-hierarchical-jpeg", "unsupported-jpeg", "unsupported-jxl",
        "unsupported-lossless-jpeg", "unsupported-avif", "unsupported-heic",
    ]
    /// The codes of all warnings that decoding may give.
    static let knownWarnings: Set<String> = [
        "animation-dropped", "color-space-unknown", "damaged", "extra-images-dropped", "gain-map-dropped",
        "hdr-tone-mapped", "icc-dropped", "icc-not-applied", "irregular", "missing-eoi", "missing-iend",
        "trailing-bytes", "truncated",
    ]

    enum Kind: CaseIterable {
        case baseline, nonInterleaved, progressive, restarts, cmyk, png, interlacedPNG
        #if WebP
            case lossyWebP, losslessWebP, translucentWebP, animatedWebP
        #endif
        #if HEIF
            case gridHEIC, translucentAVIF, highDynamicRangeAVIF
        #endif

        func bytes() throws -> [UInt8] {
            switch self {
            case .baseline: try rich(.yCbCr420)
            case .nonInterleaved: try rich(.yCbCr444.modified(by: JPEGVariants.codingVariants[6]))
            case .progressive: try rich(.yCbCr420.modified { $0.isProgressive = true })
            case .restarts: try rich(.yCbCr420.modified { $0.restartInterval = 1 })
            case .cmyk: try rich(LibJPEGFileBuilder(colorSpace: .cmyk, sampling: [[1, 1], [1, 1], [1, 1], [1, 1]]))
            case .png: Self.png(isInterlaced: false)
            case .interlacedPNG: Self.png(isInterlaced: true)
            #if WebP
                case .lossyWebP: try Self.rich(.lossy)
                case .losslessWebP: try Self.rich(.losslessWithAlpha)
                case .translucentWebP: try Self.rich(.lossyWithAlpha)
                case .animatedWebP: try SmallWebPs.Kind.animation.builder().fileBytes
            #endif
            #if HEIF
                case .gridHEIC: try HEIFSample.bytes("small-grid.heic")
                case .translucentAVIF: try HEIFSample.bytes("small-opacity.avif")
                case .highDynamicRangeAVIF: try HEIFSample.bytes("small-hdr.avif")
            #endif
            }
        }

        /// Whether the format has data that can be used in part.
        var isRecoverable: Bool {
            #if HEIF
                if [.gridHEIC, .translucentAVIF, .highDynamicRangeAVIF].contains(self) { return false }
            #endif
            return ![.png, .interlacedPNG].contains(self)
        }

        #if WebP
            private static func rich(_ kind: SmallWebPs.Kind) throws -> [UInt8] {
                try kind.builder().modified {
                    $0.flags = ($0.flags ?? 0) | WebPBuilder.Flag.exif | WebPBuilder.Flag.profile
                    $0.chunksBeforeImageData = [
                        WebPBuilder.Chunk(type: "ICCP", payload: MinimalImageHeaders.makeICCProfile())
                    ]
                    $0.chunksAfterImageData = [
                        WebPBuilder.Chunk(type: "EXIF", payload: ExifBuilder(orientation: 6).tiffBytes)
                    ]
                }.fileBytes
            }
        #endif

        /// A file with Exif and a profile, so that their bytes are changed too.
        private func rich(_ recipe: LibJPEGFileBuilder) throws -> [UInt8] {
            var parts = try recipe.parsedTexture(size: PixelSize(width: 20, height: 18))
            let exif = ExifBuilder(
                entries: [ExifBuilder.Entry(tag: ExifBuilder.orientationTag, type: .short, value: 6)],
                exifEntries: [ExifBuilder.Entry(tag: ExifBuilder.colorSpaceTag, type: .short, value: 1)])
            let profile = Array("ICC_PROFILE\0".utf8) + [1, 1] + MinimalImageHeaders.makeICCProfile()
            parts.segments.insert(
                contentsOf: [
                    EditableJPEG.Segment(marker: 0xE1, payload: exif.app1Payload),
                    EditableJPEG.Segment(marker: 0xE2, payload: profile),
                ], at: 1)
            return parts.bytes
        }

        private static func png(isInterlaced: Bool) -> [UInt8] {
            let size = PixelSize(width: 17, height: 13)
            return PNGFileBuilder(size: size, colorType: .palette, bitDepth: 4, isInterlaced: isInterlaced) { x, y in
                [(x + y) % 16]
            }
            .modified {
                let colors = (0..<48).map { UInt8($0 * 5) }
                $0.chunksBeforeImageData = [
                    PNGFileBuilder.Chunk(type: "gAMA", payload: [0, 0, 0xC3, 0x50]),
                    PNGFileBuilder.Chunk(
                        type: "iCCP",
                        payload: Array("icc\0\0".utf8)
                            + DeflateStreamBuilder.storedBlocks(MinimalImageHeaders.makeICCProfile())),
                    PNGFileBuilder.Chunk(type: "PLTE", payload: colors),
                    PNGFileBuilder.Chunk(type: "tRNS", payload: [0, 50, 100]),
                    PNGFileBuilder.Chunk(type: "eXIf", payload: ExifBuilder(orientation: 8).tiffBytes),
                ]
            }.fileBytes
        }
    }

    /// Limits that keep images with a changed size small, so that many of them can be decoded.
    private static let limits: ImageLimits = {
        var limits = ImageLimits()
        limits.pixels = 2000
        return limits
    }()

    @Test(arguments: Kind.allCases)
    func flippedByteGivesKnownOutcome(kind: Kind) throws {
        let bytes = try kind.bytes()
        var random = SplitMix64(seed: 0x5EED)
        var rejections = 0, recoveries = 0
        let rounds = randomizedRounds(2000)
        for _ in 0..<rounds {
            var changed = bytes
            let place = Int.random(in: changed.indices, using: &random)
            changed[place] ^= UInt8.random(in: 1...255, using: &random)
            if expectKnownOutcome(changed, ImageSource.DecodingOptions()) { continue }
            rejections += 1
            recoveries += expectKnownOutcome(changed, .allowingTruncatedAndDamaged) ? 1 : 0
        }
        // Some bytes affect the image and others do not. Most of a damaged JPEG can often be recovered.
        #expect((rounds / 20..<rounds - rounds / 20).contains(rejections))
        #expect(recoveries > 0 || !kind.isRecoverable)
    }

    @Test(arguments: Kind.allCases)
    func manyFlipsCutsAndSplicesGiveKnownOutcome(kind: Kind) throws {
        let bytes = try kind.bytes()
        var random = SplitMix64(seed: 0xC07)
        for _ in 0..<randomizedRounds(300) {
            var changed = bytes
            for _ in 0..<Int.random(in: 2...40, using: &random) {
                changed[Int.random(in: 3..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let from = Int.random(in: 2..<bytes.count, using: &random),
                to = Int.random(in: 2..<bytes.count, using: &random)
            let spliced = Array(bytes.prefix(from) + bytes.dropFirst(to))
            for file in [changed, spliced] {
                for options in [ImageSource.DecodingOptions(), .allowingTruncatedAndDamaged] {
                    _ = expectKnownOutcome(file, options)
                }
            }
        }
    }

    /// Checks the outcome of decoding. Returns whether there is an image.
    private func expectKnownOutcome(_ bytes: [UInt8], _ options: ImageSource.DecodingOptions) -> Bool {
        do throws(CodecError) {
            let decoded = try decodeImage(bytes, limits: Self.limits, options: options, convertsToSRGB: true)
            let unknown = Set(decoded.warnings.map(\.code.rawValue)).subtracting(Self.knownWarnings)
            #expect(unknown == [])
            if !options.allowsTruncated && !options.allowsDamaged {
                #expect(!decoded.warnings.contains { [.truncated, .damaged].contains($0.code) })
            }
            return true
        } catch {
            #expect(Self.knownCodes.contains(error.code.rawValue), "\(error)")
            #expect(!error.message.isEmpty)
            if let offset = error.offset { #expect((0...bytes.count).contains(offset), "\(error)") }
            return false
        }
    }
}
