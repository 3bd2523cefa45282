/// Frames of MPEG audio that agree in version, layer and sample rate: ISO/IEC 11172-3, 2.4.1.3. Bit rate, padding and
/// channels may differ from one to the next.
struct MPEGFrameFormat: RawFrameFormat {
    static let headerLength = 4

    /// That of the first frame.
    let firstHeader: MPEGAudioHeader
    /// What all headers have in common.
    private let headerPattern: Int
    private let samplesPerFrame: Int
    /// Lengths by index of the bit rate and padding, worked out when first met: a division for each frame would cost
    /// more than all else about it.
    private var frameLengths = [Int](repeating: unknownLength, count: 32)

    /// Synchronisation, version, layer and sample rate.
    private static let headerMask = 0xFFFE_0C00
    private static let unknownLength = -1
    /// The longest frame of free format that is looked for: that of layer II at 8 kHz and 640 kbit/s, beyond which no
    /// decoder goes, its padding included.
    private static let maximumFreeFormatFrameLength = 1152 / 8 * 640_000 / 8000 + 1

    /// Frames of free format, whose header doesn't say how long they are, are taken for none.
    init?(at offset: Int, in reader: inout BufferedFileReader) throws(AudioError) {
        guard let word = try reader.uint32(at: offset), let header = MPEGAudioHeader(word: word), header.bitRate > 0
        else { return nil }
        self.init(firstHeader: header, headerWord: word)
    }

    /// Frames of free format, the first of which is at `offset`: the second is the next header that another follows at
    /// the same distance. All are equally long, but for padding.
    init?(freeFormatAt offset: Int, in reader: inout BufferedFileReader) throws(AudioError) {
        guard let word = try reader.uint32(at: offset), let header = MPEGAudioHeader(word: word), header.bitRate == 0
        else { return nil }
        self.init(firstHeader: header, headerWord: word)
        let slot = header.layer == 1 ? 4 : 1
        try reader.prefetchBytes(count: 2 * Self.maximumFreeFormatFrameLength + 4, at: offset)
        for length in 24...Self.maximumFreeFormatFrameLength {
            // The bits of index 0 must repeat too.
            guard let next = try reader.uint32(at: offset + length), next & (Self.headerMask | 0xF000) == headerPattern
            else {
                continue
            }
            frameLengths[0] = length - (header.hasPadding ? slot : 0)
            frameLengths[1] = frameLengths[0] + slot
            if try hasConsecutiveFrames(count: 3, at: offset, end: reader.byteCount, in: &reader) { return }
        }
        return nil
    }

    private init(firstHeader: MPEGAudioHeader, headerWord: Int) {
        self.firstHeader = firstHeader
        headerPattern = headerWord & Self.headerMask
        samplesPerFrame = firstHeader.samplesPerFrame
    }

    var sampleRate: Int { firstHeader.sampleRate }

    /// Bytes of a frame at the first one's bit rate, on average over those with padding and without.
    var averageFrameLength: Double {
        firstHeader.bitRate > 0
            ? Double(samplesPerFrame) / 8 * Double(firstHeader.bitRate) / Double(firstHeader.sampleRate)
            : Double(max(1, frameLengths[0]))
    }

    /// A change of layer is none that a decoder goes along with.
    func canFollow(_ other: MPEGFrameFormat) -> Bool { firstHeader.layer == other.firstHeader.layer }

    @inline(__always)
    mutating func frame(at offset: Int, in reader: inout BufferedFileReader) throws(AudioError) -> RawFrame? {
        guard let word = try reader.uint32(at: offset), word & Self.headerMask == headerPattern else { return nil }
        let index = word >> 11 & 0x1E | word >> 9 & 1
        if frameLengths[index] == Self.unknownLength {
            frameLengths[index] = MPEGAudioHeader(word: word)?.frameLength ?? 0
        }
        guard frameLengths[index] > 0 else { return nil }
        let isVBRHeader =
            firstHeader.layer == 3 ? try VBRHeader.isPresent(inFrameAt: offset, headerWord: word, in: &reader) : false
        return RawFrame(byteCount: frameLengths[index], sampleCount: isVBRHeader ? 0 : samplesPerFrame)
    }
}
