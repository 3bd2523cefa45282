import AudioProbe
import Foundation
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

    /// A stream of 40 frames of 192 samples, the last 20 in another format.
    ///
    /// - Parameter first: the number of the first of them.
    private func changing(isVariable: Bool, first: Int? = nil, _ change: (inout FLACBuilder) -> Void) -> [UInt8] {
        var head = FLACBuilder(20), rest = FLACBuilder(20)
        (head.isVariable, rest.isVariable, head.total) = (isVariable, isVariable, 40 * 192)
        change(&rest)
        let number = first ?? (isVariable ? 20 * 192 : 20)
        return (head.sounds + rest.sounds(from: number, isSelfContained: true)).reduce(head.head, +)
    }

    @Test("Another sample rate in mid-stream: each frame lasts by its own", arguments: [false, true], [nil, 0, 30])
    func changingRate(isVariable: Bool, first: Int?) throws {
        let recording = try probe(changing(isVariable: isVariable, first: first) { $0.rate = 16_000 })
        #expect(recording.duration == AudioDuration(ticks: 20 * 192 * 3, timescale: 16_000, method: .scan))
        #expect(recording.completeness == .complete)
        #expect(codes(recording) == [.headerContradicts])
        #expect(recording.mainTrack.sampleRate == 8000)
    }

    @Test("Other channels in mid-stream are as long", arguments: [false, true], [(1, 2), (8, 3)])
    func changingChannels(isVariable: Bool, channels: (before: Int, after: Int)) throws {
        var head = FLACBuilder(20), rest = FLACBuilder(20)
        (head.isVariable, rest.isVariable, head.total) = (isVariable, isVariable, 40 * 192)
        (head.channels, rest.channels) = channels
        let more = rest.sounds(from: isVariable ? 20 * 192 : 20)
        let recording = try probe((head.sounds + more).reduce(head.head, +))
        #expect(recording.duration == AudioDuration(ticks: 40 * 192, timescale: 8000, method: .scan))
        #expect(recording.completeness == .complete)
        #expect(codes(recording) == [.headerContradicts])
    }

    @Test("A change is counted although frames are damaged or missing on either side of it")
    func damagedChange() throws {
        let whole = changing(isVariable: false) { $0.rate = 16_000 }
        let length = (whole.count - FLACBuilder(0).head.count - 20) / 40
        let change = FLACBuilder(20).bytes.count
        for position in [change - 50, change + 50] {
            var bytes = whole
            bytes[position] ^= 1
            let recording = try probe(bytes)
            #expect(recording.duration?.ticks == 20 * 192 * 3, "its length is known nevertheless")
            #expect(codes(recording).contains(.damagedFrames))
        }
        var bytes = whole
        bytes.removeSubrange(change + 1..<change + 1 + length)
        let recording = try probe(bytes)
        #expect(recording.duration?.ticks == 20 * 192 * 3 - 192)
    }

    @Test("A last frame longer than the header or the first frame allows is not believed")
    func sizes() throws {
        for isVariable in [false, true] {
            var builder = FLACBuilder(10, rest: 200)
            (builder.isVariable, builder.total) = (isVariable, 0)
            #expect(
                try probe(builder.bytes).duration
                    == AudioDuration(ticks: 2120, timescale: 8000, method: .scan))
        }
    }

    @Test("More rates than have a unit in common are within a stated bound")
    func manyRates() throws {
        var bytes = FLACBuilder(0).head, seconds = 0.0
        for (index, rate) in [101, 103, 107, 109, 113, 127, 131, 137].enumerated() {
            var builder = FLACBuilder(3)
            builder.rate = rate * 1000
            bytes = builder.sounds(from: 3 * index, isSelfContained: true).reduce(bytes, +)
            seconds += 576 / Double(rate * 1000)
        }
        let duration = try #require(try probe(bytes).duration)
        #expect(!duration.isExact)
        #expect(abs(duration.seconds - seconds) <= duration.errorBound)
        #expect(duration.errorBound < 1e-6)
    }

    @Test("A stream that begins at a frame", arguments: [0, 1, 5], [false, true])
    func withoutHeader(missing: Int, isVariable: Bool) throws {
        var builder = whole
        builder.isVariable = isVariable
        let bytes = builder.sounds(isSelfContained: true)[missing...].reduce([], +)
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 12] + Array("TIT2".utf8) + [0, 0, 0, 2, 0, 0, 3, 0x41]
        var random = SplitMix64(seed: 5)
        for front in [[], tag, random.bytes(1000), tag + random.bytes(100_000)] {
            let recording = try probe(front + bytes)
            #expect(recording.container == .flac)
            #expect(
                recording.duration == AudioDuration(ticks: 3940 - 192 * missing, timescale: 8000, method: .index))
            #expect(recording.mainTrack.channels == 1 && recording.mainTrack.bitsPerSample == 8)
            #expect(recording.completeness == .complete)
            #expect(recording.mediaBytes == bytes.count)
        }
        let cut = try probe(Array(bytes.dropLast(5)))
        #expect(cut.duration?.ticks == (20 - missing) * 192)
        #expect(cut.completeness == .truncated(offset: bytes.count - builder.sounds(isSelfContained: true)[20].count))
        // These leave their rate to the header that is missing.
        #expect(refusal(builder.sounds[missing...].reduce([], +)) == .unrecognizedFormat)
    }

    @Test("Headers of FLAC without frames cost a search each for the first of them alone", .timeLimit(.minutes(1)))
    func headersWithoutFrames() {
        // Of as many formats as there are, so that none ends the search for another's end.
        let headers = (0..<15_000).map { index -> [UInt8] in
            var builder = FLACBuilder(0)
            (builder.rate, builder.channels) = ((1 + index % 255) * 1000, 1 + index % 8)
            return Array(builder.frame(index % 100, 65_536, isSelfContained: true, isHeaderAlone: true))
        }
        #expect(refusal(headers.flatMap { $0 }) == .unrecognizedFormat)
        #expect(throws: Never.self) { try probe(headers.reduce(into: whole.bytes) { $0 += $1 }) }
    }

    /// A header, alone, of a frame that may take 2 MiB, in a format that no other here has.
    private func longHeader(_ index: Int) -> [UInt8] {
        var builder = FLACBuilder(0)
        (builder.rate, builder.channels, builder.isWide) = ((1 + index) * 1000, 8, true)
        return builder.frame(0, 65_536, isSelfContained: true, isHeaderAlone: true)
    }

    @Test("Before a file is known to be FLAC, false headers cost one search together", arguments: [0, 20])
    func falseHeadersShareOneSearch(garbage: Int) throws {
        // Each of 16 headers may begin a frame of 2 MiB; at the end stands what is no frame either.
        let headers = (0..<16).flatMap { longHeader($0) }
        let bytes = [UInt8](repeating: 1, count: garbage) + headers + [UInt8](repeating: 1, count: 3 << 20)
        let file = try SparseFile(bytes, size: bytes.count)
        var window = try BufferedFileReader(path: file.url.path), options = ProbeOptions()
        options.limits.scannedBytes = 8 << 20
        let error = #expect(throws: AudioError.self) { try Recording(probing: &window, options: options) }
        #expect(error?.code == .unrecognizedFormat)
    }

    /// Frames of 4,096 samples, whose checksums are those that they should have.
    private func long(_ count: Int) -> FLACBuilder {
        var builder = FLACBuilder(0)
        (builder.frames, builder.total) = (Array(repeating: 4096, count: count), 0)
        return builder
    }

    @Test("Many frames with broken headers in a long stream are stepped over, each by itself")
    func manyBrokenHeaders() throws {
        let builder = long(4)
        let sounds = builder.sounds
        var bytes = builder.head
        // A broken header makes the frame before it be searched for its end as far as the longest reaches.
        for number in 0..<4000 {
            var frame = sounds[number % 4]
            if number % 4 == 3 { frame[5] ^= 1 }
            bytes += frame
        }
        let recording = try probe(bytes)
        #expect(recording.duration?.ticks == 3000 * 4096)
        #expect(codes(recording).contains(.damagedFrames))
        #expect(recording.completeness == .complete)
    }

    @Test("Of false headers in a stream no more are searched for an end than the sound before them pays for")
    func falseHeadersInAStream() throws {
        let headers = (0..<200).flatMap { longHeader($0) }
        let bytes = whole.bytes + headers + [UInt8](repeating: 1, count: 3 << 20) + whole.sounds[20]
        let file = try SparseFile(bytes, size: bytes.count)
        var window = try BufferedFileReader(path: file.url.path), options = ProbeOptions()
        options.limits.scannedBytes = 24 << 20
        let recording = try Recording(probing: &window, options: options)
        #expect(recording.duration == AudioDuration(ticks: 3940, timescale: 8000, method: .scan))
    }

    @Test("Behind a stretch that is too long to be searched more sound may follow", arguments: [0, nil, 3841, 100])
    func longDamage(total: Int?) throws {
        var builder = FLACBuilder(20)
        builder.total = total
        let zeros = [UInt8](repeating: 0, count: 5 << 20), rest = builder.sounds(from: 20).reduce([], +)
        let recording = try probe(builder.bytes + zeros + rest)
        #expect(recording.duration?.ticks == 3840)
        let isWhole = total == nil
        #expect(recording.completeness == (isWhole ? .complete : .truncated(offset: builder.bytes.count)))
        #expect(codes(recording).contains(.trailingBytes) == isWhole)
        // Of another stream it is known that it begins.
        builder.total = 0
        #expect(try probe(builder.bytes + FLACBuilder(20).bytes + zeros).completeness == .complete)
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
                MetadataItem(kind: .text, range: 0..<22),
                MetadataItem(kind: .text, range: bytes.count - 128..<bytes.count),
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
        // A frame whose checksum is wrong may not be one.
        #expect(damaged.duration?.errorBound == 192.0 / 8000)
        #expect(codes(damaged) == [.damagedFrames, .headerContradicts])
        sounds.removeSubrange(8..<10)
        let missing = try probe(sounds.reduce(builder.head, +))
        #expect(missing.duration?.ticks == 3940 - 2 * 192)
        #expect(missing.timelineSeconds == 3940.0 / 8000)
        #expect(codes(missing).contains(.timelineGap))
    }

    @Test("Headers without frames, which take a few bytes each, are no exact length")
    func headersAlone() throws {
        var builder = FLACBuilder(4)
        builder.total = 192 * 104
        let headers = (4..<104).flatMap { builder.frame($0, 192, isHeaderAlone: true) }
        let end = builder.frame(104, 192)
        let recording = try probe(builder.bytes + headers + end)
        #expect(recording.duration.map { $0.errorBound >= 99 * 192.0 / 8000 } == true)
    }

    @Test("The number of a last frame is not believed where the frames before it can't be there")
    func farNumber() throws {
        var builder = FLACBuilder(1)
        builder.total = 0
        let recording = try probe(builder.bytes + builder.frame(50_000, 192))
        #expect(recording.duration?.ticks == 2 * 192)
        #expect(recording.duration?.method == .scan)
    }

    @Test("A stream without frames is empty, unless its header promises some")
    func empty() throws {
        let empty = try probe(FLACBuilder(0).bytes)
        #expect(empty.completeness == .noAudioFrames)
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
        #expect(recording.metadata.map(\.kind) == [.applicationData, .location, .text, .image])
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
        #expect(refusal(head + blocks) == .limitExceeded)
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
