/// How a container stores samples: the codec, and the layout of its data.
struct SampleEncoding {
    let codec: AudioCodec
    /// Valid bits per sample of a lossless codec; `nil` for other codecs.
    var bitsPerSample: Int?
    /// The layout of the audio data; `nil` for unknown codecs and for codecs with frames of different sizes.
    var blockLayout: SampleBlockLayout?

    /// Returns the encoding of uncompressed samples, each of which occupies whole bytes.
    static func uncompressed(_ codec: AudioCodec, bitsPerSample: Int, channels: Int) -> SampleEncoding {
        SampleEncoding(
            codec: codec, bitsPerSample: bitsPerSample,
            blockLayout: SampleBlockLayout(bytesPerBlock: (bitsPerSample + 7) / 8 * channels, samplesPerBlock: 1))
    }

    /// Returns the encoding of a codec with packets of a constant size and number of samples.
    ///
    /// - Parameters:
    ///   - codec: The codec.
    ///   - bytesPerPacket: Bytes of a packet, for all channels.
    ///   - samplesPerPacket: Samples per channel in a packet.
    static func packets(_ codec: AudioCodec, bytesPerPacket: Int, samplesPerPacket: Int) -> SampleEncoding {
        SampleEncoding(
            codec: codec,
            blockLayout: SampleBlockLayout(bytesPerBlock: bytesPerPacket, samplesPerBlock: samplesPerPacket))
    }
}
