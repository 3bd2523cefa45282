/// How the samples of a frame are counted.
enum FrameRule {
    /// By the packet's first two bytes.
    case opus
    /// By the window of its mode and that of the packet before.
    case vorbis(VorbisModes)
    /// By the header of each MPEG frame.
    case mpegAudio
    /// By the header of the FLAC frame.
    case flac
    /// So many, but for a frame that states its own count.
    case alac(Int)
    /// So many in every frame.
    case fixed(Int)
    /// One for so many bytes.
    case bytes(Int)
    /// Not by its content: only by timestamps.
    case timestamps
}

/// Sums what the frames of one track sound.
struct FrameCounter {
    let rule: FrameRule
    /// Bytes that belong in front of every frame and aren't stored there.
    let prefix: [UInt8]
    /// Samples a second; nil until a frame has said it.
    private(set) var sampleRate: Int?
    /// Samples of all frames.
    private(set) var samples = 0
    private(set) var frames = 0
    /// Bytes of all frames as they are stored.
    private(set) var bytes = 0
    /// Samples of the longest frame.
    private(set) var longest = 0
    /// Frames that no rule fits: damaged ones, mostly.
    private(set) var unreadable = 0
    /// Samples of the Vorbis packet before.
    private var previousWindow: Int?

    init(_ codec: MatroskaCodec, prefix: [UInt8]) {
        rule = codec.rule
        sampleRate = codec.sampleRate
        self.prefix = prefix
    }

    /// Whether no frame says how many samples it has, though there are some: by its codec, or since all are hidden.
    var isUncounted: Bool {
        if case .timestamps = rule { return true }
        return frames > 0 && unreadable == frames
    }

    /// Adds the frame whose stored bytes are `range`. Its samples; 0 if only timestamps tell.
    @inline(__always)
    mutating func add(_ range: Range<Int>, in window: inout ByteWindow) throws(AudioError) -> Int {
        frames += 1
        bytes += range.count
        let counted = try count(range, in: &window)
        if counted == nil { unreadable += 1 }
        let samples = counted ?? 0
        self.samples = self.samples.adding(samples) ?? .max
        longest = max(longest, samples)
        return samples
    }

    /// Counts a frame that is hidden by encryption. Its samples: as many as if it were not there.
    mutating func addHidden(_ range: Range<Int>) -> Int {
        frames += 1
        unreadable += 1
        bytes += range.count
        return 0
    }

    @inline(__always)
    private mutating func count(_ frame: Range<Int>, in window: inout ByteWindow) throws(AudioError) -> Int? {
        switch rule {
        case .opus:
            OpusPacket.samples(first: try byte(0, of: frame, in: &window), second: try byte(1, of: frame, in: &window))
        case .vorbis(let modes): try vorbis(modes, frame, in: &window)
        case .mpegAudio: try mpegAudio(frame, in: &window)
        case .flac: try flac(frame, in: &window)
        case .alac(let usual): try alac(frame, usual, in: &window)
        case .fixed(let samples): frame.isEmpty && prefix.isEmpty ? nil : samples
        case .bytes(let size): (prefix.count + frame.count) / size
        case .timestamps: 0
        }
    }

    /// The byte `index` of a frame, counted from what was stripped.
    @inline(__always)
    private func byte(_ index: Int, of frame: Range<Int>, in window: inout ByteWindow) throws(AudioError) -> Int? {
        if index < prefix.count { return Int(prefix[index]) }
        let offset = frame.lowerBound + index - prefix.count
        return offset < frame.upperBound ? try window.uint8(at: offset) : nil
    }

    /// The first `count` bytes of a frame, or as many as it has.
    private func head(_ count: Int, of frame: Range<Int>, in window: inout ByteWindow) throws(AudioError) -> [UInt8] {
        let stored = max(min(count - prefix.count, frame.count), 0)
        return prefix.prefix(count) + (try window.bytes(at: frame.lowerBound, count: stored) ?? [])
    }

    private mutating func vorbis(
        _ modes: VorbisModes, _ frame: Range<Int>, in window: inout ByteWindow
    ) throws(AudioError) -> Int? {
        guard let first = try byte(0, of: frame, in: &window), let size = modes.window(first: first) else { return nil }
        defer { previousWindow = size }
        return VorbisModes.samples(size, after: previousWindow)
    }

    /// Matroska wants one frame a block; what came from AVI may have several.
    private mutating func mpegAudio(_ block: Range<Int>, in window: inout ByteWindow) throws(AudioError) -> Int? {
        var total: Int?, position = 0
        while let header = try mpegHeader(at: position, of: block, in: &window) {
            let rate = sampleRate ?? header.sampleRate
            sampleRate = rate
            if header.sampleRate != rate { return nil }
            total = (total ?? 0) + header.samples
            guard let length = header.length, length > 0 else { break }
            position += length
        }
        return total
    }

    private func mpegHeader(
        at position: Int, of block: Range<Int>, in window: inout ByteWindow
    ) throws(AudioError) -> MPEGAudioHeader? {
        var word = 0
        for i in 0..<4 {
            guard let byte = try byte(position + i, of: block, in: &window) else { return nil }
            word = word << 8 | byte
        }
        return MPEGAudioHeader(word)
    }

    private func flac(_ frame: Range<Int>, in window: inout ByteWindow) throws(AudioError) -> Int? {
        FLACFrameHeader(try head(FLACFrameHeader.longest, of: frame, in: &window))?.blockSize
    }

    private func alac(_ frame: Range<Int>, _ usual: Int, in window: inout ByteWindow) throws(AudioError) -> Int? {
        ALACPacket.samples(try head(ALACPacket.headLength, of: frame, in: &window), usual: usual)
    }
}
