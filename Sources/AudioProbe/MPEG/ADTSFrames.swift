/// Frames of AAC with ADTS headers that agree in profile and sample rate: ISO/IEC 14496-3, 1.A.2.2.
struct ADTSFrames: BareFrames {
    static let headerLength = 7

    let sampleRate: Int
    /// Nil if the frames say it elsewhere.
    let channels: Int?
    /// What all headers have in common.
    private let pattern: Int

    /// Synchronisation, version, layer, profile and sample rate.
    private static let mask = 0xFFFE_FC00

    /// Nil if no header is at `offset`, or its rate is reserved.
    init?(at offset: Int, in window: inout ByteWindow) throws(AudioError) {
        guard let word = try window.uint32(at: offset), word >> 20 == 0xFFF, word >> 17 & 3 == 0 else { return nil }
        let rateIndex = word >> 10 & 15
        guard AudioSpecificConfig.rates.indices.contains(rateIndex) else { return nil }
        sampleRate = AudioSpecificConfig.rates[rateIndex]
        channels = AudioSpecificConfig.channelCounts[word >> 6 & 7]
        pattern = word & Self.mask
    }

    func canFollow(_ other: ADTSFrames) -> Bool { true }

    @inline(__always)
    mutating func frame(at offset: Int, in window: inout ByteWindow) throws(AudioError) -> BareFrame? {
        guard let word = try window.uint32(at: offset), word & Self.mask == pattern,
            let rest = try window.uint32(at: offset + 3)
        else { return nil }
        // A checksum of 2 bytes follows the header, unless its absence is stated.
        let length = rest >> 13 & 0x1FFF
        // Each raw data block has at least the element that ends it.
        let blocks = rest & 3 + 1
        guard length >= Self.headerLength + (word >> 16 & 1 == 1 ? 0 : 2) + blocks else { return nil }
        return BareFrame(length: length, samples: 1024 * blocks)
    }
}
