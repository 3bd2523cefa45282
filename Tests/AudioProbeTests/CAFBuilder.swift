/// Builds Core Audio Format files.
struct CAFBuilder {
    private(set) var file = ByteBuilder()

    init() {
        file.append("caff")
        file.appendBigEndian(1, byteCount: 2)
        file.appendBigEndian(0, byteCount: 2)
    }

    var bytes: [UInt8] { file.bytes }

    /// A chunk. `declaredSize` is the size in its header.
    mutating func appendChunk(_ id: String, content: [UInt8], declaredSize: Int? = nil) {
        file.append(id)
        file.appendBigEndian(declaredSize ?? content.count, byteCount: 8)
        file.append(content)
    }

    /// A `desc` chunk, by default of 16-bit samples.
    mutating func appendDescriptionChunk(
        _ format: String = "lpcm", rate: Double = 8000, flags: Int = 0, bytes: Int = 2, frames: Int = 1,
        channels: Int = 1, bits: Int = 16
    ) {
        var content = ByteBuilder()
        content.appendBigEndian(Int(bitPattern: UInt(rate.bitPattern)), byteCount: 8)
        content.append(format)
        for field in [flags, bytes, frames, channels, bits] { content.appendBigEndian(field, byteCount: 4) }
        appendChunk("desc", content: content.bytes)
    }

    /// `count` bytes of audio. `declaredSize` is the size in the chunk's header.
    mutating func appendDataChunk(byteCount count: Int, declaredSize: Int? = nil) {
        appendChunk("data", content: [0, 0, 0, 0] + WaveBuilder.noiseBytes(count: count), declaredSize: declaredSize)
    }

    /// A packet table with the numbers of each entry in sequence.
    mutating func appendPacketTableChunk(
        _ entries: [Int], count: Int? = nil, valid: Int, priming: Int = 0, remainder: Int = 0, size: Int? = nil
    ) {
        var content = ByteBuilder()
        content.appendBigEndian(count ?? entries.count, byteCount: 8)
        content.appendBigEndian(valid, byteCount: 8)
        content.appendBigEndian(priming, byteCount: 4)
        content.appendBigEndian(remainder, byteCount: 4)
        for entry in entries { content.append(Self.variableLengthInteger(entry)) }
        appendChunk("pakt", content: content.bytes, declaredSize: size)
    }

    /// Returns the number with 7 bits in each byte, in big-endian order.
    static func variableLengthInteger(_ value: Int) -> [UInt8] {
        let groups = stride(from: 56, through: 0, by: -7).map { UInt8(value >> $0 & 0x7F) }.drop { $0 == 0 }
        return groups.dropLast().map { $0 | 0x80 } + [groups.last ?? 0]
    }
}
