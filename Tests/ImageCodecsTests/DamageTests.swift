import ImageCodecs
import Imaging
import Testing
import TestSupport

/// Damaged, cut short, and merely odd are three things.
@Suite struct `Damage in a JPEG` {
    private static let recipes: [JPEGRecipe] = [
        .yCbCr420, .yCbCr444.with(Kinds.codings[6]), .yCbCr420.with { $0.isProgressive = true },
        .yCbCr420.with { $0.restartInterval = 2 },
    ]

    /// A file one of whose scans is changed.
    ///
    /// It is the last that isn't short: libjpeg-turbo watches codes only where fewer than 512 bytes for each block
    /// follow, and takes wrong ones for zeros before that.
    private static func file(_ recipe: JPEGRecipe, _ change: (inout [UInt8]) -> Void) throws -> JPEGParts {
        var parts = try recipe.parts()
        let scan = try #require(parts.segments.lastIndex { $0.scanData.count > 100 })
        change(&parts.segments[scan].scanData)
        return parts
    }

    @Test(arguments: recipes)
    func `is entropy-coded data that means nothing`(recipe: JPEGRecipe) throws {
        // No Huffman code is all ones; 0xFF is written with a zero behind it.
        let parts = try Self.file(recipe) { data in
            let middle = data.count / 2
            data.replaceSubrange(middle..<middle, with: [[UInt8]](repeating: [0xFF, 0], count: 8).joined())
        }
        expectDamaged(parts.bytes)
    }

    @Test(arguments: recipes)
    func `is entropy-coded data that ends too early, with more of the file behind it`(recipe: JPEGRecipe) throws {
        expectDamaged(try Self.file(recipe) { $0.removeLast($0.count / 2) }.bytes)
    }

    @Test func `is a restart marker that comes out of turn, or not at all`() throws {
        let recipe = JPEGRecipe.yCbCr420.with { $0.restartInterval = 1 }
        func marker(_ number: UInt8, in data: [UInt8]) -> Int {
            data.indices.first { data[$0] == 0xFF && data[$0 + 1] == 0xD0 + number } ?? 0
        }
        expectDamaged(try Self.file(recipe) { $0[marker(1, in: $0) + 1] = 0xD5 }.bytes)
        expectDamaged(
            try Self.file(recipe) { data in
                let place = marker(1, in: data)
                data.removeSubrange(place..<(place + 2))
            }.bytes)
    }

    @Test func `is a scan of a component that never comes, where the file properly ends`() throws {
        for missing in 0..<3 {
            var parts = try JPEGRecipe.yCbCr444.with(Kinds.codings[6]).parts()
            parts.segments.remove(at: parts.indices(of: 0xDA)[missing])
            expectDamaged(parts.bytes)
        }
    }

    @Test func `is a progressive file that leaves out the last bits, where it properly ends`() throws {
        for missing in 1..<10 {
            var parts = try JPEGRecipe.yCbCr420.with { $0.isProgressive = true }.parts()
            parts.segments.remove(at: parts.indices(of: 0xDA)[missing])
            expectDamaged(parts.bytes)
        }
    }

    @Test func `is a progression that contradicts itself`() throws {
        var parts = try JPEGRecipe.gray.with { $0.isProgressive = true }.parts()
        let scans = parts.indices(of: 0xDA)
        parts.segments.insert(parts.segments[scans[2]], at: scans[1])
        expectDamaged(parts.bytes)
    }

    @Test func `is arithmetic coding gone astray`() throws {
        let recipe = JPEGRecipe.gray.with { $0.isArithmetic = true }
        // Enough of it for the decoder to leave the range of any coefficient.
        let bytes = try Self.file(recipe) { data in
            data = (0..<data.count).map { UInt8(truncatingIfNeeded: $0 * 151 + 64) % 255 }
        }.bytes
        #expect([.refused(.damaged), .decoded("irregular")].contains(Outcome(bytes)))
    }

    @Test func `is a table that is missing or makes no sense`() throws {
        let whole = try JPEGRecipe.gray.parts()
        for index in whole.indices(of: 0xC4) + whole.indices(of: 0xDB) {
            var parts = whole
            parts.segments[index].payload.removeLast()
            #expect(refusal(parts.bytes)?.code == .damaged)
        }
        var parts = whole
        parts.segments.removeAll { $0.marker == 0xDB }
        #expect(refusal(parts.bytes)?.code == .damaged)
    }

    private func expectDamaged(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(refusal(bytes)?.code == .damaged, sourceLocation: sourceLocation)
        #expect(refusal(bytes)?.stage == .decode, sourceLocation: sourceLocation)
        // Nothing but its own permission helps.
        #expect(refusal(bytes, .takingTruncated)?.code == .damaged, sourceLocation: sourceLocation)
        #expect(Outcome(bytes, .takingDamaged).warns("damaged"), sourceLocation: sourceLocation)
    }
}

/// Where a file ends early, nothing is damaged: it is cut short.
@Suite struct `A JPEG that is cut short` {
    @Test func `between two of its scans is truncated`() throws {
        for recipe in [JPEGRecipe.yCbCr444.with(Kinds.codings[6]), .yCbCr420.with { $0.isProgressive = true }] {
            let whole = try recipe.parts()
            for scan in whole.indices(of: 0xDA).dropFirst() {
                var parts = whole
                parts.segments.removeSubrange(scan...)
                parts.hasEnd = false
                #expect(refusal(parts.bytes)?.code == .truncated)
                #expect(refusal(parts.bytes, .takingDamaged)?.code == .truncated)
                #expect(Outcome(parts.bytes, .takingTruncated) == .decoded("truncated"))
            }
        }
    }

