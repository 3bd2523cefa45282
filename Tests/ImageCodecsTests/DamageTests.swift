import Diagnostics
import ImageCodecs
import Imaging
import Testing
import TestSupport

/// Damaged files are distinguished from truncated and irregular ones.
@Suite struct DamagedJPEGTests {
    private static let recipes: [LibJPEGFileBuilder] = [
        .yCbCr420, .yCbCr444.modified(by: JPEGVariants.codingVariants[6]),
        .yCbCr420.modified { $0.isProgressive = true },
        .yCbCr420.modified { $0.restartInterval = 2 },
    ]

    /// A file with one changed scan.
    ///
    /// It is the last scan that is not short. libjpeg-turbo checks codes only if fewer than 512 bytes per block follow,
    /// and reads invalid codes as zeros before that.
    private static func file(_ recipe: LibJPEGFileBuilder, _ change: (inout [UInt8]) -> Void) throws -> EditableJPEG {
        var parts = try recipe.parsedTexture()
        let scan = try #require(parts.segments.lastIndex { $0.entropyCodedData.count > 100 })
        change(&parts.segments[scan].entropyCodedData)
        return parts
    }

    @Test(arguments: recipes)
    func invalidEntropyCodedDataIsDamaged(recipe: LibJPEGFileBuilder) throws {
        // No Huffman code is all ones. A zero follows each 0xFF in entropy-coded data.
        let parts = try Self.file(recipe) { data in
            let middle = data.count / 2
            data.replaceSubrange(middle..<middle, with: [[UInt8]](repeating: [0xFF, 0], count: 8).joined())
        }
        expectDamaged(parts.bytes)
    }

    @Test(arguments: recipes)
    func shortEntropyCodedDataBeforeMoreSegmentsIsDamaged(recipe: LibJPEGFileBuilder) throws {
        expectDamaged(try Self.file(recipe) { $0.removeLast($0.count / 2) }.bytes)
    }

    @Test func missingOrMisorderedRestartMarkerIsDamaged() throws {
        let recipe = LibJPEGFileBuilder.yCbCr420.modified { $0.restartInterval = 1 }
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

    @Test func missingComponentScanBeforeEndOfImageIsDamaged() throws {
        for missing in 0..<3 {
            var parts = try LibJPEGFileBuilder.yCbCr444.modified(by: JPEGVariants.codingVariants[6]).parsedTexture()
            parts.segments.remove(at: parts.segmentIndices(withMarker: 0xDA)[missing])
            expectDamaged(parts.bytes)
        }
    }

    @Test func missingLastBitsBeforeEndOfImageAreDamaged() throws {
        for missing in 1..<10 {
            var parts = try LibJPEGFileBuilder.yCbCr420.modified { $0.isProgressive = true }.parsedTexture()
            parts.segments.remove(at: parts.segmentIndices(withMarker: 0xDA)[missing])
            expectDamaged(parts.bytes)
        }
    }

    @Test func contradictoryProgressionIsDamaged() throws {
        var parts = try LibJPEGFileBuilder.gray.modified { $0.isProgressive = true }.parsedTexture()
        let scans = parts.segmentIndices(withMarker: 0xDA)
        parts.segments.insert(parts.segments[scans[2]], at: scans[1])
        expectDamaged(parts.bytes)
    }

    @Test func invalidArithmeticCodingIsDamaged() throws {
        let recipe = LibJPEGFileBuilder.gray.modified { $0.isArithmetic = true }
        // Enough of it for the decoder to leave the range of any coefficient.
        let bytes = try Self.file(recipe) { data in
            data = (0..<data.count).map { UInt8(truncatingIfNeeded: $0 * 151 + 64) % 255 }
        }.bytes
        #expect([.rejected(.damaged), .decoded("irregular")].contains(DecodeVerdict(decoding: bytes)))
    }

    @Test func missingOrInvalidTableIsDamaged() throws {
        let whole = try LibJPEGFileBuilder.gray.parsedTexture()
        for index in whole.segmentIndices(withMarker: 0xC4) + whole.segmentIndices(withMarker: 0xDB) {
            var parts = whole
            parts.segments[index].payload.removeLast()
            #expect(decodingError(for: parts.bytes)?.code == .damaged)
        }
        var parts = whole
        parts.segments.removeAll { $0.marker == 0xDB }
        #expect(decodingError(for: parts.bytes)?.code == .damaged)
    }

    private func expectDamaged(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(decodingError(for: bytes)?.code == .damaged, sourceLocation: sourceLocation)
        #expect(decodingError(for: bytes)?.stage == .decode, sourceLocation: sourceLocation)
        // Only the option for damaged files allows it.
        #expect(
            decodingError(for: bytes, options: .allowingTruncated)?.code == .damaged, sourceLocation: sourceLocation)
        #expect(
            DecodeVerdict(decoding: bytes, options: .allowingDamaged).warns("damaged"), sourceLocation: sourceLocation)
    }
}

/// A file that ends early is truncated, not damaged.
@Suite struct TruncatedJPEGTests {
    @Test func fileCutBetweenScansIsTruncated() throws {
        for recipe in [
            LibJPEGFileBuilder.yCbCr444.modified(by: JPEGVariants.codingVariants[6]),
            .yCbCr420.modified { $0.isProgressive = true },
        ] {
            let whole = try recipe.parsedTexture()
            for scan in whole.segmentIndices(withMarker: 0xDA).dropFirst() {
                var parts = whole
                parts.segments.removeSubrange(scan...)
                parts.hasEndOfImage = false
                #expect(decodingError(for: parts.bytes)?.code == .truncated)
                #expect(decodingError(for: parts.bytes, options: .allowingDamaged)?.code == .truncated)
                #expect(DecodeVerdict(decoding: parts.bytes, options: .allowingTruncated) == .decoded("truncated"))
            }
        }
    }

