import AudioProbe
import TestSupport
import Testing

@Suite("Native FLAC")
struct FLACTests {
    /// 20 frames of 192 samples and one of 100.
    private let whole = FLACBuilder(20, rest: 100)

    @Test("The last frame confirms the header, or stands in for it", arguments: [nil, 0], [false, true])
    func index(total: Int?, isVariable: Bool) throws {
        var builder = whole
        builder.total = total
        builder.isVariable = isVariable
        let recording = try probe(builder.bytes)
        #expect(recording.container == .flac)
        #expect(recording.duration == AudioDuration(ticks: 3940, timescale: 8000, method: .index))
        #expect(recording.completeness == .complete)
        #expect(recording.warnings.isEmpty)
        #expect(recording.mediaBytes == builder.sounds.reduce(0) { $0 + $1.count })
        #expect(recording.mainTrack.bitsPerSample == 8)
    }

    @Test("A header that lies is found out", arguments: [1, 3939, 3941, 1 << 36 - 1])
    func lyingTotal(total: Int) throws {
        var builder = whole
        builder.total = total
        let recording = try probe(builder.bytes)
        #expect(recording.duration == AudioDuration(ticks: 3940, timescale: 8000, method: .scan))
        #expect(recording.completeness == .complete)
        #expect(codes(recording) == [.headerContradicts])
    }

    @Test("Frames that end where another should follow are truncated")
    func shortOfTotal() throws {
        var builder = FLACBuilder(20)
        builder.total = 192 * 30
        let recording = try probe(builder.bytes)
        #expect(recording.duration?.ticks == 3840)
        #expect(recording.completeness == .truncated(offset: builder.bytes.count))
    }

    @Test("Every prefix gives the whole frames so far", arguments: [nil, 0])
    func prefixes(total: Int?) throws {
        var builder = whole
        builder.total = total
        builder.blocks = [(4, FLACBuilder.comment(["TITLE=x"])), (1, [0, 0, 0])]
        let bytes = builder.bytes
        var ends = [builder.head.count]
        for frame in builder.sounds { ends.append((ends.last ?? 0) + frame.count) }
        for count in 1..<bytes.count {
            if count < 42 {
                #expect(refusal(Array(bytes[..<count])) != nil)
                continue
            }
            let recording = try probe(Array(bytes[..<count]))
            let frames = max(0, ends.count { $0 <= count } - 1)
            #expect(recording.duration?.ticks == frames * 192, "\(count) bytes")
            #expect(recording.duration?.isExact == true)
            if total == nil, count >= ends[0] { #expect(recording.completeness == .truncated(offset: ends[frames])) }
        }
    }

    @Test("Other things behind the last frame are not sound", arguments: [nil, 0])
    func behind(total: Int?) throws {
        var builder = whole
        builder.total = total
        var random = SplitMix64(seed: 1)
        let other = FLACBuilder(7).bytes
        for rest in [[UInt8](repeating: 0, count: 5000), random.bytes(3000), [1], other, builder.bytes] {
            let recording = try probe(builder.bytes + rest)
            #expect(recording.duration?.ticks == 3940, "\(rest.count) bytes behind")
            if rest.count > 1 { #expect(codes(recording) == [.trailingBytes], "\(rest.count) bytes behind") }
            #expect(recording.completeness == .complete)
        }
    }

    @Test("Tags at either end are no sound, and are reported")
    func tags() throws {
        var leading = ByteBuilder(Array("ID3".utf8))
        leading.add([4, 0, 0, 0, 0, 0, 12])
        leading.add("TIT2")
        leading.add([0, 0, 0, 2, 0, 0, 3, 0x41])
        var trailing = ByteBuilder(Array("APETAGEX".utf8))
        trailing.little(2000, 4)
        trailing.little(32, 4)
        trailing.zeros(16)
        trailing.add("TAG")
        trailing.add("A title")
        trailing.zeros(118)
        let bytes = leading.bytes + whole.bytes + trailing.bytes
        let recording = try probe(bytes)
        #expect(recording.duration == AudioDuration(ticks: 3940, timescale: 8000, method: .index))
        #expect(codes(recording) == [.carriesMetadata])
        #expect(
            recording.metadata == [
                Metadata(.text, 0..<22), Metadata(.text, bytes.count - 128..<bytes.count),
            ])
    }

    @Test("Missing and damaged frames show once all are counted")
    func damage() throws {
        var builder = whole
        builder.total = 1
        var sounds = builder.sounds
        sounds[5][50] ^= 1
        let damaged = try probe(sounds.reduce(builder.head, +))
        #expect(damaged.duration?.ticks == 3940)
        #expect(codes(damaged) == [.damagedFrames, .headerContradicts])
        sounds.removeSubrange(8..<10)
        let missing = try probe(sounds.reduce(builder.head, +))
        #expect(missing.duration?.ticks == 3940 - 2 * 192)
        #expect(missing.timelineSeconds == 3940.0 / 8000)
        #expect(codes(missing).contains(.timelineGap))
    }

    @Test("A stream without frames is empty, unless its header promises some")
    func empty() throws {
        let empty = try probe(FLACBuilder(0).bytes)
        #expect(empty.completeness == .empty)
        #expect(empty.duration?.ticks == 0)
        var promising = FLACBuilder(0)
        promising.total = 1000
        #expect(try probe(promising.bytes).completeness == .truncated(offset: promising.bytes.count))
        #expect(refusal(FLACBuilder(0).bytes + [1, 2, 3, 4]) == .damaged)
    }

    @Test("Blocks tell what they hold")
    func metadata() throws {
        var builder = whole
        builder.blocks = [
            (4, FLACBuilder.comment(["ENCODER=x", "TITLE=", "ReplayGain_Track_Gain=1"])), (2, [0, 0, 0, 0]),
            (4, FLACBuilder.comment(["location=here", "artist=a", "comment=b"])),
            (6, [UInt8](repeating: 9, count: 300)),
        ]
        let recording = try probe(builder.bytes)
        #expect(recording.metadata.map(\.kind) == [.application, .position, .text, .picture])
        #expect(
            recording.warnings.first?.message
                == "beside the sound the file carries application, picture, position, text")
    }

