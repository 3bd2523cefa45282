/// The header of a page: RFC 3533, 6.
struct OggPage {
    let offset: Int
    /// Whether it begins with the rest of the packet that the page before ended in.
    let continuesPacket: Bool
    /// Whether it is the first, or the last, of its logical stream.
    let beginsStream: Bool
    let endsStream: Bool
    /// Where the last packet that ends in it ends, in the codec's own units; nil if none does, or it can't be true.
    let granulePosition: Int?
    let serialNumber: Int
    let sequenceNumber: Int
    /// How many lacing values there are.
    let segmentCount: Int
    /// Where what is behind the page begins.
    let endOffset: Int

    /// Bytes of a header without its lacing values, and of the longest page.
    static let headerLength = 27
    static let maximumLength = headerLength + 255 + 255 * 255
    private static let crc32 = CyclicRedundancyCheck<UInt32>(polynomial: 0x04C1_1DB7)

    /// The page at `offset`; nil if none begins there, or not all of it is before `limit`.
    init?(at offset: Int, before limit: Int, in reader: inout BufferedFileReader) throws(AudioError) {
        guard limit - offset >= Self.headerLength, try reader.uint32(at: offset) == 0x4F67_6753,  // "OggS"
            try reader.uint8(at: offset + 4) == 0, let flags = try reader.uint8(at: offset + 5),
            let position = try reader.uint64(at: offset + 6, byteOrder: .littleEndian),
            let serial = try reader.uint32(at: offset + 14, byteOrder: .littleEndian),
            let sequence = try reader.uint32(at: offset + 18, byteOrder: .littleEndian),
            let segments = try reader.uint8(at: offset + 26)
        else { return nil }
        var end = offset + Self.headerLength + segments
        for index in 0..<segments {
            guard let lacing = try reader.uint8(at: offset + Self.headerLength + index) else { return nil }
            end += lacing
        }
        if end > limit { return nil }
        self.offset = offset
        self.endOffset = end
        self.serialNumber = serial
        self.sequenceNumber = sequence
        self.segmentCount = segments
        continuesPacket = flags & 1 != 0
        beginsStream = flags & 2 != 0
        endsStream = flags & 4 != 0
        // -1 is for none. 2^60 samples are 760,000 years.
        granulePosition = position < 1 << 60 ? Int(position) : nil
    }

    /// Where its first lacing value is, and its first packet.
    var segmentTableOffset: Int { offset + Self.headerLength }
    var bodyOffset: Int { segmentTableOffset + segmentCount }

    /// Whether its checksum is right, which is taken with zeros in the place of itself.
    func hasValidChecksum(in reader: inout BufferedFileReader) throws(AudioError) -> Bool {
        guard let declared = try reader.uint32(at: offset + 22, byteOrder: .littleEndian),
            var header = try reader.bytes(at: offset, count: Self.headerLength)
        else { return false }
        header.replaceSubrange(22..<26, with: [0, 0, 0, 0])
        return try Int(
            Self.crc32.checksum(
                continuing: Self.crc32.checksum(of: header), of: segmentTableOffset..<endOffset, in: &reader))
            == declared
    }
}
