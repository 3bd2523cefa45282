/// What the header of an Opus stream says, in Ogg and in Matroska: RFC 7845, 5.1. The rate that it states is the
/// recording's, not what is played.
struct OpusHead {
    let channels: Int
    /// Samples at 48 kHz to leave out at the beginning.
    let preSkip: Int

    /// Nil if it is cut short, or none that can be read.
    init?(bytes: ArraySlice<UInt8>) {
        let head = Array(bytes.prefix(19))
        guard head.count == 19, head.starts(with: "OpusHead".utf8), head[8] < 16, head[9] > 0 else { return nil }
        channels = Int(head[9])
        preSkip = head.littleEndianInteger(at: 10, byteCount: 2)
    }
}

/// How long an Opus packet sounds, by its first two bytes: RFC 6716, 3.1 and 3.2.
enum OpusPacket {
    /// Opus always counts time in samples at 48 kHz, whatever was recorded.
    static let sampleRate = 48_000
    /// A packet of 120 ms: none may be longer.
    static let maxSamplesPerPacket = 5760

    /// Samples at 48 kHz; nil if the packet is empty or claims more than 120 ms.
    ///
    /// - Parameters:
    ///   - firstByte: its first byte, nil if it has none.
    ///   - secondByte: its second, which counts the frames of some.
    static func sampleCount(firstByte: Int?, secondByte: Int?) -> Int? {
        guard let firstByte else { return nil }
        let configuration = firstByte >> 3
        let frame =
            switch configuration {
            case 0..<12: [480, 960, 1920, 2880][configuration & 3]
            case 12..<16: [480, 960][configuration & 1]
            default: [120, 240, 480, 960][configuration & 3]
            }
        let frames: Int?
        switch firstByte & 3 {
        case 0: frames = 1
        case 3: frames = secondByte.map { $0 & 0x3F }
        default: frames = 2
        }
        guard let frames, frames > 0, frames * frame <= maxSamplesPerPacket else { return nil }
        return frames * frame
    }
}
