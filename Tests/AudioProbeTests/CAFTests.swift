import AudioProbe
import Diagnostics
import Testing

@Suite("The duration of CAF follows from its packets")
struct CAFTests {
    /// AAC packets of `sizes`, with the table before or after the audio.
    static func makeAACFile(
        _ sizes: [Int] = [100, 120, 300, 80], count: Int? = nil, valid: Int, priming: Int = 0, remainder: Int = 0,
        isInFront: Bool = false, declaredSize: Int? = nil
    ) -> CAFBuilder {
        var caf = CAFBuilder()
        caf.appendDescriptionChunk("aac ", rate: 44_100, bytes: 0, frames: 1024, channels: 2, bits: 0)
        let audioByteCount = sizes.reduce(0, +)
        if isInFront {
            caf.appendPacketTableChunk(sizes, count: count, valid: valid, priming: priming, remainder: remainder)
        }
        caf.appendDataChunk(byteCount: audioByteCount, declaredSize: declaredSize)
        if !isInFront {
            caf.appendPacketTableChunk(sizes, count: count, valid: valid, priming: priming, remainder: remainder)
        }
        return caf
    }

    @Test(arguments: [
        ("lpcm", 0, 2, 1, 16, AudioCodec.pcm, 400), ("lpcm", 2, 4, 1, 24, .pcm, 200),
        ("lpcm", 1, 4, 1, 32, .pcmFloat, 200),
        ("lpcm", 0, 0, 0, 16, .pcm, 400), ("ulaw", 0, 1, 1, 8, .muLaw, 800), ("alaw", 0, 1, 1, 8, .aLaw, 800),
        ("ima4", 0, 34, 64, 0, .adpcmIMA, 1472), ("MAC3", 0, 2, 6, 0, AudioCodec(rawValue: "mace3"), 2400),
    ])
    func constantPacketsNeedNoPacketTable(
        format: String, flags: Int, bytes: Int, frames: Int, bits: Int, codec: AudioCodec, ticks: Int
    ) throws {
        for size in [nil, -1] as [Int?] {
            var caf = CAFBuilder()
            caf.appendDescriptionChunk(format, flags: flags, bytes: bytes, frames: frames, bits: bits)
            let count = bytes == 34 ? 782 : 800
            caf.appendDataChunk(byteCount: count, declaredSize: size)
            let recording = try probeBytes(caf.bytes)
            #expect(recording.container == .caf)
            #expect(recording.mainTrack.codec == codec)
            #expect(recording.duration == AudioDuration(ticks: ticks, timescale: 8000, method: .header))
            #expect(recording.completeness == .complete)
            #expect(recording.warnings.map(\.code) == (size == nil ? [] : [.placeholderSize]))
            #expect(recording.mediaBytes == count)
        }
    }

    @Test(arguments: [true, false])
    func packetTableGivesDuration(isInFront: Bool) throws {
        let recording = try probeBytes(Self.makeAACFile(valid: 4096, isInFront: isInFront).bytes)
        #expect(recording.mainTrack.codec == .aac)
        #expect(recording.duration == AudioDuration(ticks: 4096, timescale: 44_100, method: .index))
        #expect(recording.completeness == .complete)
        #expect(recording.warnings.isEmpty)
        #expect(recording.mediaBytes == 600)
        let trimmed = try probeBytes(
            Self.makeAACFile(valid: 1500, priming: 2112, remainder: 484, isInFront: isInFront).bytes)
        #expect(trimmed.duration == AudioDuration(ticks: 1500, timescale: 44_100, method: .index))
        #expect(trimmed.warnings.isEmpty)
    }

    @Test func inconsistentValidFrameCountIsOnlyCompared() throws {
        for (valid, ticks) in [(4000, 1500), (Int.max, 1500), (-1, 1500)] {
            let recording = try probeBytes(Self.makeAACFile(valid: valid, priming: 2112, remainder: 484).bytes)
            #expect(recording.duration?.ticks == ticks)
            #expect(recording.duration?.isExact == false)
            #expect(recording.warnings.map(\.code) == [.headerContradicts])
        }
        let recording = try probeBytes(
            Self.makeAACFile(valid: 4096, priming: 0xFFFF_FFFF, remainder: 0xFFFF_FFFF).bytes)
        #expect(recording.duration?.ticks == 0)
        #expect(recording.warnings.map(\.code) == [.headerContradicts])
    }

