import AudioProbe
import Diagnostics
import Testing

@Suite("MP4: hostile and damaged files")
struct MP4RobustnessTests {
    /// Small files of every kind.
    static let files: [[UInt8]] = {
        var edited = MP4Builder()
        edited.tracks[0].edits = [(100, -1), (2000, 1024)]
        edited.movieBoxes = MP4MetadataTests.makeNamedItems(["com.apple.quicktime.location.ISO6709"])
        var amr = MP4Builder()
        amr.brand = "3gp4"
        amr.isMovieFirst = false
        amr.tracks[0].entry = MP4SampleEntry.amrEntry(isWide: false, framesPerSample: 2)
        amr.tracks[0].compactBits = 8
        var opus = MP4Builder()
        opus.tracks[0].entry = MP4SampleEntry.opusEntry(preSkip: 312)
        var pcm = MP4Builder()
        pcm.brand = nil
        pcm.tracks[0].entry = MP4SampleEntry.quickTimeVersion2Entry(
            "lpcm", rate: 48_000, channels: 2, bits: 16, flags: 0)
        pcm.tracks[0].uniformSize = 10
        return [edited.bytes(), amr.bytes(), opus.bytes(), pcm.bytes(), MP4FragmentTests.makeFile()]
    }()

    @Test("A prefix has at most as much audio as the whole file", arguments: files.indices)
    func prefixNeverHasMoreAudioThanWhole(index: Int) throws {
        try HostileInputChecks.expectPrefixesAreHandled(Self.files[index])
        for length in 8..<Self.files[index].count {
            let recording = try probeBytes(Array(Self.files[index].prefix(length)))
            // A file that is cut between two fragments seems complete.
            #expect(recording.completeness != .complete || index == 4)
        }
    }

    @Test("5,000 files with changed bytes give a recording or an error", arguments: files.indices)
    func flippedBytesAreHandled(index: Int) {
        HostileInputChecks.expectByteFlipsAreHandled(Self.files[index], count: 1000, seed: UInt64(index))
    }

    @Test("Fields of all ones and of zeros are handled everywhere", arguments: files.indices)
    func extremeFieldValuesAreHandled(index: Int) {
        for offset in stride(from: 0, to: Self.files[index].count - 8, by: 2) {
            for value in [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF] {
                var file = Self.files[index]
                file.replaceSubrange(offset..<offset + 4, with: bigEndianBytes(value, count: 4))
                _ = try? probeBytes(file)
                _ = try? probeBytes(file, quick: true)
            }
            var file = Self.files[index]
            file.replaceSubrange(offset..<offset + 8, with: bigEndianBytes(.max, count: 8))
            _ = try? probeBytes(file)
        }
    }

    @Test func deeplyNestedBoxesAreRejected() {
        var inner: [UInt8] = []
        for _ in 0..<10_000 { inner = MP4Builder.box(type: "mdia", content: inner) }
        var builder = MP4Builder()
        builder.movieBoxes = inner
        #expect(probeErrorCode(builder.bytes()) == .limitExceeded)
    }

    @Test func tooManyBoxesAreRejected() {
        var options = ProbeOptions()
        options.limits.elements = 100
        let bytes = MP4Builder().fileType + (0..<200).flatMap { _ in MP4Builder.box(type: "free", content: []) }
        #expect(throws: AudioError.self) { _ = try Recording(bytes: bytes, options: options) }
    }

    @Test("Tables that claim 2^32 entries have the entries that they contain")
    func tableEntryCountIsBoundedByItsBytes() throws {
        for name in ["stts", "stsz", "stco", "stsc"] {
            var file = MP4Builder().bytes()
            let place = try #require(file.indices.first { file[$0...].starts(with: asciiBytes(name)) })
            let count = place + 8 + (name == "stsz" ? 4 : 0)
            file.replaceSubrange(count..<count + 4, with: bigEndianBytes(0xFFFF_FFFF, count: 4))
            let recording = try probeBytes(file)
            #expect(recording.duration?.ticks == 102_400)
            #expect(recording.warnings.map(\.code) == [.damagedFrames])
        }
    }

    @Test("Samples of one common size end at the end of the file")
    func uniformSampleCountIsBoundedByFile() throws {
        var builder = MP4Builder()
        builder.tracks[0].uniformSize = 10
        builder.tracks[0].count = 0xFFFF_FFFF
        builder.tracks[0].samplesPerChunk = 100
        builder.tracks[0].times = [(0xFFFF_FFFF, 1024)]
        let recording = try probeBytes(builder.bytes())
        #expect(recording.duration?.ticks == 102_400)
        #expect(recording.completeness == .truncated(offset: builder.bytes().count))
    }

    @Test("Overlapping chunks are counted, and their packets are read within a limit")
    func overlappingChunksAreBounded() throws {
        func overlapping(_ entry: [UInt8]) throws -> [UInt8] {
            var builder = MP4Builder()
            builder.tracks[0].entry = entry
            builder.tracks[0].content = [UInt8](repeating: 0xFC, count: 1000)
            builder.tracks[0].samplesPerChunk = 1
            var file = builder.bytes()
            let place = try #require(file.indices.first { file[$0...].starts(with: asciiBytes("stco")) }) + 12
            let first = Array(file[place..<place + 4])
            for chunk in 0..<100 { file.replaceSubrange(place + 4 * chunk..<place + 4 * chunk + 4, with: first) }
            // Each sample has the size of all samples together.
            let size = try #require(file.indices.first { file[$0...].starts(with: asciiBytes("stsz")) }) + 16
            for sample in 0..<100 {
                file.replaceSubrange(size + 4 * sample..<size + 4 * sample + 4, with: bigEndianBytes(1000, count: 4))
            }
            return file
        }
        let recording = try probeBytes(overlapping(MP4SampleEntry.aacEntry()))
        #expect(recording.duration?.ticks == 102_400)
        #expect(recording.warnings.map(\.code) == [.damagedFrames])
        #expect(recording.mediaBytes == (try overlapping(MP4SampleEntry.aacEntry()).count))
        #expect(probeErrorCode(try overlapping(MP4SampleEntry.amrEntry(isWide: false, framesPerSample: 0))) == .damaged)
    }
}
