/// Frames that follow one another without a container. Each begins with a header that repeats what holds for all of
/// them: the parameters. They are those of the frame that the value was made from; another frame agrees with it or does
/// not.
protocol RawFrameFormat {
    /// The frames that go on as the one at `offset` begins; nil if there is no header.
    init?(at offset: Int, in reader: inout BufferedFileReader) throws(AudioError)

    /// Bytes of a header.
    static var headerLength: Int { get }
    /// Samples a second.
    var sampleRate: Int { get }

    /// The frame at `offset`; nil if there is no header, or none that agrees.
    mutating func frame(at offset: Int, in reader: inout BufferedFileReader) throws(AudioError) -> RawFrame?

    /// Whether these parameters may come after those of `other` in one stream.
    func canFollow(_ other: Self) -> Bool
}

/// One of `RawFrameFormat`.
struct RawFrame {
    /// Bytes, header included: at least 1.
    let byteCount: Int
    /// Samples of each channel; 0 if the frame only informs about those that follow.
    let sampleCount: Int
}

extension RawFrameFormat {
    /// Bytes in which so many consecutive frames as are ever asked for lie: three of the longest of ADTS, 8191 bytes.
    static var lookaheadByteCount: Int { 32 << 10 }

    /// Whether from `offset` on `count` headers agree, all frames but the last being whole. Where two are asked for,
    /// one frame that reaches just to `end` is as good.
    func hasConsecutiveFrames(count: Int, at offset: Int, end: Int, in reader: inout BufferedFileReader)
        throws(AudioError) -> Bool
    {
        try reader.prefetchBytes(count: Self.lookaheadByteCount, at: offset)
        var format = self, position = offset
        for number in 1...count {
            if position == end { return count == 2 }
            guard let frame = try format.frame(at: position, in: &reader) else { return false }
            if frame.byteCount > end - position { return number > 1 && number == count }
            position += frame.byteCount
        }
        return true
    }
}
