/// How sound is laid out of which equally many bytes hold equally many samples.
struct SampleBlocks: Equatable {
    /// Bytes of a block, all channels together.
    let bytes: Int
    /// Samples of each channel in a block.
    let samples: Int
    /// A last block may be shorter in some codecs: it has a head, which itself gives samples, and then steps.
    private let shorter: Shorter?

    private struct Shorter: Equatable {
        let headBytes: Int
        let headSamples: Int
        let stepBytes: Int
        let stepSamples: Int

        func samples(in bytes: Int) -> Int {
            bytes < headBytes ? 0 : headSamples + (bytes - headBytes) / stepBytes * stepSamples
        }
    }

    /// Blocks that are there whole or not at all.
    ///
    /// - Precondition: `bytes` is positive.
    init(bytes: Int, samples: Int) {
        precondition(bytes > 0)
        self.bytes = bytes
        self.samples = samples
        shorter = nil
    }

    private init?(bytes: Int, samples: Int?, _ shorter: Shorter) {
        let most = shorter.samples(in: bytes)
        guard most > 0 else { return nil }
        self.bytes = bytes
        self.samples = samples.map { min($0, most) } ?? most
        self.shorter = shorter
    }

    /// Microsoft's ADPCM: a head of 7 bytes with two samples, then 4 bits a sample, for each channel.
    ///
    /// - Parameter samples: what the header states; fewer than fit are believed.
    static func microsoftADPCM(bytes: Int, channels: Int, samples: Int?) -> SampleBlocks? {
        SampleBlocks(
            bytes: bytes, samples: samples,
            Shorter(headBytes: 7 * channels, headSamples: 2, stepBytes: channels, stepSamples: 2))
    }

    /// IMA's ADPCM in WAVE: a head of 4 bytes with one sample, then words of 32 bits with 8 samples, for each channel.
    static func imaADPCM(bytes: Int, channels: Int) -> SampleBlocks? {
        SampleBlocks(
            bytes: bytes, samples: nil,
            Shorter(headBytes: 4 * channels, headSamples: 1, stepBytes: 4 * channels, stepSamples: 8))
    }

    /// Samples of a few bits each without heads; 3 bits fill whole bytes only with every eighth.
    static func packed(bits: Int, channels: Int) -> SampleBlocks {
        bits == 4
            ? SampleBlocks(bytes: channels, samples: 2)
            : SampleBlocks(bytes: bits * channels, samples: 8)
    }

    /// Samples in a last block of `bytes`.
    func samples(inLast bytes: Int) -> Int { min(shorter?.samples(in: bytes) ?? 0, samples) }
}

/// What of some blocks is there.
struct BlockCount {
    /// Whole blocks.
    var blocks: Int
    /// Samples of each channel in them, and in a shorter last one.
    var samples: Int
    /// Where they end.
    var end: Int
    /// Whether the header promises more, or the file ends inside a block.
    var isTruncated: Bool

    /// - Throws: `damaged` if they are too many to count.
    init(_ layout: SampleBlocks, in sound: SoundExtent) throws(AudioError) {
        blocks = sound.count / layout.bytes
        let rest = sound.count % layout.bytes
        guard let samples = blocks.multiplied(by: layout.samples) else { throw AudioError.tooManySamples }
        self.samples = samples
        end = sound.end - rest
        isTruncated = sound.ending == .cut || sound.ending == .open && rest > 0
        let last = layout.samples(inLast: rest)
        if !isTruncated, last > 0 {
            self.samples += last
            end = sound.end
        }
    }

    /// Only the first `count` blocks, which are all of those that are there or fewer.
    mutating func keep(_ count: Int, of layout: SampleBlocks, in sound: SoundExtent) {
        blocks = count
        samples = count * layout.samples
        end = sound.start + count * layout.bytes
        isTruncated = false
    }
}

extension Recording {
    /// A recording of the blocks counted in `sound`.
    init(_ container: AudioContainer, _ track: Track, rate: SampleRate, _ count: BlockCount, in sound: SoundExtent)
        throws(AudioError)
    {
        self.init(container, track: track, mediaBytes: count.end - sound.start)
        tracks[0].duration = try rate.duration(of: count.samples, method: .header)
        if count.isTruncated {
            completeness = .truncated(offset: count.end)
        } else if count.samples == 0 {
            completeness = .empty
        }
        warnIfOpen(sound)
        // libsndfile counts the byte that pads sound of an odd size with it.
        let rest = sound.end - count.end
        if !count.isTruncated, rest > 0, rest != 1 || sound.count % 2 == 1 {
            warn(.trailingBytes, offset: count.end, "in the sound \(rest) bytes follow the last whole frame")
        }
    }

    /// A recording that ends before its sound begins.
    init(_ container: AudioContainer, _ track: Track, rate: SampleRate, endingAt offset: Int) throws(AudioError) {
        self.init(container, track: track, mediaBytes: 0, completeness: .truncated(offset: offset))
        tracks[0].duration = try rate.duration(of: 0, method: .header)
    }
}
