/// What the first packet of a Vorbis stream says: Vorbis I, 4.2.2.
struct VorbisIdentification {
    let sampleRate: Int
    let channels: Int
    /// Samples of the short and the long window, which may be out of bounds.
    fileprivate let shortBlock: Int
    fileprivate let longBlock: Int

    /// Nil if it is cut short, or states no rate or no channels.
    init?(_ packet: ArraySlice<UInt8>) {
        let header = Array(packet.prefix(30))
        guard header.count == 30, header.starts(with: [1] + "vorbis".utf8) else { return nil }
        channels = Int(header[11])
        sampleRate = header.littleEndian(at: 12, count: 4)
        shortBlock = 1 << Int(header[28] & 15)
        longBlock = 1 << Int(header[28] >> 4)
        if channels == 0 || sampleRate == 0 { return nil }
    }
}

/// How many samples each packet of a Vorbis stream spans: Vorbis I, 4.2.4 and 4.3.1.
struct VorbisModes {
    /// Samples of the short and the long window.
    private let shortBlock: Int
    private let longBlock: Int
    /// For each mode, whether its window is the long one.
    private let isLong: [Bool]

    /// - Parameters:
    ///   - identification: what the stream's first packet says.
    ///   - setup: its third.
    init?(_ identification: VorbisIdentification, setup: ArraySlice<UInt8>) {
        (shortBlock, longBlock) = (identification.shortBlock, identification.longBlock)
        guard setup.starts(with: [5] + "vorbis".utf8), (64...8192).contains(shortBlock),
            (shortBlock...8192).contains(longBlock), let isLong = Self.modes(setup)
        else { return nil }
        self.isLong = isLong
    }

    /// The modes are the last thing in the packet; reading backwards finds them without decoding the codebooks before.
    /// A mode is a flag, 16 and 16 bits of zero and 8 of a mapping, 0 to 63; before the first stands their count less 1 in
    /// 6 bits. Of several counts that would fit the largest is right: each further one asks for 32 more zero bits.
    private static func modes(_ setup: ArraySlice<UInt8>) -> [Bool]? {
        // Vorbis packs the lowest bit first, so from the back the highest of each field comes first.
        let backwards = Array(setup.dropFirst(7).reversed())
        var reader = BitReader(backwards[...])
        _ = reader.zeros()
        var flags: [Bool] = [], found: [Bool]?
        while flags.count < 64, let mapping = reader.bits(8), mapping < 64, reader.bits(32) == 0,
            let flag = reader.bits(1)
        {
            flags.insert(flag == 1, at: 0)
            var counter = reader
            if counter.bits(6) == flags.count - 1 { found = flags }
        }
        return found
    }

    /// Samples of the window of the packet that begins with the byte `first`; nil if it is no packet of sound.
    func window(first: Int) -> Int? {
        let bits = (isLong.count - 1 == 0) ? 0 : Int.bitWidth - (isLong.count - 1).leadingZeroBitCount
        let mode = first >> 1 & (1 << bits - 1)
        guard first & 1 == 0, mode < isLong.count else { return nil }
        return isLong[mode] ? longBlock : shortBlock
    }

    /// Samples that a packet adds: a quarter of its window and a quarter of the one before, nothing if it is the first.
    static func samples(_ window: Int, after previous: Int?) -> Int { previous.map { ($0 + window) / 4 } ?? 0 }
}
