import AudioProbe
import Diagnostics
import Foundation
import TestSupport
import Testing

@Suite("Native FLAC: damage, false headers and other bytes")
struct FLACDamageTests {
    /// 20 frames of 192 samples and one of 100.
    private let whole = FLACBuilder(frameCount: 20, lastFrameSamples: 100)

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
        let frames = builder.encodedFrames
        var bytes = builder.head
        // Before a damaged header, the end of a frame is searched for up to the longest possible length.
        for number in 0..<4000 {
            var frame = frames[number % 4]
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
        let zeros = [UInt8](repeating: 0, count: 5 << 20), rest = builder.makeFrames(from: 20).reduce([], +)
        let recording = try probeBytes(builder.bytes + zeros + rest)
        #expect(recording.duration?.ticks == 3840)
        let isWhole = total == nil
        #expect(recording.completeness == (isWhole ? .complete : .truncated(offset: builder.bytes.count)))
        #expect(warningCodes(recording).contains(.trailingBytes) == isWhole)
        // The marker of another stream ends this one.
        builder.total = 0
        #expect(try probeBytes(builder.bytes + FLACBuilder(frameCount: 20).bytes + zeros).completeness == .complete)
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

    @Test("Missing and damaged frames are found when all are counted")
    func missingAndDamagedFramesAreReported() throws {
        var builder = whole
        builder.total = 1
        var frames = builder.encodedFrames
        frames[5][50] ^= 1
        let damaged = try probeBytes(frames.reduce(builder.head, +))
        #expect(damaged.duration?.ticks == 3940)
        // A frame with a wrong checksum may not be a frame.
        #expect(damaged.duration?.errorBound == 192.0 / 8000)
        #expect(warningCodes(damaged) == [.damagedFrames, .headerContradicts])
        frames.removeSubrange(8..<10)
        let missing = try probeBytes(frames.reduce(builder.head, +))
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
}
