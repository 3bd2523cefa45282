import AudioProbe
import Diagnostics
import Foundation
import TestSupport
import Testing

@Suite("Native FLAC")
struct FLACTests {
    /// 20 frames of 192 samples and one of 100.
    private let whole = FLACBuilder(frameCount: 20, lastFrameSamples: 100)

    @Test("The last frame confirms the header or replaces it", arguments: [nil, 0], [false, true])
    func lastFrameConfirmsOrReplacesHeaderTotal(total: Int?, isVariable: Bool) throws {
        var builder = whole
        builder.total = total
        builder.isVariable = isVariable
        let recording = try probeBytes(builder.bytes)
        #expect(recording.container == .flac)
        #expect(recording.duration == AudioDuration(ticks: 3940, timescale: 8000, method: .index))
        #expect(recording.completeness == .complete)
        #expect(recording.warnings.isEmpty)
        #expect(recording.mediaBytes == builder.encodedFrames.reduce(0) { $0 + $1.count })
        #expect(recording.mainTrack.bitsPerSample == 8)
    }

    @Test("A false number of samples in the header is detected", arguments: [1, 3939, 3941, 1 << 36 - 1])
    func wrongHeaderTotalIsDetected(total: Int) throws {
        var builder = whole
        builder.total = total
        let recording = try probeBytes(builder.bytes)
        #expect(recording.duration == AudioDuration(ticks: 3940, timescale: 8000, method: .scan))
        #expect(recording.completeness == .complete)
        #expect(warningCodes(recording) == [.headerContradicts])
    }

