/// The content of a `fmt ` chunk: Microsoft's WAVEFORMAT, PCMWAVEFORMAT, WAVEFORMATEX and WAVEFORMATEXTENSIBLE.
struct WaveFormat {
    let encoding: SampleEncoding
    let channels: Int
    let sampleRate: Int
    /// The average number of bytes per second in the header.
    let averageBytesPerSecond: Int
    /// The offset and a description of fields that contradict each other, or `nil`.
    private(set) var contradiction: (offset: Int, message: String)?

    /// Parses a `fmt ` chunk.
    ///
    /// - Throws: ``AudioError/Code/damaged``, and the errors of the reader.
    init(chunk: Chunk, byteOrder: BufferedFileReader.ByteOrder, in reader: inout BufferedFileReader) throws(AudioError)
    {
        let start = chunk.contentOffset
        // WAVEFORMAT of 1991 has 14 bytes, without the bits per sample.
        guard chunk.availableSize >= 14, let tag = try reader.uint16(at: start, byteOrder: byteOrder),
            let channels = try reader.uint16(at: start + 2, byteOrder: byteOrder),
            let rate = try reader.uint32(at: start + 4, byteOrder: byteOrder),
            let byteRate = try reader.uint32(at: start + 8, byteOrder: byteOrder),
            let blockAlign = try reader.uint16(at: start + 12, byteOrder: byteOrder)
        else {
            throw AudioError(
                .damaged, offset: chunk.startOffset,
                message: "the 'fmt ' chunk is truncated: \(chunk.availableSize) bytes")
        }
        if channels == 0 {
            throw AudioError(.damaged, offset: start + 2, message: "invalid number of channels in the 'fmt ' chunk: 0")
        }
        if rate == 0 {
            throw AudioError(.damaged, offset: start + 4, message: "invalid sample rate in the 'fmt ' chunk: 0 Hz")
        }

        var fields = RawFields(
            formatTag: tag, channels: channels, blockAlign: blockAlign, bitsPerSample: blockAlign * 8 / channels)
        if chunk.availableSize >= 16 {
            fields.bitsPerSample = try reader.uint16(at: start + 14, byteOrder: byteOrder) ?? fields.bitsPerSample
        }
        if chunk.availableSize >= 20 {
            fields.samplesPerBlock = try reader.uint16(at: start + 18, byteOrder: byteOrder)
        }
        if tag == 0xFFFE, chunk.availableSize >= 40 {
            fields.formatTag = try Self.extensibleFormatTag(at: start + 24, byteOrder: byteOrder, in: &reader) ?? tag
            fields.validBitsPerSample = fields.samplesPerBlock
            fields.samplesPerBlock = nil
        }
        self.channels = channels
        self.sampleRate = rate
        self.averageBytesPerSecond = byteRate
        encoding = try fields.encoding(chunkOffset: start)
        if let blockLayout = encoding.blockLayout, blockLayout.bytesPerBlock != blockAlign, fields.isUncompressed {
            let message =
                "the 'fmt ' chunk states blocks of \(blockAlign) bytes, but \(channels) x \(fields.bitsPerSample) bits "
                + "take \(blockLayout.bytesPerBlock)"
            contradiction = (start + 12, message)
        }
    }

    /// Returns the format tag in a subformat's GUID, or `nil` for an unknown GUID.
    ///
    /// The first two bytes of the GUID are the tag, and the others are constant. Ambisonics has other constant bytes.
    private static func extensibleFormatTag(
        at offset: Int, byteOrder: BufferedFileReader.ByteOrder, in reader: inout BufferedFileReader
    ) throws(AudioError) -> Int? {
        guard let first = try reader.uint32(at: offset, byteOrder: byteOrder), first <= 0xFFFF,
            let second = try reader.uint32(at: offset + 4, byteOrder: byteOrder),
            let last = try reader.uint64(at: offset + 8)
        else { return nil }
        // The second field consists of two 16-bit numbers, the first of which is the lower half in a little-endian
        // file.
        let halves = byteOrder == .littleEndian ? second : second >> 16 | (second & 0xFFFF) << 16
        let isKnown =
            halves == 0x0010_0000 && last == 0x8000_00AA_0038_9B71
            || halves == 0x11D3_0721 && last == 0x8644_C8C1_CA00_0000
        return isKnown ? first : nil
    }

