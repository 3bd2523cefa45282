/// The identification header of an Opus stream, in Ogg and Matroska: RFC 7845, 5.1.
///
/// The sample rate in it is that of the encoder's input and does not affect playback, so it is not read.
struct OpusHead {
    let channels: Int
    /// Samples at 48 kHz to discard at the beginning.
    let preSkip: Int

    /// Parses a header. Returns `nil` if it is truncated or its version is unsupported.
    init?(bytes: ArraySlice<UInt8>) {
        let head = Array(bytes.prefix(19))
        guard head.count == 19, head.starts(with: "OpusHead".utf8), head[8] < 16, head[9] > 0 else { return nil }
        channels = Int(head[9])
        preSkip = head.littleEndianInteger(at: 10, byteCount: 2)
    }
}

/// The duration of an Opus packet, from its first two bytes: RFC 6716, 3.1 and 3.2.
enum OpusPacket {
    /// The timescale of Opus in Hz, independent of the rate of the encoder's input.
    static let sampleRate = 48_000
    /// Samples at 48 kHz in 120 ms, the longest valid packet.
    static let maxSamplesPerPacket = 5760

    /// Returns the number of samples at 48 kHz in a packet.
    ///
    /// - Parameters:
    ///   - firstByte: The first byte of the packet, or `nil` if the packet is empty.
    ///   - secondByte: The second byte, which some packets use for their number of frames, or `nil`.
    /// - Returns: `nil` if the packet is empty or states more than 120 ms.
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
