/// The mapping of Vorbis: Vorbis I, section A.2.
struct OggVorbisMapping: OggCodecMapping {
    let track: Recording.Track
    private let identificationHeader: VorbisIdentificationHeader
    private var modes: VorbisModeTable?
    /// The block size of the previous packet.
    private var previousBlockSize: Int?

    /// Reads the first packet. Returns `nil` if it is not a Vorbis identification header.
    ///
    /// - Parameter packet: The first packet of the stream.
    init?(firstPacket packet: [UInt8]) {
        guard let identification = VorbisIdentificationHeader(packet: packet[...]) else { return nil }
        track = Recording.Track(
            codec: .vorbis, sampleRate: identification.sampleRate, channels: identification.channels)
        self.identificationHeader = identification
    }

    func isHeaderPacket(index: Int, firstByte: Int?) -> Bool { index < 3 }

    mutating func readHeaderPacket(
        _ packet: [UInt8], index: Int, range: Range<Int>, limits: AudioLimits
    ) throws(AudioError) -> [MetadataItem] {
        if index == 2 {
            modes = VorbisModeTable(identification: identificationHeader, setupPacket: packet[...])
            guard modes != nil else {
                throw AudioError(
                    .damaged, offset: range.lowerBound, message: "the setup header of Vorbis is invalid")
            }
        }
        guard index == 1, packet.starts(with: [3] + "vorbis".utf8) else { return [] }
        return try commentMetadata(packet: packet, skipping: 7, range: range, limits: limits)
    }

    func blockSize(ofPacketAt offset: Int, length: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Int?
    {
        guard length > 0, let first = try reader.uint8(at: offset) else { return nil }
        return modes?.blockSize(firstByte: first)
    }

    mutating func decodedSampleCount(blockSize: Int) -> Int {
        defer { previousBlockSize = blockSize }
        return VorbisModeTable.sampleCount(blockSize: blockSize, previousBlockSize: previousBlockSize)
    }
}
