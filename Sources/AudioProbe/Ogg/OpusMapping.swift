/// Opus: RFC 7845.
struct OpusMapping: OggMapping {
    let track: Recording.Track
    let preSkip: Int
    let canTrimStart = false

    /// - Parameter head: the first packet, 5.1. The rate that it states is the recording's, not what is played.
    init?(_ head: [UInt8]) {
        guard head.count >= 19, head.starts(with: "OpusHead".utf8), head[8] < 16, head[9] > 0 else { return nil }
        track = Recording.Track(codec: .opus, sampleRate: OpusPacket.sampleRate, channels: Int(head[9]))
        preSkip = Int(head[10]) | Int(head[11]) << 8
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
