/// How the samples of a frame are counted.
enum SampleCountingRule {
    /// By the packet's first two bytes.
    case opus
    /// By the window of its mode and that of the packet before.
    case vorbis(VorbisModeTable)
    /// By the header of each MPEG frame.
    case mpegAudio
    /// By the header of the FLAC frame.
    case flac
    /// So many, but for a frame that states its own count.
    case alac(defaultSampleCount: Int)
    /// So many in every frame.
    case fixed(samplesPerFrame: Int)
    /// One for so many bytes.
    case pcm(bytesPerSample: Int)
    /// Not by its content: only by timestamps.
    case timestampsOnly
}

/// Sums what the frames of one track sound.
struct FrameSampleCounter {
    let countingRule: SampleCountingRule
    /// Bytes that belong in front of every frame and aren't stored there.
    let framePrefix: [UInt8]
    /// Samples a second; nil until a frame has said it.
    private(set) var sampleRate: Int?
    /// Samples of all frames.
    private(set) var sampleCount = 0
    private(set) var frameCount = 0
    /// Bytes of all frames as they are stored.
    private(set) var byteCount = 0
    /// Samples of the longest frame.
    private(set) var maxFrameSampleCount = 0
    /// Frames that no rule fits: damaged ones, mostly.
    private(set) var unreadableFrameCount = 0
    /// Samples of the Vorbis packet before.
    private var previousVorbisBlockSize: Int?

    init(codec: MatroskaCodec, framePrefix: [UInt8]) {
        countingRule = codec.countingRule
        sampleRate = codec.sampleRate
        self.framePrefix = framePrefix
    }

    /// Whether no frame says how many samples it has, though there are some: by its codec, or since all are hidden.
    var lacksSampleCounts: Bool {
        if case .timestampsOnly = countingRule { return true }
        return frameCount > 0 && unreadableFrameCount == frameCount
    }

    /// Adds the frame whose stored bytes are `range`. Its samples; 0 if only timestamps tell.
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

    /// Counts a frame that is hidden by encryption. Its samples: as many as if it were not there.
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

    /// The byte `index` of a frame, counted from what was stripped.
    @inline(__always)
    private func readByte(at index: Int, ofFrame frame: Range<Int>, in reader: inout BufferedFileReader)
        throws(AudioError) -> Int?
    {
        if index < framePrefix.count { return Int(framePrefix[index]) }
        let offset = frame.lowerBound + index - framePrefix.count
        return offset < frame.upperBound ? try reader.uint8(at: offset) : nil
    }

    /// The first `countSamples` bytes of a frame, or as many as it has.
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

    /// Matroska wants one frame a block; what came from AVI may have several.
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
