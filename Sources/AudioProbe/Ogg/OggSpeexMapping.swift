/// The mapping of Speex: the manual of Speex 1.2, section 7.
struct OggSpeexMapping: OggCodecMapping {
    let track: Recording.Track
    private let samplesPerPacket: Int
    private let headerPacketCount: Int

    /// Reads the first packet. Returns `nil` if it is not a valid Speex header.
    ///
    /// - Parameter packet: The first packet of the stream.
    init?(firstPacket packet: [UInt8]) {
        guard packet.count >= 80, packet.starts(with: "Speex   ".utf8) else { return nil }
        func integer(at offset: Int) -> Int { packet.littleEndianInteger(at: offset, byteCount: 4) }
        let rate = integer(at: 36), channels = integer(at: 48), frame = integer(at: 56),
            frames = max(1, integer(at: 64))
        // Ultra-wideband frames have 640 samples, and the encoder packs up to 10 of them.
        guard (1...192_000).contains(rate), (1...2).contains(channels), (1...2000).contains(frame), frames <= 100,
            integer(at: 68) <= 1000
        else { return nil }
        track = Recording.Track(codec: .speex, sampleRate: rate, channels: channels)
        samplesPerPacket = frame * frames
        headerPacketCount = 2 + integer(at: 68)
    }

    /// Samples by which players differ: the encoder's delay, which is at most one packet.
    ///
    /// Only granule positions show the delay: those of a first page that counts from 0 and of a marked last page.
    var uncertainSamples: Int { samplesPerPacket }

    func isHeaderPacket(index: Int, firstByte: Int?) -> Bool { index < headerPacketCount }

    func readHeaderPacket(
        _ packet: [UInt8], index: Int, range: Range<Int>, limits: AudioLimits
    ) throws(AudioError) -> [MetadataItem] {
        index == 1 ? try commentMetadata(packet: packet, skipping: 0, range: range, limits: limits) : []
    }

    func blockSize(ofPacketAt offset: Int, length: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Int?
    {
        length > 0 ? samplesPerPacket : nil
    }
}
