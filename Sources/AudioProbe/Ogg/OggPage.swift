/// The header of an Ogg page: RFC 3533, section 6.
struct OggPage {
    let offset: Int
    /// Whether the page begins with the rest of the previous page's last packet.
    let continuesPacket: Bool
    /// Whether the page is the first of its logical stream.
    let beginsStream: Bool
    /// Whether the page is the last of its logical stream.
    let endsStream: Bool
    /// The position at the end of the last packet that ends in the page, in the codec's units.
    ///
    /// It is `nil` if no packet ends in the page or the position is implausible.
    let granulePosition: Int?
    let serialNumber: Int
    let sequenceNumber: Int
    /// The number of segments, each with one lacing value.
    let segmentCount: Int
    /// The offset at which the page ends.
    let endOffset: Int

    /// Bytes of a header without its lacing values.
    static let headerLength = 27
    /// Bytes of the longest page.
    static let maxLength = headerLength + 255 + 255 * 255
    private static let crc32 = CyclicRedundancyCheck<UInt32>(polynomial: 0x04C1_1DB7)

    /// Reads the page at `offset`. Returns `nil` if no page begins there or it extends beyond `limit`.
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
        // The position -1 means none. 2^60 samples are 760,000 years.
        granulePosition = position < 1 << 60 ? Int(position) : nil
    }

    /// The offset of the first lacing value.
    var segmentTableOffset: Int { offset + Self.headerLength }
    /// The offset of the first packet.
    var bodyOffset: Int { segmentTableOffset + segmentCount }

    /// Returns whether the checksum is right. It is computed with zeros in its own field.
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
