/// The format of frames that follow one another without a container.
///
/// Each frame begins with a header that repeats the parameters of the stream. A value holds the parameters of the frame
/// that it was read from; other frames either match them or do not.
protocol RawFrameFormat {
    /// Reads the format of the frame at `offset`. Returns `nil` if there is no header.
    init?(at offset: Int, in reader: inout BufferedFileReader) throws(AudioError)

    /// The size of a header in bytes.
    static var headerLength: Int { get }
    /// Samples per second, in Hz.
    var sampleRate: Int { get }

    /// Returns the frame at `offset`, or `nil` if there is no header or it does not match.
    mutating func frame(at offset: Int, in reader: inout BufferedFileReader) throws(AudioError) -> RawFrame?

    /// Returns whether frames of this format may follow frames of `other` in one stream.
    func canFollow(_ other: Self) -> Bool
}

/// A frame of a `RawFrameFormat`.
struct RawFrame {
    /// Bytes of the frame, including its header: at least 1.
    let byteCount: Int
    /// Samples per channel; 0 for a VBR header.
    let sampleCount: Int
}

extension RawFrameFormat {
    /// Bytes that contain the longest run of consecutive frames that is tested: three ADTS frames of 8191 bytes.
    static var lookaheadByteCount: Int { 32 << 10 }

    /// Returns whether `count` matching headers follow one another from `offset` on, where all frames but the last are
    /// complete.
    ///
    /// If `count` is 2, one frame that ends exactly at `end` is sufficient.
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
