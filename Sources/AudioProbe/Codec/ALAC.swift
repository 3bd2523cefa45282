/// The configuration of an Apple Lossless decoder: the "magic cookie", `ALACSpecificConfig` in Apple's reference
/// decoder.
struct ALACConfiguration {
    /// Samples per channel in every packet except the last. Apple's encoder uses 4096.
    let samplesPerPacket: Int
    let bitsPerSample: Int
    let channels: Int
    /// Samples per second, in Hz; 0 if it is not stated.
    let sampleRate: Int

    /// Parses a magic cookie. Returns `nil` if `cookie` is truncated.
    ///
    /// Older files have the atoms `frma` and `alac` before the configuration.
    init?(magicCookie cookie: ArraySlice<UInt8>) {
        let fields = cookie.dropFirst(cookie.dropFirst(4).starts(with: "frma".utf8) ? 24 : 0)
        var reader = BitReader(bytes: fields)
        // The skipped fields: the compatible version, three parameters of the coder, and, after the channels, three
        // limits.
        guard fields.count >= 24, let samples = reader.readBits(32), reader.skipBits(8), let bits = reader.readBits(8),
            reader.skipBits(24), let channels = reader.readBits(8), reader.skipBits(80), let rate = reader.readBits(32)
        else { return nil }
        samplesPerPacket = samples
        bitsPerSample = bits
        self.channels = channels
        sampleRate = rate
    }
}

/// The header of an Apple Lossless packet, as the reference decoder reads it.
///
/// The fields are: 3 bits for the kind of element, 4 bits for its number, 12 unused bits, a flag for a short packet, 3
/// bits of other flags, and in a short packet 32 bits with the number of samples.
enum ALACPacket {
    /// The size of the longest header in bytes.
    static let maxHeaderLength = 8

    /// Returns the number of samples per channel in a packet.
    ///
    /// - Parameters:
    ///   - head: The first bytes of the packet.
    ///   - defaultCount: The number of samples in every packet except the last.
    /// - Returns: `nil` if `head` is truncated or states more than `defaultCount`.
    static func sampleCount(header head: [UInt8], defaultCount: Int) -> Int? {
        var reader = BitReader(bytes: head[...])
        guard reader.skipBits(19), let isShort = reader.readBits(1), reader.skipBits(3) else { return nil }
        if isShort == 0 { return defaultCount }
        return reader.readBits(32).flatMap { $0 <= defaultCount ? $0 : nil }
    }
}
