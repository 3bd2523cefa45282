/// Builds native FLAC with verbatim subframes.
struct FLACBuilder {
    var rate = 8000
    var channels = 1
    var bits = 8
    /// Samples of each frame.
    var frames: [Int] = []
    /// The number of samples in STREAMINFO, or `nil` for the correct one.
    var total: Int?
    var isVariable = false
    /// Whether frames that state their own bits have 32 of them, not 8.
    var isWide = false
    /// The metadata blocks after STREAMINFO.
    var blocks: [(type: Int, content: [UInt8])] = []

    /// Creates `count` frames of 192 samples, and one of `lastFrameSamples` if that is not 0.
    init(frameCount count: Int, lastFrameSamples: Int = 0) {
        frames = Array(repeating: 192, count: count) + (lastFrameSamples > 0 ? [lastFrameSamples] : [])
    }

    var samples: Int { frames.reduce(0, +) }

    /// STREAMINFO without its header.
    var streamInfo: [UInt8] {
        var info = ByteBuilder()
        info.appendBigEndian(192, byteCount: 2)
        info.appendBigEndian(192, byteCount: 2)
        info.appendZeros(count: 6)
        info.appendBigEndian(rate << 44 | (channels - 1) << 41 | (bits - 1) << 36 | (total ?? samples), byteCount: 8)
        info.appendZeros(count: 16)
        return info.bytes
    }

    /// The marker and all blocks.
    var head: [UInt8] {
        var file = ByteBuilder(Array("fLaC".utf8))
        let all = [(type: 0, content: streamInfo)] + blocks
        for (index, block) in all.enumerated() {
            file.appendBigEndian(block.type | (index == all.count - 1 ? 0x80 : 0), byteCount: 1)
            file.appendBigEndian(block.content.count, byteCount: 3)
            file.append(block.content)
        }
        return file.bytes
    }

    var bytes: [UInt8] { encodedFrames.reduce(head, +) }

    /// The frames.
    var encodedFrames: [[UInt8]] { makeFrames() }

    /// The frames, numbered from `first` on.
    ///
    /// - Parameter isSelfContained: whether each states its sample rate, in whole kHz, and its bits, which are 8.
    func makeFrames(from first: Int = 0, isSelfContained: Bool = false) -> [[UInt8]] {
        var start = first
        return frames.enumerated().map { index, size in
            defer { start += size }
            return encodedFrame(isVariable ? start : first + index, size, isSelfContained: isSelfContained)
        }
    }

    func encodedFrame(
        _ number: Int, _ size: Int, isSelfContained: Bool = false, isHeaderAlone: Bool = false
    ) -> [UInt8] {
        // The size follows in 16 bits; rate and bits are those of STREAMINFO, or the rate follows in 8.
        var frame = ByteBuilder([
            0xFF, isVariable ? 0xF9 : 0xF8, isSelfContained ? 0x7C : 0x70,
            UInt8(channels - 1) << 4 | (isSelfContained ? isWide ? 14 : 2 : 0),
        ])
        frame.append(Self.utf8CodedNumber(number))
        frame.appendBigEndian(size - 1, byteCount: 2)
        if isSelfContained { frame.appendBigEndian(rate / 1000, byteCount: 1) }
        frame.append([UInt8(Self.crc(of: frame.bytes, polynomial: 0x07, bits: 8))])
        if isHeaderAlone { return frame.bytes }
        for channel in 0..<channels {
            frame.append([2])
            for sample in 0..<size { frame.appendBigEndian((sample * 7 + number + channel) % 64, byteCount: bits / 8) }
        }
        frame.appendBigEndian(Self.crc(of: frame.bytes, polynomial: 0x8005, bits: 16), byteCount: 2)
        return frame.bytes
    }

    /// Returns a number below 2^16 in the coding of FLAC.
    private static func utf8CodedNumber(_ number: Int) -> [UInt8] {
        Unicode.Scalar(UInt32(number)).map { Array(String(Character($0)).utf8) } ?? []
    }

    /// Returns the remainder of a division by a polynomial, computed bit by bit.
    static func crc(of bytes: [UInt8], polynomial: Int, bits: Int) -> Int {
        bytes.reduce(0) { crc, byte in
            (0..<8).reduce(crc ^ Int(byte) << (bits - 8)) { crc, _ in
                (crc << 1 ^ (crc >> (bits - 1) & 1 == 1 ? polynomial : 0)) & (1 << bits - 1)
            }
        }
    }

    /// The content of a VORBIS_COMMENT block, or of Ogg's comment packets.
    static func vorbisCommentBlock(entries: [String]) -> [UInt8] {
        var block = ByteBuilder()
        block.appendLittleEndian(4, byteCount: 4)
        block.append("test")
        block.appendLittleEndian(entries.count, byteCount: 4)
        for entry in entries {
            block.appendLittleEndian(entry.utf8.count, byteCount: 4)
            block.append(Array(entry.utf8))
        }
        return block.bytes
    }
}
