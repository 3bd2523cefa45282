/// Frames of MPEG audio, one after the other, that another format encloses.
struct EnclosedFrames {
    /// Samples a second.
    let sampleRate: Int
    /// Samples of each channel in whole frames.
    private(set) var samples = 0
    /// Where the last whole frame ends.
    private(set) var end: Int
    /// Bytes that the frame behind it would take; nil if there is none.
    private(set) var next: Int?

    /// Nil if no frame begins there, or its header doesn't say its length.
    init?(_ sound: SoundExtent, in window: inout ByteWindow) throws(AudioError) {
        guard let first = try Self.header(at: sound.start, in: &window) else { return nil }
        sampleRate = first.sampleRate
        end = sound.start
        while let header = try Self.header(at: end, in: &window), header.sampleRate == sampleRate,
            let length = header.length
        {
            guard length <= sound.end - end else {
                next = length
                break
            }
            end += length
            samples += header.samples
        }
    }

    private static func header(
        at offset: Int, in window: inout ByteWindow
    ) throws(AudioError) -> MPEGAudioHeader? {
        guard let header = try window.uint32(at: offset).flatMap(MPEGAudioHeader.init), let length = header.length,
            length > 4
        else { return nil }
        return header
    }
}
