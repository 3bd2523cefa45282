import AudioProbe
import Diagnostics
import TestSupport
import Testing

@Suite("Ogg pages and links")
struct OggTests {
    @Test("Every prefix has its complete pages")
    func everyPrefixGivesWholePages() throws {
        let ogg = OggBuilder.makeOpusStream(pages: 4, trim: 500)
        for count in 1..<ogg.bytes.count {
            guard count >= ogg.ends[0] else {
                #expect(probeErrorCode(Array(ogg.bytes[..<count])) != nil)
                continue
            }
            let recording = try probeBytes(Array(ogg.bytes[..<count]))
            let pages = ogg.ends.count { $0 <= count }
            #expect(recording.duration?.ticks == max(0, (pages - 2) * 9600 - 312), "\(count) bytes")
            // A file that is cut between two pages lacks only the mark of the last page.
            let isWhole = ogg.ends[2...].contains(count)
            #expect(
                recording.completeness == (isWhole ? .complete : .truncated(offset: ogg.ends[pages - 1])),
                "\(count) bytes")
            #expect(warningCodes(recording) == (isWhole ? [.noEndMark] : []))
        }
    }

    @Test("The durations of links are added in a common timescale")
    func chainedLinksAreSummed() throws {
        let opus = OggBuilder.makeOpusStream(pages: 2, trim: 88).bytes,
            again = OggBuilder.makeOpusStream(pages: 3).bytes
        let same = try probeBytes(opus + again + opus)
        let samples = (19_200 - 400) * 2 + 28_800 - 312
        #expect(same.duration == AudioDuration(ticks: samples, timescale: 48_000, method: .scan))
        #expect(warningCodes(same) == [.chainedRecordings])
        let vorbis = OggBuilder.makeVorbisStream(pages: 1).bytes
        let mixed = try probeBytes(opus + vorbis)
        #expect(mixed.duration?.timescale == 7_056_000)
        #expect(mixed.duration?.ticks == 18_800 * 147 + 9216 * 160)
        #expect(mixed.duration?.isExact == true)
        #expect(mixed.tracks.map(\.codec) == [.opus])
    }

    @Test("The sum of rates without a common timescale has an error bound")
    func incommensurableRatesAreSummedNearly() throws {
        let rates = [44_089, 44_087, 44_071, 44_059]
        let files = rates.map { OggBuilder.makeVorbisStream(pages: 1, rate: $0).bytes }
        let recording = try probeBytes(files.reduce([], +))
        let seconds = rates.reduce(0) { $0 + 9216 / Double($1) }
        let duration = try #require(recording.duration)
        #expect(duration.errorBound > 0 && duration.errorBound < 1e-7)
        #expect(abs(duration.seconds - seconds) <= duration.errorBound)
    }

    @Test(
        "A link whose audio cannot be counted makes the file incomplete",
        arguments: ["CELT    ", "OpusHead", "\u{1}vorbis", "what is it?"])
    func uncountedLinkMakesFileIncomplete(beginning: String) throws {
        var link = OggBuilder(serial: 3)
        link.appendPage([asciiBytes(beginning) + [0xFF, 0xFF]], isFirst: true)
        link.appendPage([[1, 2, 3]], granule: 960, isLast: true)
        let opus = OggBuilder.makeOpusStream(pages: 2).bytes
        for (file, offset) in [
            (opus + link.bytes, opus.count), (link.bytes + opus, 0), (opus + link.bytes + opus, opus.count),
        ] {
            let recording = try probeBytes(file)
            #expect(recording.duration?.ticks == (file.count > 2 * opus.count ? 2 : 1) * (19_200 - 312))
            #expect(recording.completeness == .truncated(offset: offset))
            #expect(Set(warningCodes(recording)) == [.chainedRecordings, .damagedFrames])
        }
    }

    @Test("A link with only video lacks no audio") func videoLinkIsNoMissingAudio() throws {
        var film = OggBuilder(serial: 3)
        film.appendPage([asciiBytes("\u{80}theora")], isFirst: true)
        film.appendPage([[0x81], [0x82], [1]], granule: 1, isLast: true)
        let recording = try probeBytes(OggBuilder.makeOpusStream(pages: 2).bytes + film.bytes)
        #expect(recording.completeness == .complete)
        #expect(recording.hasVideo)
        #expect(warningCodes(recording) == [.chainedRecordings])
    }

    @Test("A link without a last page is reported, and the next one counts")
    func unterminatedLinkIsReportedAndNextCounted() throws {
        let first = OggBuilder.makeOpusStream(pages: 2, isEnded: false).bytes
        let recording = try probeBytes(first + OggBuilder.makeOpusStream(pages: 1).bytes)
        #expect(recording.duration?.ticks == 28_800 - 2 * 312)
        #expect(warningCodes(recording) == [.damagedFrames, .chainedRecordings])
        #expect(recording.completeness == .complete)
    }

    @Test("An unmarked last page is a warning, unless it discards samples")
    func missingEndMarkIsWarned() throws {
        let open = OggBuilder.makeOpusStream(pages: 2, isEnded: false)
        let recording = try probeBytes(open.bytes)
        #expect(recording.duration == AudioDuration(ticks: 19_200 - 312, timescale: 48_000, method: .scan))
        #expect(recording.completeness == .complete)
        #expect(warningCodes(recording) == [.noEndMark])
        let trimmed = try probeBytes(OggBuilder.makeOpusStream(pages: 2, trim: 480, isEnded: false).bytes)
        #expect(trimmed.duration?.ticks == 19_200 - 312 - 480)
        #expect(trimmed.duration?.errorBound == 0.01)
        #expect(trimmed.completeness == .complete)
    }

    @Test("Bytes between pages are skipped, and bytes after them are reported")
    func garbageBetweenPagesIsSkipped() throws {
        let ogg = OggBuilder.makeOpusStream(pages: 3)
        var random = SplitMix64(seed: 3)
        let rest = random.bytes(count: 1000) + "OggS".utf8 + random.bytes(count: 500)
        let between = try probeBytes(Array(ogg.bytes[..<ogg.ends[2]]) + rest + Array(ogg.bytes[ogg.ends[2]...]))
        #expect(between.duration?.ticks == 28_800 - 312)
        #expect(between.warnings.map(\.offset) == [ogg.ends[2]])
        #expect(warningCodes(between) == [.damagedFrames])
        let behind = try probeBytes(ogg.bytes + rest)
        #expect(behind.duration?.ticks == 28_800 - 312)
        #expect(warningCodes(behind) == [.trailingBytes])
        #expect(behind.completeness == .complete)
    }

    @Test("Damage beyond the search limit makes the file truncated")
    func damageBeyondSearchLimitIsTruncated() throws {
        let ogg = OggBuilder.makeOpusStream(pages: 3)
        var options = ProbeOptions()
        options.limits.searchBytes = 1000
        for (hole, pages) in [(900, 3), (5000, 2)] {
            let zeros = [UInt8](repeating: 0, count: hole)
            let bytes = Array(ogg.bytes[..<ogg.ends[3]]) + zeros + Array(ogg.bytes[ogg.ends[3]...])
            let recording = try Recording(bytes: bytes, options: options)
            #expect(recording.duration?.ticks == 9600 * pages - 312)
            #expect(recording.completeness == (pages == 3 ? .complete : .truncated(offset: ogg.ends[3])))
        }
    }

    @Test("A lost page is a gap, which is not counted")
    func lostPageIsAPause() throws {
        var ogg = OggBuilder()
        let packets = Array(repeating: OggPackets.opus, count: 10)
        ogg.appendPage([OggPackets.opusHead()], isFirst: true)
        ogg.appendPage([OggPackets.opusTags()])
        ogg.appendPage(packets, granule: 9600)
        ogg.skipSequenceNumber()
        ogg.appendPage(packets, granule: 28_800, isLast: true)
        let recording = try probeBytes(ogg.bytes)
        #expect(recording.duration?.ticks == 19_200 - 312)
        #expect(recording.timelineSeconds == Double(28_800 - 312) / 48_000)
        #expect(warningCodes(recording) == [.damagedFrames, .timelineGap])
    }

    @Test("A page with a wrong checksum is dropped if it contradicts its neighbors")
    func pageWithWrongChecksumIsIgnoredIfContradictory() throws {
        let ogg = OggBuilder.makeOpusStream(pages: 4)
        var bytes = ogg.bytes
        // The configuration of the first packet becomes 2.5 ms instead of 20 ms.
        bytes[ogg.ends[2] + 27 + 10] = 0xE0
        let recording = try probeBytes(bytes)
        #expect(recording.duration?.ticks == 3 * 9600 - 312)
        #expect(warningCodes(recording).contains(.damagedFrames))
    }

    @Test("A packet may span pages, and counts if it is complete")
    func packetSpanningPagesIsCountedWhole() throws {
        var ogg = OggBuilder()
        let long = OggPackets.opus + [UInt8](repeating: 7, count: 506)
        ogg.appendPage([OggPackets.opusHead()], isFirst: true)
        ogg.appendPage([OggPackets.opusTags()])
        ogg.appendPage([OggPackets.opus, long], granule: 960, isOpen: true)
        ogg.appendPage([long], granule: -1, isOpen: true, isRest: true)
        ogg.appendPage([[1, 2, 3], OggPackets.opus], granule: 2880, isLast: true, isRest: true)
        let recording = try probeBytes(ogg.bytes)
        #expect(recording.duration?.ticks == 2880 - 312)
        #expect(recording.mediaBytes == 4 + 510 * 2 + 3 + 4)
        #expect(recording.warnings.isEmpty)
        #expect(try probeBytes(Array(ogg.bytes[..<ogg.ends[3]])).duration?.ticks == 960 - 312)
    }

    @Test("The audio of a video file is found, and all streams are listed")
    func audioBesideVideoIsFoundAndStreamsListed() throws {
        let theora = [0x80] + Array("theora".utf8) + [UInt8](repeating: 0, count: 35)
        var video = OggBuilder(serial: 1), skeleton = OggBuilder(serial: 2)
        skeleton.appendPage([Array("fishead\0".utf8) + [UInt8](repeating: 0, count: 56)], isFirst: true)
        video.appendPage([theora], isFirst: true)
        let heads = skeleton.bytes + video.bytes
        video.appendPage([[1, 2, 3]], granule: 1 << 40, isLast: true)
        let audio = OggBuilder.makeOpusStream(pages: 3)
        let body = Array(video.bytes[video.ends[0]...])
        let file = heads + audio.bytes[..<audio.ends[2]] + body + audio.bytes[audio.ends[2]...]
        for isQuick in [false, true] {
            let recording = try probeBytes(file, quick: isQuick)
            #expect(recording.tracks.map(\.kind) == [.other, .video, .audio])
            #expect(recording.tracks.map(\.id) == [2, 1, 7])
            #expect(recording.mainTrackIndex == 2)
            #expect(recording.duration?.ticks == 28_800 - 312)
        }
        #expect(probeErrorCode(video.bytes) == .videoOnly)
        #expect(probeErrorCode(skeleton.bytes) == .noAudioTrack)
    }

    @Test(
        "Unsupported codecs are named",
        arguments: [
            ("CELT    ", "unsupported-celt"), ("PCM     ", "unsupported-ogg-pcm"), ("OpusHead", "damaged"),
            ("what is it?", "no-audio-track"),
        ])
    func unsupportedCodecsAreRejectedByName(beginning: String, code: String) {
        var ogg = OggBuilder()
        ogg.appendPage([Array(beginning.utf8) + [0xFF, 0xFF]], isFirst: true)
        #expect(probeErrorCode(ogg.bytes)?.rawValue == code)
    }

    @Test("A quick probe uses the last page, as an estimate")
    func quickProbeUsesLastPage() throws {
        let recording = try probeBytes(
            OggBuilder.makeOpusStream(pages: 5, start: 4_800_000, trim: 100).bytes, quick: true)
        #expect(recording.duration?.ticks == 48_000 - 100 - 312)
        #expect(recording.duration?.method == .estimate)
        #expect(recording.duration?.isExact == false)
        let chained = OggBuilder.makeOpusStream(pages: 1).bytes + OggBuilder.makeOpusStream(pages: 1, serial: 8).bytes
        #expect(try probeBytes(chained, quick: true).duration == probeBytes(chained).duration)
    }

    @Test("Headers without audio are an empty stream if it has ended")
    func headersWithoutAudioAreEmpty() throws {
        let recording = try probeBytes(OggBuilder.makeOpusStream(pages: 0).bytes)
        #expect(recording.completeness == .noAudioFrames)
        #expect(recording.duration?.ticks == 0)
        let open = OggBuilder.makeOpusStream(pages: 0, isEnded: false).bytes
        #expect(try probeBytes(open).completeness == .truncated(offset: open.count))
    }

    @Test("Nested pages and many streams are read in bounded time")
    func nestedPagesAndManyStreamsAreBounded() throws {
        // Each header claims the longest possible page, and none has a correct checksum.
        var header = ByteBuilder(Array("OggS\0".utf8))
        header.appendZeros(count: 21)
        header.append([255])
        let flood = (0..<20_000).flatMap { _ in header.bytes } + [UInt8](repeating: 255, count: 70_000)
        let recording = try probeBytes(OggBuilder.makeOpusStream(pages: 1).bytes + flood)
        #expect(recording.duration?.ticks == 9600 - 312)
        var streams: [UInt8] = []
        for serial in 0...10_000 {
            var ogg = OggBuilder(serial: serial)
            ogg.appendPage([[1]], isFirst: true)
            streams += ogg.bytes
        }
        #expect(probeErrorCode(streams) == .limitExceeded)
        var ogg = OggBuilder.makeOpusStream(pages: 1)
        for granule in [Int.max, Int.min, -1, 1 << 60 - 1, 0, 1 << 60 - 1] {
            ogg.appendPage([OggPackets.opus], granule: granule)
        }
        #expect(try probeBytes(ogg.bytes).duration?.ticks == 9600 + 6 * 960 - 312)
    }

    @Test("The number of listed headers is limited") func repeatedHeadersAreBounded() throws {
        var ogg = OggBuilder()
        ogg.appendPage([OggPackets.flacMappingHeader(FLACBuilder(frameCount: 0))], isFirst: true)
        for _ in 0..<2000 { ogg.appendPage([[UInt8]](repeating: [6], count: 255)) }
        let recording = try probeBytes(ogg.bytes)
        #expect(recording.metadata.count <= 2000)
        #expect(recording.metadata.first?.kind == .image)
    }

    @Test("The number of headers in all links is limited")
    func tooManyHeaders() throws {
        func link(_ headers: Int) -> [UInt8] {
            var ogg = OggBuilder()
            ogg.appendPage([OggPackets.flacMappingHeader(FLACBuilder(frameCount: 0))], isFirst: true)
            ogg.appendPage([[UInt8]](repeating: [1], count: headers - 1), isLast: true)
            return ogg.bytes
        }
        func code(_ bytes: [UInt8]) -> AudioError.Code? {
            var options = ProbeOptions()
            options.limits.elements = 100
            do throws(AudioError) {
                _ = try Recording(bytes: bytes, options: options)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code(link(100)) == nil)
        #expect(code(link(101)) == .limitExceeded)
        #expect(code(link(50) + link(50)) == nil)
        #expect(code(link(50) + link(51)) == .limitExceeded)
    }

    @Test("Changed bytes give a recording or an error", arguments: [true, false])
    func flippedBytesAreHandled(isOpus: Bool) {
        let first =
            isOpus ? OggBuilder.makeOpusStream(pages: 2, tags: ["TITLE=x"]) : OggBuilder.makeVorbisStream(pages: 2)
        let bytes = first.bytes + OggBuilder.makeVorbisStream(pages: 1).bytes
        var random = SplitMix64(seed: 4)
        for _ in 0..<randomizedRounds(5000) {
            var copy = bytes
            for _ in 0..<random.number(in: 1...4) {
                copy[random.number(in: 0...bytes.count - 1)] = UInt8(random.number(in: 0...255))
            }
            // Half of them have correct checksums, so that their content is parsed.
            if random.number(in: 0...1) == 0 { copy = Self.withSequenceAndChecksum(copy, like: first) }
            HostileInputChecks.expectConsistentProbeResult(of: copy)
        }
    }

    private static func withSequenceAndChecksum(_ bytes: [UInt8], like ogg: OggBuilder) -> [UInt8] {
        let starts = [0] + ogg.ends
        return zip(starts, ogg.ends).reduce([]) { $0 + OggBuilder.withChecksum(page: Array(bytes[$1.0..<$1.1])) }
            + bytes[ogg.bytes.count...]
    }

    @Test("A header in many small pages is read in linear time", .timeLimit(.minutes(1)))
    func headerInManySmallPagesIsLinear() throws {
        // 32 MiB in pages of 255 bytes. Copying the header for each page would copy 2 TB.
        var ogg = OggBuilder()
        ogg.appendPage([OggPackets.opusHead()], isFirst: true)
        var bytes = ogg.bytes
        let pages = (32 << 20) / 255
        bytes.reserveCapacity(bytes.count + 283 * pages)
        let tags = OggPackets.opusTags(["TITLE=" + String(repeating: "a", count: 300)])
        for number in 1...pages {
            // Without a checksum, which is not verified if another page follows.
            bytes += Array("OggS\0".utf8) + [number == 1 ? 0 : 1] + [UInt8](repeating: 0, count: 8) + [7, 0, 0, 0]
            bytes += [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number >> 16), 0, 0, 0, 0, 0, 1, 255]
            bytes += number == 1 ? Array(tags.prefix(255)) : [UInt8](repeating: 0x61, count: 255)
        }
        var options = ProbeOptions()
        options.limits.headerBytes = 64 << 20
        let recording = try Recording(bytes: bytes, options: options)
        #expect(recording.mainTrack.codec == .opus)
        #expect(recording.completeness != .complete)
    }

    @Test("A header is joined across pages of other streams")
    func headerInterleavedWithOtherStreamsIsJoined() throws {
        let tags = OggPackets.opusTags(["TITLE=" + String(repeating: "a", count: 1000), "LOCATION=here"])
        var ogg = OggBuilder()
        ogg.appendPage([OggPackets.opusHead()], isFirst: true)
        for start in stride(from: 0, to: 765, by: 255) {
            ogg.appendPage([Array(tags[start..<start + 255])], isOpen: true, isRest: start > 0)
        }
        ogg.appendPage([Array(tags[765...])], isRest: true)
        ogg.appendPage(Array(repeating: OggPackets.opus, count: 10), granule: 9600, isLast: true)
        let recording = try probeBytes(ogg.bytes)
        #expect(recording.metadata.map(\.kind) == [.text, .location])
        #expect(recording.duration?.ticks == 9600 - 312)
    }
}