    @Test func variableFramesPerPacketAreSummed() throws {
        var caf = CAFBuilder()
        caf.appendDescriptionChunk("opus", rate: 48_000, bytes: 0, frames: 0, channels: 1, bits: 0)
        caf.appendDataChunk(byteCount: 300)
        caf.appendPacketTableChunk([100, 960, 150, 2880, 50, 120], count: 3, valid: 3960 - 312, priming: 312)
        let recording = try probeBytes(caf.bytes)
        #expect(recording.mainTrack.codec == .opus)
        #expect(recording.duration == AudioDuration(ticks: 3648, timescale: 48_000, method: .index))

        // FFmpeg's copies state 963 frames for each packet, a length that Opus does not have.
        var copied = CAFBuilder()
        copied.appendDescriptionChunk("opus", rate: 48_000, bytes: 0, frames: 963, channels: 1, bits: 0)
        copied.appendDataChunk(byteCount: 300)
        copied.appendPacketTableChunk([100, 150, 50], valid: 3 * 963)
        let copy = try #require(try probeBytes(copied.bytes).duration)
        #expect(copy.ticks == 3 * 960)

        var fixed = CAFBuilder()
        fixed.appendDescriptionChunk("samr", bytes: 10, frames: 0, channels: 1, bits: 0)
        fixed.appendDataChunk(byteCount: 30)
        fixed.appendPacketTableChunk([160, 80, 160], valid: 400)
        #expect(try probeBytes(fixed.bytes).duration?.ticks == 400)
    }

    @Test("Opus packets keep their frames at every sample rate", arguments: [8000, 12_000, 16_000, 24_000, 48_000])
    func opusPacketsOfLowSampleRates(rate: Double) throws {
        let framesPerPacket = Int(rate) / 50
        var caf = CAFBuilder()
        caf.appendDescriptionChunk("opus", rate: rate, bytes: 0, frames: framesPerPacket, channels: 1, bits: 0)
        caf.appendDataChunk(byteCount: 300)
        caf.appendPacketTableChunk([100, 150, 50], valid: 3 * framesPerPacket)
        let recording = try probeBytes(caf.bytes)
        #expect(recording.duration == AudioDuration(ticks: 3 * framesPerPacket, timescale: Int(rate), method: .index))
        #expect(recording.warnings.isEmpty)
    }

    @Test func primingAndRemainderTrimConstantPackets() throws {
        var caf = CAFBuilder()
        caf.appendDescriptionChunk("ima4", bytes: 34, frames: 64, bits: 0)
        caf.appendPacketTableChunk([], count: 23, valid: 1450, remainder: 22)
        caf.appendDataChunk(byteCount: 34 * 23)
        let recording = try probeBytes(caf.bytes)
        #expect(recording.duration == AudioDuration(ticks: 1450, timescale: 8000, method: .header))
        #expect(recording.warnings.isEmpty)
    }

    @Test func missingPacketTableIsUnfinalized() throws {
        var caf = CAFBuilder()
        caf.appendDescriptionChunk("aac ", rate: 44_100, bytes: 0, frames: 1024, channels: 2, bits: 0)
        caf.appendDataChunk(byteCount: 600, declaredSize: -1)
        let recording = try probeBytes(caf.bytes)
        #expect(recording.completeness == .unfinalized)
        #expect(recording.duration == nil)
        #expect(recording.mediaBytes == 600)
        let behind = Self.makeAACFile(valid: 4096).bytes
        #expect(try probeBytes(Array(behind.prefix(200))).completeness == .unfinalized)
    }

    @Test func truncatedDataChunkIsTruncated() throws {
        let bytes = Self.makeAACFile(valid: 1500, priming: 2112, remainder: 484, isInFront: true).bytes
        let recording = try probeBytes(Array(bytes.dropLast(1)))
        #expect(recording.duration?.ticks == 3072 - 2112)
        #expect(recording.duration?.isExact == true)
        #expect(recording.completeness == .truncated(offset: bytes.count - 80))
        #expect(recording.mediaBytes == 520)
    }

