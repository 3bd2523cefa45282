import CJPEGFastDecoder
import Imaging
import TestSupport
import Testing

@testable import ImageCodecs

/// Codes and blocks that encoders do not write, or only for some images. The lookup of the fast decoder has up to two
/// coefficients in an entry, and every exception from that has a separate path.
@Suite("The fast JPEG decoder reads every valid code", .enabled(if: prep_jpeg_fast_decoder_is_available()))
struct JPEGCodedBlockTests {
    typealias Symbol = CodedJPEG.Symbol

    private func expectSameAsLibJPEG(_ file: [UInt8], isFast: Bool, _ name: String) throws {
        let expected = ExactDecodingResult(decoding: file, by: .systemLibraries)
        for set in InstructionSet.allCases where set.isAvailable {
            #expect(ExactDecodingResult(decoding: file, by: .fastest, instructionSet: set) == expected, "\(name)")
            #expect(try JPEGFastDecoderTests.isDecodedOnFastPath(file, instructionSet: set) == isFast, "\(name)")
        }
    }

    /// Short codes for the symbols that follow one another, so that the lookup has them in pairs.
    private static let shortCode = PrefixCode([(0x01, 2), (0x00, 2), (0xF0, 3), (0x11, 3), (0xF1, 4), (0xE1, 4)])
    private static let ones = [Symbol](repeating: .coefficient(zeros: 0, 1), count: 63)
    private static let sixteenZeros = [Symbol](repeating: .sixteenZeros, count: 4)

    /// A DC difference of a size, and a coefficient of each size up to it.
    private static func valuesUpTo(size: Int, sign: Int) -> [Symbol] {
        let difference = sign * (1 << size - 1)
        let coefficients = (0..<min(size, 10)).map { Symbol.coefficient(zeros: size / 4, sign * (2 << $0 - 1)) }
        return [.dcDifference(difference)] + coefficients + [.endOfBlock]
    }

    static let validBlocks: [(String, CodedJPEG)] = [
        (
            "a last coefficient, whose block has no end, after an even and an odd number of others",
            CodedJPEG(
                acCode: shortCode,
                blocks: [
                    [.dcDifference(9)] + ones, [.dcDifference(-5), .coefficient(zeros: 1, 1)] + ones.dropLast(2),
                    [.dcDifference(1)] + ones.dropLast() + [.endOfBlock], [.dcDifference(0)] + ones,
                ])
        ),
        (
            "runs of zeros up to the last coefficient",
            CodedJPEG(
                acCode: shortCode,
                blocks: [
                    [.dcDifference(3)] + sixteenZeros.dropLast() + [.coefficient(zeros: 14, 1)], [.dcDifference(0)],
                ]
                .map { $0.count > 1 ? $0 : $0 + [.endOfBlock] })
        ),
        (
            "runs of zeros beyond the last coefficient, as libjpeg accepts",
            CodedJPEG(
                acCode: shortCode,
                blocks: [
                    [.dcDifference(3)] + sixteenZeros, [.dcDifference(100), .coefficient(zeros: 0, 1)] + sixteenZeros,
                    [.dcDifference(-7), .endOfBlock],
                ])
        ),
        (
            "codes of one bit, so that a byte has four blocks",
            CodedJPEG(
                dcCode: PrefixCode([(0, 1)]), acCode: PrefixCode([(0, 1)]),
                blocks: [[Symbol]](repeating: [.dcDifference(0), .endOfBlock], count: 1000), blocksPerRow: 50)
        ),
        (
            "codes of 16 bits",
            CodedJPEG(
                dcCode: PrefixCode(symbols: CodedJPEG.allDCSymbols, length: 16),
                acCode: PrefixCode(symbols: CodedJPEG.allACSymbols, length: 16),
                blocks: [
                    [.dcDifference(-2047)] + ones, [.dcDifference(2047), .coefficient(zeros: 15, -1023), .endOfBlock],
                    [.dcDifference(0), .endOfBlock],
                ])
        ),
        (
            "DC differences of 0 before codes of 16 bits",
            CodedJPEG(
                acCode: PrefixCode(symbols: CodedJPEG.allACSymbols, length: 16),
                blocks: [
                    [.dcDifference(-3), .coefficient(zeros: 0, 2), .endOfBlock], [.dcDifference(0)] + ones,
                    [.dcDifference(0), .endOfBlock],
                ])
        ),
        (
            "codes of 10 bits with values of 10 bits, of which a refill has less than three",
            CodedJPEG(
                dcCode: PrefixCode(symbols: CodedJPEG.allDCSymbols, length: 10),
                acCode: PrefixCode(symbols: CodedJPEG.allACSymbols, length: 10),
                blocks: [[Symbol]](
                    repeating: [.dcDifference(1)] + ones.prefix(7).map { _ in .coefficient(zeros: 1, -700) } + [
                        .endOfBlock
                    ],
                    count: 30))
        ),
        (
            "codes of 1 bit with values of 8 bits, the largest before another code in a lookup",
            CodedJPEG(
                dcCode: PrefixCode([(8, 1)]), acCode: PrefixCode([(0x08, 1), (0x00, 2)]),
                blocks: [250, -250].map {
                    [.dcDifference($0), .coefficient(zeros: 0, $0), .coefficient(zeros: 0, -$0), .endOfBlock]
                })
        ),
        (
            "values of every size",
            CodedJPEG(
                blocks: (0...11).flatMap { [valuesUpTo(size: $0, sign: 1), valuesUpTo(size: $0, sign: -1)] })
        ),
    ]

