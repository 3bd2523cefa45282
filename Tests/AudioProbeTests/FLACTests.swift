import AudioProbe
import Diagnostics
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
    func implausibleLastNumberIsNotUsed(isVariable: Bool) throws {
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
        return (head.encodedFrames + rest.makeFrames(from: number, isSelfContained: true)).reduce(head.head, +)
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
        let more = rest.makeFrames(from: isVariable ? 20 * 192 : 20)
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
            bytes = builder.makeFrames(from: 3 * index, isSelfContained: true).reduce(bytes, +)
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
        let bytes = builder.makeFrames(isSelfContained: true)[missing...].reduce([], +)
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
        #expect(
            cut.completeness == .truncated(offset: bytes.count - builder.makeFrames(isSelfContained: true)[20].count))
        // These frames refer to the missing header for their rate.
        #expect(probeErrorCode(builder.encodedFrames[missing...].reduce([], +)) == .unrecognizedFormat)
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
