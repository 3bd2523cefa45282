/// What a FLAC stream says of itself: RFC 9639, 8.2.
struct FLACStreamInfo {
    /// Bytes of the block, without its header.
    static let encodedLength = 34

    /// Samples of each channel in the smallest block, the last not counted, and in the largest; 0 if it isn't stated.
    let minBlockSize: Int
    let maxBlockSize: Int
    /// Bytes of the longest frame; nil if it isn't stated.
    let maxFrameSize: Int?
    let sampleRate: Int
    let channels: Int
    let bitsPerSample: Int
    /// Samples of each channel; nil if the encoder didn't know, as in a pipe.
    let totalSamples: Int?

    /// - Parameter bytes: the block without its header.
    /// - Throws: `damaged` if it is short, or the rate is 0, which sound may not have.
    init(bytes: ArraySlice<UInt8>, offset: Int) throws(AudioError) {
        guard bytes.count >= Self.encodedLength else {
            throw AudioError(.damaged, offset: offset, message: "the STREAMINFO block is \(bytes.count) bytes long")
        }
        let b = Array(bytes.prefix(Self.encodedLength))
        func integer(_ range: Range<Int>) -> Int { b[range].reduce(0) { $0 << 8 | Int($1) } }
        let longest = integer(7..<10), packed = integer(10..<14)
        let total = (packed & 15) << 32 | integer(14..<18)
        minBlockSize = integer(0..<2)
        maxBlockSize = integer(2..<4)
        maxFrameSize = longest == 0 ? nil : longest
        sampleRate = packed >> 12
        channels = packed >> 9 & 7 + 1
        bitsPerSample = packed >> 4 & 31 + 1
        totalSamples = total == 0 ? nil : total
        if sampleRate == 0 { throw AudioError(.damaged, offset: offset, message: "the sample rate is 0") }
    }

    /// What the first frame says of a stream without a header; nil if it leaves that to the header.
    init?(frameHeader frame: FLACFrameHeader) {
        guard let sampleRate = frame.sampleRate, let bitsPerSample = frame.bitsPerSample else { return nil }
        (self.sampleRate, channels, self.bitsPerSample) = (sampleRate, frame.channels, bitsPerSample)
        (minBlockSize, maxBlockSize, maxFrameSize, totalSamples) = (0, 0, nil, nil)
    }

    /// The stream as a track.
    var track: Recording.Track {
        Recording.Track(codec: .flac, sampleRate: sampleRate, channels: channels, bitsPerSample: bitsPerSample)
    }

    /// Whether a frame with that header could belong to the stream.
    func isCompatible(withFrameHeader frame: FLACFrameHeader) -> Bool {
        frame.channels == channels && sampleRate(of: frame) == sampleRate && bitsPerSample(of: frame) == bitsPerSample
    }

    /// Whether two frames have one sample rate, as many channels, and samples of one size.
    func haveSameFormat(_ first: FLACFrameHeader, _ second: FLACFrameHeader) -> Bool {
        first.channels == second.channels && sampleRate(of: first) == sampleRate(of: second)
            && bitsPerSample(of: first) == bitsPerSample(of: second)
    }

    /// Samples a second of a frame, which may leave it to the stream's header.
    func sampleRate(of frame: FLACFrameHeader) -> Int { frame.sampleRate ?? sampleRate }
    /// Bits of a frame's samples, likewise.
    func bitsPerSample(of frame: FLACFrameHeader) -> Int { frame.bitsPerSample ?? bitsPerSample }
}
