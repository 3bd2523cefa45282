import Imaging
import TestSupport
import Testing

@testable import ImageCodecs

/// Our own reader of plain PNGs against libpng: `.portable` always takes libpng, `.avx2` takes ours where it can.
@Suite("The reader of plain PNGs gives what libpng gives", .enabled(if: InstructionSet.avx2.isAvailable))
struct PNGScanTests {
    private static let kinds: [PNGRecipe.ColorType] = [.rgb, .rgba]

    @Test("for every filter and 1 to 40 pixels across", arguments: kinds, 0...4)
    func filters(kind: PNGRecipe.ColorType, filter: Int) throws {
        for width in 1...40 {
            let recipe = Self.noise(PixelSize(width: width, height: 5), kind, seed: width)
            let file = Self.file(recipe, Self.filtered(recipe) { _ in filter })
            #expect(Self.isTaken(file))
            #expect(DecodingOutcome(file, .avx2) == DecodingOutcome(file, .portable), "\(width) pixels")
        }
    }

    @Test("for what libpng writes, and however the data is cut into chunks", arguments: kinds)
    func chunks(kind: PNGRecipe.ColorType) throws {
        let recipe = Self.noise(PixelSize(width: 301, height: 77), kind, seed: 1, contrast: 12)
        let file = try recipe.writtenByLibPNG()
        #expect(Self.isTaken(file))
        let expected = DecodingOutcome(file, .portable)
        #expect(DecodingOutcome(file, .avx2) == expected)
        let data = Self.imageData(file)
        for size in [1, 2, 7, 1000] {
            var parts = stride(from: 0, to: data.count, by: size).map { Array(data[$0..<min($0 + size, data.count)]) }
            parts.insert([], at: parts.count / 2)
            let cut = PNGRecipe.file([recipe.header] + parts.map { .init("IDAT", $0) } + [.init("IEND", [])])
            #expect(Self.isTaken(cut))
            #expect(DecodingOutcome(cut, .avx2) == expected, "chunks of \(size)")
        }
    }

    @Test("with gamma, a background, and a size that is changed")
    func corrected() throws {
        let recipe = Self.noise(PixelSize(width: 61, height: 40), .rgba, seed: 3).with {
            $0.before = [.init("gAMA", [0, 0, 0x86, 0xA0])]
        }
        #expect(Self.isTaken(recipe.bytes))
        var options = ImageSource.DecodingOptions()
        options.background = RGBColor(red: 20, green: 60, blue: 200)
        let pictures = try [InstructionSet.avx2, .portable].map { set in
            let source = try ImageSource(recipe.bytes, options: options)
            return try source.decode(
                resampling: ResampleRequest(size: PixelSize(width: 23, height: 15), instructionSet: set)
            ).image
        }
        #expect(pictures[0].planes.map(\.samples) == pictures[1].planes.map(\.samples))
    }

    @Test("for files with a byte changed: the same picture, or the same error", arguments: kinds)
    func flips(kind: PNGRecipe.ColorType) throws {
        let recipe = Self.noise(PixelSize(width: 37, height: 20), kind, seed: 5, contrast: 9)
        let data = Self.imageData(try recipe.writtenByLibPNG())
        var random = SplitMix64(seed: 7)
        for _ in 0..<400 {
            // Within the data, with a checksum that is right again, and anywhere, with one that isn't.
            var changed = data
            changed[random.number(in: 0...(data.count - 1))] ^= UInt8(truncatingIfNeeded: random.next()) | 1
            var file = Self.file(recipe, compressed: changed)
            #expect(DecodingOutcome(file, .avx2) == DecodingOutcome(file, .portable))
            file = Self.file(recipe, compressed: data)
            file[random.number(in: 0...(file.count - 1))] ^= UInt8(truncatingIfNeeded: random.next()) | 1
            #expect(DecodingOutcome(file, .avx2) == DecodingOutcome(file, .portable))
        }
    }

    @Test("for every prefix of a file, and of its data", arguments: kinds)
    func prefixes(kind: PNGRecipe.ColorType) throws {
        let recipe = Self.noise(PixelSize(width: 19, height: 11), kind, seed: 6, contrast: 20)
        let data = Self.imageData(try recipe.writtenByLibPNG())
        let whole = Self.file(recipe, compressed: data)
        for count in 0...whole.count {
            let prefix = Array(whole.prefix(count))
            #expect(DecodingOutcome(prefix, .avx2) == DecodingOutcome(prefix, .portable))
        }
        for count in 0..<data.count {
            let file = Self.file(recipe, compressed: Array(data.prefix(count)))
            #expect(!Self.isTaken(file))
            #expect(DecodingOutcome(file, .avx2) == DecodingOutcome(file, .portable))
        }
    }

