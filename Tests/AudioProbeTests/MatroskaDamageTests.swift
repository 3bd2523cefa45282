import AudioProbe
import Diagnostics
import TestSupport
import Testing

private typealias M = MatroskaBuilder

@Suite("Matroska: incomplete files")
struct MatroskaIncompleteTests {
    @Test("A size with all bits set is unknown, whatever its length", arguments: 1...8)
    func unknownSizesAreReadInAnyLength(_ length: Int) throws {
        func cluster(_ time: Int) -> [UInt8] {
            M.unknownSizeElement(
                id: 0x1F43_B675, content: M.unsignedElement(id: 0xE7, value: time) + M.opusBlocks(25).flatMap { $0 },
                sizeLength: length)
        }
        // The second Cluster ends the first, and Tags end the second.
        let tags = M.element(id: 0x1254_C367, content: [])
        let content = M.info() + M.tracks(M.opusTrack()) + cluster(0) + cluster(500) + tags + cluster(1000)
        let recording = try probeBytes(
            M.ebmlHeader() + M.unknownSizeElement(id: 0x1853_8067, content: content, sizeLength: length))
        #expect(recording.duration == AudioDuration(ticks: 72_000, timescale: 48_000, method: .scan))
        #expect(recording.completeness == .complete)
        #expect(recording.warnings.map(\.code) == [.placeholderSize])
    }

    @Test("A header alone is unfinalised, or empty if it is whole") func headerAloneIsUnfinalizedOrEmpty() throws {
        let header = M.info() + M.tracks(M.opusTrack())
        for bytes in [M.segment(header, isUnsized: true), M.elementHeader(id: 0x1853_8067, size: 1000) + header] {
            let recording = try probeBytes(M.ebmlHeader() + bytes)
            #expect(recording.completeness == .unfinalized)
            #expect(recording.duration == nil && recording.mediaBytes == 0)
        }
        for more in [[], M.cluster(0, []), M.cluster(0, M.opusBlocks(5, track: 2))] {
            let recording = try probeBytes(M.ebmlHeader() + M.segment(header + more))
            #expect(recording.completeness == .noAudioFrames)
            #expect(recording.duration?.ticks == 0)
        }
    }

    @Test(
        "Damage beyond the search limit makes the file truncated",
        arguments: [false, true])
    func damageBeyondSearchLimitIsTruncated(isUnsized: Bool) throws {
        var options = ProbeOptions()
        options.limits.searchBytes = 1000
        for (hole, ticks, isWhole) in [(900, 50 * 960, true), (5000, 25 * 960, false)] {
            let content =
                M.info() + M.tracks(M.opusTrack()) + M.cluster(0, M.opusBlocks(25))
                + Array(repeating: 0, count: hole) + M.cluster(500, M.opusBlocks(25))
            let bytes = M.ebmlHeader() + M.segment(content, isUnsized: isUnsized)
            let recording = try Recording(bytes: bytes, options: options)
            #expect(recording.duration?.ticks == ticks)
            #expect((recording.completeness == .complete) == isWhole)
        }
    }

    @Test("A file that is cut anywhere has its complete blocks", arguments: [false, true])
    func everyPrefixGivesWholeBlocks(isUnsized: Bool) throws {
        let bytes = M.makeOpusFile(20, duration: isUnsized ? nil : 400, isUnsized: isUnsized)
        let block = M.opusBlocks(1)[0].count
        let firstBlock = bytes.count - 20 * block
        let tracksEnd = firstBlock - M.unsignedElement(id: 0xE7, value: 0).count - (isUnsized ? 12 : 6)
        for count in 0..<bytes.count {
            let prefix = Array(bytes.prefix(count))
            guard count >= tracksEnd else {
                #expect(probeErrorCode(prefix) != nil)
                continue
            }
            let recording = try probeBytes(prefix)
            let whole = max(count - firstBlock, 0) / block
            let end = firstBlock + whole * block
            #expect((recording.duration?.ticks ?? 0) == whole * 960)
            if count >= firstBlock, !isUnsized || count > end {
                #expect(recording.completeness == .truncated(offset: end))
            } else if count < firstBlock - 3 {
                #expect(recording.completeness == .unfinalized)
            }
            #expect(!recording.warnings.contains { $0.code == .headerContradicts })
        }
    }

