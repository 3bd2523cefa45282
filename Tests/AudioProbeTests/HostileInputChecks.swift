import AudioProbe
import Diagnostics
import TestSupport
import Testing

/// What must hold for any file that was cut or changed: an error of ours, or a recording. Swift's traps are what is
/// looked for; they end the tests.
enum HostileInputChecks {
    /// Every prefix of `bytes`: no duration beyond the whole one, and never a shorter one for a longer prefix.
    static func expectPrefixesAreHandled(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let whole = try #require(try probeBytes(bytes).duration, sourceLocation: sourceLocation).seconds
        var last = 0.0
        for length in bytes.indices {
            guard let duration = try? probeBytes(Array(bytes[..<length])).duration else { continue }
            #expect(duration.seconds <= whole, "the first \(length) bytes", sourceLocation: sourceLocation)
            #expect(duration.seconds >= last, "the first \(length) bytes", sourceLocation: sourceLocation)
            last = duration.seconds
        }
    }

    /// One to four bytes changed, `count` times.
    static func expectByteFlipsAreHandled(_ bytes: [UInt8], count: Int = 5000, seed: UInt64 = 1) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<count {
            var changed = bytes
            for _ in 0..<random.number(in: 1...4) {
                // Headers are where the danger is, and sound is most of a file.
                let end = random.number(in: 0...1) == 0 ? min(bytes.count, 120) : bytes.count
                changed[random.number(in: 0...end - 1)] = UInt8(random.number(in: 0...255))
            }
            expectConsistentProbeResult(of: changed)
        }
    }

    /// Whatever comes out of `bytes`, an error or a recording: of the latter nothing is outside the file.
    static func expectConsistentProbeResult(of bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
        for isQuick in [false, true] {
            guard let recording = try? probeBytes(bytes, quick: isQuick) else { continue }
            #expect((0...bytes.count).contains(recording.mediaBytes), sourceLocation: sourceLocation)
            #expect(recording.tracks.indices.contains(recording.mainTrackIndex), sourceLocation: sourceLocation)
            for item in recording.metadata {
                #expect(item.range.upperBound <= bytes.count, sourceLocation: sourceLocation)
            }
            for offset in recording.warnings.compactMap(\.offset) {
                #expect((0...bytes.count).contains(offset), sourceLocation: sourceLocation)
            }
        }
    }
}