    @Test func missingLastComponentScanIsTruncated() throws {
        var parts = try LibJPEGFileBuilder.yCbCr444.modified(by: JPEGVariants.codingVariants[6]).parsedTexture()
        parts.segments.remove(at: parts.segmentIndices(withMarker: 0xDA)[0])
        parts.hasEndOfImage = false
        #expect(decodingError(for: parts.bytes)?.code == .truncated)
    }

    @Test func missingEndOfImageAloneIsWhole() throws {
        for recipe in JPEGVariants.commonSamplings {
            let bytes = try recipe.encodedTexture()
            let decoded = try decodeImage(Array(bytes.dropLast(2)))
            #expect(decoded.warnings.map(\.code) == [.missingEndOfImage])
            #expect(decoded.warnings.first?.offset == bytes.count - 2)
            #expect(decoded.image.planes.map(\.visibleRows) == (try decodeImage(bytes)).image.planes.map(\.visibleRows))
        }
    }

    @Test func truncationStatesItsOffset() throws {
        let bytes = try LibJPEGFileBuilder.yCbCr420.encodedTexture()
        let error = try #require(decodingError(for: Array(bytes.prefix(bytes.count - 300))))
        #expect(error.offset == bytes.count - 300)
        #expect(error.stage == .decode)
    }
}

/// Irregularities that cameras write do not change the image.
@Suite struct IrregularJPEGTests {
    @Test func strayBytesBeforeMarkerAreWarned() throws {
        let plain = try LibJPEGFileBuilder.yCbCr420.encodedTexture()
        let parts = EditableJPEG(parsing: plain)
        var bytes: [UInt8] = [0xFF, 0xD8]
        for segment in parts.segments { bytes += segment.bytes + [0, 1, 2] }
        try expectIrregular(bytes + [0xFF, 0xD9], like: plain)
        // Behind a scan libjpeg has read up to eight of them ahead, and does not know that they meant nothing.
        try expectIrregular(Array(plain.dropLast(2)) + [UInt8](repeating: 1, count: 16) + [0xFF, 0xD9], like: plain)
    }

    @Test func unknownJFIFMajorVersionIsWarned() throws {
        let plain = try LibJPEGFileBuilder.yCbCr420.encodedTexture()
        for version: UInt8 in [0, 2, 9] {
            var parts = EditableJPEG(parsing: plain)
            parts.segments[0].payload[5] = version
            try expectIrregular(parts.bytes, like: plain)
        }
    }

    @Test func unknownAdobeTransformIsWarned() throws {
        let recipe = LibJPEGFileBuilder.yCbCr420.modified { ($0.hasJFIFMarker, $0.hasAdobeMarker) = (false, true) }
        var parts = try recipe.parsedTexture()
        parts.segments[parts.segmentIndices(withMarker: 0xEE)[0]].payload[11] = 7
        try expectIrregular(parts.bytes, like: try recipe.encodedTexture())
    }

    @Test(
        arguments: [[0, 0, 0], [0, 62, 0], [1, 63, 0], [0, 63, 0x01], [63, 0, 0], [0, 64, 0], [0, 63, 0x10]]
            as [[UInt8]])
    func invalidSequentialScanParametersAreWarned(parameters: [UInt8]) throws {
        for recipe in [LibJPEGFileBuilder.yCbCr420, .yCbCr444.modified(by: JPEGVariants.codingVariants[6])] {
            var parts = try recipe.parsedTexture()
            for scan in parts.segmentIndices(withMarker: 0xDA) {
                parts.segments[scan].payload.removeLast(3)
                parts.segments[scan].payload += parameters
            }
            try expectIrregular(parts.bytes, like: try recipe.encodedTexture())
        }
    }

    @Test func segmentLengthBelowTwoIsWarned() throws {
        let plain = try LibJPEGFileBuilder.yCbCr420.encodedTexture()
        let parts = EditableJPEG(parsing: plain)
        let rest = Array(plain.dropFirst(2 + parts.segments[0].bytes.count))
        for length: UInt8 in [0, 1] {
            let bytes = [0xFF, 0xD8] + parts.segments[0].bytes + [0xFF, 0xFE, 0, length] + rest
            #expect(
                try decodeImage(bytes).image.planes.map(\.visibleRows)
                    == (try decodeImage(plain)).image.planes.map(\.visibleRows))
            #expect(try ImageSource(bytes).strippedJPEG == plain)
        }
    }

    @Test func missingHuffmanTablesDefaultToStandardOnes() throws {
        let plain = try LibJPEGFileBuilder.yCbCr420.parsedTexture()
        var parts = plain
        parts.segments.removeAll { $0.marker == 0xC4 }
        let decoded = try decodeImage(parts.bytes)
        #expect(
            decoded.image.planes.map(\.visibleRows) == (try decodeImage(plain.bytes)).image.planes.map(\.visibleRows))
        #expect(!decoded.canStripLosslessly)
    }

    private func expectIrregular(
        _ bytes: [UInt8], like plain: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let decoded = try decodeImage(bytes)
        #expect(decoded.warnings.map(\.code) == [.irregular], sourceLocation: sourceLocation)
        let expected = try decodeImage(plain).image.planes.map(\.visibleRows)
        #expect(decoded.image.planes.map(\.visibleRows) == expected, sourceLocation: sourceLocation)
    }
}

extension DecodeVerdict {
    func warns(_ code: String) -> Bool {
        if case .decoded(let warnings) = self { warnings.contains(code) } else { false }
    }
}
