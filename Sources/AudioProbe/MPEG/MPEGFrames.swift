/// Frames of MPEG audio that agree in version, layer and sample rate: ISO/IEC 11172-3, 2.4.1.3. Bit rate, padding and
/// channels may differ from one to the next.
struct MPEGFrames: BareFrames {
    static let headerLength = 4

    /// That of the first frame.
    let header: MPEGAudioHeader
    /// What all headers have in common.
    private let pattern: Int
    private let samples: Int
    /// Lengths by index of the bit rate and padding, worked out when first met: a division for each frame would cost more
    /// than all else about it.
    private var lengths = [Int](repeating: unknown, count: 32)

    /// Synchronisation, version, layer and sample rate.
    private static let mask = 0xFFFE_0C00
    private static let unknown = -1
    /// The longest frame of free format that is looked for: that of layer II at 8 kHz and 640 kbit/s, beyond which no
    /// decoder goes, its padding included.
    private static let longestFree = 1152 / 8 * 640_000 / 8000 + 1

    /// Frames of free format, whose header doesn't say how long they are, are taken for none.
    init?(at offset: Int, in window: inout ByteWindow) throws(AudioError) {
        guard let word = try window.uint32(at: offset), let header = MPEGAudioHeader(word), header.bitRate > 0
        else { return nil }
        self.init(header, word)
    }

    /// Frames of free format, the first of which is at `offset`: the second is the next header that another follows at the
    /// same distance. All are equally long, but for padding.
    init?(freeAt offset: Int, in window: inout ByteWindow) throws(AudioError) {
        guard let word = try window.uint32(at: offset), let header = MPEGAudioHeader(word), header.bitRate == 0
        else { return nil }
        self.init(header, word)
        let slot = header.layer == 1 ? 4 : 1
        try window.hold(2 * Self.longestFree + 4, at: offset)
        for length in 24...Self.longestFree {
            // The bits of index 0 must repeat too.
            guard let next = try window.uint32(at: offset + length), next & (Self.mask | 0xF000) == pattern else {
                continue
            }
            lengths[0] = length - (header.isPadded ? slot : 0)
            lengths[1] = lengths[0] + slot
            if try areThere(3, at: offset, end: window.count, in: &window) { return }
        }
        return nil
    }

    private init(_ header: MPEGAudioHeader, _ word: Int) {
        self.header = header
        pattern = word & Self.mask
        samples = header.samples
    }

    var sampleRate: Int { header.sampleRate }

    /// Bytes of a frame at the first one's bit rate, on average over those with padding and without.
    var typicalLength: Double {
        header.bitRate > 0
            ? Double(samples) / 8 * Double(header.bitRate) / Double(header.sampleRate) : Double(max(1, lengths[0]))
    }

    /// A change of layer is none that a decoder goes along with.
    func canFollow(_ other: MPEGFrames) -> Bool { header.layer == other.header.layer }

    @inline(__always)
    mutating func frame(at offset: Int, in window: inout ByteWindow) throws(AudioError) -> BareFrame? {
        guard let word = try window.uint32(at: offset), word & Self.mask == pattern else { return nil }
        let index = word >> 11 & 0x1E | word >> 9 & 1
        if lengths[index] == Self.unknown { lengths[index] = MPEGAudioHeader(word)?.length ?? 0 }
        guard lengths[index] > 0 else { return nil }
        let informs = header.layer == 3 ? try VBRHeader.isThere(at: offset, word, in: &window) : false
        return BareFrame(length: lengths[index], samples: informs ? 0 : samples)
    }
}