    @Test("Grouped and laced blocks count only if they are complete")
    func incompleteBlockGroupsAndLacesAreNotCounted() throws {
        let group = M.blockGroup(20, M.opus, discard: 0), laced = M.simpleBlock(20, M.opus, M.opus, lacing: .xiph)
        for last in [group, laced] {
            let content = M.info() + M.tracks(M.opusTrack()) + M.cluster(0, M.opusBlocks(1) + [last], isUnsized: true)
            let bytes = M.ebmlHeader() + M.segment(content, isUnsized: true)
            let recording = try probeBytes(Array(bytes.dropLast()))
            #expect(recording.duration?.ticks == 960)
            #expect(recording.completeness == .truncated(offset: bytes.count - last.count))
        }
    }
}

@Suite("Matroska: damaged and contradictory files")
struct MatroskaDamageTests {
    @Test("After bytes that are not an element, the next Cluster is searched for") func nextClusterIsFoundAfterDamage()
        throws
    {
        let header = M.info() + M.tracks(M.opusTrack())
        let junk = [UInt8](repeating: 0, count: 100_000) + [0x1F, 0x43, 0xB6]
        let content = header + M.cluster(0, M.opusBlocks(5)) + junk + M.cluster(100, M.opusBlocks(5))
        let recording = try probeBytes(M.ebmlHeader() + M.segment(content))
        #expect(recording.duration?.ticks == 9600)
        #expect(recording.duration?.errorBound == 0.02)
        #expect(recording.warnings.map(\.code) == [.damagedFrames])
        #expect(recording.completeness == .complete)
    }