    @Test("The frames count, whatever the number of the last one", arguments: [false, true])
    func implausibleLastNumberIsNotBelieved(isVariable: Bool) throws {
        var builder = FLACBuilder(frameCount: 0)
        builder.isVariable = isVariable
        // The bytes of the frames could hold the first 15 numbers, but not the others.
        for numbers in [[0, 15], [0, 1, 1000], [0, 1, 2, 5000]] {
            let frames = numbers.map { builder.encodedFrame($0 * (isVariable ? 192 : 1), 192) }
            let recording = try probeBytes(frames.reduce(builder.head, +))
            #expect(
                recording.duration == AudioDuration(ticks: numbers.count * 192, timescale: 8000, method: .scan))
            #expect(warningCodes(recording) == [.timelineGap])
        }
    }

    /// A stream of 40 frames of 192 samples, the last 20 in another format.
    ///
    /// - Parameter first: the number of the first of them.
    private func makeChangingStream(isVariable: Bool, first: Int? = nil, _ change: (inout FLACBuilder) -> Void)
        -> [UInt8]
    {
        var head = FLACBuilder(frameCount: 20), rest = FLACBuilder(frameCount: 20)
        (head.isVariable, rest.isVariable, head.total) = (isVariable, isVariable, 40 * 192)
        change(&rest)
        let number = first ?? (isVariable ? 20 * 192 : 20)
        return (head.encodedFrames + rest.sounds(from: number, isSelfContained: true)).reduce(head.head, +)
    }

    @Test(
        "After a change of the sample rate, each frame lasts by its own rate", arguments: [false, true], [nil, 0, 30])
    func sampleRateChangeIsCountedPerFrame(isVariable: Bool, first: Int?) throws {
        let recording = try probeBytes(makeChangingStream(isVariable: isVariable, first: first) { $0.rate = 16_000 })
        #expect(recording.duration == AudioDuration(ticks: 20 * 192 * 3, timescale: 16_000, method: .scan))
        #expect(recording.completeness == .complete)
        #expect(warningCodes(recording) == [.headerContradicts])
        #expect(recording.mainTrack.sampleRate == 8000)
    }

    @Test("A change of the channels does not change the duration", arguments: [false, true], [(1, 2), (8, 3)])
    func channelChangeKeepsDuration(isVariable: Bool, channels: (before: Int, after: Int)) throws {
        var head = FLACBuilder(frameCount: 20), rest = FLACBuilder(frameCount: 20)
        (head.isVariable, rest.isVariable, head.total) = (isVariable, isVariable, 40 * 192)
        (head.channels, rest.channels) = channels
        let more = rest.sounds(from: isVariable ? 20 * 192 : 20)
        let recording = try probeBytes((head.encodedFrames + more).reduce(head.head, +))
        #expect(recording.duration == AudioDuration(ticks: 40 * 192, timescale: 8000, method: .scan))
        #expect(recording.completeness == .complete)
        #expect(warningCodes(recording) == [.headerContradicts])
    }

    @Test("A format change is counted although frames around it are damaged or missing")
    func changeAmongDamagedFramesIsCounted() throws {
        let whole = makeChangingStream(isVariable: false) { $0.rate = 16_000 }
        let length = (whole.count - FLACBuilder(frameCount: 0).head.count - 20) / 40
        let change = FLACBuilder(frameCount: 20).bytes.count
        for position in [change - 50, change + 50] {
            var bytes = whole
            bytes[position] ^= 1
            let recording = try probeBytes(bytes)
            #expect(recording.duration?.ticks == 20 * 192 * 3, "its length is known nevertheless")
            #expect(warningCodes(recording).contains(.damagedFrames))
        }
        var bytes = whole
        bytes.removeSubrange(change + 1..<change + 1 + length)
        let recording = try probeBytes(bytes)
        #expect(recording.duration?.ticks == 20 * 192 * 3 - 192)
    }

    @Test("A last frame that is longer than the header or the first frame allows is not used")
    func implausiblyLongLastFrameIsIgnored() throws {
        for isVariable in [false, true] {
            var builder = FLACBuilder(frameCount: 10, lastFrameSamples: 200)
            (builder.isVariable, builder.total) = (isVariable, 0)
            #expect(
                try probeBytes(builder.bytes).duration
                    == AudioDuration(ticks: 2120, timescale: 8000, method: .scan))
        }
    }

    @Test("Sample rates without a common timescale have an error bound")
    func manySampleRatesAreWithinErrorBound() throws {
        var bytes = FLACBuilder(frameCount: 0).head, seconds = 0.0
        for (index, rate) in [101, 103, 107, 109, 113, 127, 131, 137].enumerated() {
            var builder = FLACBuilder(frameCount: 3)
            builder.rate = rate * 1000
            bytes = builder.sounds(from: 3 * index, isSelfContained: true).reduce(bytes, +)
            seconds += 576 / Double(rate * 1000)
        }
        let duration = try #require(try probeBytes(bytes).duration)
        #expect(!duration.isExact)
        #expect(abs(duration.seconds - seconds) <= duration.errorBound)
        #expect(duration.errorBound < 1e-6)
    }

    @Test("A stream without a header is counted", arguments: [0, 1, 5], [false, true])
    func streamStartingAtFrameIsCounted(missing: Int, isVariable: Bool) throws {
        var builder = whole
        builder.isVariable = isVariable
        let bytes = builder.sounds(isSelfContained: true)[missing...].reduce([], +)
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 12] + Array("TIT2".utf8) + [0, 0, 0, 2, 0, 0, 3, 0x41]
        var random = SplitMix64(seed: 5)
        for front in [[], tag, random.bytes(count: 1000), tag + random.bytes(count: 100_000)] {
            let recording = try probeBytes(front + bytes)
            #expect(recording.container == .flac)
            #expect(
                recording.duration == AudioDuration(ticks: 3940 - 192 * missing, timescale: 8000, method: .index))
            #expect(recording.mainTrack.channels == 1 && recording.mainTrack.bitsPerSample == 8)
            #expect(recording.completeness == .complete)
            #expect(recording.mediaBytes == bytes.count)
        }
        let cut = try probeBytes(Array(bytes.dropLast(5)))
        #expect(cut.duration?.ticks == (20 - missing) * 192)
        #expect(cut.completeness == .truncated(offset: bytes.count - builder.sounds(isSelfContained: true)[20].count))
        // These frames refer to the missing header for their rate.
        #expect(probeErrorCode(builder.encodedFrames[missing...].reduce([], +)) == .unrecognizedFormat)
    }

    @Test("Only the first frame headers without frames cause a search each", .timeLimit(.minutes(1)))
    func repeatedHeadersWithoutFramesAreLinear() {
        // Every header has a format of its own, so that none ends the search for the end of another.
        let headers = (0..<15_000).map { index -> [UInt8] in
            var builder = FLACBuilder(frameCount: 0)
            (builder.rate, builder.channels) = ((1 + index % 255) * 1000, 1 + index % 8)
            return Array(builder.encodedFrame(index % 100, 65_536, isSelfContained: true, isHeaderAlone: true))
        }
        #expect(probeErrorCode(headers.flatMap { $0 }) == .unrecognizedFormat)
        #expect(throws: Never.self) { try probeBytes(headers.reduce(into: whole.bytes) { $0 += $1 }) }
    }

    /// The header alone of a frame that may have 2 MiB, in a format of its own.
    private func longHeader(_ index: Int) -> [UInt8] {
        var builder = FLACBuilder(frameCount: 0)
        (builder.rate, builder.channels, builder.isWide) = ((1 + index) * 1000, 8, true)
        return builder.encodedFrame(0, 65_536, isSelfContained: true, isHeaderAlone: true)
    }

    @Test("During detection, all false headers share one search budget", arguments: [0, 20])
    func falseHeadersShareOneSearch(garbage: Int) throws {
        // Each of 16 headers may begin a frame of 2 MiB. The bytes at the end are not a frame either.
        let headers = (0..<16).flatMap { longHeader($0) }
        let bytes = [UInt8](repeating: 1, count: garbage) + headers + [UInt8](repeating: 1, count: 3 << 20)
        let file = try SparseFile(prefix: bytes, byteCount: bytes.count)
        var options = ProbeOptions()
        options.limits.scannedBytes = 8 << 20
        let error = #expect(throws: AudioError.self) { try Recording(contentsOf: file.url.path, options: options) }
        #expect(error?.code == .unrecognizedFormat)
    }

    /// Frames of 4,096 samples with correct checksums.
    private func long(_ count: Int) -> FLACBuilder {
        var builder = FLACBuilder(frameCount: 0)
        (builder.frames, builder.total) = (Array(repeating: 4096, count: count), 0)
        return builder
    }

    @Test("Each frame with a damaged header in a long stream is skipped")
    func manyBrokenHeaders() throws {
        let builder = long(4)
        let sounds = builder.encodedFrames
        var bytes = builder.head
        // Before a damaged header, the end of a frame is searched for up to the longest possible length.
        for number in 0..<4000 {
            var frame = sounds[number % 4]
            if number % 4 == 3 { frame[5] ^= 1 }
            bytes += frame
        }
        let recording = try probeBytes(bytes)
        #expect(recording.duration?.ticks == 3000 * 4096)
        #expect(warningCodes(recording).contains(.damagedFrames))
        #expect(recording.completeness == .complete)
    }

    @Test("The search for the ends of false headers is limited by the frames before them")
    func falseHeadersInAStream() throws {
        let headers = (0..<200).flatMap { longHeader($0) }
        let bytes = whole.bytes + headers + [UInt8](repeating: 1, count: 3 << 20) + whole.encodedFrames[20]
        let file = try SparseFile(prefix: bytes, byteCount: bytes.count)
        var options = ProbeOptions()
        options.limits.scannedBytes = 24 << 20
        let recording = try Recording(contentsOf: file.url.path, options: options)
        #expect(recording.duration == AudioDuration(ticks: 3940, timescale: 8000, method: .scan))
    }

    @Test("After more damage than is searched, the stream may continue", arguments: [0, nil, 3841, 100])
    func longDamage(total: Int?) throws {
        var builder = FLACBuilder(frameCount: 20)
        builder.total = total
        let zeros = [UInt8](repeating: 0, count: 5 << 20), rest = builder.sounds(from: 20).reduce([], +)
        let recording = try probeBytes(builder.bytes + zeros + rest)
        #expect(recording.duration?.ticks == 3840)
        let isWhole = total == nil
        #expect(recording.completeness == (isWhole ? .complete : .truncated(offset: builder.bytes.count)))
        #expect(warningCodes(recording).contains(.trailingBytes) == isWhole)
        // The marker of another stream ends this one.
        builder.total = 0
        #expect(try probeBytes(builder.bytes + FLACBuilder(frameCount: 20).bytes + zeros).completeness == .complete)
    }

    @Test("A frame that is cut at its end is truncated")
    func framesEndingEarlyAreTruncated() throws {
        var builder = FLACBuilder(frameCount: 20)
        builder.total = 192 * 30
        let recording = try probeBytes(builder.bytes)
        #expect(recording.duration?.ticks == 3840)
        #expect(recording.completeness == .truncated(offset: builder.bytes.count))
    }

    @Test("Every prefix has its complete frames", arguments: [nil, 0])
    func everyPrefixGivesWholeFrames(total: Int?) throws {
        var builder = whole
        builder.total = total
        builder.blocks = [(4, FLACBuilder.vorbisCommentBlock(entries: ["TITLE=x"])), (1, [0, 0, 0])]
        let bytes = builder.bytes
        var ends = [builder.head.count]
        for frame in builder.encodedFrames { ends.append((ends.last ?? 0) + frame.count) }
        for count in 1..<bytes.count {
            if count < 42 {
                #expect(probeErrorCode(Array(bytes[..<count])) != nil)
                continue
            }
            let recording = try probeBytes(Array(bytes[..<count]))
            let frames = max(0, ends.count { $0 <= count } - 1)
            #expect(recording.duration?.ticks == frames * 192, "\(count) bytes")
            #expect(recording.duration?.isExact == true)
            if total == nil, count >= ends[0] { #expect(recording.completeness == .truncated(offset: ends[frames])) }
        }
    }

    @Test("Other bytes after the last frame are not audio", arguments: [nil, 0])
    func dataAfterLastFrameIsNotAudio(total: Int?) throws {
        var builder = whole
        builder.total = total
        var random = SplitMix64(seed: 1)
        let other = FLACBuilder(frameCount: 7).bytes
        for rest in [[UInt8](repeating: 0, count: 5000), random.bytes(count: 3000), [1], other, builder.bytes] {
            let recording = try probeBytes(builder.bytes + rest)
            #expect(recording.duration?.ticks == 3940, "\(rest.count) more bytes")
            if rest.count > 1 { #expect(warningCodes(recording) == [.trailingBytes], "\(rest.count) more bytes") }
            #expect(recording.completeness == .complete)
        }
    }

    @Test("Tags at both ends are not audio, and are reported")
    func tagsAtEitherEndAreReported() throws {
        var leading = ByteBuilder(Array("ID3".utf8))
        leading.append([4, 0, 0, 0, 0, 0, 12])
        leading.append("TIT2")
        leading.append([0, 0, 0, 2, 0, 0, 3, 0x41])
        var trailing = ByteBuilder(Array("APETAGEX".utf8))
        trailing.appendLittleEndian(2000, byteCount: 4)
        trailing.appendLittleEndian(32, byteCount: 4)
        trailing.appendZeros(count: 16)
        trailing.append("TAG")
        trailing.append("A title")
        trailing.appendZeros(count: 118)
        let bytes = leading.bytes + whole.bytes + trailing.bytes
        let recording = try probeBytes(bytes)
        #expect(recording.duration == AudioDuration(ticks: 3940, timescale: 8000, method: .index))
        #expect(warningCodes(recording) == [.carriesMetadata])
        #expect(
            recording.metadata == [
                MetadataItem(kind: .text, range: 0..<22),
                MetadataItem(kind: .text, range: bytes.count - 128..<bytes.count),
            ])
    }

    @Test("Missing and damaged frames are found when all are counted")
    func missingAndDamagedFramesAreReported() throws {
        var builder = whole
        builder.total = 1
        var sounds = builder.encodedFrames
        sounds[5][50] ^= 1
        let damaged = try probeBytes(sounds.reduce(builder.head, +))
        #expect(damaged.duration?.ticks == 3940)
        // A frame with a wrong checksum may not be a frame.
        #expect(damaged.duration?.errorBound == 192.0 / 8000)
        #expect(warningCodes(damaged) == [.damagedFrames, .headerContradicts])
        sounds.removeSubrange(8..<10)
        let missing = try probeBytes(sounds.reduce(builder.head, +))
        #expect(missing.duration?.ticks == 3940 - 2 * 192)
        #expect(missing.timelineSeconds == 3940.0 / 8000)
        #expect(warningCodes(missing).contains(.timelineGap))
    }

    @Test("Frame headers without frames make the duration inexact")
    func frameHeadersWithoutDataAreNotExact() throws {
        var builder = FLACBuilder(frameCount: 4)
        builder.total = 192 * 104
        let headers = (4..<104).flatMap { builder.encodedFrame($0, 192, isHeaderAlone: true) }
        let end = builder.encodedFrame(104, 192)
        let recording = try probeBytes(builder.bytes + headers + end)
        #expect(recording.duration.map { $0.errorBound >= 99 * 192.0 / 8000 } == true)
    }

    @Test("The number of the last frame is not used if the bytes before it cannot hold as many frames")
    func impossibleLastFrameNumberIsIgnored() throws {
        var builder = FLACBuilder(frameCount: 1)
        builder.total = 0
        let recording = try probeBytes(builder.bytes + builder.encodedFrame(50_000, 192))
        #expect(recording.duration?.ticks == 2 * 192)
        #expect(recording.duration?.method == .scan)
    }

    @Test("A stream without frames is empty unless its header states samples")
    func streamWithoutFramesIsEmptyUnlessDeclared() throws {
        let empty = try probeBytes(FLACBuilder(frameCount: 0).bytes)
        #expect(empty.completeness == .noAudioFrames)
        #expect(empty.duration?.ticks == 0)
        var promising = FLACBuilder(frameCount: 0)
        promising.total = 1000
        #expect(try probeBytes(promising.bytes).completeness == .truncated(offset: promising.bytes.count))
        #expect(probeErrorCode(FLACBuilder(frameCount: 0).bytes + [1, 2, 3, 4]) == .damaged)
    }

    @Test("The metadata of all block types is reported")
    func metadataBlocksAreReported() throws {
        var builder = whole
        builder.blocks = [
            (4, FLACBuilder.vorbisCommentBlock(entries: ["ENCODER=x", "TITLE=", "ReplayGain_Track_Gain=1"])),
            (2, [0, 0, 0, 0]),
            (4, FLACBuilder.vorbisCommentBlock(entries: ["location=here", "artist=a", "comment=b"])),
            (6, [UInt8](repeating: 9, count: 300)),
        ]
        let recording = try probeBytes(builder.bytes)
        #expect(recording.metadata.map(\.kind) == [.applicationData, .location, .text, .image])
        #expect(
            recording.warnings.first?.message
                == "the file contains metadata beside the audio: application, picture, position, text")
    }

    @Test("The number of metadata items is limited")
    func endlessMetadataBlocksAreBounded() throws {
        var builder = whole
        builder.blocks = (0..<10_000).map { (type: [2, 6][$0 % 2], content: []) }
        #expect(try probeBytes(builder.bytes).metadata.count == 1000)
        builder.blocks = (0..<10_000).map { _ in (type: 6, content: []) }
        #expect(try probeBytes(builder.bytes).metadata.count == 1)
    }

    @Test("Invalid metadata blocks are rejected")
    func unusableStreamInfoIsRejected() {
        var silentRate = whole
        silentRate.rate = 0
        #expect(probeErrorCode(silentRate.bytes) == .damaged)
        #expect(probeErrorCode(Array("fLaC".utf8) + [0x84, 0, 0, 0]) == .damaged)
        #expect(probeErrorCode(Array("fLaC".utf8) + [0x80, 0, 0, 5] + [UInt8](repeating: 1, count: 100)) == .damaged)
        var forbidden = whole
        forbidden.blocks = [(127, [0])]
        #expect(probeErrorCode(forbidden.bytes) == .damaged)
    }

    @Test("Invalid sizes and counts are handled")
    func impossibleSizesAndCountsAreHandled() throws {
        var builder = whole
        builder.blocks = [(4, [UInt8](repeating: 0xFF, count: 40))]
        #expect(try probeBytes(builder.bytes).duration?.ticks == 3940)
        // More empty blocks than the limit, without a last one.
        var blocks = [UInt8](repeating: 0, count: 4 * AudioLimits().elements + 4)
        for offset in stride(from: 0, to: blocks.count, by: 4) { blocks[offset] = 1 }
        var head = whole.head
        head[4] = 0
        #expect(probeErrorCode(head + blocks) == .limitExceeded)
        // Adjacent headers with correct checksums, and no frames.
        let header = Array(whole.encodedFrame(0, 192)[..<8])
        let headers = (0..<20_000).flatMap { _ in header }
        #expect(try probeBytes(whole.head + headers).duration?.ticks == 0)
    }

    @Test("A quick probe uses the header, as an estimate")
    func quickProbeReturnsHeaderTotal() throws {
        var builder = whole
        builder.total = 8000
        let recording = try probeBytes(builder.bytes, quick: true)
        #expect(recording.duration?.seconds == 1)
        #expect(recording.duration?.method == .estimate)
        #expect(recording.duration?.isExact == false)
        builder.total = 0
        #expect(try probeBytes(builder.bytes, quick: true).duration?.ticks == 3940)
    }

    @Test("Changed bytes give a recording or an error")
    func flippedBytesAreHandled() {
        var builder = whole
        builder.blocks = [(4, FLACBuilder.vorbisCommentBlock(entries: ["TITLE=x"]))]
        HostileInputChecks.expectByteFlipsAreHandled(builder.bytes, seed: 2)
    }
}
