/// An hour of audio whose duration can only be found by scanning all frames, as in streams and live recordings.
public struct AudioInput: Sendable {
    /// The container.
    public enum Kind: String, CaseIterable, Sendable {
        /// Layer III frames with varying bit rates, without a header that states their number.
        case mp3
        /// AAC frames with varying lengths.
        case aac
        /// AMR-NB, of which one frame in eight is silence.
        case amr
        /// Opus in pages of Ogg.
        case opus
        /// Opus in WebM without sizes, duration or index.
        case webm
    }

    /// The file.
    public let bytes: [UInt8]

    /// Creates audio of the given duration in seconds.
    public init(_ kind: Kind, seconds: Int = 3600) {
        bytes =
            switch kind {
            case .mp3: Self.mp3(seconds)
            case .aac: Self.aac(seconds)
            case .amr: Self.amr(seconds)
            case .opus: OggOpus.file(seconds: seconds)
            case .webm: WebMOpus.file(seconds: seconds)
            }
    }

    /// The content of frames. It does not look like a frame header.
    private static let filler: UInt8 = 0x55

    /// Frames of 1152 samples at 44.1 kHz, 64 to 128 kbit/s (ISO/IEC 11172-3, 2.4.1.3).
    private static func mp3(_ seconds: Int) -> [UInt8] {
        let bitRates = [64, 80, 96, 112, 128]
        var random = SplitMix64(seed: 1), bytes: [UInt8] = []
        for _ in 0..<seconds * 44_100 / 1152 {
            let choice = random.number(in: 0...bitRates.count - 1)
            bytes.appendBigEndian(0xFFFB_0040 | (choice + 5) << 12, bytes: 4)
            bytes += repeatElement(filler, count: 144_000 * bitRates[choice] / 44_100 - 4)
        }
        return bytes
    }

    /// Frames of 1024 samples at 44.1 kHz, each after an ADTS header (ISO/IEC 13818-7, 6.2).
    private static func aac(_ seconds: Int) -> [UInt8] {
        var random = SplitMix64(seed: 2), bytes: [UInt8] = []
        for _ in 0..<seconds * 44_100 / 1024 {
            let length = random.number(in: 120...260)
            bytes.appendBigEndian(0xFFF1, bytes: 2)
            bytes.appendBigEndian(1 << 14 | 4 << 10 | 1 << 6 | length >> 11, bytes: 2)
            bytes.appendBigEndian((length & 0x7FF) << 13 | 0x7FF << 2, bytes: 3)
            bytes += repeatElement(filler, count: length - 7)
        }
        return bytes
    }

    /// Frames of 20 ms, of 12.2 kbit/s or of comfort noise (RFC 4867, section 5).
    private static func amr(_ seconds: Int) -> [UInt8] {
        var random = SplitMix64(seed: 3), bytes = Array("#!AMR\n".utf8)
        for _ in 0..<seconds * 50 {
            let isSilence = random.number(in: 0...7) == 0
            bytes.append((isSilence ? 8 : 7) << 3 | 4)
            bytes += repeatElement(filler, count: isSilence ? 5 : 31)
        }
        return bytes
    }
}

/// Opus packets, for Ogg and WebM.
enum OpusPackets {
    /// The identification header (RFC 7845, section 5.1).
    static var head: [UInt8] {
        var head = Array("OpusHead".utf8) + [1, 1]
        head.appendLittleEndian(312, bytes: 2)
        head.appendLittleEndian(48_000, bytes: 4)
        head.appendLittleEndian(0, bytes: 3)
        return head
    }

    /// Returns a packet of 20 ms, as its first byte states. The average bit rate is 32 kbit/s.
    static func packet(_ random: inout SplitMix64) -> [UInt8] {
        [0xF8] + [UInt8](repeating: 0x55, count: random.number(in: 50...108))
    }
}
