/// Builds WAVE in all its kinds.
struct WaveBuilder {
    /// Whether numbers are big-endian, as in RIFX.
    var isBig = false
    /// RIFF, RIFX, RF64 or BW64.
    var magic = "RIFF"
    private(set) var body = ByteBuilder()

    init(magic: String = "RIFF") {
        self.magic = magic
        isBig = magic == "RIFX"
    }

    /// The file.
    func bytes(size: Int? = nil) -> [UInt8] {
        var file = ByteBuilder()
        file.add(magic)
        file.add(number(size ?? body.count + 4, 4))
        file.add("WAVE")
        file.add(body.bytes)
        return file.bytes
    }

    /// A chunk, padded if need be; `size` is what its header says.
    mutating func chunk(_ id: String, _ content: [UInt8], size: Int? = nil, isPadded: Bool = true) {
        body.add(id)
        body.add(number(size ?? content.count, 4))
        body.add(content)
        if isPadded, content.count % 2 == 1 { body.zeros(1) }
    }

    /// A `fmt ` chunk; without an `align` that of whole samples.
    mutating func format(
        tag: Int = 1, channels: Int = 1, rate: Int = 8000, byteRate: Int? = nil, align: Int? = nil, bits: Int = 16,
        more: [UInt8] = []
    ) {
        chunk("fmt ", fields(tag, channels, rate, byteRate, align, bits, more))
    }

    /// The content of such a chunk.
    func fields(
        _ tag: Int, _ channels: Int, _ rate: Int, _ byteRate: Int?, _ align: Int?, _ bits: Int, _ more: [UInt8]
    ) -> [UInt8] {
        var fields = ByteBuilder()
        let align = align ?? (bits + 7) / 8 * channels
        fields.add(number(tag, 2))
        fields.add(number(channels, 2))
        fields.add(number(rate, 4))
        fields.add(number(byteRate ?? align * rate, 4))
        fields.add(number(align, 2))
        fields.add(number(bits, 2))
        fields.add(more)
        return fields.bytes
    }

    /// WAVEFORMATEXTENSIBLE.
    mutating func extensible(tag: Int, channels: Int = 1, bits: Int, validBits: Int) {
        var more = ByteBuilder()
        more.add(number(22, 2))
        more.add(number(validBits, 2))
        more.add(number(0, 4))
        more.add(number(tag, 4))
        more.add(number(0, 2))
        more.add(number(0x10, 2))
        more.add([0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71])
        format(tag: 0xFFFE, channels: channels, bits: bits, more: more.bytes)
    }

    /// The size chunk of RF64, with a table of further chunks.
    mutating func sizes(data: Int, samples: Int = 0, table: [(String, Int)] = [], count: Int? = nil) {
        var content = ByteBuilder()
        content.little(0, 8)
        content.little(data, 8)
        content.little(samples, 8)
        content.little(count ?? table.count, 4)
        for (id, size) in table {
            content.add(id)
            content.little(size, 8)
        }
        chunk("ds64", content.bytes)
    }

    /// `count` bytes of sound in a `data` chunk.
    mutating func sound(_ count: Int, size: Int? = nil, isPadded: Bool = true) {
        chunk("data", Self.noise(count), size: size, isPadded: isPadded)
    }

    /// Bytes that look like no chunk.
    static func noise(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 | 0x81) } }

    /// Items of `LIST`/`INFO`.
    static func info(_ items: [(String, String)]) -> [UInt8] {
        var content = ByteBuilder()
        content.add("INFO")
        for (id, text) in items {
            content.add(id)
            content.little(text.utf8.count, 4)
            content.add(text)
            if text.utf8.count % 2 == 1 { content.zeros(1) }
        }
        return content.bytes
    }

    func number(_ value: Int, _ count: Int) -> [UInt8] {
        var builder = ByteBuilder()
        if isBig { builder.big(value, count) } else { builder.little(value, count) }
        return builder.bytes
    }
}

/// Builds Sony Wave64.
struct Wave64Builder {
    private(set) var file = ByteBuilder()

    init() {
        file.add([0x72, 0x69, 0x66, 0x66, 0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00])
        file.little(0, 8)
        guid("wave")
    }

    /// A chunk, padded to 8 bytes; `size` is what its header says, itself included.
    mutating func chunk(_ name: String, _ content: [UInt8], size: Int? = nil, isPadded: Bool = true) {
        guid(name)
        file.little(size ?? content.count + 24, 8)
        file.add(content)
        if isPadded { file.zeros(-content.count & 7) }
    }

    mutating func format() { chunk("fmt ", WaveBuilder().fields(1, 1, 8000, nil, nil, 16, [])) }

    private mutating func guid(_ name: String) {
        file.add(name)
        file.add([0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A])
    }
}
