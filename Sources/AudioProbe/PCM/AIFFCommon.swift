/// What a `COMM` chunk says of the sound: Apple's "Audio Interchange File Format", and its draft of AIFF-C.
struct AIFFCommon {
    let codec: AudioCodec
    let channels: Int
    let rate: SampleRate
    /// Bits of a sample; nil for codecs that don't keep every bit.
    let bits: Int?
    /// How its sound is laid out; nil for codecs whose frames differ in size, or aren't known here.
    let blocks: SampleBlocks?
    /// Frames, or packets where packets hold several; 0 and the largest numbers stand for not known yet.
    let frames: Int

    /// - Throws: `damaged`, and what reading throws.
    init(_ chunk: Chunk, isCompressed: Bool, in window: inout ByteWindow) throws(AudioError) {
        let start = chunk.body
        guard chunk.count >= 18, let channels = try window.uint16(at: start),
            let frames = try window.uint32(at: start + 2), let size = try window.uint16(at: start + 6),
            let exponent = try window.uint16(at: start + 8), let significand = try window.uint64(at: start + 10)
        else { throw AudioError(.damaged, offset: chunk.start, "the COMM chunk is \(chunk.count) bytes long") }
        if channels == 0 { throw AudioError(.damaged, offset: start, "the COMM chunk states no channels") }
        guard let rate = SampleRate(extended: exponent, significand) else {
            throw AudioError(.damaged, offset: start + 8, "the COMM chunk states a sample rate that is none")
        }
        self.channels = channels
        self.rate = rate
        self.frames = frames
        let isTyped = isCompressed && chunk.count >= 22
        let type: FourCC = isTyped ? try window.fourCC(at: start + 18) ?? "NONE" : "NONE"
        (codec, bits, blocks) = try Self.layout(type, bits: size, channels, offset: start)
    }

    /// Samples fill whole bytes. The size is that of the sound before it was compressed, and says nothing for types
    /// that name their own.
    private static func layout(
        _ type: FourCC, bits: Int, _ channels: Int, offset: Int
    ) throws(AudioError) -> (AudioCodec, Int?, SampleBlocks?) {
        func samples(_ codec: AudioCodec, _ bits: Int) -> (AudioCodec, Int?, SampleBlocks?) {
            (codec, bits, SampleBlocks(bytes: (bits + 7) / 8 * channels, samples: 1))
        }
        func packets(_ codec: AudioCodec, _ bytes: Int, _ samples: Int) -> (AudioCodec, Int?, SampleBlocks?) {
            (codec, nil, SampleBlocks(bytes: bytes * channels, samples: samples))
        }
        switch type {
        case "NONE", "twos", "sowt":
            guard (1...64).contains(bits) else {
                throw AudioError(.damaged, offset: offset + 6, "the COMM chunk states samples of \(bits) bits")
            }
            return samples(.pcm, bits)
        case "raw ": return samples(.pcm, 8)
        case "in16": return samples(.pcm, 16)
        case "in24", "42n1", "42ni": return samples(.pcm, 24)
        case "in32", "23n1", "23ni": return samples(.pcm, 32)
        case "fl32", "FL32": return samples(.pcmFloat, 32)
        case "fl64", "FL64": return samples(.pcmFloat, 64)
        case "alaw", "ALAW": return packets(.aLaw, 1, 1)
        case "ulaw", "ULAW": return packets(.muLaw, 1, 1)
        case "ima4": return packets(.adpcmIMA, 34, 64)
        case "MAC3": return packets(AudioCodec(rawValue: "mace3"), 2, 6)
        case "MAC6": return packets(AudioCodec(rawValue: "mace6"), 1, 6)
        case "GSM ", "agsm": return packets(.gsm, 33, 160)
        case "G722": return packets(AudioCodec(rawValue: "g722"), 1, 2)
        default: return (AudioCodec(rawValue: type.description), nil, nil)
        }
    }
}
