import AudioProbe
import TestSupport
import Testing

@Suite("ADTS frames are counted one by one")
struct ADTSTests {
    @Test(
        "Sample rates and channels are read",
        arguments: [(4, 44_100, 2, 2), (3, 48_000, 1, 1), (11, 8000, 7, 8), (12, 7350, 6, 6)])
    func everyRateAndChannelConfigurationIsCounted(index: Int, rate: Int, configuration: Int, channels: Int) throws {
        let recording = try probeBytes(buildMPEGAudio { $0.appendADTSFrames(9, rate: index, channels: configuration) })
        #expect(recording.container == .adts)
        #expect(recording.mainTrack.codec == .aac)
        #expect(recording.mainTrack.channels == channels)
        #expect(recording.duration == AudioDuration(ticks: 9 * 1024, timescale: rate, method: .scan))
        #expect(recording.mediaBytes == 360)
    }

    @Test("A frame may have several blocks and state no channels")
    func framesWithSeveralBlocksAreCounted() throws {
        let recording = try probeBytes(buildMPEGAudio { $0.appendADTSFrames(5, channels: 0, blocks: 4, length: 8191) })
        #expect(recording.duration?.ticks == 5 * 4096)
        #expect(recording.mainTrack.channels == nil)
    }

    @Test("Streams of two rates with a tag between them are joined")
    func joinedStreamsOfTwoRatesAreSummed() throws {
        let recording = try probeBytes(
            buildMPEGAudio {
                $0.appendADTSFrames(5); $0.appendID3v2Tag(); $0.appendADTSFrames(5, rate: 3)
            })
        #expect(recording.duration?.timescale == 7_056_000)
        #expect(recording.duration?.ticks == 5 * 1024 * 160 + 5 * 1024 * 147)
        #expect(warningCodes(recording) == [.chainedRecordings])
    }

    @Test(
        "Other bytes between a tag and the frames, whatever they look like", arguments: [3, 20],
        [
            [0xFF, 0xD8, 0xFF, 0xE0], [0x89, 0x50, 0x4E, 0x47], Array("GIF89a".utf8), Array("PK\u{3}\u{4}".utf8), [1],
            [],
        ])
    func junkBetweenTagAndFramesIsSkipped(count: Int, beginning: [UInt8]) throws {
        var random = SplitMix64(seed: 3)
        let junk = beginning + random.bytes(count: 3000)
        let recording = try probeBytes(
            buildMPEGAudio {
                $0.appendID3v2Tag(); $0.file.append(junk); $0.appendADTSFrames(count)
            })
        #expect(recording.container == .adts)
        #expect(recording.duration == AudioDuration(ticks: count * 1024, timescale: 44_100, method: .scan))
    }

    @Test("An image after a tag is an image if no frames follow") func imageAfterTagWithoutFramesIsNotAudio() {
        var random = SplitMix64(seed: 4)
        let image = [0xFF, 0xD8, 0xFF, 0xE0] + random.bytes(count: 30_000)
        #expect(
            probeErrorCode(
                buildMPEGAudio {
                    $0.appendID3v2Tag(); $0.file.append(image)
                }) == .notAudio)
    }

    @Test("Cut anywhere")
    func everyPrefixGivesWholeFrames() throws {
        let bytes = buildMPEGAudio { $0.appendADTSFrames(4) }
        for count in 48..<bytes.count {
            let recording = try probeBytes(Array(bytes[..<count]))
            #expect(recording.duration?.ticks == count / 40 * 1024)
            let isWhole = count % 40 == 0
            #expect(recording.completeness == (isWhole ? .complete : .truncated(offset: count / 40 * 40)))
        }
        for count in 1..<48 where count != 40 {
            #expect((try? probeBytes(Array(bytes[..<count]))) == nil || count > 40)
        }
    }

    @Test("Damage and lengths below that of the header are skipped")
    func damageAndInvalidLengthsAreSkipped() throws {
        let recording = try probeBytes(
            buildMPEGAudio {
                $0.appendADTSFrames(5); $0.file.append("damage"); $0.appendADTSFrames(5)
            })
        #expect(recording.duration?.ticks == 10 * 1024)
        #expect(warningCodes(recording) == [.damagedFrames])
        #expect(probeErrorCode((0..<1000).flatMap { _ in [0xFF, 0xF1, 0x50, 0x80, 0, 0x1F, 0xFC] as [UInt8] }) != nil)
    }
}
