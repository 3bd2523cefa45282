/// The header of a page: RFC 3533, 6.
struct OggPage {
    let offset: Int
    /// Whether it begins with the rest of the packet that the page before ended in.
    let isContinued: Bool
    /// Whether it is the first, or the last, of its logical stream.
    let isFirst: Bool
    let isLast: Bool
    /// Where the last packet that ends in it ends, in the codec's own units; nil if none does, or it can't be true.
    let granule: Int?
    let serial: Int
    let sequence: Int
    /// How many lacing values there are.
    let segments: Int
    /// Where what is behind the page begins.
    let end: Int

    /// Bytes of a header without its lacing values, and of the longest page.
    static let headerLength = 27
    static let longest = headerLength + 255 + 255 * 255
    private static let crc32 = CyclicChecksum<UInt32>(0x04C1_1DB7)

    /// The page at `offset`; nil if none begins there, or not all of it is before `limit`.
    init?(at offset: Int, before limit: Int, in window: inout ByteWindow) throws(AudioError) {
        guard limit - offset >= Self.headerLength, try window.uint32(at: offset) == 0x4F67_6753,  // "OggS"
            try window.uint8(at: offset + 4) == 0, let flags = try window.uint8(at: offset + 5),
            let position = try window.uint64(at: offset + 6, .little),
            let serial = try window.uint32(at: offset + 14, .little),
            let sequence = try window.uint32(at: offset + 18, .little),
            let segments = try window.uint8(at: offset + 26)
        else { return nil }
        var end = offset + Self.headerLength + segments
        for index in 0..<segments {
            guard let lacing = try window.uint8(at: offset + Self.headerLength + index) else { return nil }
            end += lacing
        }
        if end > limit { return nil }
        self.offset = offset
        self.end = end
        self.serial = serial
        self.sequence = sequence
        self.segments = segments
        isContinued = flags & 1 != 0
        isFirst = flags & 2 != 0
        isLast = flags & 4 != 0
        // -1 is for none. 2^60 samples are 760,000 years.
        granule = position < 1 << 60 ? Int(position) : nil
    }

    /// Where its first lacing value is, and its first packet.
    var lacing: Int { offset + Self.headerLength }
    var body: Int { lacing + segments }

    /// Whether its checksum is right, which is taken with zeros in the place of itself.
    func isSound(in window: inout ByteWindow) throws(AudioError) -> Bool {
        guard let stated = try window.uint32(at: offset + 22, .little),
            var header = try window.bytes(at: offset, count: Self.headerLength)
        else { return false }
        header.replaceSubrange(22..<26, with: [0, 0, 0, 0])
        return try Int(Self.crc32.checksum(Self.crc32.checksum(of: header), of: lacing..<end, in: &window)) == stated
    }
}
