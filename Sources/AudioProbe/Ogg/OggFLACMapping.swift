/// The mapping of FLAC: RFC 9639, section 10.1.
struct OggFLACMapping: OggCodecMapping {
    private let streamInfo: FLACStreamInfo
    let canTrimStart = false
    let canTrimEnd = false

    /// Reads the first packet. Returns `nil` if it is not FLAC.
    ///
    /// - Parameter packet: The signature, the mapping's version, the number of headers that follow, and the beginning
    ///   of a native stream.
    init?(firstPacket packet: [UInt8]) {
        guard packet.count >= 17 + FLACStreamInfo.encodedLength, packet.starts(with: [0x7F] + "FLAC\u{1}".utf8),
            packet[9...].starts(with: "fLaC".utf8), packet[13] & 0x7F == 0,
            let streamInfo = try? FLACStreamInfo(bytes: packet[17...], offset: 0)
        else { return nil }
        self.streamInfo = streamInfo
    }

    var track: Recording.Track { streamInfo.track }
    var totalSamples: Int? { streamInfo.totalSamples }

    func isHeaderPacket(index: Int, firstByte: Int?) -> Bool { index == 0 || firstByte != 0xFF }

    func readHeaderPacket(
        _ packet: [UInt8], index: Int, range: Range<Int>, limits: AudioLimits
    ) throws(AudioError) -> [MetadataItem] {
        guard index > 0, let type = packet.first.map({ Int($0 & 0x7F) }) else { return [] }
        var reader = BufferedFileReader(bytes: packet)
        let kinds = try FLACMetadataBlocks.metadataKinds(
            blockType: type, range: 0..<packet.count, in: &reader, limits: limits)
        return kinds.map { MetadataItem(kind: $0, range: range) }
    }

    func blockSize(ofPacketAt offset: Int, length: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Int?
    {
        let bytes = try reader.bytes(at: offset, count: min(length, FLACFrameHeader.maxHeaderLength)) ?? []
        return FLACFrameHeader(bytes: bytes).flatMap {
            streamInfo.isCompatible(withFrameHeader: $0) ? $0.blockSize : nil
        }
    }
}
