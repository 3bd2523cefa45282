/// What Apple Lossless needs before the first packet, its "magic cookie": `ALACSpecificConfig` of Apple's reference decoder.
struct ALACConfiguration {
    /// Samples of each channel in every packet but the last; 4096 from Apple's encoder.
    let packetSamples: Int
    let bitsPerSample: Int
    let channels: Int
    /// Samples a second; 0 if it isn't stated.
    let sampleRate: Int

    /// Nil if `cookie` is cut short. Older files put the atoms `frma` and `alac` in front.
    init?(_ cookie: ArraySlice<UInt8>) {
        let fields = cookie.dropFirst(cookie.dropFirst(4).starts(with: "frma".utf8) ? 24 : 0)
        var reader = BitReader(fields)
        // Behind the version and the bits stand three parameters of the coder, behind the channels three limits.
        guard fields.count >= 24, let samples = reader.bits(32), reader.skip(8), let bits = reader.bits(8),
            reader.skip(24), let channels = reader.bits(8), reader.skip(80), let rate = reader.bits(32)
        else { return nil }
        packetSamples = samples
        bitsPerSample = bits
        self.channels = channels
        sampleRate = rate
    }
}

/// The head of a packet of Apple Lossless, as its reference decoder reads it: 3 bits of an element's kind, 4 of its
/// number, 12 of nothing, one that says whether it is short, 3 of other flags, and, if it is, 32 with its samples.
enum ALACPacket {
    /// Bytes of the longest head.
    static let headLength = 8

    /// Samples of each channel in the packet that `head` begins, of which only a last one has fewer than `usual`; nil if
    /// the head is cut short, or claims more.
    static func samples(_ head: [UInt8], usual: Int) -> Int? {
        var reader = BitReader(head[...])
        guard reader.skip(19), let isShort = reader.bits(1), reader.skip(3) else { return nil }
        if isShort == 0 { return usual }
        return reader.bits(32).flatMap { $0 <= usual ? $0 : nil }
    }
}
