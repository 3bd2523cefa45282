/// How sound is laid out of which equally many bytes hold equally many samples.
struct SampleBlockLayout: Equatable {
    /// Bytes of a block, all channels together.
    let bytesPerBlock: Int
    /// Samples of each channel in a block.
    let samplesPerBlock: Int
    /// A last block may be shorter in some codecs: it has a head, which itself gives samples, and then steps.
    private let partialBlockLayout: PartialBlockLayout?

    private struct PartialBlockLayout: Equatable {
        let headerByteCount: Int
        let headerSampleCount: Int
        let bytesPerStep: Int
        let samplesPerStep: Int

        func sampleCount(byteCount: Int) -> Int {
            byteCount < headerByteCount
                ? 0 : headerSampleCount + (byteCount - headerByteCount) / bytesPerStep * samplesPerStep
        }
    }

    /// Blocks that are there whole or not at all.
    ///
    /// - Precondition: `bytesPerBlock` is positive.
    init(bytesPerBlock: Int, samplesPerBlock: Int) {
        precondition(bytesPerBlock > 0)
        self.bytesPerBlock = bytesPerBlock
        self.samplesPerBlock = samplesPerBlock
        partialBlockLayout = nil
    }

    private init?(bytesPerBlock: Int, declaredSamplesPerBlock: Int?, partialBlockLayout: PartialBlockLayout) {
        let maximumSamplesPerBlock = partialBlockLayout.sampleCount(byteCount: bytesPerBlock)
        guard maximumSamplesPerBlock > 0 else { return nil }
        self.bytesPerBlock = bytesPerBlock
        self.samplesPerBlock = declaredSamplesPerBlock.map { min($0, maximumSamplesPerBlock) } ?? maximumSamplesPerBlock
        self.partialBlockLayout = partialBlockLayout
    }

    /// Microsoft's ADPCM: a head of 7 bytes with two samples, then 4 bits a sample, for each channel.
    ///
    /// - Parameter declaredSamplesPerBlock: what the header states; fewer than fit are believed.
    static func microsoftADPCM(bytesPerBlock: Int, channels: Int, declaredSamplesPerBlock: Int?) -> SampleBlockLayout? {
        SampleBlockLayout(
            bytesPerBlock: bytesPerBlock, declaredSamplesPerBlock: declaredSamplesPerBlock,
            partialBlockLayout: PartialBlockLayout(
                headerByteCount: 7 * channels, headerSampleCount: 2, bytesPerStep: channels, samplesPerStep: 2))
    }

    /// IMA's ADPCM in WAVE: a head of 4 bytes with one sample, then words of 32 bits with 8 samples, for each channel.
    static func imaADPCM(bytesPerBlock: Int, channels: Int) -> SampleBlockLayout? {
        SampleBlockLayout(
            bytesPerBlock: bytesPerBlock, declaredSamplesPerBlock: nil,
            partialBlockLayout: PartialBlockLayout(
                headerByteCount: 4 * channels, headerSampleCount: 1, bytesPerStep: 4 * channels, samplesPerStep: 8))
    }

    /// Samples of a few bits each without heads; 3 bits fill whole bytes only with every eighth.
    static func packed(bitsPerSample: Int, channels: Int) -> SampleBlockLayout {
        bitsPerSample == 4
            ? SampleBlockLayout(bytesPerBlock: channels, samplesPerBlock: 2)
            : SampleBlockLayout(bytesPerBlock: bitsPerSample * channels, samplesPerBlock: 8)
    }

    /// Samples in a last block of `byteCount`.
    func sampleCount(inPartialBlockOf byteCount: Int) -> Int {
        min(partialBlockLayout?.sampleCount(byteCount: byteCount) ?? 0, samplesPerBlock)
    }
}

/// What of some blocks is there.
struct AvailableBlocks {
    /// Whole blocks.
    var completeBlockCount: Int
    /// Samples of each channel in them, and in a shorter last one.
    var sampleCount: Int
    /// Where they end.
    var endOffset: Int
    /// Whether the header promises more, or the file ends inside a block.
    var isTruncated: Bool

    /// - Throws: `damaged` if they are too many to count.
    init(layout: SampleBlockLayout, dataExtent: DataChunkExtent) throws(AudioError) {
        completeBlockCount = dataExtent.byteCount / layout.bytesPerBlock
        let remainderByteCount = dataExtent.byteCount % layout.bytesPerBlock
        guard let samples = completeBlockCount.multipliedIfNoOverflow(by: layout.samplesPerBlock) else {
            throw AudioError.tooManySamples
        }
        self.sampleCount = samples
        endOffset = dataExtent.endOffset - remainderByteCount
        isTruncated = dataExtent.sizeStatus == .truncated || dataExtent.sizeStatus == .unknown && remainderByteCount > 0
        let last = layout.sampleCount(inPartialBlockOf: remainderByteCount)
        if !isTruncated, last > 0 {
            self.sampleCount += last
            endOffset = dataExtent.endOffset
        }
    }

    /// Only the first `count` blocks, which are all of those that are there or fewer.
    mutating func limit(toBlockCount count: Int, layout: SampleBlockLayout, dataExtent: DataChunkExtent) {
        completeBlockCount = count
        sampleCount = count * layout.samplesPerBlock
        endOffset = dataExtent.startOffset + count * layout.bytesPerBlock
        isTruncated = false
    }
}

extension Recording {
    /// A recording of the blocks counted in `dataExtent`.
    init(
        container: AudioContainer, track: Track, sampleRate: SampleRate, availableBlocks: AvailableBlocks,
        dataExtent: DataChunkExtent
    )
        throws(AudioError)
    {
        self.init(container: container, track: track, mediaBytes: availableBlocks.endOffset - dataExtent.startOffset)
        tracks[0].duration = try sampleRate.duration(sampleCount: availableBlocks.sampleCount, method: .header)
        if availableBlocks.isTruncated {
            completeness = .truncated(offset: availableBlocks.endOffset)
        } else if availableBlocks.sampleCount == 0 {
            completeness = .noAudioFrames
        }
        addWarningIfSizeUnknown(of: dataExtent)
        // libsndfile counts the byte that pads sound of an odd size with it.
        let trailingByteCount = dataExtent.endOffset - availableBlocks.endOffset
        if !availableBlocks.isTruncated, trailingByteCount > 0, trailingByteCount != 1 || dataExtent.byteCount % 2 == 1
        {
            addWarning(
                .trailingBytes, offset: availableBlocks.endOffset,
                message: "in the sound \(trailingByteCount) bytes follow the last whole frame")
        }
    }

    /// A recording that ends before its sound begins.
    init(container: AudioContainer, track: Track, sampleRate: SampleRate, truncatedAt offset: Int) throws(AudioError) {
        self.init(container: container, track: track, mediaBytes: 0, completeness: .truncated(offset: offset))
        tracks[0].duration = try sampleRate.duration(sampleCount: 0, method: .header)
    }
}
