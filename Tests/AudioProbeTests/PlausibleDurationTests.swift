import AudioProbe
import Testing

private typealias M = MatroskaBuilder

@Suite("Implausible durations")
struct PlausibleDurationTests {
    /// RF64 of an unknown codec at 1 Hz. Only the header states the number of samples.
    private static var rf64: [UInt8] {
        var file = WaveBuilder(magic: "RF64")
        file.appendDS64Chunk(data: 20, samples: .max)
        file.appendFormatChunk(tag: 0x45, rate: 1, byteRate: 1, align: 1, bits: 7)
        file.appendChunk("fact", content: [0xFF, 0xFF, 0xFF, 0xFF])
        file.appendDataChunk(byteCount: 20)
        return file.encoded()
    }
    /// Two blocks that only timestamps place, in ticks of 292 years.
    private static let ticks =
        M.ebmlHeader()
        + M.segment(
            M.info(scale: .max) + M.tracks(M.track("A_UNKNOWN", rate: 1))
                + M.cluster(0, [M.simpleBlock(0, [1]), M.simpleBlock(30_000, [1])]))
    /// A far too long duration in the movie header, which a quick probe uses.
    private static var movie: [UInt8] {
        var file = MP4Builder()
        file.tracks[0].timescale = 1
        file.tracks[0].duration = 0xFFFF_FFFE
        return file.bytes()
    }
    /// Samples with a duration of 2^32 - 1 seconds each.
    private static var samples: [UInt8] {
        var file = MP4Builder()
        file.tracks[0].timescale = 1
        file.tracks[0].entry = MP4SampleEntry.audioEntry("none")
        file.tracks[0].times = [(100, 0xFFFF_FFFF)]
        return file.bytes()
    }

    @Test(
        "An implausible duration is damage",
        arguments: [
            ("rf64", rf64, false), ("matroska", ticks, false), ("mdhd", movie, true), ("stts", samples, false),
            ("stated in Matroska", M.makeOpusFile(1, duration: 1e18), true),
        ])
    func implausibleDurationIsDamaged(_ name: String, _ bytes: [UInt8], _ quick: Bool) throws {
        let error = #expect(throws: AudioError.self) { try probeBytes(bytes, quick: quick) }
        #expect(error?.code == .damaged, "\(name): \(String(describing: error))")
    }

    @Test("A day at 1 Hz is plausible")
    func dayLongAudioAt1HzIsAccepted() throws {
        var file = WaveBuilder()
        file.appendFormatChunk(rate: 1)
        file.appendDataChunk(byteCount: 2 * 86_400)
        #expect(try probeBytes(file.encoded()).duration == AudioDuration(ticks: 86_400, timescale: 1, method: .header))
    }
}