    /// The fields that determine the layout.
    private struct RawFields {
        var formatTag: Int
        let channels: Int
        let blockAlign: Int
        var bitsPerSample: Int
        /// Samples per block, for codecs with such a field.
        var samplesPerBlock: Int?
        /// The valid bits of `bitsPerSample`, in the extensible format.
        var validBitsPerSample: Int?

        var isUncompressed: Bool { [1, 3, 6, 7].contains(formatTag) }

        /// Returns the codec and its layout.
        ///
        /// - Throws: ``AudioError/Code/damaged``.
        func encoding(chunkOffset: Int) throws(AudioError) -> SampleEncoding {
            switch formatTag {
            case 1:
                let validBits = validBitsPerSample.flatMap { $0 > 0 && $0 <= bitsPerSample ? $0 : nil }
                return SampleEncoding(
                    codec: .pcm, bitsPerSample: validBits ?? bitsPerSample,
                    blockLayout: try pcmBlockLayout(chunkOffset: chunkOffset))
            case 3:
                return SampleEncoding(
                    codec: .pcmFloat, bitsPerSample: bitsPerSample,
                    blockLayout: try pcmBlockLayout(chunkOffset: chunkOffset))
            case 6: return .packets(.aLaw, bytesPerPacket: channels, samplesPerPacket: 1)
            case 7: return .packets(.muLaw, bytesPerPacket: channels, samplesPerPacket: 1)
            case 0x02:
                let blockLayout = SampleBlockLayout.microsoftADPCM(
                    bytesPerBlock: blockAlign, channels: channels,
                    declaredSamplesPerBlock: samplesPerBlock.flatMap { $0 > 0 ? $0 : nil })
                return SampleEncoding(
                    codec: .adpcmMS, blockLayout: try requireBlockLayout(blockLayout, chunkOffset: chunkOffset))
            case 0x11:
                let blockLayout = SampleBlockLayout.imaADPCM(bytesPerBlock: blockAlign, channels: channels)
                return SampleEncoding(
                    codec: .adpcmIMA, blockLayout: try requireBlockLayout(blockLayout, chunkOffset: chunkOffset))
            // Two GSM frames in 65 bytes.
            case 0x31: return .packets(.gsm, bytesPerPacket: 65, samplesPerPacket: 320)
            case 0x45, 0x64:
                let isKnown = (2...5).contains(bitsPerSample)
                return SampleEncoding(
                    codec: AudioCodec(rawValue: "g726"),
                    blockLayout: isKnown ? .packed(bitsPerSample: bitsPerSample, channels: channels) : nil)
            case 0x50: return SampleEncoding(codec: .mp2)
            case 0x55: return SampleEncoding(codec: .mp3)
            default: return SampleEncoding(codec: AudioCodec(rawValue: "0x" + String(formatTag, radix: 16)))
            }
        }

        /// Returns the layout of PCM, with samples in whole bytes.
        ///
        /// Players use the bits per sample and ignore the block size, except for 24 bits in four bytes.
        private func pcmBlockLayout(chunkOffset: Int) throws(AudioError) -> SampleBlockLayout {
            guard (1...64).contains(bitsPerSample) else {
                throw AudioError(
                    .damaged, offset: chunkOffset + 14,
                    message: "invalid sample size in the 'fmt ' chunk: \(bitsPerSample) bits"
                )
            }
            let isWide = bitsPerSample == 24 && blockAlign == 4 * channels
            return SampleBlockLayout(
                bytesPerBlock: isWide ? blockAlign : (bitsPerSample + 7) / 8 * channels, samplesPerBlock: 1)
        }

        private func requireBlockLayout(_ blockLayout: SampleBlockLayout?, chunkOffset: Int) throws(AudioError)
            -> SampleBlockLayout
        {
            guard let blockLayout else {
                throw AudioError(
                    .damaged, offset: chunkOffset + 12,
                    message: "invalid block size in the 'fmt ' chunk: \(blockAlign) bytes")
            }
            return blockLayout
        }
    }
}
