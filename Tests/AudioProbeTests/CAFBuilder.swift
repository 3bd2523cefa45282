/// Builds Apple's Core Audio Format.
struct CAFBuilder {
    private(set) var file = ByteBuilder()

    init() {
        file.add("caff")
        file.big(1, 2)
        file.big(0, 2)
    }

    var bytes: [UInt8] { file.bytes }

    /// A chunk; `size` is what its header says.
    mutating func chunk(_ id: String, _ content: [UInt8], size: Int? = nil) {
        file.add(id)
        file.big(size ?? content.count, 8)
        file.add(content)
    }

    /// A `desc` chunk; without `bytes` and `frames` that of 16 bits.
    mutating func description(
        _ format: String = "lpcm", rate: Double = 8000, flags: Int = 0, bytes: Int = 2, frames: Int = 1,
        channels: Int = 1, bits: Int = 16
    ) {
        var content = ByteBuilder()
        content.big(Int(bitPattern: UInt(rate.bitPattern)), 8)
        content.add(format)
        for field in [flags, bytes, frames, channels, bits] { content.big(field, 4) }
        chunk("desc", content.bytes)
    }

    /// `count` bytes of sound; `size` is what the chunk's header says.
    mutating func sound(_ count: Int, size: Int? = nil) {
        chunk("data", [0, 0, 0, 0] + WaveBuilder.noise(count), size: size)
    }

    /// A packet table; each entry's numbers are written one after the other.
    mutating func packets(
        _ entries: [Int], count: Int? = nil, valid: Int, priming: Int = 0, remainder: Int = 0, size: Int? = nil
    ) {
        var content = ByteBuilder()
        content.big(count ?? entries.count, 8)
        content.big(valid, 8)
        content.big(priming, 4)
        content.big(remainder, 4)
        for entry in entries { content.add(Self.number(entry)) }
        chunk("pakt", content.bytes, size: size)
    }

    /// 7 bits a byte, the highest first.
    static func number(_ value: Int) -> [UInt8] {
        let groups = stride(from: 56, through: 0, by: -7).map { UInt8(value >> $0 & 0x7F) }.drop { $0 == 0 }
        return groups.dropLast().map { $0 | 0x80 } + [groups.last ?? 0]
    }
}