    @Test("Blocks without number are few items")
    func floodOfBlocks() throws {
        var builder = whole
        builder.blocks = (0..<10_000).map { (type: [2, 6][$0 % 2], content: []) }
        #expect(try probe(builder.bytes).metadata.count == 1000)
        builder.blocks = (0..<10_000).map { _ in (type: 6, content: []) }
        #expect(try probe(builder.bytes).metadata.count == 1)
    }

    @Test("What has no use is refused")
    func refusals() {
        var silentRate = whole
        silentRate.rate = 0
        #expect(refusal(silentRate.bytes) == .damaged)
        #expect(refusal(Array("fLaC".utf8) + [0x84, 0, 0, 0]) == .damaged)
        #expect(refusal(Array("fLaC".utf8) + [0x80, 0, 0, 5] + [UInt8](repeating: 1, count: 100)) == .damaged)
        var forbidden = whole
        forbidden.blocks = [(127, [0])]
        #expect(refusal(forbidden.bytes) == .damaged)
    }

    @Test("Sizes and counts that can't be are survived")
    func hostile() throws {
        var builder = whole
        builder.blocks = [(4, [UInt8](repeating: 0xFF, count: 40))]
        #expect(try probe(builder.bytes).duration?.ticks == 3940)
        // More blocks of nothing than are walked, without a last one.
        var blocks = [UInt8](repeating: 0, count: 4 * AudioLimits().elements + 4)
        for offset in stride(from: 0, to: blocks.count, by: 4) { blocks[offset] = 1 }
        var head = whole.head
        head[4] = 0
        #expect(refusal(head + blocks) == .limit)
        // Headers with right checksums, packed as closely as can be, and none of them a frame.
        let header = Array(whole.frame(0, 192)[..<8])
        let headers = (0..<20_000).flatMap { _ in header }
        #expect(try probe(whole.head + headers).duration?.ticks == 0)
    }

    @Test("The quick answer is what the header states, and says so")
    func quick() throws {
        var builder = whole
        builder.total = 8000
        let recording = try probe(builder.bytes, quick: true)
        #expect(recording.duration?.seconds == 1)
        #expect(recording.duration?.method == .estimate)
        #expect(recording.duration?.isExact == false)
        builder.total = 0
        #expect(try probe(builder.bytes, quick: true).duration?.ticks == 3940)
    }

    @Test("Flipped bytes never crash it")
    func flips() {
        var builder = whole
        builder.blocks = [(4, FLACBuilder.comment(["TITLE=x"]))]
        HostileBytes.flip(builder.bytes, seed: 2)
    }
}
