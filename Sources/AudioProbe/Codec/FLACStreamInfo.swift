/// The STREAMINFO block of a FLAC stream: RFC 9639, section 8.2.
struct FLACStreamInfo {
    /// The size of the block in bytes, without its header.
    static let encodedLength = 34

    /// Samples per channel in the smallest block, excluding the last one; 0 if it is not stated.
    let minBlockSize: Int
    /// Samples per channel in the largest block; 0 if it is not stated.
    let maxBlockSize: Int
    /// Bytes of the longest frame, or `nil` if it is not stated.
    let maxFrameSize: Int?
    let sampleRate: Int
    let channels: Int
    let bitsPerSample: Int
    /// Samples per channel, or `nil` if the encoder did not know, for example because it wrote to a pipe.
    let totalSamples: Int?

    /// Parses a STREAMINFO block.
    ///
    /// - Parameters:
    ///   - bytes: The block without its header.
    ///   - offset: The block's offset in the file, for errors.
    /// - Throws: ``AudioError/Code/damaged`` if the block is too short or the sample rate is 0, which is invalid for
    ///   audio.
    init(bytes: ArraySlice<UInt8>, offset: Int) throws(AudioError) {
        guard bytes.count >= Self.encodedLength else {
            throw AudioError(
                .damaged, offset: offset, message: "the STREAMINFO block is truncated: \(bytes.count) bytes")
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
        if sampleRate == 0 {
            throw AudioError(.damaged, offset: offset, message: "invalid sample rate in the STREAMINFO block: 0 Hz")
        }
    }

    /// Creates the parameters of a stream without a STREAMINFO block from its first frame.
    ///
    /// Returns `nil` if the frame refers to the stream's header.
    init?(frameHeader frame: FLACFrameHeader) {
        guard let sampleRate = frame.sampleRate, let bitsPerSample = frame.bitsPerSample else { return nil }
        (self.sampleRate, channels, self.bitsPerSample) = (sampleRate, frame.channels, bitsPerSample)
        (minBlockSize, maxBlockSize, maxFrameSize, totalSamples) = (0, 0, nil, nil)
    }

    /// The stream as a track.
    var track: Recording.Track {
        Recording.Track(codec: .flac, sampleRate: sampleRate, channels: channels, bitsPerSample: bitsPerSample)
    }

    /// Returns whether a frame has the sample rate, the channels and the sample size of the stream.
    func isCompatible(withFrameHeader frame: FLACFrameHeader) -> Bool {
        frame.channels == channels && sampleRate(of: frame) == sampleRate && bitsPerSample(of: frame) == bitsPerSample
    }

    /// Returns whether two frames have the same sample rate, channels and sample size.
    func haveSameFormat(_ first: FLACFrameHeader, _ second: FLACFrameHeader) -> Bool {
        first.channels == second.channels && sampleRate(of: first) == sampleRate(of: second)
            && bitsPerSample(of: first) == bitsPerSample(of: second)
    }

    /// Returns the samples per second of a frame, in Hz. The frame may refer to the stream's header.
    func sampleRate(of frame: FLACFrameHeader) -> Int { frame.sampleRate ?? sampleRate }
    /// Returns the bits per sample of a frame. The frame may refer to the stream's header.
    func bitsPerSample(of frame: FLACFrameHeader) -> Int { frame.bitsPerSample ?? bitsPerSample }
}
