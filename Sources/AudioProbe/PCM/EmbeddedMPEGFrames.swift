/// Consecutive MPEG audio frames inside another format.
struct EmbeddedMPEGFrames {
    /// Samples per second, in Hz.
    let sampleRate: Int
    /// Samples per channel in complete frames.
    private(set) var sampleCount = 0
    /// The offset at which the last complete frame ends.
    private(set) var lastFrameEndOffset: Int
    /// The size in bytes of the truncated frame after it, or `nil` if there is none.
    private(set) var truncatedFrameLength: Int?

    /// Counts the frames. Returns `nil` if no frame begins there or its header does not state its length.
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
