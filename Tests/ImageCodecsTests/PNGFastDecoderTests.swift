import CPNGFastDecoder
import Imaging
import TestSupport
import Testing

@testable import ImageCodecs

/// Our own decoder against libpng.
@Suite("The fast PNG decoder gives the same result as libpng", .enabled(if: prep_png_fast_decoder_is_available()))
struct PNGFastDecoderTests {
    private static let colorTypes: [PNGFileBuilder.ColorType] = [.rgb, .rgba]

    @Test("with every instruction set, for every filter and 1 to 40 pixels across", arguments: colorTypes, 0...4)
    func everyFilterAndWidthMatchesLibPNG(kind: PNGFileBuilder.ColorType, filter: Int) throws {
        for width in 1...40 {
            let recipe = Self.makeNoiseImage(PixelSize(width: width, height: 5), kind, seed: width)
            let file = Self.makePNGFile(recipe, scanlines: Self.filteredScanlines(recipe) { _ in filter })
            let expected = ExactDecodingResult(decoding: file, by: .systemLibraries)
            for set in InstructionSet.allCases where set.isAvailable {
                #expect(Self.isDecodedOnFastPath(file, instructionSet: set))
                #expect(
                    ExactDecodingResult(decoding: file, by: .fastest, instructionSet: set) == expected,
                    "\(width) pixels with \(set)")
            }
        }
    }

    @Test("for files of libpng, however the data is split into chunks", arguments: colorTypes)
    func libPNGFilesMatchHoweverDataIsSplit(kind: PNGFileBuilder.ColorType) throws {
        let recipe = Self.makeNoiseImage(PixelSize(width: 301, height: 77), kind, seed: 1, contrast: 12)
        let file = try recipe.encodedByLibPNG()
        #expect(Self.isDecodedOnFastPath(file))
        let expected = ExactDecodingResult(decoding: file, by: .systemLibraries)
        #expect(ExactDecodingResult(decoding: file, by: .fastest) == expected)
        let data = Self.imageDataChunkBytes(file)
        for size in [1, 2, 7, 1000] {
            var parts = stride(from: 0, to: data.count, by: size).map { Array(data[$0..<min($0 + size, data.count)]) }
            parts.insert([], at: parts.count / 2)
            let cut = PNGFileBuilder.fileBytes(
                chunks: [recipe.headerChunk] + parts.map { .init(type: "IDAT", payload: $0) } + [
                    .init(type: "IEND", payload: [])
                ])
            #expect(Self.isDecodedOnFastPath(cut))
            #expect(ExactDecodingResult(decoding: cut, by: .fastest) == expected, "chunks of \(size)")
        }
    }

    @Test("with gamma, a background, and a size that is changed")
    func gammaBackgroundAndResizeMatchLibPNG() throws {
        let recipe = Self.makeNoiseImage(PixelSize(width: 61, height: 40), .rgba, seed: 3).modified {
            $0.chunksBeforeImageData = [.init(type: "gAMA", payload: [0, 0, 0x86, 0xA0])]
        }
        #expect(Self.isDecodedOnFastPath(recipe.fileBytes))
        var options = ImageSource.DecodingOptions()
        options.background = RGBColor(red: 20, green: 60, blue: 200)
        let pictures = try [DecoderPreference.fastest, .systemLibraries].map { decoders in
            let source = try ImageSource(recipe.fileBytes, options: options)
            return try source.decode(
                resampling: ResampleRequest(size: PixelSize(width: 23, height: 15)), decoders: decoders
            ).image
        }
        #expect(pictures[0].planes.map(\.samples) == pictures[1].planes.map(\.samples))
    }

    @Test("for files with a changed byte: the same image, or the same error", arguments: colorTypes)
    func flippedBytesMatchLibPNG(kind: PNGFileBuilder.ColorType) throws {
        let recipe = Self.makeNoiseImage(PixelSize(width: 37, height: 20), kind, seed: 5, contrast: 9)
        let data = Self.imageDataChunkBytes(try recipe.encodedByLibPNG())
        var random = SplitMix64(seed: 7)
        for _ in 0..<randomizedRounds(400) {
            // Within the data, with a checksum that is right again, and anywhere, with one that isn't.
            var changed = data
            changed[random.number(in: 0...(data.count - 1))] ^= UInt8(truncatingIfNeeded: random.next()) | 1
            var file = Self.makePNGFile(recipe, compressedData: changed)
            #expect(
                ExactDecodingResult(decoding: file, by: .fastest)
                    == ExactDecodingResult(decoding: file, by: .systemLibraries))
            file = Self.makePNGFile(recipe, compressedData: data)
            file[random.number(in: 0...(file.count - 1))] ^= UInt8(truncatingIfNeeded: random.next()) | 1
            #expect(
                ExactDecodingResult(decoding: file, by: .fastest)
                    == ExactDecodingResult(decoding: file, by: .systemLibraries))
        }
    }

    @Test("for every prefix of a file, and of its data", arguments: colorTypes)
    func prefixesMatchLibPNG(kind: PNGFileBuilder.ColorType) throws {
        let recipe = Self.makeNoiseImage(PixelSize(width: 19, height: 11), kind, seed: 6, contrast: 20)
        let data = Self.imageDataChunkBytes(try recipe.encodedByLibPNG())
        let whole = Self.makePNGFile(recipe, compressedData: data)
        for count in 0...whole.count {
            let prefix = Array(whole.prefix(count))
            #expect(
                ExactDecodingResult(decoding: prefix, by: .fastest)
                    == ExactDecodingResult(decoding: prefix, by: .systemLibraries))
        }
        for count in 0..<data.count {
            let file = Self.makePNGFile(recipe, compressedData: Array(data.prefix(count)))
            #expect(!Self.isDecodedOnFastPath(file))
            #expect(
                ExactDecodingResult(decoding: file, by: .fastest)
                    == ExactDecodingResult(decoding: file, by: .systemLibraries))
        }
    }

    @Test("and leaves irregular files to libpng")
    func irregularFilesAreLeftToLibPNG() throws {
        let recipe = Self.makeNoiseImage(PixelSize(width: 9, height: 4), .rgb, seed: 8)
        let lines = Self.filteredScanlines(recipe) { _ in 4 }
        let valid = DeflateStreamBuilder.storedBlocks(lines)
        var wrongSum = valid
        wrongSum[valid.count - 1] ^= 1
        var fifth = lines
        fifth[0] = 5
        var endless = valid
        endless[2] = 0
        let coded = Self.imageDataChunkBytes(try recipe.encodedByLibPNG())
        let odd: [(String, [UInt8])] = [
            ("a wrong check of the header", [0x78, 0x9D] + valid.dropFirst(2)),
            ("another method", [0x79, 0x18] + valid.dropFirst(2)),
            ("a window of 64 KiB", [0x88, 0x1C] + valid.dropFirst(2)),
            ("a wrong sum after codes", coded.dropLast() + [coded[coded.count - 1] ^ 1]),
            ("one byte of the sum is missing", coded.dropLast()), ("three bytes", coded.dropLast(3)),
            ("all bytes", coded.dropLast(4)),
            ("a wrong sum", wrongSum), ("a fifth filter", DeflateStreamBuilder.storedBlocks(fifth)),
            ("no last block", endless),
            ("a row too many", DeflateStreamBuilder.storedBlocks(lines + lines.prefix(28))),
            ("bytes after a stored block", valid + [0]),
            ("a byte after codes", coded + [0]),
            ("five bytes after codes", coded + [0, 0, 0, 0, 0]),
            ("a preset dictionary", [0x78, 0x20] + valid.dropFirst(2)), ("no data", []),
        ]
        #expect(Self.isDecodedOnFastPath(Self.makePNGFile(recipe, compressedData: valid)))
        for (name, data) in odd {
            let file = Self.makePNGFile(recipe, compressedData: data)
            #expect(!Self.isDecodedOnFastPath(file), "\(name)")
            #expect(
                ExactDecodingResult(decoding: file, by: .fastest)
                    == ExactDecodingResult(decoding: file, by: .systemLibraries), "\(name)")
        }
        let others: [PNGFileBuilder] = [
            recipe.modified { $0.chunksAfterImageData = [.init(type: "tEXt", payload: Array("Comment\0late".utf8))] },
            recipe.modified { $0.chunksBeforeImageData = [.init(type: "tRNS", payload: [0, 1, 0, 2, 0, 3])] },
            recipe.modified { $0.isInterlaced = true },
        ]
        for other in others {
            #expect(!Self.isDecodedOnFastPath(other.fileBytes))
            #expect(
                ExactDecodingResult(decoding: other.fileBytes, by: .fastest)
                    == ExactDecodingResult(decoding: other.fileBytes, by: .systemLibraries))
        }
    }

    @Test("and leaves data that refers back beyond its window to libpng", arguments: colorTypes)
    func dataBeyondDeflateWindowIsLeftToLibPNG(kind: PNGFileBuilder.ColorType) throws {
        let size = PixelSize(width: 61, height: 12)
        let two = Self.makeNoiseImage(PixelSize(width: 61, height: 2), kind, seed: 9).sampleRows
        let channels = kind == .rgb ? 3 : 4
        // Rows repeat the second one above, which is more than 256 bytes before.
        let recipe = PNGFileBuilder(size: size, colorType: kind) { x, y in
            Array(two[y % 2][(x * channels)..<((x + 1) * channels)])
        }
        var data = Self.imageDataChunkBytes(try recipe.encodedByLibPNG())
        #expect(Self.isDecodedOnFastPath(Self.makePNGFile(recipe, compressedData: data)))
        // A window of 256 bytes.
        data.replaceSubrange(0..<2, with: [0x08, 0x1D])
        let file = Self.makePNGFile(recipe, compressedData: data)
        #expect(!Self.isDecodedOnFastPath(file))
        #expect(
            ExactDecodingResult(decoding: file, by: .fastest)
                == ExactDecodingResult(decoding: file, by: .systemLibraries))
    }

    /// Whether our own decoder takes the file to its end.
    private static func isDecodedOnFastPath(_ file: [UInt8], instructionSet set: InstructionSet = .selected) -> Bool {
        guard let png = try? PNGFile(parsing: file),
            let decoder = try? LibPNGDecoder(
                file, limits: ImageLimits(), background: .white, toleratedErrorCodes: [], ignoresGamma: false,
                toneMapping: nil, instructionSet: set),
            var scan = PNGFastDecoder(
                file: png, layout: decoder.layout, rowConverter: decoder.rowConverter, instructionSet: set)
        else { return false }
        let picture = try? ResampleRequest(size: png.header.uprightSize).resampleImage(
            from: &scan)
        return picture != nil && scan.finishDecoding()
    }

    private static func makeNoiseImage(
        _ size: PixelSize, _ kind: PNGFileBuilder.ColorType, seed: Int, contrast: Int = 255
    ) -> PNGFileBuilder {
        var random = SplitMix64(seed: UInt64(seed))
        let channels = kind == .rgb ? 3 : 4
        return PNGFileBuilder(size: size, colorType: kind) { x, y in
            (0..<channels).map { c in (x * 3 + y * 5 + c * 40 + random.number(in: 0...contrast)) % 256 }
        }
    }

    private static func makePNGFile(_ recipe: PNGFileBuilder, scanlines lines: [UInt8]) -> [UInt8] {
        makePNGFile(recipe, compressedData: DeflateStreamBuilder.storedBlocks(lines))
    }

    private static func makePNGFile(_ recipe: PNGFileBuilder, compressedData: [UInt8]) -> [UInt8] {
        PNGFileBuilder.fileBytes(chunks: [
            recipe.headerChunk, .init(type: "IDAT", payload: compressedData), .init(type: "IEND", payload: []),
        ])
    }

    /// What the chunks of image data hold together.
    private static func imageDataChunkBytes(_ file: [UInt8]) -> [UInt8] {
        var chunks = PNGChunkReader(file, startingAt: PNGFile.signatureByteCount)
        var data: [UInt8] = []
        while let chunk = chunks.nextChunk() { if chunk.type == "IDAT" { data += file[chunk.payloadRange] } }
        return data
    }

    /// The rows as the standard's section 9 filters them, each behind its filter's number.
    private static func filteredScanlines(_ recipe: PNGFileBuilder, filter: (Int) -> Int) -> [UInt8] {
        let channels = recipe.channelCount
        var above = [Int](repeating: 0, count: recipe.size.width * channels)
        return recipe.sampleRows.enumerated().flatMap { y, row in
            let kind = filter(y)
            let line = row.indices.map { i in
                let a = i < channels ? 0 : row[i - channels], b = above[i], c = i < channels ? 0 : above[i - channels]
                let predictions = [0, a, b, (a + b) / 2, paethPredictor(a, b, c)]
                return UInt8(truncatingIfNeeded: row[i] - predictions[kind])
            }
            above = row
            return [UInt8(kind)] + line
        }
    }

    private static func paethPredictor(_ a: Int, _ b: Int, _ c: Int) -> Int {
        let (pa, pb, pc) = (abs(b - c), abs(a - c), abs(a + b - 2 * c))
        return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
    }
}
