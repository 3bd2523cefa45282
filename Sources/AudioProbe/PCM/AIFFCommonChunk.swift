/// The content of a `COMM` chunk: Apple's "Audio Interchange File Format", and its draft of AIFF-C.
struct AIFFCommonChunk {
    let codec: AudioCodec
    let channels: Int
    let sampleRate: SampleRate
    /// Bits per sample of a lossless codec; `nil` for other codecs.
    let bitsPerSample: Int?
    /// The layout of the audio data; `nil` for unknown codecs and for codecs with frames of different sizes.
    let blockLayout: SampleBlockLayout?
    /// The number of frames, or of packets where packets contain several frames. 0 and the largest values mean unknown.
    let declaredFrameCount: Int

    /// Parses a `COMM` chunk.
    ///
    /// - Throws: ``AudioError/Code/damaged``, and the errors of the reader.
    init(chunk: Chunk, isCompressed: Bool, in reader: inout BufferedFileReader) throws(AudioError) {
        let start = chunk.contentOffset
        guard chunk.availableSize >= 18, let channels = try reader.uint16(at: start),
            let frames = try reader.uint32(at: start + 2), let size = try reader.uint16(at: start + 6),
            let exponent = try reader.uint16(at: start + 8), let significand = try reader.uint64(at: start + 10)
        else {
            throw AudioError(
                .damaged, offset: chunk.startOffset, message: "the COMM chunk is \(chunk.availableSize) bytes long")
        }
        if channels == 0 { throw AudioError(.damaged, offset: start, message: "the COMM chunk states no channels") }
        guard let rate = SampleRate(extendedExponent: exponent, significand: significand) else {
            throw AudioError(.damaged, offset: start + 8, message: "the COMM chunk states a sample rate that is none")
        }
        self.channels = channels
        self.sampleRate = rate
        self.declaredFrameCount = frames
        let isTyped = isCompressed && chunk.availableSize >= 22
        let type: FourCC = isTyped ? try reader.fourCC(at: start + 18) ?? "NONE" : "NONE"
        (codec, bitsPerSample, blockLayout) = try Self.codecAndLayout(
            compressionType: type, bitsPerSample: size, channels: channels, offset: start)
    }

    /// Returns the codec, the bits per sample and the layout of a compression type.
    ///
    /// Each sample occupies whole bytes. `bitsPerSample` is the size before compression. It is ignored for types that
    /// imply a size.
    private static func codecAndLayout(
        compressionType: FourCC, bitsPerSample: Int, channels: Int, offset: Int
    ) throws(AudioError) -> (AudioCodec, Int?, SampleBlockLayout?) {
        func samples(_ codec: AudioCodec, _ bitsPerSample: Int) -> (AudioCodec, Int?, SampleBlockLayout?) {
            (
                codec, bitsPerSample,
                SampleBlockLayout(bytesPerBlock: (bitsPerSample + 7) / 8 * channels, samplesPerBlock: 1)
            )
        }
        func packets(_ codec: AudioCodec, _ bytes: Int, _ samples: Int) -> (AudioCodec, Int?, SampleBlockLayout?) {
            (codec, nil, SampleBlockLayout(bytesPerBlock: bytes * channels, samplesPerBlock: samples))
        }
        switch compressionType {
        case "NONE", "twos", "sowt":
            guard (1...64).contains(bitsPerSample) else {
                throw AudioError(
                    .damaged, offset: offset + 6, message: "the COMM chunk states samples of \(bitsPerSample) bits")
            }
            return samples(.pcm, bitsPerSample)
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
        default: return (AudioCodec(rawValue: compressionType.description), nil, nil)
        }
    }
}
