/// Frames that follow one another without a container. Each begins with a header that repeats what holds for all of them:
/// the parameters. They are those of the frame that the value was made from; another frame agrees with it or does not.
protocol BareFrames {
    /// The frames that go on as the one at `offset` begins; nil if there is no header.
    init?(at offset: Int, in window: inout ByteWindow) throws(AudioError)

    /// Bytes of a header.
    static var headerLength: Int { get }
    /// Samples a second.
    var sampleRate: Int { get }

    /// The frame at `offset`; nil if there is no header, or none that agrees.
    mutating func frame(at offset: Int, in window: inout ByteWindow) throws(AudioError) -> BareFrame?

    /// Whether these parameters may come after those of `other` in one stream.
    func canFollow(_ other: Self) -> Bool
}

/// One of `BareFrames`.
struct BareFrame {
    /// Bytes, header included: at least 1.
    let length: Int
    /// Samples of each channel; 0 if the frame only informs about those that follow.
    let samples: Int
}

extension BareFrames {
    /// Bytes in which so many consecutive frames as are ever asked for lie: three of the longest of ADTS, 8191 bytes.
    static var reach: Int { 32 << 10 }

    /// Whether from `offset` on `count` headers agree, all frames but the last being whole. Where two are asked for, one
    /// frame that reaches just to `end` is as good.
    func areThere(_ count: Int, at offset: Int, end: Int, in window: inout ByteWindow) throws(AudioError) -> Bool {
        try window.hold(Self.reach, at: offset)
        var frames = self, position = offset
        for number in 1...count {
            if position == end { return count == 2 }
            guard let frame = try frames.frame(at: position, in: &window) else { return false }
            if frame.length > end - position { return number > 1 && number == count }
            position += frame.length
        }
        return true
    }
}
