/// What the first packet of a Vorbis stream says: Vorbis I, 4.2.2.
struct VorbisIdentificationHeader {
    let sampleRate: Int
    let channels: Int
    /// Samples of the short and the long window, which may be out of bounds.
    fileprivate let shortBlockSize: Int
    fileprivate let longBlockSize: Int

    /// Nil if it is cut short, or states no rate or no channels.
    init?(packet: ArraySlice<UInt8>) {
        let header = Array(packet.prefix(30))
        guard header.count == 30, header.starts(with: [1] + "vorbis".utf8) else { return nil }
        channels = Int(header[11])
        sampleRate = header.littleEndianInteger(at: 12, byteCount: 4)
        shortBlockSize = 1 << Int(header[28] & 15)
        longBlockSize = 1 << Int(header[28] >> 4)
        if channels == 0 || sampleRate == 0 { return nil }
    }
}

/// How many samples each packet of a Vorbis stream spans: Vorbis I, 4.2.4 and 4.3.1.
struct VorbisModeTable {
    /// Samples of the short and the long window.
    private let shortBlockSize: Int
    private let longBlockSize: Int
    /// For each mode, whether its window is the long one.
    private let usesLongBlockByMode: [Bool]

    /// - Parameters:
    ///   - identification: what the stream's first packet says.
    ///   - setupPacket: its third.
    init?(identification: VorbisIdentificationHeader, setupPacket: ArraySlice<UInt8>) {
        (shortBlockSize, longBlockSize) = (identification.shortBlockSize, identification.longBlockSize)
        guard setupPacket.starts(with: [5] + "vorbis".utf8), (64...8192).contains(shortBlockSize),
            (shortBlockSize...8192).contains(longBlockSize),
            let isLong = Self.readLongBlockFlags(setupPacket: setupPacket)
        else { return nil }
        self.usesLongBlockByMode = isLong
    }

    /// The modes are the last thing in the packet; reading backwards finds them without decoding the codebooks before.
    /// A mode is a flag, 16 and 16 bits of zero and 8 of a mapping, 0 to 63; before the first stands their count less 1
    /// in 6 bits. Of several counts that would fit the largest is right: each further one asks for 32 more zero bits.
    private static func readLongBlockFlags(setupPacket setup: ArraySlice<UInt8>) -> [Bool]? {
        // Vorbis packs the lowest bit first, so from the back the highest of each field comes first.
        let backwards = Array(setup.dropFirst(7).reversed())
        var reader = BitReader(bytes: backwards[...])
        _ = reader.zeros()
        var flags: [Bool] = [], longBlockFlags: [Bool]?
        while flags.count < 64, let mapping = reader.readBits(8), mapping < 64, reader.readBits(32) == 0,
            let flag = reader.readBits(1)
        {
            flags.insert(flag == 1, at: 0)
            var counter = reader
            if counter.readBits(6) == flags.count - 1 { longBlockFlags = flags }
        }
        return longBlockFlags
    }

    /// Samples of the window of the packet that begins with the byte `firstByte`; nil if it is no packet of sound.
    func blockSize(firstByte: Int) -> Int? {
        let bits =
            (usesLongBlockByMode.count - 1 == 0)
            ? 0 : Int.bitWidth - (usesLongBlockByMode.count - 1).leadingZeroBitCount
        let mode = firstByte >> 1 & (1 << bits - 1)
        guard firstByte & 1 == 0, mode < usesLongBlockByMode.count else { return nil }
        return usesLongBlockByMode[mode] ? longBlockSize : shortBlockSize
    }

    /// Samples that a packet adds: a quarter of its window and a quarter of the one before, nothing if it is the first.
    static func sampleCount(blockSize: Int, previousBlockSize previous: Int?) -> Int {
        previous.map { ($0 + blockSize) / 4 } ?? 0
    }
}
