/// The format of AAC frames with ADTS headers of the same profile and sample rate: ISO/IEC 14496-3, 1.A.2.2.
struct ADTSFrameFormat: RawFrameFormat {
    static let headerLength = 7

    let sampleRate: Int
    /// The number of channels, or `nil` if it is stated only inside the frames.
    let channels: Int?
    /// The bits that all headers have in common.
    private let headerPattern: Int

    /// The mask of the sync code, version, layer, profile and sample rate.
    private static let headerMask = 0xFFFE_FC00

    /// Reads the format of the frame at `offset`. Returns `nil` if there is no header or its sample rate is reserved.
    init?(at offset: Int, in reader: inout BufferedFileReader) throws(AudioError) {
        guard let word = try reader.uint32(at: offset), word >> 20 == 0xFFF, word >> 17 & 3 == 0 else { return nil }
        let rateIndex = word >> 10 & 15
        guard AudioSpecificConfig.sampleRates.indices.contains(rateIndex) else { return nil }
        sampleRate = AudioSpecificConfig.sampleRates[rateIndex]
        channels = AudioSpecificConfig.channelCountsByConfiguration[word >> 6 & 7]
        headerPattern = word & Self.headerMask
    }

    func canFollow(_ other: ADTSFrameFormat) -> Bool { true }

    @inline(__always)
    mutating func frame(at offset: Int, in reader: inout BufferedFileReader) throws(AudioError) -> RawFrame? {
        guard let word = try reader.uint32(at: offset), word & Self.headerMask == headerPattern,
            let rest = try reader.uint32(at: offset + 3)
        else { return nil }
        // A checksum of 2 bytes follows the header unless `protection_absent` is set.
        let length = rest >> 13 & 0x1FFF
        // Each raw data block has at least one byte: its end element.
        let rawDataBlockCount = rest & 3 + 1
        guard length >= Self.headerLength + (word >> 16 & 1 == 1 ? 0 : 2) + rawDataBlockCount else { return nil }
        return RawFrame(byteCount: length, sampleCount: 1024 * rawDataBlockCount)
    }
}