    @Test func truncatedPacketTableIsTruncated() throws {
        let bytes = Self.makeAACFile(valid: 4096).bytes
        let recording = try probeBytes(Array(bytes.dropLast(1)))
        #expect(recording.duration?.ticks == 3072)
        #expect(recording.completeness == .truncated(offset: bytes.count - 1))
    }

    @Test(arguments: [5, 1 << 32, Int.max])
    func packetTableCountBeyondItsBytesIsBounded(count: Int) throws {
        let recording = try probeBytes(Self.makeAACFile(count: count, valid: 4096).bytes)
        #expect(recording.duration?.ticks == 4096)
        #expect(recording.warnings.map(\.code) == [.headerContradicts])
    }

    @Test func bytesOutsidePacketsAreTrailing() throws {
        let recording = try probeBytes(Self.makeAACFile([100, 120, 300, 80], count: 3, valid: 3072).bytes)
        #expect(recording.duration?.ticks == 3072)
        #expect(recording.warnings.map(\.code) == [.trailingBytes])
    }

    @Test func overflowingNumbersAreRejectedOrClamped() throws {
        // A number of more than 62 bits, frames that overflow, and empty packets.
        var long = CAFBuilder()
        long.appendDescriptionChunk("aac ", bytes: 0, frames: 1024, bits: 0)
        long.appendDataChunk(byteCount: 100)
        long.appendChunk("pakt", content: [UInt8](repeating: 0xFF, count: 100))
        #expect(probeErrorCode(long.bytes) == .damaged)

        var many = CAFBuilder()
        many.appendDescriptionChunk("opus", bytes: 0, frames: 0, bits: 0)
        many.appendDataChunk(byteCount: 100)
        many.appendPacketTableChunk(Array(repeatElement([1, 1 << 61], count: 50).joined()), count: 50, valid: 1)
        #expect(probeErrorCode(many.bytes) == .damaged)

        let empty = try probeBytes(Self.makeAACFile([0, 0, 0, 10], valid: 1024).bytes)
        #expect(empty.duration?.ticks == 1024)

        var large = CAFBuilder()
        large.appendDescriptionChunk("ima4", bytes: 0xFFFF_FFFF, frames: 0xFFFF_FFFF, channels: 0xFFFF_FFFF)
        large.appendDataChunk(byteCount: 100)
        #expect(try probeBytes(large.bytes).completeness == .noAudioFrames)

        var product = CAFBuilder()
        product.appendDescriptionChunk(bytes: 0, frames: 0xFFFF_FFFF, channels: 0xFFFF_FFFF, bits: 8)
        product.appendDataChunk(byteCount: 100)
        #expect(probeErrorCode(product.bytes) == .damaged)
    }

    @Test(arguments: [0, 1, 3, 4, 1 << 40, Int.max, Int.min, -1, -2])
    func wrongChunkSizesAreHandled(size: Int) throws {
        var caf = CAFBuilder()
        caf.appendDescriptionChunk()
        caf.appendDataChunk(byteCount: 800, declaredSize: size)
        let recording = try probeBytes(caf.bytes)
        #expect(recording.duration?.ticks == 400)
        #expect([.complete, .truncated(offset: caf.bytes.count)].contains(recording.completeness))
    }

    /// AudioSpecificConfig of AAC-LC at 22,050 Hz with SBR, bare and as MP4's descriptors.
    @Test(
        arguments: [
            [0x2B, 0x8A, 0x08, 0x00],
            [3, 26, 0, 0, 0, 4, 18, 0x40, 0x15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 4, 0x2B, 0x8A, 0x08, 0, 6, 1, 2],
            [
                3, 0x80, 0x80, 26, 0, 0, 0, 4, 18, 0x40, 0x15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 4, 0x2B, 0x8A, 0x08,
                0,
            ],
        ] as [[UInt8]])
    func magicCookieDeclaresSBR(setUp: [UInt8]) throws {
        var caf = CAFBuilder()
        caf.appendDescriptionChunk("aac ", rate: 22_050, bytes: 0, frames: 1024, channels: 1, bits: 0)
        caf.appendChunk("kuki", content: setUp)
        caf.appendDataChunk(byteCount: 300)
        caf.appendPacketTableChunk([100, 200], valid: 2048)
        let recording = try probeBytes(caf.bytes)
        #expect(recording.mainTrack.codec == .heAAC)
        #expect(recording.mainTrack.sampleRate == 44_100)
        #expect(recording.duration == AudioDuration(ticks: 2048, timescale: 22_050, method: .index))
    }

