import Imaging
import TestSupport
import Testing

@testable import ImageCodecs

/// The package's own encoder writes files that every decoder reads as the image.
@Suite("The compact JPEG encoder") struct JPEGCompactEncoderTests {
    private static let sampling420 = ChromaSubsampling(horizontalFactor: 2, verticalFactor: 2)

    private static func encode(
        _ image: PlanarImage, icc: [UInt8] = [], quality: Int, isProgressive: Bool = false,
        instructionSet: InstructionSet = .selected
    ) throws -> [UInt8] {
        let options = JPEGEncoder.EncodingOptions(quality: quality, isProgressive: isProgressive, encoder: .compact)
        return try JPEGCompactEncoder(image, options: options, instructionSet: instructionSet)
            .makeFile(iccProfile: icc).copy()
    }

    /// An image of `chroma`, or a gray one, with samples that `sample` returns for a row, a column and a plane.
    private static func makeImage(
        _ size: PixelSize, _ chroma: ChromaSubsampling?, sample: (_ x: Int, _ y: Int, _ plane: Int) -> UInt8
    ) -> PlanarImage {
        let planes = (0..<(chroma == nil ? 1 : 3)).map { index in
            let factors = index == 0 ? ChromaSubsampling.none : chroma ?? .none
            var plane = Plane(
                width: size.width.dividedRoundingUp(by: factors.horizontalFactor),
                height: size.height.dividedRoundingUp(by: factors.verticalFactor))
            for y in 0..<plane.height {
                for x in 0..<plane.stride {
                    plane.samples[y * plane.stride + x] = sample(min(x, plane.width - 1), y, index)
                }
            }
            return plane
        }
        return PlanarImage(size: size, chromaSubsampling: chroma ?? .none, planes: planes)
    }

    private static func makeSlope(_ size: PixelSize, _ chroma: ChromaSubsampling?) -> PlanarImage {
        makeImage(size, chroma) { x, y, plane in UInt8(min(60 + plane * 40 + x * (3 - plane) + y * 2, 250)) }
    }

    private static func makeNoise(
        _ size: PixelSize, _ chroma: ChromaSubsampling?, contrast: Int, seed: UInt64
    ) -> PlanarImage {
        var random = SplitMix64(seed: seed)
        return makeImage(size, chroma) { x, _, _ in
            UInt8(clamping: 128 + x % 40 + (contrast == 0 ? 0 : Int(random.next() % UInt64(2 * contrast)) - contrast))
        }
    }

    @Test("writes every chroma subsampling", arguments: JPEGEncoderTests.reductions, [false, true])
    func everyChromaSubsamplingIsWritten(chroma: ChromaSubsampling, isProgressive: Bool) throws {
        let image = Self.makeSlope(PixelSize(width: 45, height: 35), chroma)
        let decoded = try decodeImage(try Self.encode(image, quality: 97, isProgressive: isProgressive))
        #expect(decoded.warnings == [])
        #expect(decoded.image.chromaSubsampling == chroma)
        for (plane, source) in zip(decoded.image.planes, image.planes) {
            #expect(try #require(plane.largestDifference(from: source)) <= 5)
        }
    }

    @Test("writes every size, with libjpeg's blocks at the edges", arguments: 1...17, [1, 2, 7, 8, 9, 15, 16, 17, 40])
    func everySizeIsWritten(width: Int, height: Int) throws {
        let size = PixelSize(width: width, height: height)
        for chroma in [nil, ChromaSubsampling.none, Self.sampling420] {
            let image = Self.makeSlope(size, chroma)
            for isProgressive in [false, true] {
                let bytes = try Self.encode(image, quality: 95, isProgressive: isProgressive)
                for decoders in [DecoderPreference.fastest, .systemLibraries] {
                    let decoded = try ImageSource(bytes).decode(
                        resampling: ResampleRequest(size: size, orientation: .up, minChromaSubsampling: .none),
                        decoders: decoders)
                    #expect(decoded.warnings == [] && decoded.image.size == size)
                    for (plane, source) in zip(decoded.image.planes, image.planes) {
                        #expect(try #require(plane.largestDifference(from: source)) <= 8)
                    }
                }
            }
        }
    }

    @Test("gives the same file with every instruction set", arguments: [1, 20, 50, 80, 95, 100])
    func everyInstructionSetGivesSameFile(quality: Int) throws {
        let chromas: [ChromaSubsampling?] = [
            nil, ChromaSubsampling.none, ChromaSubsampling(horizontalFactor: 2, verticalFactor: 1), Self.sampling420,
        ]
        for (index, chroma) in chromas.enumerated() {
            for contrast in [0, 4, 30, 127] {
                let image = Self.makeNoise(
                    PixelSize(width: 75, height: 51), chroma, contrast: contrast, seed: UInt64(index))
                for isProgressive in [false, true] {
                    let expected = try Self.encode(
                        image, quality: quality, isProgressive: isProgressive, instructionSet: .portable)
                    for set in InstructionSet.allCases where set.isAvailable {
                        let bytes = try Self.encode(
                            image, quality: quality, isProgressive: isProgressive, instructionSet: set)
                        #expect(bytes == expected, "\(set)")
                    }
                }
            }
        }
    }

