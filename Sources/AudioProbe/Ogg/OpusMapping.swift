/// Opus: RFC 7845.
struct OpusMapping: OggMapping {
    let track: Recording.Track
    let preSkip: Int
    let canTrimStart = false

    /// - Parameter packet: the first.
    init?(_ packet: [UInt8]) {
        guard let head = OpusHead(packet[...]) else { return nil }
        track = Recording.Track(codec: .opus, sampleRate: OpusPacket.sampleRate, channels: head.channels)
        preSkip = head.preSkip
    }

    func isHeader(_ number: Int, first: Int?) -> Bool { number < 2 }

    func read(
        header packet: [UInt8], _ number: Int, at range: Range<Int>, _ limits: AudioLimits
    ) throws(AudioError) -> [Metadata] {
        number == 1 && packet.starts(with: "OpusTags".utf8) ? try comments(packet, skipping: 8, at: range, limits) : []
    }

    func measure(at offset: Int, _ length: Int, in window: inout ByteWindow) throws(AudioError) -> Int? {
        try OpusPacket.samples(
            first: length > 0 ? window.uint8(at: offset) : nil, second: length > 1 ? window.uint8(at: offset + 1) : nil)
    }
}
