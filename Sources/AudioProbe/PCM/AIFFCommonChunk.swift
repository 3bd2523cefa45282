internal import MediaContainers

/// The content of a `COMM` chunk: Apple's "Audio Interchange File Format", and its draft of AIFF-C.
struct AIFFCommonChunk {
    let encoding: SampleEncoding
    let channels: Int
    let sampleRate: SampleRate
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
                .damaged, offset: chunk.startOffset,
                message: "the 'COMM' chunk is truncated: \(chunk.availableSize) bytes")
        }
        if channels == 0 {
            throw AudioError(.damaged, offset: start, message: "invalid number of channels in the 'COMM' chunk: 0")
        }
        guard let rate = SampleRate(extendedExponent: exponent, significand: significand) else {
            throw AudioError(.damaged, offset: start + 8, message: "invalid sample rate in the 'COMM' chunk")
        }
        self.channels = channels
        self.sampleRate = rate
        self.declaredFrameCount = frames
        let isTyped = isCompressed && chunk.availableSize >= 22
        let type: FourCC = isTyped ? try reader.fourCC(at: start + 18) ?? "NONE" : "NONE"
        encoding = try Self.encoding(
            compressionType: type, bitsPerSample: size, channels: channels, offset: start)
    }

    /// Returns the encoding of a compression type.
    ///
    /// Each sample occupies whole bytes. `bitsPerSample` is the size before compression. It is ignored for types that
    /// imply a size.
    private static func encoding(
        compressionType: FourCC, bitsPerSample: Int, channels: Int, offset: Int
    ) throws(AudioError) -> SampleEncoding {
        func uncompressedEncoding(_ codec: AudioCodec, bits: Int) -> SampleEncoding {
            .uncompressed(codec, bitsPerSample: bits, channels: channels)
        }
        func packetEncoding(_ codec: AudioCodec, bytes: Int, samples: Int) -> SampleEncoding {
            .packets(codec, bytesPerPacket: bytes * channels, samplesPerPacket: samples)
        }
        switch compressionType {
        case "NONE", "twos", "sowt":
            guard (1...64).contains(bitsPerSample) else {
                throw AudioError(
                    .damaged, offset: offset + 6,
                    message: "invalid sample size in the 'COMM' chunk: \(bitsPerSample) bits")
            }
            return uncompressedEncoding(.pcm, bits: bitsPerSample)
        case "raw ": return uncompressedEncoding(.pcm, bits: 8)
        case "in16": return uncompressedEncoding(.pcm, bits: 16)
        case "in24", "42n1", "42ni": return uncompressedEncoding(.pcm, bits: 24)
        case "in32", "23n1", "23ni": return uncompressedEncoding(.pcm, bits: 32)
        case "fl32", "FL32": return uncompressedEncoding(.pcmFloat, bits: 32)
        case "fl64", "FL64": return uncompressedEncoding(.pcmFloat, bits: 64)
        case "alaw", "ALAW": return packetEncoding(.aLaw, bytes: 1, samples: 1)
        case "ulaw", "ULAW": return packetEncoding(.muLaw, bytes: 1, samples: 1)
        case "ima4": return packetEncoding(.adpcmIMA, bytes: 34, samples: 64)
        case "MAC3": return packetEncoding(AudioCodec(rawValue: "mace3"), bytes: 2, samples: 6)
        case "MAC6": return packetEncoding(AudioCodec(rawValue: "mace6"), bytes: 1, samples: 6)
        case "GSM ", "agsm": return packetEncoding(.gsm, bytes: 33, samples: 160)
        case "G722": return packetEncoding(AudioCodec(rawValue: "g722"), bytes: 1, samples: 2)
        default: return SampleEncoding(codec: AudioCodec(rawValue: compressionType.description))
        }
    }
}