    @Test("codes the same coefficients in a progressive file", arguments: [30, 80, 98])
    func progressiveHasSameCoefficients(quality: Int) throws {
        for contrast in [0, 3, 20, 90] {
            let image = Self.makeNoise(
                PixelSize(width: 203, height: 117), Self.sampling420, contrast: contrast, seed: 7)
            let planes = try [false, true].map { isProgressive in
                let decoded = try decodeImage(try Self.encode(image, quality: quality, isProgressive: isProgressive))
                #expect(decoded.warnings == [])
                return decoded.image.planes.map(\.visibleRows)
            }
            #expect(planes[0] == planes[1])
        }
    }

    @Test("codes more blocks without coefficients than one code can express")
    func longEndOfBandRunsAreWritten() throws {
        // 33,124 blocks: one code ends at most 32,767.
        let size = PixelSize(width: 1456, height: 1456)
        let image = PlanarImage(
            size: size, chromaSubsampling: .none, planes: [Plane(width: size.width, height: size.height)])
        let decoded = try decodeImage(try Self.encode(image, quality: 50, isProgressive: true))
        #expect(decoded.warnings == [])
        #expect(try #require(decoded.image.planes[0].largestDifference(from: image.planes[0])) <= 1)
    }

    @Test("writes Huffman tables that are prefix codes, without the code of ones", arguments: [false, true])
    func huffmanTablesAreValid(isProgressive: Bool) throws {
        // At quality 100, noise has hundreds of symbols, and some are so rare that their codes have to be shortened.
        for (contrast, quality) in [(0, 80), (5, 50), (127, 100)] {
            let image = Self.makeNoise(
                PixelSize(width: 400, height: 300), Self.sampling420, contrast: contrast, seed: 3)
            let parts = EditableJPEG(
                parsing: try Self.encode(image, quality: quality, isProgressive: isProgressive))
            let tables = parts.segments.filter { $0.marker == 0xC4 }.map(\.payload)
            #expect(tables.count >= 4)
            for table in tables {
                let counts = table[1...16].map(Int.init), symbols = table[17...]
                #expect(counts.reduce(0, +) == symbols.count && Set(symbols).count == symbols.count)
                let used = counts.enumerated().reduce(0) { $0 + $1.element << (15 - $1.offset) }
                #expect(used < 1 << 16)
            }
        }
    }

    @Test("writes a JFIF header and the profile, and nothing else", arguments: [false, true])
    func onlyJFIFHeaderAndProfileAreWritten(isProgressive: Bool) throws {
        let image = Self.makeSlope(PixelSize(width: 20, height: 30), Self.sampling420)
        for count in [0, 132, 65_519, 65_520, 200_000] {
            let profile = count == 0 ? [] : MinimalImageHeaders.makeICCProfile(byteCount: count)
            let bytes = try Self.encode(image, icc: profile, quality: 80, isProgressive: isProgressive)
            let parts = EditableJPEG(parsing: bytes)
            #expect(parts.segments[0].payload == Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
            #expect(
                parts.markers.filter { (0xE0...0xEF).contains($0) || $0 == 0xFE }
                    == [0xE0] + [UInt8](repeating: 0xE2, count: count.dividedRoundingUp(by: 65_519)))
            #expect(parts.hasEndOfImage && parts.trailingBytes == [])
            let decoded = try decodeImage(bytes)
            #expect(decoded.iccProfile == (count == 0 ? nil : profile) && decoded.canStripLosslessly)
        }
    }

    @Test("rejects a profile that does not fit in a file")
    func tooLargeProfileIsRejected() throws {
        let image = Self.makeSlope(PixelSize(width: 8, height: 8), nil)
        let profile = [UInt8](repeating: 0, count: 255 * 65_519 + 1)
        #expect(throws: CodecError.self) { try Self.encode(image, icc: profile, quality: 80) }
    }

    @Test("has more bytes and less error at a higher quality, and fewer bytes than libjpeg")
    func bytesAndErrorFollowQuality() throws {
        let size = PixelSize(width: 240, height: 180)
        let image = PlanarImage(
            size: size, chromaSubsampling: .none, planes: LibJPEGFileBuilder.yCbCr444.makeTexturePlanes(size: size))
        var encoder = try JPEGEncoder()
        var last = (byteCount: 0, error: Double.infinity)
        for quality in [5, 30, 60, 80, 90, 100] {
            let file = try encoder.encode(image, iccProfile: nil, options: .init(quality: quality, encoder: .compact))
            let other = try encoder.encode(image, iccProfile: nil, options: .init(quality: quality, encoder: .libjpeg))
            let error = Self.squaredError(of: try decodeImage(file).image.planes[0], image.planes[0])
            #expect(file.count > last.byteCount && error < last.error)
            #expect(file.count < other.count)
            last = (file.count, error)
        }
    }

    private static func squaredError(of plane: Plane, _ other: Plane) -> Double {
        zip(plane.visibleRows.joined(), other.visibleRows.joined()).reduce(0) {
            $0 + Double((Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)))
        }
    }
}
