internal import Diagnostics

/// The layout of audio in blocks of constant size, each with the same number of samples.
struct SampleBlockLayout: Equatable {
    /// Bytes of a block, for all channels.
    let bytesPerBlock: Int
    /// Samples per channel in a block.
    let samplesPerBlock: Int
    /// The layout of a shorter last block, which some codecs allow: a header that contains samples itself, and then
    /// steps.
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

    /// Creates the layout of blocks that must be complete.
    ///
    /// - Precondition: `bytesPerBlock` is positive.
    init(bytesPerBlock: Int, samplesPerBlock: Int) {
        precondition(bytesPerBlock > 0)
        self.bytesPerBlock = bytesPerBlock
        self.samplesPerBlock = samplesPerBlock
        partialBlockLayout = nil
    }

    private init?(bytesPerBlock: Int, declaredSamplesPerBlock: Int?, partialBlockLayout: PartialBlockLayout) {
        let maxSamplesPerBlock = partialBlockLayout.sampleCount(byteCount: bytesPerBlock)
        guard maxSamplesPerBlock > 0 else { return nil }
        self.bytesPerBlock = bytesPerBlock
        self.samplesPerBlock = declaredSamplesPerBlock.map { min($0, maxSamplesPerBlock) } ?? maxSamplesPerBlock
        self.partialBlockLayout = partialBlockLayout
    }

    /// Returns the layout of Microsoft ADPCM: a header of 7 bytes with two samples, then 4 bits per sample, for each
    /// channel.
    ///
    /// - Parameters:
    ///   - bytesPerBlock: Bytes of a block.
    ///   - channels: The number of channels.
    ///   - declaredSamplesPerBlock: The samples per block in the header. A smaller number than fits is accepted.
    static func microsoftADPCM(bytesPerBlock: Int, channels: Int, declaredSamplesPerBlock: Int?) -> SampleBlockLayout? {
        SampleBlockLayout(
            bytesPerBlock: bytesPerBlock, declaredSamplesPerBlock: declaredSamplesPerBlock,
            partialBlockLayout: PartialBlockLayout(
                headerByteCount: 7 * channels, headerSampleCount: 2, bytesPerStep: channels, samplesPerStep: 2))
    }

    /// Returns the layout of IMA ADPCM in WAVE: a header of 4 bytes with one sample, then 32-bit words with 8 samples,
    /// for each channel.
    static func imaADPCM(bytesPerBlock: Int, channels: Int) -> SampleBlockLayout? {
        SampleBlockLayout(
            bytesPerBlock: bytesPerBlock, declaredSamplesPerBlock: nil,
            partialBlockLayout: PartialBlockLayout(
                headerByteCount: 4 * channels, headerSampleCount: 1, bytesPerStep: 4 * channels, samplesPerStep: 8))
    }

    /// Returns the layout of packed samples without headers.
    ///
    /// With 4 bits, two samples fill a byte. With other sizes, eight samples fill whole bytes.
    static func packed(bitsPerSample: Int, channels: Int) -> SampleBlockLayout {
        bitsPerSample == 4
            ? SampleBlockLayout(bytesPerBlock: channels, samplesPerBlock: 2)
            : SampleBlockLayout(bytesPerBlock: bitsPerSample * channels, samplesPerBlock: 8)
    }

    /// Returns the samples per channel in a last block of `byteCount` bytes.
    func sampleCount(inPartialBlockOf byteCount: Int) -> Int {
        min(partialBlockLayout?.sampleCount(byteCount: byteCount) ?? 0, samplesPerBlock)
    }
}

/// The audio blocks that exist in the file.
struct AvailableBlocks {
    let layout: SampleBlockLayout
    /// The part of the file that contains the blocks.
    let dataExtent: DataChunkExtent
    /// The number of complete blocks.
    var completeBlockCount: Int
    /// Samples per channel in the complete blocks, and in a shorter last block.
    var sampleCount: Int
    /// The offset at which the blocks end.
    var endOffset: Int
    /// Whether the header promises more, or the file ends inside a block.
    var isTruncated: Bool

    /// Counts the blocks in `dataExtent`.
    ///
    /// - Throws: ``AudioError/Code/damaged`` if the number of samples overflows.
    init(layout: SampleBlockLayout, dataExtent: DataChunkExtent) throws(AudioError) {
        self.layout = layout
        self.dataExtent = dataExtent
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

    /// Limits the blocks to the first `count`, which is at most the number of complete blocks.
    mutating func limit(toBlockCount count: Int) {
        completeBlockCount = count
        sampleCount = count * layout.samplesPerBlock
        endOffset = dataExtent.startOffset + count * layout.bytesPerBlock
        isTruncated = false
    }
}

extension Recording {
    /// Creates the result for the blocks that were counted.
    init(
        container: AudioContainer, track: Track, sampleRate: SampleRate, availableBlocks: AvailableBlocks
    ) throws(AudioError) {
        let dataExtent = availableBlocks.dataExtent
        self.init(container: container, track: track, mediaBytes: availableBlocks.endOffset - dataExtent.startOffset)
        tracks[0].duration = try sampleRate.duration(sampleCount: availableBlocks.sampleCount, method: .header)
        if availableBlocks.isTruncated {
            completeness = .truncated(offset: availableBlocks.endOffset)
        } else if availableBlocks.sampleCount == 0 {
            completeness = .noAudioFrames
        }
        addWarningIfSizeUnknown(of: dataExtent)
        // libsndfile includes the pad byte in audio of an odd size.
        let trailingByteCount = dataExtent.endOffset - availableBlocks.endOffset
        if !availableBlocks.isTruncated, trailingByteCount > 0, trailingByteCount != 1 || dataExtent.byteCount % 2 == 1
        {
            addWarning(
                .trailingBytes, offset: availableBlocks.endOffset,
                message: "\(trailingByteCount) bytes follow the last complete frame of the audio")
        }
    }

    /// Creates the result for a file that ends before its audio begins.
    init(container: AudioContainer, track: Track, sampleRate: SampleRate, truncatedAt offset: Int) throws(AudioError) {
        self.init(container: container, track: track, mediaBytes: 0, completeness: .truncated(offset: offset))
        tracks[0].duration = try sampleRate.duration(sampleCount: 0, method: .header)
    }
}
