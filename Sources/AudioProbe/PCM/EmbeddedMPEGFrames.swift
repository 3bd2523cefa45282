/// Frames of MPEG audio, one after the other, that another format encloses.
struct EmbeddedMPEGFrames {
    /// Samples a second.
    let sampleRate: Int
    /// Samples of each channel in whole frames.
    private(set) var sampleCount = 0
    /// Where the last whole frame ends.
    private(set) var lastFrameEndOffset: Int
    /// Bytes that the frame behind it would take; nil if there is none.
    private(set) var truncatedFrameLength: Int?

    /// Nil if no frame begins there, or its header doesn't say its length.
    init?(dataExtent: DataChunkExtent, in reader: inout BufferedFileReader) throws(AudioError) {
        guard let first = try Self.frameHeader(at: dataExtent.startOffset, in: &reader) else { return nil }
        sampleRate = first.sampleRate
        lastFrameEndOffset = dataExtent.startOffset
        while let header = try Self.frameHeader(at: lastFrameEndOffset, in: &reader), header.sampleRate == sampleRate,
            let length = header.frameLength
        {
            guard length <= dataExtent.endOffset - lastFrameEndOffset else {
                truncatedFrameLength = length
                break
            }
            lastFrameEndOffset += length
            sampleCount += header.samplesPerFrame
        }
    }

    private static func frameHeader(
        at offset: Int, in reader: inout BufferedFileReader
    ) throws(AudioError) -> MPEGAudioHeader? {
        guard let header = try reader.uint32(at: offset).flatMap(MPEGAudioHeader.init), let length = header.frameLength,
            length > 4
        else { return nil }
        return header
    }
}
