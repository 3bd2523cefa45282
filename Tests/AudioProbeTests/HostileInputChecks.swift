import AudioProbe
import Diagnostics
import TestSupport
import Testing

/// Checks for files that were cut or changed. They must give an `AudioError` or a recording, and never trap.
enum HostileInputChecks {
    /// Checks every prefix of `bytes`: the duration grows with the prefix up to that of the whole file.
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

    /// Checks `count` copies with one to four changed bytes.
    static func expectByteFlipsAreHandled(_ bytes: [UInt8], count: Int = 5000, seed: UInt64 = 1) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<count {
            var changed = bytes
            for _ in 0..<random.number(in: 1...4) {
                // Most of a file is audio, but most faults are in the parsing of headers.
                let end = random.number(in: 0...1) == 0 ? min(bytes.count, 120) : bytes.count
                changed[random.number(in: 0...end - 1)] = UInt8(random.number(in: 0...255))
            }
            expectConsistentProbeResult(of: changed)
        }
    }

    /// Checks that all offsets of a recording are inside the file.
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
