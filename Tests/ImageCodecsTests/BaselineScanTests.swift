import Imaging
import Testing

@testable import ImageCodecs

/// Our own decoder of baseline scans against libjpeg: `.portable` always takes libjpeg, `.avx2` takes ours where it can.
@Suite("The baseline scan decoder gives what libjpeg gives", .enabled(if: InstructionSet.avx2.isAvailable))
struct BaselineScanTests {
    private static let reductions = [
        ChromaReduction.none, ChromaReduction(horizontal: 2, vertical: 1), ChromaReduction(horizontal: 2, vertical: 2),
        ChromaReduction(horizontal: 1, vertical: 2), ChromaReduction(horizontal: 4, vertical: 1),
    ]

    @Test(
        "for every sampling, quality and odd size, from flat to noise of full contrast", arguments: reductions,
        [4, 50, 92, 100])
    func samples(reduction: ChromaReduction, quality: Int) throws {
        for (index, size) in [(1, 1), (7, 9), (16, 16), (67, 35), (130, 71)].enumerated() {
            for contrast in [0, 3, 40, 255] {
                let file = try Self.file(
                    PixelSize(width: size.0, height: size.1), reduction, quality: quality, contrast: contrast,
                    seed: index)
                #expect(try Self.outcome(file, .avx2) == Self.outcome(file, .portable))
                #expect(try Self.isTaken(file) || contrast == 255, "only extreme blocks are left to libjpeg")
            }
        }
    }

    @Test("for gray pictures")
    func gray() throws {
        let size = PixelSize(width: 93, height: 41)
        var plane = Plane(width: size.width, height: size.height)
        for i in plane.samples.indices { plane.samples[i] = UInt8(truncatingIfNeeded: i * i >> 5) }
        let picture = Picture(size: size, chroma: .none, planes: [plane])
        var encoder = try JPEGEncoder()
        let file = try encoder.encode(picture, icc: nil, .init(quality: 80))
        #expect(try Self.isTaken(file))
        #expect(try Self.outcome(file, .avx2) == Self.outcome(file, .portable))
    }

