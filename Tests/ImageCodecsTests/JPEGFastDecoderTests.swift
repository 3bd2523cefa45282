import CJPEGFastDecoder
import Imaging
import TestSupport
import Testing

@testable import ImageCodecs

/// Our own decoder against libjpeg.
@Suite("The fast JPEG decoder gives the same result as libjpeg", .enabled(if: prep_jpeg_fast_decoder_is_available()))
struct JPEGFastDecoderTests {
    private static let chromaReductions = [
        ChromaSubsampling.none, ChromaSubsampling(horizontalFactor: 2, verticalFactor: 1),
        ChromaSubsampling(horizontalFactor: 2, verticalFactor: 2),
        ChromaSubsampling(horizontalFactor: 1, verticalFactor: 2),
        ChromaSubsampling(horizontalFactor: 4, verticalFactor: 1),
    ]

    @Test(
        "for every sampling, quality and odd size, from flat to noise of full contrast", arguments: chromaReductions,
        [4, 50, 92, 100])
    func everySamplingQualityAndSizeMatchesLibJPEG(reduction: ChromaSubsampling, quality: Int) throws {
        for isProgressive in [false, true] {
            try expectSamplesMatchLibJPEG(reduction, quality, isProgressive: isProgressive)
        }
    }

    private func expectSamplesMatchLibJPEG(_ reduction: ChromaSubsampling, _ quality: Int, isProgressive: Bool) throws {
        let sizes = [(1, 1), (7, 9), (16, 16), (67, 35)] + (isOptimized ? [(130, 71)] : [])
        for (index, size) in sizes.enumerated() {
            for contrast in [0, 3, 40, 255] {
                let file = try Self.encodeNoiseJPEG(
                    PixelSize(width: size.0, height: size.1), reduction, quality: quality, contrast: contrast,
                    seed: index, isProgressive: isProgressive)
                #expect(
                    ExactDecodingResult(decoding: file, by: .fastest)
                        == ExactDecodingResult(decoding: file, by: .systemLibraries))
                #expect(
                    try Self.isDecodedOnFastPath(file) || contrast == 255, "only extreme blocks are left to libjpeg")
            }
        }
    }

    @Test(
        "with every instruction set, also for blocks that are left to libjpeg", arguments: chromaReductions,
        [4, 75, 100])
    func everyInstructionSetMatchesLibJPEG(reduction: ChromaSubsampling, quality: Int) throws {
        for (contrast, isProgressive) in [(0, false), (3, true), (40, false), (40, true), (255, false), (255, true)] {
            let file = try Self.encodeNoiseJPEG(
                PixelSize(width: 67, height: 35), reduction, quality: quality, contrast: contrast, seed: quality,
                isProgressive: isProgressive)
            let expected = ExactDecodingResult(decoding: file, by: .systemLibraries)
            let isFast = try Self.isDecodedOnFastPath(file, instructionSet: .portable)
            if contrast == 255, quality == 100, reduction == .none {
                #expect(!isFast, "blocks of extreme noise exceed the limit")
            }
            for set in InstructionSet.allCases where set.isAvailable {
                #expect(ExactDecodingResult(decoding: file, by: .fastest, instructionSet: set) == expected, "\(set)")
                #expect(try Self.isDecodedOnFastPath(file, instructionSet: set) == isFast, "\(set)")
            }
        }
    }

    @Test("for gray images", arguments: [false, true])
    func grayImagesMatchLibJPEG(isProgressive: Bool) throws {
        let size = PixelSize(width: 93, height: 41)
        var plane = Plane(width: size.width, height: size.height)
        for i in plane.samples.indices { plane.samples[i] = UInt8(truncatingIfNeeded: i * i >> 5) }
        let picture = PlanarImage(size: size, chromaSubsampling: .none, planes: [plane])
        var encoder = try JPEGEncoder()
        let file = try encoder.encode(
            picture, iccProfile: nil, options: .init(quality: 80, isProgressive: isProgressive))
        #expect(try Self.isDecodedOnFastPath(file))
        #expect(
            ExactDecodingResult(decoding: file, by: .fastest)
                == ExactDecodingResult(decoding: file, by: .systemLibraries))
    }

    @Test("for a flat image whose end-of-band runs are longer than one code can express")
    func longEndOfBandRunsMatchLibJPEG() throws {
        // 33,124 blocks: one code ends at most 32,767.
        let size = PixelSize(width: 1456, height: 1456)
        let picture = PlanarImage(
            size: size, chromaSubsampling: .none, planes: [Plane(width: size.width, height: size.height)])
        var encoder = try JPEGEncoder()
        let file = try encoder.encode(picture, iccProfile: nil, options: .init(quality: 50, isProgressive: true))
        #expect(try Self.isDecodedOnFastPath(file))
        #expect(
            ExactDecodingResult(decoding: file, by: .fastest)
                == ExactDecodingResult(decoding: file, by: .systemLibraries))
    }

    /// Scans unlike those of libjpeg's own script: each component's first coefficients alone or in pairs, in steps of
    /// one bit or all at once, bands of any width in any order of the components.
    private static let scanScripts: [[LibJPEGFileBuilder.ScanScriptEntry]] = [
        [0, 1, 2].flatMap {
            [
                LibJPEGFileBuilder.ScanScriptEntry(components: [$0], coefficients: 0...0),
                LibJPEGFileBuilder.ScanScriptEntry(components: [$0], coefficients: 1...63),
            ]
        },
        [
            LibJPEGFileBuilder.ScanScriptEntry(components: [0, 1], coefficients: 0...0, lowBit: 2),
            LibJPEGFileBuilder.ScanScriptEntry(components: [2], coefficients: 0...0),
        ]
            + [2, 1].map {
                LibJPEGFileBuilder.ScanScriptEntry(
                    components: [0, 1], coefficients: 0...0, highBit: $0, lowBit: $0 - 1)
            }
            + [2, 0, 1].flatMap {
                [
                    LibJPEGFileBuilder.ScanScriptEntry(components: [$0], coefficients: 9...63),
                    LibJPEGFileBuilder.ScanScriptEntry(components: [$0], coefficients: 1...8),
                ]
            },
        [LibJPEGFileBuilder.ScanScriptEntry(components: [0, 1, 2], coefficients: 0...0)]
            + [0, 1, 2].flatMap { component in
                [LibJPEGFileBuilder.ScanScriptEntry(components: [component], coefficients: 1...63, lowBit: 4)]
                    + [4, 3, 2, 1].map {
                        LibJPEGFileBuilder.ScanScriptEntry(
                            components: [component], coefficients: 1...63, highBit: $0, lowBit: $0 - 1)
                    }
            },
    ]

    @Test("for scans of every kind, with restart markers and without", arguments: scanScripts.indices, [0, 1, 3, 1000])
    func scanScriptsAndRestartIntervalsMatchLibJPEG(script: Int, restartInterval: Int) throws {
        for recipe in [
            LibJPEGFileBuilder.yCbCr444, .yCbCr420,
            LibJPEGFileBuilder(colorSpace: .yCbCr, sampling: [[2, 1], [1, 2], [1, 1]]),
        ] {
            let file = try recipe.modified {
                ($0.isProgressive, $0.restartInterval, $0.scanScript) = (
                    true, restartInterval, Self.scanScripts[script]
                )
            }.encodedTexture(size: PixelSize(width: 75, height: 53))
            #expect(try Self.isDecodedOnFastPath(file))
            #expect(
                ExactDecodingResult(decoding: file, by: .fastest)
                    == ExactDecodingResult(decoding: file, by: .systemLibraries))
        }
    }

    /// What is wrong, and what it does to the segments of a progressive file, whose scans are at the indices given.
    private static let scanDisorders: [(String, @Sendable (inout [EditableJPEG.Segment], [Int]) -> Void)] = [
        ("a scan is missing", { segments, scans in segments.remove(at: scans[5]) }),
        ("a scan is there twice", { segments, scans in segments.insert(segments[scans[5]], at: scans[5]) }),
        (
            "two scans, with their tables, have changed places",
            { segments, scans in
                segments.swapAt(scans[5] - 1, scans[9] - 1)
                segments.swapAt(scans[5], scans[9])
            }
        ),
        ("a scan states other bits", { segments, scans in segments[scans[1]].payload[5] ^= 0x01 }),
        ("a scan states all coefficients", { segments, scans in segments[scans[0]].payload[8] = 63 }),
        (
            "a comment stands between the scans",
            { segments, scans in segments.insert(EditableJPEG.Segment(marker: 0xFE, text: "so"), at: scans[3]) }
        ),
        (
            "quantization is stated anew between the scans",
            { segments, scans in
                let table = EditableJPEG.Segment(marker: 0xDB, payload: [0] + [UInt8](repeating: 1, count: 64))
                segments.insert(table, at: scans[3])
            }
        ),
    ]

    @Test("where the scans of a progressive file are not as they should be", arguments: scanDisorders.indices)
    func misorderedProgressiveScansMatchLibJPEG(index: Int) throws {
        var parts = EditableJPEG(
            parsing: try LibJPEGFileBuilder.yCbCr420.modified { $0.isProgressive = true }.encodedTexture())
        #expect(try Self.isDecodedOnFastPath(parts.bytes))
        let scans = parts.segmentIndices(withMarker: JPEGMarker.startOfScan)
        #expect(scans.count == 10)
        let (name, change) = Self.scanDisorders[index]
        change(&parts.segments, scans)
        #expect(try !Self.isDecodedOnFastPath(parts.bytes), "\(name)")
        #expect(
            ExactDecodingResult(decoding: parts.bytes, by: .fastest)
                == ExactDecodingResult(decoding: parts.bytes, by: .systemLibraries), "\(name)")
    }

    @Test("for files with a changed byte: the same image, or the same error", arguments: 0..<8, [false, true])
    func flippedBytesMatchLibJPEG(part: Int, isProgressive: Bool) throws {
        let file = try Self.encodeNoiseJPEG(
            PixelSize(width: 61, height: 43), Self.chromaReductions[part % 5], quality: 75, contrast: 30, seed: part,
            isProgressive: isProgressive)
        var state = UInt64(part) &* 0x9E37_79B9_7F4A_7C15 | 1
        for _ in 0..<randomizedRounds(100) {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var changed = file
            changed[Int(state >> 33) % file.count] ^= UInt8(truncatingIfNeeded: state >> 20) | 1
            #expect(
                ExactDecodingResult(decoding: changed, by: .fastest)
                    == ExactDecodingResult(decoding: changed, by: .systemLibraries))
        }
    }

    @Test("for every prefix of a file", arguments: [false, true])
    func prefixesMatchLibJPEG(isProgressive: Bool) throws {
        let file = try Self.encodeNoiseJPEG(
            PixelSize(width: 33, height: 17), Self.chromaReductions[2], quality: 60, contrast: 20, seed: 5,
            isProgressive: isProgressive)
        for count in 0...file.count {
            let prefix = Array(file.prefix(count))
            #expect(
                ExactDecodingResult(decoding: prefix, by: .fastest)
                    == ExactDecodingResult(decoding: prefix, by: .systemLibraries))
        }
    }

    @Test(
        "for every shortened scan followed by the rest of the file, which is never accepted as complete",
        arguments: [20, 255], [false, true])
    func shortenedScansAreNeverTakenForWhole(contrast: Int, isProgressive: Bool) throws {
        let file = try Self.encodeNoiseJPEG(
            PixelSize(width: 33, height: 17), Self.chromaReductions[2], quality: 90, contrast: contrast, seed: 5,
            isProgressive: isProgressive)
        let jpeg = try JPEGFile(parsing: file)
        let scans = jpeg.structure.segments.compactMap(\.scanDataRange)
        #expect(scans.count == (isProgressive ? 10 : 1))
        for data in scans {
            for end in stride(from: data.lowerBound, to: data.upperBound, by: isOptimized ? 1 : 4) {
                let cut = Array(file[..<end] + file[data.upperBound...])
                #expect(try !Self.isDecodedOnFastPath(cut))
                #expect(
                    ExactDecodingResult(decoding: cut, by: .fastest)
                        == ExactDecodingResult(decoding: cut, by: .systemLibraries))
            }
        }
    }

    @Test("for an invalid code far from the end of a large file, which libjpeg's own fast path passes over")
    func invalidHuffmanCodeMatchesLibJPEG() throws {
        var file = try Self.encodeNoiseJPEG(
            PixelSize(width: 500, height: 400), Self.chromaReductions[2], quality: 90, contrast: 60, seed: 1)
        // 48 ones: no code of the standard's tables has more than 15.
        let ones: [UInt8] = [0xFF, 0x00, 0xFF, 0x00, 0xFF, 0x00, 0xFF, 0x00, 0xFF, 0x00, 0xFF, 0x00]
        let middle = file.count / 2
        #expect(middle > 6 * 512, "libjpeg is careful with the last 512 bytes for each block of an MCU anyway")
        file.replaceSubrange(middle..<(middle + ones.count), with: ones)
        for decoders in [DecoderPreference.fastest, .systemLibraries] {
            guard case .failed(let error) = ExactDecodingResult(decoding: file, by: decoders) else {
                Issue.record("\(decoders) accepted the file")
                continue
            }
            #expect(error.code == .damaged)
            // libjpeg tells the place of the MCU, which has some 200 bytes here.
            #expect(abs((error.offset ?? 0) - middle) < 400)
        }
    }

    /// Files that libjpeg rejects only when it builds its tables or its MCU, so that a decoder of our own must know.
    private static let lateRejectedFiles: [(String, [UInt8])] = [
        // Two codes of one bit: the second is all ones, which the standard keeps free.
        ("a code of all ones", makeTinyJPEG(components: [0x11], codes: 2, data: [0x3F])),
        // Three components of 2 by 2 blocks.
        ("12 blocks in an MCU", makeTinyJPEG(components: [0x22, 0x22, 0x22], codes: 1, data: [0, 0, 0])),
    ]

    @Test("for files that libjpeg rejects late", arguments: lateRejectedFiles.indices)
    func filesLibJPEGRejectsLateMatch(index: Int) throws {
        let (name, file) = Self.lateRejectedFiles[index]
        for decoders in [DecoderPreference.fastest, .systemLibraries] {
            guard case .failed(let error) = ExactDecodingResult(decoding: file, by: decoders) else {
                Issue.record("\(name) is accepted by \(decoders)")
                continue
            }
            #expect(error.code == .damaged)
        }
        // The same without the fault is taken, so it is the fault that is rejected.
        let valid = Self.makeTinyJPEG(components: [0x11], codes: 1, data: [0x3F])
        #expect(try Self.isDecodedOnFastPath(valid))
    }

    @Test("for scans that omit more bits than allowed, and tables with a length of 0")
    func invalidSegmentsBetweenScansMatchLibJPEG() throws {
        let valid = Self.makeTinyProgressiveJPEG(lowBits: 10)
        #expect(try Self.isDecodedOnFastPath(valid))
        #expect(
            ExactDecodingResult(decoding: valid, by: .fastest)
                == ExactDecodingResult(decoding: valid, by: .systemLibraries))
        let rejected = [
            Self.makeTinyProgressiveJPEG(lowBits: 14),
            Self.makeTinyProgressiveJPEG(lowBits: 10, between: [0xFF, 0xC4, 0, 0]),
        ]
        for file in rejected {
            #expect(try !Self.isDecodedOnFastPath(file))
            for decoders in [DecoderPreference.fastest, .systemLibraries] {
                guard case .failed(let error) = ExactDecodingResult(decoding: file, by: decoders) else {
                    Issue.record("it is accepted by \(decoders)")
                    continue
                }
                #expect(error.code == .damaged)
            }
        }
    }

    /// A gray file of 8 by 8 pixels whose first coefficient comes in one scan, but for `lowBits` that come in one each;
    /// then something else, and the other coefficients. All of them are 0.
    private static func makeTinyProgressiveJPEG(lowBits: UInt8, between: [UInt8] = []) -> [UInt8] {
        func scan(_ first: UInt8, _ last: UInt8, _ bits: UInt8) -> [UInt8] {
            makeSegment(marker: 0xDA, payload: [1, 1, 0, first, last, bits]) + [0x7F]
        }
        let table = [1] + [UInt8](repeating: 0, count: 16)
        let firstScans =
            scan(0, 0, lowBits) + (0..<lowBits).reversed().flatMap { scan(0, 0, ($0 + 1) << 4 | $0) }
        return [0xFF, 0xD8] + makeSegment(marker: 0xDB, payload: [0] + [UInt8](repeating: 1, count: 64))
            + makeSegment(marker: 0xC2, payload: [8, 0, 8, 0, 8, 1, 1, 0x11, 0])
            + makeSegment(marker: 0xC4, payload: [0x00] + table)
            + makeSegment(marker: 0xC4, payload: [0x10] + table) + firstScans + between + scan(1, 63, 0) + [0xFF, 0xD9]
    }

    private static func makeSegment(marker: UInt8, payload: [UInt8]) -> [UInt8] {
        EditableJPEG.Segment(marker: marker, payload: payload).bytes
    }

    /// A file of 16 by 16 pixels, or 8 by 8 for one component, whose tables have `codes` codes of one bit.
    private static func makeTinyJPEG(components: [UInt8], codes: UInt8, data: [UInt8]) -> [UInt8] {
        let count = UInt8(components.count), side: UInt8 = count == 1 ? 8 : 16
        let symbols: [UInt8] = codes == 1 ? [0] : [0, 1]
        let table = [codes] + [UInt8](repeating: 0, count: 15) + symbols
        let frame: [UInt8] = components.indices.flatMap { [UInt8($0 + 1), components[$0], 0] as [UInt8] }
        let scan: [UInt8] = components.indices.flatMap { [UInt8($0 + 1), 0] as [UInt8] }
        return [0xFF, 0xD8] + makeSegment(marker: 0xDB, payload: [0] + [UInt8](repeating: 1, count: 64))
            + makeSegment(marker: 0xC0, payload: [8, 0, side, 0, side, count] + frame)
            + makeSegment(marker: 0xC4, payload: [0x00] + table)
            + makeSegment(marker: 0xC4, payload: [0x10] + table)
            + makeSegment(marker: 0xDA, payload: [count] + scan + [0, 63, 0]) + data + [0xFF, 0xD9]
    }

    /// Whether our own decoder takes the file to its end.
    static func isDecodedOnFastPath(
        _ file: [UInt8], instructionSet set: InstructionSet = .selected
    ) throws -> Bool {
        let jpeg = try JPEGFile(parsing: file)
        let layout = try LibJPEGDecoder(file).layout
        guard var scan = JPEGFastDecoder(file: jpeg, layout: layout, instructionSet: set) else { return false }
        let picture = try? ResampleRequest(
            size: jpeg.header.uprightSize, minChromaSubsampling: .none
        ).resampleImage(from: &scan)
        return picture != nil && scan.finishDecoding()
    }

    private static func encodeNoiseJPEG(
        _ size: PixelSize, _ reduction: ChromaSubsampling, quality: Int, contrast: Int, seed: Int,
        isProgressive: Bool = false
    ) throws -> [UInt8] {
        var state = UInt64(seed + 1) &* 0x2545_F491_4F6C_DD1D
        func plane(_ width: Int, _ height: Int) -> Plane {
            var plane = Plane(width: width, height: height)
            for i in plane.samples.indices {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let noise = Int(state >> 40) % (contrast + 1) - contrast / 2
                plane.samples[i] = UInt8(clamping: 128 + (contrast == 255 ? noise * 2 : i % plane.stride / 2 + noise))
            }
            return plane
        }
        let (width, height) = (
            size.width.dividedRoundingUp(by: reduction.horizontalFactor),
            size.height.dividedRoundingUp(by: reduction.verticalFactor)
        )
        let planes = [plane(size.width, size.height), plane(width, height), plane(width, height)]
        var encoder = try JPEGEncoder()
        return try encoder.encode(
            PlanarImage(size: size, chromaSubsampling: reduction, planes: planes), iccProfile: nil,
            options: .init(quality: quality, isProgressive: isProgressive))
    }
}