    @Test func `where a component's scan is missing at the end is truncated`() throws {
        var parts = try JPEGRecipe.yCbCr444.with(Kinds.codings[6]).parts()
        parts.segments.remove(at: parts.indices(of: 0xDA)[0])
        parts.hasEnd = false
        #expect(refusal(parts.bytes)?.code == .truncated)
    }

    @Test func `only by its end of image is whole`() throws {
        for recipe in Kinds.samplings {
            let bytes = try recipe.file()
            let decoded = try decode(Array(bytes.dropLast(2)))
            #expect(decoded.warnings.map(\.code) == ["missing-eoi"])
            #expect(decoded.warnings.first?.offset == bytes.count - 2)
            #expect(decoded.image.planes.map(\.picture) == (try decode(bytes)).image.planes.map(\.picture))
        }
    }

    @Test func `says at which byte`() throws {
        let bytes = try JPEGRecipe.yCbCr420.file()
        let error = try #require(refusal(Array(bytes.prefix(bytes.count - 300))))
        #expect(error.offset == bytes.count - 300)
        #expect(error.stage == .decode)
    }
}

/// What cameras write oddly takes nothing from the picture.
@Suite struct `A JPEG that is merely odd` {
    @Test func `with stray bytes before a marker`() throws {
        let plain = try JPEGRecipe.yCbCr420.file()
        let parts = JPEGParts(plain)
        var bytes: [UInt8] = [0xFF, 0xD8]
        for segment in parts.segments { bytes += segment.bytes + [0, 1, 2] }
        try expectOdd(bytes + [0xFF, 0xD9], like: plain)
        // Behind a scan libjpeg has read up to eight of them ahead, and does not know that they meant nothing.
        try expectOdd(Array(plain.dropLast(2)) + [UInt8](repeating: 1, count: 16) + [0xFF, 0xD9], like: plain)
    }

    @Test func `with another major version of JFIF`() throws {
        let plain = try JPEGRecipe.yCbCr420.file()
        for version: UInt8 in [0, 2, 9] {
            var parts = JPEGParts(plain)
            parts.segments[0].payload[5] = version
            try expectOdd(parts.bytes, like: plain)
        }
    }

    @Test func `with a colour transform that Adobe doesn't know`() throws {
        let recipe = JPEGRecipe.yCbCr420.with { ($0.hasJFIF, $0.hasAdobe) = (false, true) }
        var parts = try recipe.parts()
        parts.segments[parts.indices(of: 0xEE)[0]].payload[11] = 7
        try expectOdd(parts.bytes, like: try recipe.file())
    }

    @Test(
        arguments: [[0, 0, 0], [0, 62, 0], [1, 63, 0], [0, 63, 0x01], [63, 0, 0], [0, 64, 0], [0, 63, 0x10]]
            as [[UInt8]])
    func `with a scan header of a sequential file that states nonsense, as Samsung's do`(parameters: [UInt8]) throws {
        for recipe in [JPEGRecipe.yCbCr420, .yCbCr444.with(Kinds.codings[6])] {
            var parts = try recipe.parts()
            for scan in parts.indices(of: 0xDA) {
                parts.segments[scan].payload.removeLast(3)
                parts.segments[scan].payload += parameters
            }
            try expectOdd(parts.bytes, like: try recipe.file())
        }
    }

    @Test func `with a segment whose length doesn't even count itself`() throws {
        let plain = try JPEGRecipe.yCbCr420.file()
        let parts = JPEGParts(plain)
        let rest = Array(plain.dropFirst(2 + parts.segments[0].bytes.count))
        for length: UInt8 in [0, 1] {
            let bytes = [0xFF, 0xD8] + parts.segments[0].bytes + [0xFF, 0xFE, 0, length] + rest
            #expect(
                try decode(bytes).image.planes.map(\.picture) == (try decode(plain)).image.planes.map(\.picture))
            #expect(try ImageSource(bytes).strippedJPEG == plain)
        }
    }

    @Test func `without Huffman tables, which are then the standard's, as in Motion JPEG`() throws {
        let plain = try JPEGRecipe.yCbCr420.parts()
        var parts = plain
        parts.segments.removeAll { $0.marker == 0xC4 }
        let decoded = try decode(parts.bytes)
        #expect(decoded.image.planes.map(\.picture) == (try decode(plain.bytes)).image.planes.map(\.picture))
        #expect(!decoded.canStripLosslessly)
    }

    private func expectOdd(
        _ bytes: [UInt8], like plain: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let decoded = try decode(bytes)
        #expect(decoded.warnings.map(\.code) == ["irregular"], sourceLocation: sourceLocation)
        let expected = try decode(plain).image.planes.map(\.picture)
        #expect(decoded.image.planes.map(\.picture) == expected, sourceLocation: sourceLocation)
    }
}

extension Outcome {
    func warns(_ code: String) -> Bool {
        if case .decoded(let warnings) = self { warnings.contains(code) } else { false }
    }
}
