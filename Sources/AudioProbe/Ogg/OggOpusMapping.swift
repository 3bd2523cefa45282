/// The mapping of Opus: RFC 7845.
struct OggOpusMapping: OggCodecMapping {
    let track: Recording.Track
    let preSkip: Int
    let canTrimStart = false

    /// Reads the first packet. Returns `nil` if it is not an Opus header.
    ///
    /// - Parameter packet: The first packet of the stream.
    init?(firstPacket packet: [UInt8]) {
        guard let head = OpusHead(bytes: packet[...]) else { return nil }
        track = Recording.Track(codec: .opus, sampleRate: OpusPacket.sampleRate, channels: head.channels)
        preSkip = head.preSkip
    }

    func isHeaderPacket(index: Int, firstByte: Int?) -> Bool { index < 2 }

    func readHeaderPacket(
        _ packet: [UInt8], index: Int, range: Range<Int>, limits: AudioLimits
    ) throws(AudioError) -> [MetadataItem] {
        index == 1 && packet.starts(with: "OpusTags".utf8)
            ? try commentMetadata(packet: packet, skipping: 8, range: range, limits: limits) : []
    }

    func blockSize(ofPacketAt offset: Int, length: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Int?
    {
        try OpusPacket.sampleCount(
            firstByte: length > 0 ? reader.uint8(at: offset) : nil,
            secondByte: length > 1 ? reader.uint8(at: offset + 1) : nil)
    }
}