    @Test("for files with a byte changed: the same picture, or the same error", arguments: 0..<8)
    func flips(part: Int) throws {
        let file = try Self.file(
            PixelSize(width: 61, height: 43), Self.reductions[part % 5], quality: 75, contrast: 30, seed: part)
        var state = UInt64(part) &* 0x9E37_79B9_7F4A_7C15 | 1
        for _ in 0..<100 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var changed = file
            changed[Int(state >> 33) % file.count] ^= UInt8(truncatingIfNeeded: state >> 20) | 1
            #expect(try Self.outcome(changed, .avx2) == Self.outcome(changed, .portable))
        }
    }

    @Test("for every prefix of a file")
    func prefixes() throws {
        let file = try Self.file(
            PixelSize(width: 33, height: 17), Self.reductions[2], quality: 60, contrast: 20, seed: 5)
        for count in 0...file.count {
            let prefix = Array(file.prefix(count))
            #expect(try Self.outcome(prefix, .avx2) == Self.outcome(prefix, .portable))
        }
    }

    @Test(
        "for every beginning of a scan with an end of image behind it: it is never taken for whole",
        arguments: [20, 255])
    func cutScans(contrast: Int) throws {
        let file = try Self.file(
            PixelSize(width: 33, height: 17), Self.reductions[2], quality: 90, contrast: contrast, seed: 5)
        let jpeg = try JPEGFile(file, .everything, limits: ImageLimits())
        let data = try #require(jpeg.structure.segments.last?.scanData)
        for end in data {
            let cut = Array(file[..<end]) + [0xFF, Marker.endOfImage]
            #expect(try !Self.isTaken(cut))
            #expect(try Self.outcome(cut, .avx2) == Self.outcome(cut, .portable))
        }
    }

    @Test("for an invalid code far from the end of a large file, which libjpeg's own fast path passes over")
    func invalidCode() throws {
        var file = try Self.file(
            PixelSize(width: 500, height: 400), Self.reductions[2], quality: 90, contrast: 60, seed: 1)
        // 48 ones: no code of the standard's tables has more than 15.
        let ones: [UInt8] = [0xFF, 0x00, 0xFF, 0x00, 0xFF, 0x00, 0xFF, 0x00, 0xFF, 0x00, 0xFF, 0x00]
        let middle = file.count / 2
        #expect(middle > 6 * 512, "libjpeg is careful with the last 512 bytes for each block of an MCU anyway")
        file.replaceSubrange(middle..<(middle + ones.count), with: ones)
        for set in [InstructionSet.avx2, .portable] {
            guard case .failed(let error) = try Self.outcome(file, set) else {
                Issue.record("\(set) took the file for sound")
                continue
            }
            #expect(error.code == .damaged)
            // libjpeg tells the place of the MCU, which has some 200 bytes here.
            #expect(abs((error.offset ?? 0) - middle) < 400)
        }
    }

    /// Files that libjpeg refuses only when it builds its tables or its MCU, so that a decoder of our own must know.
    private static let refused: [(String, [UInt8])] = [
        // Two codes of one bit: the second is all ones, which the standard keeps free.
        ("a code of all ones", tiny(components: [0x11], codes: 2, data: [0x3F])),
        // Three components of 2 by 2 blocks.
        ("12 blocks in an MCU", tiny(components: [0x22, 0x22, 0x22], codes: 1, data: [0, 0, 0])),
    ]

    @Test("for files that libjpeg refuses late", arguments: refused.indices)
    func refusedLate(index: Int) throws {
        let (name, file) = Self.refused[index]
        for set in [InstructionSet.avx2, .portable] {
            guard case .failed(let error) = try Self.outcome(file, set) else {
                Issue.record("\(name) is taken by \(set)")
                continue
            }
            #expect(error.code == .damaged)
        }
        // The same without the fault is taken, so it is the fault that is refused.
        let sound = Self.tiny(components: [0x11], codes: 1, data: [0x3F])
        #expect(try Self.isTaken(sound))
    }

    /// A file of 16 by 16 pixels, or 8 by 8 for one component, whose tables have `codes` codes of one bit.
    private static func tiny(components: [UInt8], codes: UInt8, data: [UInt8]) -> [UInt8] {
        func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
            [0xFF, marker, 0, UInt8(payload.count + 2)] + payload
        }
        let count = UInt8(components.count), side: UInt8 = count == 1 ? 8 : 16
        let symbols: [UInt8] = codes == 1 ? [0] : [0, 1]
        let table = [codes] + [UInt8](repeating: 0, count: 15) + symbols
        let frame: [UInt8] = components.indices.flatMap { [UInt8($0 + 1), components[$0], 0] as [UInt8] }
        let scan: [UInt8] = components.indices.flatMap { [UInt8($0 + 1), 0] as [UInt8] }
        return [0xFF, 0xD8] + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
            + segment(0xC0, [8, 0, side, 0, side, count] + frame) + segment(0xC4, [0x00] + table)
            + segment(0xC4, [0x10] + table) + segment(0xDA, [count] + scan + [0, 63, 0]) + data + [0xFF, 0xD9]
    }

    /// Planes, warnings, or what was thrown.
    private enum Outcome: Equatable {
        case decoded([[UInt8]], [CodecWarning])
        case failed(CodecError)
    }

    private static func outcome(_ file: [UInt8], _ set: InstructionSet) throws -> Outcome {
        do throws(CodecError) {
            let source = try ImageSource(file)
            let decoded = try source.decode(
                Resampling(size: source.header.size, chroma: .none, instructionSet: set))
            return .decoded(decoded.picture.planes.map(\.samples), decoded.warnings)
        } catch {
            return .failed(error)
        }
    }

    /// Whether our own decoder takes the file to its end.
    private static func isTaken(_ file: [UInt8]) throws -> Bool {
        let jpeg = try JPEGFile(file, .everything, limits: ImageLimits())
        let layout = try JPEGDecoder(file).layout
        guard var scan = BaselineScanDecoder(jpeg, layout) else { return false }
        let picture = try? Resampling(size: jpeg.header.size, chroma: .none, instructionSet: .avx2).picture(from: &scan)
        return picture != nil && scan.isAtEnd
    }

    private static func file(
        _ size: PixelSize, _ reduction: ChromaReduction, quality: Int, contrast: Int, seed: Int
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
            size.width.dividedRoundingUp(by: reduction.horizontal),
            size.height.dividedRoundingUp(by: reduction.vertical)
        )
        let planes = [plane(size.width, size.height), plane(width, height), plane(width, height)]
        var encoder = try JPEGEncoder()
        return try encoder.encode(
            Picture(size: size, chroma: reduction, planes: planes), icc: nil, .init(quality: quality))
    }
}
