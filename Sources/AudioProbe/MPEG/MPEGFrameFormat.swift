/// The format of MPEG audio frames of the same version, layer and sample rate: ISO/IEC 11172-3, 2.4.1.3.
///
/// The bit rate, padding and channels may differ from frame to frame.
struct MPEGFrameFormat: RawFrameFormat {
    static let headerLength = 4

    /// The header of the first frame.
    let firstHeader: MPEGAudioHeader
    /// The bits that all headers have in common.
    private let headerPattern: Int
    private let samplesPerFrame: Int
    /// Frame lengths in bytes by bit rate index and padding, computed on first use. A division for each frame would
    /// take more time than the rest of the scan.
    private var frameLengths = [Int](repeating: unknownLength, count: 32)

    /// The mask of the sync code, version, layer and sample rate.
    private static let headerMask = 0xFFFE_0C00
    private static let unknownLength = -1
    /// The longest free-format frame that is searched for, in bytes.
    ///
    /// It is that of layer II at 8 kHz and 640 kbit/s, the highest rate that decoders support, with padding.
    private static let maxFreeFormatFrameLength = 1152 / 8 * 640_000 / 8000 + 1

    /// Reads the format of the frame at `offset`. Returns `nil` for free format, where the header does not state a
    /// length.
    init?(at offset: Int, in reader: inout BufferedFileReader) throws(AudioError) {
        guard let word = try reader.uint32(at: offset), let header = MPEGAudioHeader(word: word), header.bitRate > 0
        else { return nil }
        self.init(firstHeader: header, headerWord: word)
    }

    /// Reads the format of free-format frames, the first of which is at `offset`.
    ///
    /// The second frame is at the next matching header that another one follows at the same distance. Apart from
    /// padding, all frames have the same length.
    init?(freeFormatAt offset: Int, in reader: inout BufferedFileReader) throws(AudioError) {
        guard let word = try reader.uint32(at: offset), let header = MPEGAudioHeader(word: word), header.bitRate == 0
        else { return nil }
        self.init(firstHeader: header, headerWord: word)
        let slot = header.layer == 1 ? 4 : 1
        try reader.prefetchBytes(count: 2 * Self.maxFreeFormatFrameLength + 4, at: offset)
        for length in 24...Self.maxFreeFormatFrameLength {
            // The bit rate index 0 of free format must match too.
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

    /// The average length in bytes of frames with and without padding, at the bit rate of the first frame.
    var averageFrameLength: Double {
        firstHeader.bitRate > 0
            ? Double(samplesPerFrame) / 8 * Double(firstHeader.bitRate) / Double(firstHeader.sampleRate)
            : Double(max(1, frameLengths[0]))
    }

    /// Returns whether the layer is the same. Decoders do not accept a change of layer.
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
