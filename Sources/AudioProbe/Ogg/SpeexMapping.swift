/// Speex: the manual of Speex 1.2, 7.
struct SpeexMapping: OggMapping {
    let track: Recording.Track
    private let samplesPerPacket: Int
    private let headers: Int

    /// - Parameter header: the first packet.
    init?(_ header: [UInt8]) {
        guard header.count >= 80, header.starts(with: "Speex   ".utf8) else { return nil }
        func integer(_ offset: Int) -> Int { header.littleEndian(at: offset, count: 4) }
        let rate = integer(36), channels = integer(48), frame = integer(56), frames = max(1, integer(64))
        // Ultra-wide-band frames have 640 samples, and the encoder packs up to 10 of them.
        guard (1...192_000).contains(rate), (1...2).contains(channels), (1...2000).contains(frame), frames <= 100,
            integer(68) <= 1000
        else { return nil }
        track = Recording.Track(codec: .speex, sampleRate: rate, channels: channels)
        samplesPerPacket = frame * frames
        headers = 2 + integer(68)
    }

    /// The encoder's delay, up to a frame of it, shows only in the positions: those of a first page that counts from 0,
    /// and of a last page that is marked.
    var doubt: Int { samplesPerPacket }

    func isHeader(_ number: Int, first: Int?) -> Bool { number < headers }

    func read(
        header packet: [UInt8], _ number: Int, at range: Range<Int>, _ limits: AudioLimits
    ) throws(AudioError) -> [Metadata] {
        number == 1 ? try comments(packet, skipping: 0, at: range, limits) : []
    }

    func measure(at offset: Int, _ length: Int, in window: inout ByteWindow) throws(AudioError) -> Int? {
        length > 0 ? samplesPerPacket : nil
    }
}
