/// What Apple Lossless needs before the first packet, its "magic cookie": `ALACSpecificConfig` of Apple's reference
/// decoder.
struct ALACConfiguration {
    /// Samples of each channel in every packet but the last; 4096 from Apple's encoder.
    let samplesPerPacket: Int
    let bitsPerSample: Int
    let channels: Int
    /// Samples a second; 0 if it isn't stated.
    let sampleRate: Int

    /// Nil if `cookie` is cut short. Older files put the atoms `frma` and `alac` in front.
    init?(magicCookie cookie: ArraySlice<UInt8>) {
        let fields = cookie.dropFirst(cookie.dropFirst(4).starts(with: "frma".utf8) ? 24 : 0)
        var reader = BitReader(bytes: fields)
        // Behind the version and the bits stand three parameters of the coder, behind the channels three limits.
        guard fields.count >= 24, let samples = reader.readBits(32), reader.skipBits(8), let bits = reader.readBits(8),
            reader.skipBits(24), let channels = reader.readBits(8), reader.skipBits(80), let rate = reader.readBits(32)
        else { return nil }
        samplesPerPacket = samples
        bitsPerSample = bits
        self.channels = channels
        sampleRate = rate
    }
}

/// The head of a packet of Apple Lossless, as its reference decoder reads it: 3 bits of an element's kind, 4 of its
/// number, 12 of nothing, one that says whether it is short, 3 of other flags, and, if it is, 32 with its samples.
enum ALACPacket {
    /// Bytes of the longest head.
    static let maxHeaderLength = 8

    /// Samples of each channel in the packet that `head` begins, of which only a last one has fewer than
    /// `defaultCount`; nil if the head is cut short, or claims more.
    static func sampleCount(header head: [UInt8], defaultCount: Int) -> Int? {
        var reader = BitReader(bytes: head[...])
        guard reader.skipBits(19), let isShort = reader.readBits(1), reader.skipBits(3) else { return nil }
        if isShort == 0 { return defaultCount }
        return reader.readBits(32).flatMap { $0 <= defaultCount ? $0 : nil }
    }
}
