import AudioProbe
import TestSupport
import Testing

@Suite("AAC in ADTS is counted frame by frame")
struct ADTSTests {
    @Test("Rates and channels", arguments: [(4, 44_100, 2, 2), (3, 48_000, 1, 1), (11, 8000, 7, 8), (12, 7350, 6, 6)])
    func kinds(index: Int, rate: Int, configuration: Int, channels: Int) throws {
        let recording = try probe(mpeg { $0.adts(9, rate: index, channels: configuration) })
        #expect(recording.container == .adts)
        #expect(recording.mainTrack.codec == .aac)
        #expect(recording.mainTrack.channels == channels)
        #expect(recording.duration == AudioDuration(ticks: 9 * 1024, timescale: rate, method: .scan))
        #expect(recording.mediaBytes == 360)
    }

    @Test("Several blocks in a frame, and channels that only they state")
    func blocks() throws {
        let recording = try probe(mpeg { $0.adts(5, channels: 0, blocks: 4, length: 8191) })
        #expect(recording.duration?.ticks == 5 * 4096)
        #expect(recording.mainTrack.channels == nil)
    }

    @Test("Joined at two rates, with a tag between")
    func joined() throws {
        let recording = try probe(
            mpeg {
                $0.adts(5); $0.id3v2(); $0.adts(5, rate: 3)
            })
        #expect(recording.duration?.timescale == 7_056_000)
        #expect(recording.duration?.ticks == 5 * 1024 * 160 + 5 * 1024 * 147)
        #expect(codes(recording) == [.chainedRecordings])
    }

    @Test(
        "Other bytes between a tag and the frames, whatever they look like", arguments: [3, 20],
        [
            [0xFF, 0xD8, 0xFF, 0xE0], [0x89, 0x50, 0x4E, 0x47], Array("GIF89a".utf8), Array("PK\u{3}\u{4}".utf8), [1],
            [],
        ])
    func junkAfterTag(count: Int, beginning: [UInt8]) throws {
        var random = SplitMix64(seed: 3)
        let junk = beginning + random.bytes(3000)
        let recording = try probe(
            mpeg {
                $0.id3v2(); $0.file.add(junk); $0.adts(count)
            })
        #expect(recording.container == .adts)
        #expect(recording.duration == AudioDuration(ticks: count * 1024, timescale: 44_100, method: .scan))
    }

    @Test("An image behind a tag is one if no frames follow") func imageAfterTag() {
        var random = SplitMix64(seed: 4)
        let image = [0xFF, 0xD8, 0xFF, 0xE0] + random.bytes(30_000)
        #expect(
            refusal(
                mpeg {
                    $0.id3v2(); $0.file.add(image)
                }) == .notAudio)
    }

    @Test("Cut anywhere")
    func everyPrefix() throws {
        let bytes = mpeg { $0.adts(4) }
        for count in 48..<bytes.count {
            let recording = try probe(Array(bytes[..<count]))
            #expect(recording.duration?.ticks == count / 40 * 1024)
            let isWhole = count % 40 == 0
            #expect(recording.completeness == (isWhole ? .complete : .truncated(offset: count / 40 * 40)))
        }
        for count in 1..<48 where count != 40 { #expect((try? probe(Array(bytes[..<count]))) == nil || count > 40) }
    }

    @Test("Damage in the middle, and lengths below that of the header")
    func damage() throws {
        let recording = try probe(
            mpeg {
                $0.adts(5); $0.file.add("damage"); $0.adts(5)
            })
        #expect(recording.duration?.ticks == 10 * 1024)
        #expect(codes(recording) == [.damagedFrames])
        #expect(refusal((0..<1000).flatMap { _ in [0xFF, 0xF1, 0x50, 0x80, 0, 0x1F, 0xFC] as [UInt8] }) != nil)
    }
}
