/// A method of counting the samples of a frame.
enum SampleCountingRule {
    /// The first two bytes of the packet determine the number.
    case opus
    /// The block sizes of the packet and of the previous one determine the number.
    case vorbis(VorbisModeTable)
    /// The header of each MPEG frame determines the number.
    case mpegAudio
    /// The header of the FLAC frame determines the number.
    case flac
    /// Every frame has a default number, unless it states its own.
    case alac(defaultSampleCount: Int)
    /// Every frame has the same number.
    case fixed(samplesPerFrame: Int)
    /// The size determines the number. `bytesPerSample` includes all channels.
    case pcm(bytesPerSample: Int)
    /// The content does not determine the number. Only timestamps do.
    case timestampsOnly
}

/// Counts the samples in the frames of one track.
struct FrameSampleCounter {
    let countingRule: SampleCountingRule
    /// Bytes that precede every frame and are not stored with it.
    let framePrefix: [UInt8]
    /// Samples per second in Hz, or `nil` until a frame states it.
    private(set) var sampleRate: Int?
    /// Samples of all frames.
    private(set) var sampleCount = 0
    private(set) var frameCount = 0
    /// Bytes of all frames as stored.
    private(set) var byteCount = 0
    /// Samples of the longest frame.
    private(set) var maxFrameSampleCount = 0
    /// Frames that the rule cannot count, usually because they are damaged.
    private(set) var unreadableFrameCount = 0
    /// The block size of the previous Vorbis packet.
    private var previousVorbisBlockSize: Int?

    init(codec: MatroskaCodec, framePrefix: [UInt8]) {
        countingRule = codec.countingRule
        sampleRate = codec.sampleRate
        self.framePrefix = framePrefix
    }

    /// Whether no frame states its number of samples, because of the codec or because all frames are unreadable.
    var lacksSampleCounts: Bool {
        if case .timestampsOnly = countingRule { return true }
        return frameCount > 0 && unreadableFrameCount == frameCount
    }

    /// Counts a frame.
    ///
    /// - Parameters:
    ///   - range: The stored bytes of the frame.
    ///   - reader: The file.
    /// - Returns: The samples of the frame, or 0 if only timestamps determine them.
    @inline(__always)
    mutating func addFrame(_ range: Range<Int>, in reader: inout BufferedFileReader) throws(AudioError) -> Int {
        frameCount += 1
        byteCount += range.count
        let counted = try countSamples(ofFrame: range, in: &reader)
        if counted == nil { unreadableFrameCount += 1 }
        let samples = counted ?? 0
        self.sampleCount = self.sampleCount.addingIfNoOverflow(samples) ?? .max
        maxFrameSampleCount = max(maxFrameSampleCount, samples)
        return samples
    }

    /// Counts an encrypted frame.
    ///
    /// - Returns: 0, because its samples are unknown.
    mutating func addEncryptedFrame(_ range: Range<Int>) -> Int {
        frameCount += 1
        unreadableFrameCount += 1
        byteCount += range.count
        return 0
    }

    @inline(__always)
    private mutating func countSamples(ofFrame frame: Range<Int>, in reader: inout BufferedFileReader)
        throws(AudioError) -> Int?
    {
        switch countingRule {
        case .opus:
            OpusPacket.sampleCount(
                firstByte: try readByte(at: 0, ofFrame: frame, in: &reader),
                secondByte: try readByte(at: 1, ofFrame: frame, in: &reader))
        case .vorbis(let modes): try vorbisSampleCount(modes: modes, frame: frame, in: &reader)
        case .mpegAudio: try mpegAudioSampleCount(ofBlock: frame, in: &reader)
        case .flac: try flacSampleCount(ofFrame: frame, in: &reader)
        case .alac(defaultSampleCount: let defaultCount):
            try alacSampleCount(ofFrame: frame, defaultCount: defaultCount, in: &reader)
        case .fixed(samplesPerFrame: let samples): frame.isEmpty && framePrefix.isEmpty ? nil : samples
        case .pcm(bytesPerSample: let size): (framePrefix.count + frame.count) / size
        case .timestampsOnly: 0
        }
    }

    /// Returns a byte of a frame, with `index` counted from the beginning of the stripped prefix.
    @inline(__always)
    private func readByte(at index: Int, ofFrame frame: Range<Int>, in reader: inout BufferedFileReader)
        throws(AudioError) -> Int?
    {
        if index < framePrefix.count { return Int(framePrefix[index]) }
        let offset = frame.lowerBound + index - framePrefix.count
        return offset < frame.upperBound ? try reader.uint8(at: offset) : nil
    }

    /// Returns the first `count` bytes of a frame, including the stripped prefix, or as many as it has.
    private func readPrefix(byteCount count: Int, ofFrame frame: Range<Int>, in reader: inout BufferedFileReader)
        throws(AudioError) -> [UInt8]
    {
        let stored = max(min(count - framePrefix.count, frame.count), 0)
        return framePrefix.prefix(count) + (try reader.bytes(at: frame.lowerBound, count: stored) ?? [])
    }

    private mutating func vorbisSampleCount(
        modes: VorbisModeTable, frame: Range<Int>, in reader: inout BufferedFileReader
    ) throws(AudioError) -> Int? {
        guard let first = try readByte(at: 0, ofFrame: frame, in: &reader), let size = modes.blockSize(firstByte: first)
        else { return nil }
        defer { previousVorbisBlockSize = size }
        return VorbisModeTable.sampleCount(blockSize: size, previousBlockSize: previousVorbisBlockSize)
    }

    /// Returns the samples of all MPEG frames in a block. Matroska requires one frame, but audio from AVI may have
    /// several.
    private mutating func mpegAudioSampleCount(ofBlock block: Range<Int>, in reader: inout BufferedFileReader)
        throws(AudioError) -> Int?
    {
        var total: Int?, position = 0
        while let header = try readMPEGAudioHeader(at: position, ofBlock: block, in: &reader) {
            let rate = sampleRate ?? header.sampleRate
            sampleRate = rate
            if header.sampleRate != rate { return nil }
            total = (total ?? 0) + header.samplesPerFrame
            guard let length = header.frameLength, length > 0 else { break }
            position += length
        }
        return total
    }

    private func readMPEGAudioHeader(
        at position: Int, ofBlock block: Range<Int>, in reader: inout BufferedFileReader
    ) throws(AudioError) -> MPEGAudioHeader? {
        var word = 0
        for i in 0..<4 {
            guard let byte = try readByte(at: position + i, ofFrame: block, in: &reader) else { return nil }
            word = word << 8 | byte
        }
        return MPEGAudioHeader(word: word)
    }

    private func flacSampleCount(ofFrame frame: Range<Int>, in reader: inout BufferedFileReader) throws(AudioError)
        -> Int?
    {
        FLACFrameHeader(bytes: try readPrefix(byteCount: FLACFrameHeader.maxHeaderLength, ofFrame: frame, in: &reader))?
            .blockSize
    }

    private func alacSampleCount(ofFrame frame: Range<Int>, defaultCount: Int, in reader: inout BufferedFileReader)
        throws(AudioError) -> Int?
    {
        ALACPacket.sampleCount(
            header: try readPrefix(byteCount: ALACPacket.maxHeaderLength, ofFrame: frame, in: &reader),
            defaultCount: defaultCount)
    }
}
