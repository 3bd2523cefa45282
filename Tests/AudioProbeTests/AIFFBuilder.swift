/// Builds AIFF and AIFF-C.
struct AIFFBuilder {
    /// Nil for AIFF, or AIFF-C's type of compression.
    let type: String?
    private(set) var body = ByteBuilder()

    init(type: String? = nil) { self.type = type }

    /// The file.
    var bytes: [UInt8] {
        var file = ByteBuilder()
        file.add("FORM")
        file.big(body.count + 4, 4)
        file.add(type == nil ? "AIFF" : "AIFC")
        file.add(body.bytes)
        return file.bytes
    }

    /// A chunk, padded if need be; `size` is what its header says.
    mutating func chunk(_ id: String, _ content: [UInt8], size: Int? = nil) {
        body.add(id)
        body.big(size ?? content.count, 4)
        body.add(content)
        if content.count % 2 == 1 { body.zeros(1) }
    }

    /// A `COMM` chunk. The rate is given by its 80 bits, of which those here are 8000.
    mutating func common(
        frames: Int, channels: Int = 1, bits: Int = 16, exponent: Int = 0x400B, significand: UInt64 = 0xFA00 << 48
    ) {
        var content = ByteBuilder()
        content.big(channels, 2)
        content.big(frames, 4)
        content.big(bits, 2)
        content.big(exponent, 2)
        content.big(Int(bitPattern: UInt(significand)), 8)
        if let type {
            content.add(type)
            content.zeros(2)
        }
        chunk("COMM", content.bytes)
    }

    /// `count` bytes of sound behind `offset` others; `size` is what the chunk's header says.
    mutating func sound(_ count: Int, offset: Int = 0, size: Int? = nil) {
        var content = ByteBuilder()
        content.big(offset, 4)
        content.zeros(4 + offset)
        content.add(WaveBuilder.noise(count))
        chunk("SSND", content.bytes, size: size)
    }
}