    @Test("A block that exceeds its Cluster ends the Cluster") func overlongBlockEndsCluster() throws {
        let broken = M.elementHeader(id: 0xA3, size: 1 << 40) + [0x81, 0, 0, 0x80]
        let clusters = M.cluster(0, M.opusBlocks(5) + [broken]) + M.cluster(200, M.opusBlocks(5))
        let recording = try probeBytes(M.ebmlHeader() + M.segment(M.tracks(M.opusTrack()) + clusters))
        #expect(recording.duration?.ticks == 9600)
        #expect(recording.duration?.isExact == false)
        #expect(
            recording.warnings.map(\.code) == [.damagedFrames, .timelineGap]
                || recording.warnings.map(\.code) == [.timelineGap, .damagedFrames])
    }

    @Test("Bytes after the last element are reported") func trailingBytesAreReported() throws {
        let zeros = [UInt8](repeating: 0, count: 1000)
        for isUnsized in [false, true] {
            let bytes = M.makeOpusFile(5, isUnsized: isUnsized)
            let recording = try probeBytes(bytes + zeros)
            #expect(recording.duration?.ticks == 4800)
            #expect(
                recording.warnings.last
                    == Diagnostic(
                        .trailingBytes, offset: bytes.count, message: recording.warnings.last?.message ?? ""))
        }
        #expect(try probeBytes(M.makeOpusFile(5) + M.element(id: 0xEC, content: zeros)).warnings.isEmpty)
    }

    @Test("A Segment that another one interrupts is damaged") func interruptedSegmentIsDamaged() throws {
        let bytes = M.makeOpusFile(5)
        let recording = try probeBytes(Array(bytes.dropLast(M.opusBlocks(1)[0].count)) + bytes)
        #expect(recording.duration?.isExact == false)
        #expect(recording.warnings.contains { $0.code == .damagedFrames })
    }

    @Test("Space that a recorder reserved and did not fill is accepted") func unusedPreallocatedSpaceIsTolerated()
        throws
    {
        let content = M.info() + M.tracks(M.opusTrack()) + M.cluster(0, M.opusBlocks(5), isUnsized: true)
        let zeros = [UInt8](repeating: 0, count: 4096)
        let whole = M.ebmlHeader() + M.elementHeader(id: 0x1853_8067, size: 1 << 20) + content
        let recording = try probeBytes(whole + zeros)
        #expect(recording.duration?.ticks == 4800)
        #expect(recording.completeness == .truncated(offset: whole.count))
    }

    @Test("Clusters after the stated end of the Segment are counted")
    func clustersAfterDeclaredSegmentEndAreCounted() throws {
        let header = M.info() + M.tracks(M.opusTrack())
        let clusters = M.cluster(0, M.opusBlocks(5)) + M.cluster(100, M.opusBlocks(5))
        for size in [0, header.count, header.count + clusters.count / 2] {
            let recording = try probeBytes(
                M.ebmlHeader() + M.elementHeader(id: 0x1853_8067, size: size) + header + clusters)
            #expect(recording.duration?.ticks == 9600)
            #expect(recording.warnings.contains { $0.code == .headerContradicts })
        }
    }

    @Test("False sizes and counts are handled", arguments: [0, 1, 127, 1 << 20, 1 << 32, 1 << 55, 1 << 56 - 2])
    func wrongSizesAndCountsAreHandled(_ size: Int) throws {
        let good = M.tracks(M.opusTrack()) + M.cluster(0, M.opusBlocks(5))
        for id in [0xA3, 0xA0, 0xEC, 0xE7, 0x1F43_B675, 0x1254_C367, 0x1654_AE6B, 0x1853_8067, 0x1A45_DFA3] {
            let lie = M.elementHeader(id: id, size: size) + M.opus
            for bytes in [
                M.ebmlHeader() + M.segment(lie + good), M.ebmlHeader() + M.segment(good + lie),
                lie + M.ebmlHeader() + M.segment(good),
                M.ebmlHeader()
                    + M.segment(M.tracks(M.opusTrack()) + M.cluster(0, [lie] + M.opusBlocks(5)), isUnsized: true),
                M.ebmlHeader()
                    + M.segment(M.tracks(M.opusTrack()) + M.cluster(0, M.opusBlocks(5) + [lie], isUnsized: true)),
            ] { HostileInputChecks.expectConsistentProbeResult(of: bytes) }
        }
    }

    @Test("The largest values in all fields of a track and a block are handled")
    func extremeFieldValuesAreHandled() {
        for id in [0xD7, 0x83, 0xB9, 0x56AA, 0x23E383, 0x9F, 0x6264] {
            for value in [0, 1, Int.max, Int.min, -1] {
                let field = M.signedElement(id: id, value: value)
                let track = M.element(
                    id: 0xAE,
                    content: M.unsignedElement(id: 0xD7, value: 1) + M.unsignedElement(id: 0x83, value: 2)
                        + M.stringElement(id: 0x86, text: "A_PCM/INT/LIT") + field
                        + M.element(id: 0xE1, content: M.unsignedElement(id: 0x6264, value: 16) + field))
                let last = M.blockGroup(32_767, M.opus, duration: value, discard: value)
                for time in [0, Int.max] {
                    HostileInputChecks.expectConsistentProbeResult(
                        of:
                            M.ebmlHeader()
                            + M.segment(M.info(scale: Int.max) + M.tracks(track) + M.cluster(time, [last, last])))
                }
            }
        }
        for rate in [0, -1, 1e300, .nan, .infinity, 0.1, 5e7] {
            for codec in ["A_AAC", "A_AAC/MPEG4/LC/SBR", "A_MPEG/L3", "A_FLAC", "A_VORBIS", "A_DTS"] {
                let blocks = [M.blockGroup(0, M.opus, duration: Int.max), M.simpleBlock(-9, M.opus)]
                HostileInputChecks.expectConsistentProbeResult(
                    of:
                        M.ebmlHeader()
                        + M.segment(
                            M.info(duration: 1e308) + M.tracks(M.track(codec, rate: rate)) + M.cluster(0, blocks)))
            }
        }
    }

    @Test("Lacing that contradicts its block is damage") func contradictoryLacesAreDamage() throws {
        let heads: [[UInt8]] = [
            [0x82, 200], [0x82, 1, 255], [0x82, 1, 255, 255, 255], [0x84, 2, 1, 2, 3, 4], [0x86, 1, 0x01],
            [0x86, 2, 0x81, 0x80],
            [0x86, 1, 0x08, 0xFF, 0xFF, 0xFF, 0xFF], [0x82], [0x84], [0x86], [0x80], [],
        ]
        for head in heads {
            let block = M.element(id: 0xA3, content: [0x81, 0, 20] + head)
            let bytes =
                M.ebmlHeader()
                + M.segment(M.tracks(M.opusTrack()) + M.cluster(0, M.opusBlocks(2) + [block] + M.opusBlocks(2)))
            let recording = try probeBytes(bytes)
            #expect(recording.duration?.ticks == 3840)
            #expect(recording.warnings.map(\.code) == [.damagedFrames])
        }
    }

    @Test("Endless elements are rejected") func endlessElementsAreRejected() {
        let voids = [[UInt8]](repeating: [0xEC, 0x80], count: AudioLimits().elements + 1).flatMap { $0 }
        #expect(
            probeErrorCode(M.ebmlHeader() + M.segment(M.element(id: 0x1654_AE6B, content: M.opusTrack() + voids)))
                == .limitExceeded)
    }

    @Test("5,000 files with flipped bytes") func flippedBytesAreHandled() {
        var random = SplitMix64(seed: 9559)
        let tracks = M.tracks(
            M.track("V_VP8", number: 1, type: 1), M.track("A_VORBIS", number: 2, setup: M.vorbisCodecPrivate()),
            M.opusTrack(3)
        )
        let laced = M.simpleBlock(40, track: 2, M.vorbisLong, M.vorbisShort, M.vorbisLong, lacing: .ebml)
        let blocks = [
            M.simpleBlock(0, track: 2, M.vorbisLong), M.blockGroup(20, track: 2, M.vorbisShort, discard: 9), laced,
        ]
        let tags = M.element(
            id: 0x1254_C367,
            content: M.element(
                id: 0x7373, content: M.element(id: 0x67C8, content: M.stringElement(id: 0x45A3, text: "GEO"))))
        let film =
            M.ebmlHeader()
            + M.segment(
                M.info(duration: 90) + tracks + M.cluster(0, blocks) + M.cluster(90, blocks, isUnsized: true) + tags)
        let files = [film, M.makeOpusFile(8, duration: 160), M.makeOpusFile(8, isUnsized: true) + film]
        for i in 0..<5000 {
            var bytes = files[i % files.count]
            for _ in 0...random.number(in: 0...3) {
                bytes[random.number(in: 0...bytes.count - 1)] = UInt8(random.number(in: 0...255))
            }
            HostileInputChecks.expectConsistentProbeResult(of: bytes)
        }
    }

    @Test("A Cluster with damage at every sixth byte is read in linear time")
    func damagedClusterFloodIsLinear()
        throws
    {
        let flood = (0..<100_000).flatMap { _ in M.unknownSizeElement(id: 0x1F43_B675, content: [0], sizeLength: 1) }
        let content = M.tracks(M.opusTrack()) + M.cluster(0, M.opusBlocks(5), isUnsized: true) + flood
        let recording = try probeBytes(M.ebmlHeader() + M.segment(content, isUnsized: true))
        #expect(recording.duration?.ticks == 4800)
        #expect(recording.warnings.contains { $0.code == .damagedFrames })
    }
}