    @Test("for blocks with an irregular end, and the shortest and longest codes", arguments: validBlocks.indices)
    func unusualBlocksMatchLibJPEG(index: Int) throws {
        let (name, file) = Self.validBlocks[index]
        try expectSameAsLibJPEG(file.bytes, isFast: true, name)
    }

    private static let invalidBlocks: [(String, [[Symbol]])] = [
        ("a coefficient after the last one", [[.dcDifference(1)] + ones + [.coefficient(zeros: 0, 1)]]),
        (
            "a run of zeros and a coefficient after it, beyond the last one",
            [[.dcDifference(1)] + sixteenZeros.dropLast() + [.coefficient(zeros: 15, 1)]]
        ),
        ("a DC coefficient of 12 bits", [[.dcDifference(2047), .endOfBlock], [.dcDifference(1), .endOfBlock]]),
    ]

    @Test("and leaves invalid blocks to libjpeg", arguments: invalidBlocks.indices, [0, 40])
    func invalidBlocksAreLeftToLibJPEG(index: Int, precedingBlocks: Int) throws {
        let (name, invalid) = Self.invalidBlocks[index]
        let empty: [Symbol] = [.dcDifference(0), .endOfBlock]
        var file = CodedJPEG(acCode: Self.shortCode, blocks: [[Symbol]](repeating: empty, count: precedingBlocks))
        file.blocks += invalid + [empty]
        try expectSameAsLibJPEG(file.bytes, isFast: false, name)
    }

    @Test("for random codes, coefficients, row lengths and restart intervals", arguments: 0..<8)
    func randomCodesMatchLibJPEG(seed: UInt64) throws {
        for round in 0..<randomizedRounds(100) {
            var random = SplitMix64(seed: seed << 32 | UInt64(round))
            let file = Self.makeRandomFile(using: &random)
            try expectSameAsLibJPEG(file.bytes, isFast: true, "round \(round)")
        }
    }

    @Test("and accepts the restart markers of all intervals only", arguments: 0..<40)
    func irregularRestartMarkersAreLeftToLibJPEG(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var file = Self.makeRandomFile(using: &random)
        file.restartInterval = random.number(in: 1...max(1, file.blocks.count / 2))
        let bytes = file.bytes
        try expectSameAsLibJPEG(bytes, isFast: true, "unchanged")
        let markers = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && 0xD0...0xD7 ~= bytes[$0 + 1] }
        var changed = bytes
        changed.insert(contentsOf: [0xFF, 0xD0 + UInt8(markers.count & 7)], at: bytes.count - 2)
        try expectSameAsLibJPEG(changed, isFast: false, "another marker after the last interval")
        guard !markers.isEmpty else { return }
        let marker = markers[random.number(in: 0...(markers.count - 1))]
        changed = bytes
        changed[marker + 1] ^= 1
        try expectSameAsLibJPEG(changed, isFast: false, "a wrong number")
        changed = bytes
        changed.removeSubrange(marker...(marker + 1))
        try expectSameAsLibJPEG(changed, isFast: false, "a missing marker")
    }

    private static func makeRandomFile(using random: inout SplitMix64) -> CodedJPEG {
        var file = CodedJPEG(blocks: [], blocksPerRow: random.number(in: 1...60))
        file.dcCode = PrefixCode(randomFor: CodedJPEG.allDCSymbols, using: &random)
        file.acCode = PrefixCode(randomFor: CodedJPEG.allACSymbols, using: &random)
        file.restartInterval = max(0, random.number(in: -70...70))
        let largestSize = random.number(in: 1...10), density = random.number(in: 1...64)
        var dc = 0
        for index in 0..<(file.blocksPerRow * random.number(in: 1...3)) {
            if file.restartInterval > 0, index % file.restartInterval == 0 { dc = 0 }
            let next = random.number(in: -1000...1000) >> random.number(in: 0...10)
            file.blocks.append(
                [.dcDifference(next - dc)] + makeCoefficients(largestSize, density: density, using: &random))
            dc = next
        }
        return file
    }

    /// Coefficients whose sum stays within the limit of the fast path.
    private static func makeCoefficients(
        _ largestSize: Int, density: Int, using random: inout SplitMix64
    ) -> [Symbol] {
        var symbols: [Symbol] = [], position = 1, sum = 0
        while position < 64, random.number(in: 0...density) > 0 {
            let maxZeros = min(15, 63 - position)
            if maxZeros == 15, random.number(in: 0...20) == 0 {
                symbols.append(.sixteenZeros)
                position += 16
                continue
            }
            let size = random.number(in: 1...largestSize)
            let magnitude = random.number(in: (1 << (size - 1))...(1 << size - 1))
            sum += magnitude
            if sum > 4000 { break }
            let zeros = max(0, random.number(in: -maxZeros...maxZeros))
            symbols.append(.coefficient(zeros: zeros, random.number(in: 0...1) == 0 ? magnitude : -magnitude))
            position += zeros + 1
        }
        return position < 64 ? symbols + [.endOfBlock] : symbols
    }
}
