/// Builds native FLAC whose frames hold samples as they are.
struct FLACBuilder {
    var rate = 8000
    var channels = 1
    var bits = 8
    /// Samples of each frame.
    var frames: [Int] = []
    /// What STREAMINFO states: nil for the truth.
    var total: Int?
    var isVariable = false
    /// Whether frames that state their own bits have 32 of them, not 8.
    var isWide = false
    /// Blocks behind STREAMINFO.
    var blocks: [(type: Int, content: [UInt8])] = []

    /// `count` frames of 192 samples, and one of `rest` if that isn't 0.
    init(_ count: Int, rest: Int = 0) { frames = Array(repeating: 192, count: count) + (rest > 0 ? [rest] : []) }

    var samples: Int { frames.reduce(0, +) }

    /// STREAMINFO without its header.
    var streamInfo: [UInt8] {
        var info = ByteBuilder()
        info.big(192, 2)
        info.big(192, 2)
        info.zeros(6)
        info.big(rate << 44 | (channels - 1) << 41 | (bits - 1) << 36 | (total ?? samples), 8)
        info.zeros(16)
        return info.bytes
    }

    /// The marker and all blocks.
    var head: [UInt8] {
        var file = ByteBuilder(Array("fLaC".utf8))
        let all = [(type: 0, content: streamInfo)] + blocks
        for (index, block) in all.enumerated() {
            file.big(block.type | (index == all.count - 1 ? 0x80 : 0), 1)
            file.big(block.content.count, 3)
            file.add(block.content)
        }
        return file.bytes
    }

    var bytes: [UInt8] { sounds.reduce(head, +) }

    /// The frames.
    var sounds: [[UInt8]] { sounds() }

    /// The frames, numbered from `first` on.
    ///
    /// - Parameter isSelfContained: whether each states its sample rate, in whole kHz, and its bits, which are 8.
    func sounds(from first: Int = 0, isSelfContained: Bool = false) -> [[UInt8]] {
        var start = first
        return frames.enumerated().map { index, size in
            defer { start += size }
            return frame(isVariable ? start : first + index, size, isSelfContained: isSelfContained)
        }
    }

    func frame(
        _ number: Int, _ size: Int, isSelfContained: Bool = false, isHeaderAlone: Bool = false
    ) -> [UInt8] {
        // The size follows in 16 bits; rate and bits are those of STREAMINFO, or the rate follows in 8.
        var frame = ByteBuilder([
            0xFF, isVariable ? 0xF9 : 0xF8, isSelfContained ? 0x7C : 0x70,
            UInt8(channels - 1) << 4 | (isSelfContained ? isWide ? 14 : 2 : 0),
        ])
        frame.add(Self.utf8(number))
        frame.big(size - 1, 2)
        if isSelfContained { frame.big(rate / 1000, 1) }
        frame.add([UInt8(Self.crc(frame.bytes, 0x07, bits: 8))])
        if isHeaderAlone { return frame.bytes }
        for channel in 0..<channels {
            frame.add([2])
            for sample in 0..<size { frame.big((sample * 7 + number + channel) % 64, bits / 8) }
        }
        frame.big(Self.crc(frame.bytes, 0x8005, bits: 16), 2)
        return frame.bytes
    }

    /// A number below 2^16 as FLAC writes it.
    private static func utf8(_ number: Int) -> [UInt8] {
        Unicode.Scalar(UInt32(number)).map { Array(String(Character($0)).utf8) } ?? []
    }

    /// The remainder of a division by a polynomial, a bit at a time.
    static func crc(_ bytes: [UInt8], _ polynomial: Int, bits: Int) -> Int {
        bytes.reduce(0) { crc, byte in
            (0..<8).reduce(crc ^ Int(byte) << (bits - 8)) { crc, _ in
                (crc << 1 ^ (crc >> (bits - 1) & 1 == 1 ? polynomial : 0)) & (1 << bits - 1)
            }
        }
    }

    /// The content of a VORBIS_COMMENT block, or of Ogg's comment packets.
    static func comment(_ entries: [String]) -> [UInt8] {
        var block = ByteBuilder()
        block.little(4, 4)
        block.add("test")
        block.little(entries.count, 4)
        for entry in entries {
            block.little(entry.utf8.count, 4)
            block.add(Array(entry.utf8))
        }
        return block.bytes
    }
}
