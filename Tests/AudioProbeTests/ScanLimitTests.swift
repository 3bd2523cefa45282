import AudioProbe
import Diagnostics
import Foundation
import TestSupport
import Testing

private typealias M = MatroskaBuilder

@Suite("A scan that reaches its limit")
struct ScanLimitTests {
    /// At least 300,000 bytes of equal frames.
    private static let frames: [(name: String, bytes: [UInt8])] = [
        (
            "amr",
            Array("#!AMR\n".utf8) + repeatedFrames(count: 10_000, frame: [0x3C] + [UInt8](repeating: 0xFF, count: 31))
        ),
        ("adts", buildMPEGAudio { $0.appendADTSFrames(8000) }), ("mp3", buildMPEGAudio { $0.appendFrames(count: 800) }),
        (
            "mp3 with a header",
            buildMPEGAudio {
                $0.appendXingFrame(frames: 800, size: 417 * 801, delay: 576, padding: 1152); $0.appendFrames(count: 800)
            }
        ),
    ]

    private static func repeatedFrames(count: Int, frame: [UInt8]) -> [UInt8] {
        [[UInt8]](repeating: frame, count: count).flatMap { $0 }
    }

    private func probeWithScanLimit(_ bytes: [UInt8], limit: Int) throws -> Recording {
        let file = try SparseFile(prefix: bytes, byteCount: bytes.count)
        var options = ProbeOptions()
        options.limits.scannedBytes = limit
        return try Recording(contentsOf: file.url.path, options: options)
    }

    @Test("The duration of raw frames is extrapolated to the whole file", arguments: frames.indices)
    func rawFramesAreExtrapolatedBeyondLimit(index: Int) throws {
        let bytes = Self.frames[index].bytes
        let whole = try #require(try AudioProbeTests.probeBytes(bytes).duration)
        #expect(try probeWithScanLimit(bytes, limit: 2 * bytes.count).duration == whole)
        let recording = try probeWithScanLimit(bytes, limit: 100_000), duration = try #require(recording.duration)
        #expect(duration.method == .estimate && duration.errorBound >= 1)
        #expect(abs(duration.seconds - whole.seconds) <= whole.seconds / 100)
        #expect(recording.completeness == .complete)
        #expect(warningCodes(recording) == [.scanLimit])
        #expect((30_000...100_000).contains(recording.mediaBytes))
    }

    @Test("After more damage than is searched, more frames may follow", arguments: frames.indices.prefix(3))
    func unsearched(index: Int) throws {
        let bytes = Self.frames[index].bytes
        // AMR has frames of one byte, but none of the types 9 to 14.
        let stretch = [UInt8](repeating: 0x4C, count: 5 << 20)
        let recording = try AudioProbeTests.probeBytes(bytes + stretch + bytes)
        #expect(recording.completeness == .truncated(offset: bytes.count))
        #expect(recording.duration?.isExact == false)
        #expect(warningCodes(recording).contains(.trailingBytes))
        #expect(try AudioProbeTests.probeBytes(bytes + stretch.prefix(1 << 20)).completeness == .complete)
    }

    @Test("Other containers use the header")
    func otherContainersFallBackToHeader() throws {
        // Each page of Ogg is read together with as many bytes after it as the longest page has.
        let ogg = OggBuilder.makeOpusStream(pages: 20_000).bytes, matroska = M.makeOpusFile(20_000, duration: 400_000)
        for (bytes, limit, seconds) in [(ogg, 500_000, 4000), (matroska, 100_000, 400.0)] {
            let recording = try probeWithScanLimit(bytes, limit: limit), duration = try #require(recording.duration)
            #expect(duration.method == .estimate && !duration.isExact)
            #expect(abs(duration.seconds - seconds) < 1)
            #expect(warningCodes(recording).contains(.scanLimit))
            #expect(
                try probeWithScanLimit(bytes, limit: 2 * bytes.count).duration
                    == AudioProbeTests.probeBytes(bytes).duration)
        }
    }

    @Test("A file without a stated duration is rejected")
    func fileWithoutDeclaredDurationIsRejected() throws {
        let error = #expect(throws: AudioError.self) { try probeWithScanLimit(M.makeOpusFile(20_000), limit: 100_000) }
        #expect(error?.code == .limitExceeded)
    }

    @Test("A cancelled task stops reading, also during detection", arguments: [false, true])
    func cancelled(isDetected: Bool) async throws {
        let file = try SparseFile(prefix: isDetected ? Self.frames[0].bytes : [1], byteCount: 1 << 43)
        let task = Task { () -> AudioError.Code? in
            while !Task.isCancelled { await Task.yield() }
            do throws(AudioError) {
                _ = try Recording(contentsOf: file.url.path)
                return nil
            } catch {
                return error.code
            }
        }
        task.cancel()
        #expect(await task.value == .cancelled)
    }
}