    @Test("and leaves to libpng what is odd")
    func odd() throws {
        let recipe = Self.noise(PixelSize(width: 9, height: 4), .rgb, seed: 8)
        let lines = Self.filtered(recipe) { _ in 4 }
        let sound = Deflate.stored(lines)
        var wrongSum = sound
        wrongSum[sound.count - 1] ^= 1
        var fifth = lines
        fifth[0] = 5
        var endless = sound
        endless[2] = 0
        let odd: [(String, [UInt8])] = [
            ("a wrong sum", wrongSum), ("a fifth filter", Deflate.stored(fifth)), ("no last block", endless),
            ("a row too many", Deflate.stored(lines + lines.prefix(28))), ("bytes behind it", sound + [0]),
            ("a preset dictionary", [0x78, 0x20] + sound.dropFirst(2)), ("no data", []),
        ]
        #expect(Self.isTaken(Self.file(recipe, compressed: sound)))
        for (name, data) in odd {
            let file = Self.file(recipe, compressed: data)
            #expect(!Self.isTaken(file), "\(name)")
            #expect(DecodingOutcome(file, .avx2) == DecodingOutcome(file, .portable), "\(name)")
        }
        let others: [PNGRecipe] = [
            recipe.with { $0.after = [.init("tEXt", Array("Comment\0late".utf8))] },
            recipe.with { $0.before = [.init("tRNS", [0, 1, 0, 2, 0, 3])] },
            recipe.with { $0.isInterlaced = true },
        ]
        for other in others {
            #expect(!Self.isTaken(other.bytes))
            #expect(DecodingOutcome(other.bytes, .avx2) == DecodingOutcome(other.bytes, .portable))
        }
    }

    @Test("and leaves to libpng data that reaches back farther than it says", arguments: kinds)
    func window(kind: PNGRecipe.ColorType) throws {
        let size = PixelSize(width: 61, height: 12)
        let two = Self.noise(PixelSize(width: 61, height: 2), kind, seed: 9).rows
        let channels = kind == .rgb ? 3 : 4
        // Rows repeat the second one above, which is more than 256 bytes before.
        let recipe = PNGRecipe(size, kind) { x, y in Array(two[y % 2][(x * channels)..<((x + 1) * channels)]) }
        var data = Self.imageData(try recipe.writtenByLibPNG())
        #expect(Self.isTaken(Self.file(recipe, compressed: data)))
        // A window of 256 bytes.
        data.replaceSubrange(0..<2, with: [0x08, 0x1D])
        let file = Self.file(recipe, compressed: data)
        #expect(!Self.isTaken(file))
        #expect(DecodingOutcome(file, .avx2) == DecodingOutcome(file, .portable))
    }

    /// Whether our own reader takes the file to its end.
    private static func isTaken(_ file: [UInt8]) -> Bool {
        guard let png = try? PNGFile(file, extent: .wholeFile, limits: ImageLimits()),
            let decoder = try? LibPNGDecoder(
                file, limits: ImageLimits(), background: .white, toleratedErrorCodes: [], instructionSet: .avx2),
            var scan = PNGFastDecoder(file: png, layout: decoder.layout, rowConverter: decoder.rowConverter)
        else { return false }
        let picture = try? ResampleRequest(size: png.header.uprightSize, instructionSet: .avx2).resampleImage(
            from: &scan)
        return picture != nil && scan.hasConsumedAllData
    }

    private static func noise(
        _ size: PixelSize, _ kind: PNGRecipe.ColorType, seed: Int, contrast: Int = 255
    ) -> PNGRecipe {
        var random = SplitMix64(seed: UInt64(seed))
        let channels = kind == .rgb ? 3 : 4
        return PNGRecipe(size, kind) { x, y in
            (0..<channels).map { c in (x * 3 + y * 5 + c * 40 + random.number(in: 0...contrast)) % 256 }
        }
    }

    private static func file(_ recipe: PNGRecipe, _ lines: [UInt8]) -> [UInt8] {
        file(recipe, compressed: Deflate.stored(lines))
    }

    private static func file(_ recipe: PNGRecipe, compressed: [UInt8]) -> [UInt8] {
        PNGRecipe.file([recipe.header, .init("IDAT", compressed), .init("IEND", [])])
    }

    /// What the chunks of image data hold together.
    private static func imageData(_ file: [UInt8]) -> [UInt8] {
        var chunks = PNGChunkReader(file, startingAt: PNGFile.signatureByteCount)
        var data: [UInt8] = []
        while let chunk = chunks.nextChunk() { if chunk.type == "IDAT" { data += file[chunk.payloadRange] } }
        return data
    }

    /// The rows as the standard's section 9 filters them, each behind its filter's number.
    private static func filtered(_ recipe: PNGRecipe, filter: (Int) -> Int) -> [UInt8] {
        let channels = recipe.channels
        var above = [Int](repeating: 0, count: recipe.size.width * channels)
        return recipe.rows.enumerated().flatMap { y, row in
            let kind = filter(y)
            let line = row.indices.map { i in
                let a = i < channels ? 0 : row[i - channels], b = above[i], c = i < channels ? 0 : above[i - channels]
                let predictions = [0, a, b, (a + b) / 2, paeth(a, b, c)]
                return UInt8(truncatingIfNeeded: row[i] - predictions[kind])
            }
            above = row
            return [UInt8(kind)] + line
        }
    }

    private static func paeth(_ a: Int, _ b: Int, _ c: Int) -> Int {
        let (pa, pb, pc) = (abs(b - c), abs(a - c), abs(a + b - 2 * c))
        return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
    }
}
