/// What a `fmt ` chunk says of the sound: Microsoft's WAVEFORMAT, PCMWAVEFORMAT, WAVEFORMATEX and WAVEFORMATEXTENSIBLE.
struct WaveFormat {
    let codec: AudioCodec
    let channels: Int
    let rate: Int
    /// Bits of a sample that count; nil for codecs that don't keep every bit.
    let bits: Int?
    /// How its sound is laid out; nil for codecs whose frames differ in size.
    let blocks: SampleBlocks?
    /// Bytes a second on average, by the header.
    let byteRate: Int
    /// Where its fields contradict each other, and which do.
    private(set) var contradiction: (offset: Int, message: String)?

    /// - Throws: `damaged`, and what reading throws.
    init(_ chunk: Chunk, _ order: ByteWindow.ByteOrder, in window: inout ByteWindow) throws(AudioError) {
        let start = chunk.body
        // 14 bytes are WAVEFORMAT of 1991, which knew no bits.
        guard chunk.count >= 14, let tag = try window.uint16(at: start, order),
            let channels = try window.uint16(at: start + 2, order), let rate = try window.uint32(at: start + 4, order),
            let byteRate = try window.uint32(at: start + 8, order), let align = try window.uint16(at: start + 12, order)
        else { throw AudioError(.damaged, offset: chunk.start, "the fmt chunk is \(chunk.count) bytes long") }
        if channels == 0 { throw AudioError(.damaged, offset: start + 2, "the fmt chunk states no channels") }
        if rate == 0 { throw AudioError(.damaged, offset: start + 4, "the fmt chunk states a sample rate of 0") }

        var fields = Fields(tag: tag, channels: channels, align: align, bits: align * 8 / channels)
        if chunk.count >= 16 { fields.bits = try window.uint16(at: start + 14, order) ?? fields.bits }
        if chunk.count >= 20 { fields.samples = try window.uint16(at: start + 18, order) }
        if tag == 0xFFFE, chunk.count >= 40 {
            fields.tag = try Self.extensibleTag(at: start + 24, order, in: &window) ?? tag
            fields.validBits = fields.samples
            fields.samples = nil
        }
        self.channels = channels
        self.rate = rate
        self.byteRate = byteRate
        (codec, bits, blocks) = try fields.layout(offset: start)
        if let blocks, blocks.bytes != align, fields.isUncompressed {
            let message =
                "the fmt chunk states blocks of \(align) bytes; \(channels) x \(fields.bits) bits have \(blocks.bytes)"
            contradiction = (start + 12, message)
        }
    }

    /// The tag that a subformat's GUID stands for, of which the first two bytes are the tag and the rest always the
    /// same; Ambisonics has another rest. Nil for other GUIDs.
    private static func extensibleTag(
        at offset: Int, _ order: ByteWindow.ByteOrder, in window: inout ByteWindow
    ) throws(AudioError) -> Int? {
        guard let first = try window.uint32(at: offset, order), first <= 0xFFFF,
            let second = try window.uint32(at: offset + 4, order), let last = try window.uint64(at: offset + 8)
        else { return nil }
        // Both of the second field's halves are numbers of 16 bits, the lower first in little-endian files.
        let halves = order == .little ? second : second >> 16 | (second & 0xFFFF) << 16
        let isKnown =
            halves == 0x0010_0000 && last == 0x8000_00AA_0038_9B71
            || halves == 0x11D3_0721 && last == 0x8644_C8C1_CA00_0000
        return isKnown ? first : nil
    }

    /// The fields that the layout follows from.
    private struct Fields {
        var tag: Int
        let channels: Int
        let align: Int
        var bits: Int
        /// Samples in a block, where the codec has such a field.
        var samples: Int?
        /// Of `bits` those that count, in the extensible format.
        var validBits: Int?

        var isUncompressed: Bool { [1, 3, 6, 7].contains(tag) }

        /// - Throws: `damaged`.
        func layout(offset: Int) throws(AudioError) -> (AudioCodec, Int?, SampleBlocks?) {
            switch tag {
            case 1: return (.pcm, validBits.flatMap { $0 > 0 && $0 <= bits ? $0 : nil } ?? bits, try pcm(offset))
            case 3: return (.pcmFloat, bits, try pcm(offset))
            case 6: return (.aLaw, nil, SampleBlocks(bytes: channels, samples: 1))
            case 7: return (.muLaw, nil, SampleBlocks(bytes: channels, samples: 1))
            case 0x02:
                let stated = samples.flatMap { $0 > 0 ? $0 : nil }
                return (
                    .adpcmMS, nil,
                    try block(SampleBlocks.microsoftADPCM(bytes: align, channels: channels, samples: stated), offset)
                )
            case 0x11:
                return (.adpcmIMA, nil, try block(SampleBlocks.imaADPCM(bytes: align, channels: channels), offset))
            // Two frames of GSM in 65 bytes.
            case 0x31: return (.gsm, nil, SampleBlocks(bytes: 65, samples: 320))
            case 0x45, 0x64:
                let isKnown = (2...5).contains(bits)
                return (AudioCodec(rawValue: "g726"), nil, isKnown ? .packed(bits: bits, channels: channels) : nil)
            case 0x50: return (.mp2, nil, nil)
            case 0x55: return (.mp3, nil, nil)
            default: return (AudioCodec(rawValue: "0x" + String(tag, radix: 16)), nil, nil)
            }
        }

        /// Samples fill whole bytes. Players go by the bits and not by the size of a block, but for 24 bits in four
        /// bytes.
        private func pcm(_ offset: Int) throws(AudioError) -> SampleBlocks {
            guard (1...64).contains(bits) else {
                throw AudioError(.damaged, offset: offset + 14, "the fmt chunk states samples of \(bits) bits")
            }
            let isWide = bits == 24 && align == 4 * channels
            return SampleBlocks(bytes: isWide ? align : (bits + 7) / 8 * channels, samples: 1)
        }

        private func block(_ blocks: SampleBlocks?, _ offset: Int) throws(AudioError) -> SampleBlocks {
            guard let blocks else {
                throw AudioError(
                    .damaged, offset: offset + 12, "blocks of \(align) bytes can't hold this kind of sound")
            }
            return blocks
        }
    }
}
