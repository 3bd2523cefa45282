import AudioProbe
import Diagnostics
import TestSupport
import Testing

@Suite("AMR frames are counted one by one")
struct AMRTests {
    private static let narrow = [13, 14, 16, 18, 20, 21, 27, 32, 6]
    private static let wide = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6]

    private static func makeFrame(type: Int, byteCount length: Int) -> [UInt8] {
        [UInt8(type << 3 | 4)] + [UInt8](repeating: 0xFF, count: length - 1)
    }

    private static func makeFile(magic: String, frames: [[UInt8]]) -> [UInt8] { Array(magic.utf8) + frames.joined() }

    @Test("Every frame type counts, including comfort noise, lost frames and empty frames")
    func everyFrameTypeIsCounted() throws {
        let narrow = Self.narrow.enumerated().map(Self.makeFrame) + [Self.makeFrame(type: 15, byteCount: 1)]
        let recording = try probeBytes(Self.makeFile(magic: "#!AMR\n", frames: narrow))
        #expect(recording.container == .amr)
        #expect(recording.mainTrack.codec == .amrNB)
        #expect(recording.duration == AudioDuration(ticks: 10 * 160, timescale: 8000, method: .scan))
        let wide =
            Self.wide.enumerated().map(Self.makeFrame) + [
                Self.makeFrame(type: 14, byteCount: 1), Self.makeFrame(type: 15, byteCount: 1),
            ]
        let second = try probeBytes(Self.makeFile(magic: "#!AMR-WB\n", frames: wide))
        #expect(second.container == .amrWB)
        #expect(second.mainTrack.codec == .amrWB)
        #expect(second.duration == AudioDuration(ticks: 12 * 320, timescale: 16_000, method: .scan))
        #expect(second.completeness == .complete)
    }

    @Test("With several channels, their frames alternate", arguments: [1, 2, 6])
    func multichannelFramesAreCounted(count: Int) throws {
        let frames = (0..<4 * count).map { _ in Self.makeFrame(type: 7, byteCount: 32) }
        let bytes = Array("#!AMR_MC1.0\n".utf8) + [0, 0, 0, UInt8(count)] + frames.joined()
        let recording = try probeBytes(bytes)
        #expect(recording.mainTrack.channels == count)
        #expect(recording.duration?.ticks == 4 * 160)
        #expect(recording.completeness == .complete)
        if count > 1 {
            #expect(try probeBytes(bytes.dropLast(32)).completeness == .truncated(offset: bytes.count - 32))
            #expect(try probeBytes(bytes.dropLast(32)).duration?.ticks == 3 * 160)
        }
    }

    @Test(
        "A header without channels or with another signature is damaged",
        arguments: ["#!AMR_MC1.0\n\0\0\0\0", "#!AMR_MC1.0\n\0", "#!AMRX\n", "#!AMR"])
    func invalidMagicLineIsDamaged(text: String) { #expect(probeErrorCode(Array(text.utf8)) == .damaged) }

    @Test("A header alone has no audio frames")
    func magicLineAloneIsEmpty() throws {
        #expect(try probeBytes(Array("#!AMR\n".utf8)).completeness == .noAudioFrames)
    }

    @Test("Reserved frame types are damage", arguments: 9...14)
    func reservedFrameTypesAreDamage(type: Int) throws {
        let good = [[UInt8]](repeating: Self.makeFrame(type: 7, byteCount: 32), count: 20)
        let recording = try probeBytes(
            Self.makeFile(magic: "#!AMR\n", frames: good + [Self.makeFrame(type: type, byteCount: 6)] + good))
        #expect(recording.duration?.ticks == 40 * 160)
        #expect((recording.duration?.errorBound ?? 0) > 0)
        #expect(warningCodes(recording) == [.damagedFrames])
        #expect(recording.warnings.first?.offset == 6 + 640)
        #expect(
            warningCodes(
                try probeBytes(
                    Self.makeFile(magic: "#!AMR\n", frames: good + [Self.makeFrame(type: type, byteCount: 6)]))) == [
                    .trailingBytes
                ])
    }

    @Test("Cut anywhere")
    func everyPrefixGivesWholeFrames() throws {
        let bytes = Self.makeFile(
            magic: "#!AMR-WB\n", frames: (0..<10).map { _ in Self.makeFrame(type: 8, byteCount: 61) })
        for count in 9...bytes.count {
            let recording = try probeBytes(Array(bytes[..<count]))
            #expect(recording.duration?.ticks == (count - 9) / 61 * 320)
            let isWhole = (count - 9) % 61 == 0 && count > 9
            #expect(isWhole == (recording.completeness == .complete))
        }
    }

    @Test("Randomly changed bytes give a recording or an error")
    func flippedBytesAreHandled() {
        var random = SplitMix64(seed: 3)
        let file = Self.makeFile(
            magic: "#!AMR\n", frames: (0..<50).map { Self.makeFrame(type: $0 % 9, byteCount: Self.narrow[$0 % 9]) })
        for _ in 0..<5000 {
            var bytes = file
            for _ in 0..<random.number(in: 1...8) {
                bytes[random.number(in: 0...bytes.count - 1)] = UInt8(random.number(in: 0...255))
            }
            if let recording = try? probeBytes(bytes) { #expect((recording.duration?.seconds ?? 0) < 60) }
        }
    }
}
