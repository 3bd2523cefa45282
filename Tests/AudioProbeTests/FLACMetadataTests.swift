import AudioProbe
import Diagnostics
import Testing

@Suite("Native FLAC: metadata and tags")
struct FLACMetadataTests {
    /// 20 frames of 192 samples and one of 100.
    private let whole = FLACBuilder(frameCount: 20, lastFrameSamples: 100)

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
}
