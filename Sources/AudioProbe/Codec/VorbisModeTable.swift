/// The identification header of a Vorbis stream, its first packet: Vorbis I, 4.2.2.
struct VorbisIdentificationHeader {
    let sampleRate: Int
    let channels: Int
    /// Samples in the short and in the long window, which may be out of bounds.
    fileprivate let shortBlockSize: Int
    fileprivate let longBlockSize: Int

    /// Parses a header. Returns `nil` if it is truncated, or has no sample rate or no channels.
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

/// The number of samples in each packet of a Vorbis stream: Vorbis I, 4.2.4 and 4.3.1.
struct VorbisModeTable {
    /// Samples in the short and in the long window.
    private let shortBlockSize: Int
    private let longBlockSize: Int
    /// For each mode, whether it uses the long window.
    private let usesLongBlockByMode: [Bool]

    /// Finds the modes of a stream. Returns `nil` if the packet is invalid.
    ///
    /// - Parameters:
    ///   - identification: The stream's identification header, its first packet.
    ///   - setupPacket: The stream's setup header, its third packet.
    init?(identification: VorbisIdentificationHeader, setupPacket: ArraySlice<UInt8>) {
        (shortBlockSize, longBlockSize) = (identification.shortBlockSize, identification.longBlockSize)
        guard setupPacket.starts(with: [5] + "vorbis".utf8), (64...8192).contains(shortBlockSize),
            (shortBlockSize...8192).contains(longBlockSize),
            let isLong = Self.readLongBlockFlags(setupPacket: setupPacket)
        else { return nil }
        self.usesLongBlockByMode = isLong
    }

    /// Returns, for each mode, whether it uses the long window.
    ///
    /// The modes are the last part of the packet. Reading backwards finds them without decoding the preceding
    /// codebooks:
    ///
    ///     … | count - 1 (6 bits) | mode 0 | mode 1 | … | framing bit
    ///     mode: block flag (1), window type 0 (16), transform type 0 (16), mapping 0 to 63 (8)
    ///
    /// If several counts match, the largest is right: each further mode requires 32 more zero bits.
    private static func readLongBlockFlags(setupPacket setup: ArraySlice<UInt8>) -> [Bool]? {
        // Vorbis stores the least significant bit first, so reading from the end returns the most significant bit of
        // each field first.
        let backwards = Array(setup.dropFirst(7).reversed())
        var reader = BitReader(bytes: backwards[...])
        _ = reader.readZeroBitCount()
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

    /// Returns the samples in the window of a packet, or `nil` if it is not an audio packet.
    ///
    /// - Parameter firstByte: The first byte of the packet.
    func blockSize(firstByte: Int) -> Int? {
        let bits =
            (usesLongBlockByMode.count - 1 == 0)
            ? 0 : Int.bitWidth - (usesLongBlockByMode.count - 1).leadingZeroBitCount
        let mode = firstByte >> 1 & (1 << bits - 1)
        guard firstByte & 1 == 0, mode < usesLongBlockByMode.count else { return nil }
        return usesLongBlockByMode[mode] ? longBlockSize : shortBlockSize
    }

    /// Returns the number of samples that a packet adds: a quarter of its window and a quarter of the previous window.
    /// The first packet adds none.
    static func sampleCount(blockSize: Int, previousBlockSize previous: Int?) -> Int {
        previous.map { ($0 + blockSize) / 4 } ?? 0
    }
}