    @Test func lastALACPacketStatesItsLength() throws {
        // 19 bits of type, number and zeros, 1 bit for "short", 3 bits of flags, and 32 bits with 1000 samples.
        let short: [UInt8] = [0, 0, 0x10, 0, 0, 0x07, 0xD0, 0, 0, 0]
        var caf = CAFBuilder()
        caf.appendDescriptionChunk("alac", flags: 3, bytes: 0, frames: 4096, channels: 1, bits: 0)
        caf.appendChunk("data", content: [0, 0, 0, 0] + [UInt8](repeating: 0, count: 100) + short)
        caf.appendPacketTableChunk([100, 10], valid: 8192)
        let recording = try probeBytes(caf.bytes)
        #expect(recording.mainTrack.bitsPerSample == 24)
        #expect(recording.duration == AudioDuration(ticks: 5096, timescale: 8000, method: .index))
    }

    @Test func metadataIsListed() throws {
        var caf = CAFBuilder()
        caf.appendDescriptionChunk()
        caf.appendChunk("info", content: [0, 0, 0, 1] + Array("encoder\0Lavf\0".utf8))
        caf.appendChunk("free", content: [0, 0])
        caf.appendDataChunk(byteCount: 800)
        #expect(try probeBytes(caf.bytes).metadata.isEmpty)
        caf.appendChunk("info", content: [0, 0, 0, 1] + Array("artist\0me\0".utf8))
        caf.appendChunk("uuid", content: [UInt8](repeating: 7, count: 20))
        caf.appendChunk(
            "uuid",
            content: [
                0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC, 0x3C,
            ])
        let recording = try probeBytes(caf.bytes)
        #expect(recording.metadata.map(\.kind) == [.text, .applicationData, .xmp])
        #expect(recording.warnings.map(\.code) == [.carriesMetadata])
    }

    @Test func impossibleFieldsAreDamaged() {
        for rate in [0, -1, .nan, .infinity, 1e300, 0.5] as [Double] {
            var caf = CAFBuilder()
            caf.appendDescriptionChunk(rate: rate)
            caf.appendDataChunk(byteCount: 800)
            #expect(probeErrorCode(caf.bytes) == .damaged)
        }
        var channels = CAFBuilder()
        channels.appendDescriptionChunk(channels: 0)
        #expect(probeErrorCode(channels.bytes) == .damaged)
        var nothing = CAFBuilder()
        nothing.appendDataChunk(byteCount: 800)
        #expect(probeErrorCode(nothing.bytes) == .damaged)
    }

    @Test func prefixesAndFlippedBytesAreHandled() throws {
        let front = Self.makeAACFile([50, 60, 70, 20], valid: 4096 - 100, priming: 100, isInFront: true).bytes
        try HostileInputChecks.expectPrefixesAreHandled(front)
        try HostileInputChecks.expectPrefixesAreHandled(Self.makeAACFile([50, 60, 70, 20], valid: 4096).bytes)
        HostileInputChecks.expectByteFlipsAreHandled(front)
        HostileInputChecks.expectByteFlipsAreHandled(Self.makeAACFile([50, 60, 70, 20], valid: 4096).bytes)
        var caf = CAFBuilder()
        caf.appendDescriptionChunk("ima4", bytes: 34, frames: 64, bits: 0)
        caf.appendPacketTableChunk([], count: 6, valid: 380, remainder: 4)
        caf.appendDataChunk(byteCount: 34 * 6)
        try HostileInputChecks.expectPrefixesAreHandled(caf.bytes)
        HostileInputChecks.expectByteFlipsAreHandled(caf.bytes)
    }
}
