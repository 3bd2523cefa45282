/// Builds WAVE files.
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
    func encoded(declaredSize: Int? = nil) -> [UInt8] {
        var file = ByteBuilder()
        file.append(magic)
        file.append(encodedInteger(declaredSize ?? body.count + 4, byteCount: 4))
        file.append("WAVE")
        file.append(body.bytes)
        return file.bytes
    }

    /// A chunk with its pad byte. `declaredSize` is the size in its header.
    mutating func appendChunk(_ id: String, content: [UInt8], declaredSize: Int? = nil, isPadded: Bool = true) {
        body.append(id)
        body.append(encodedInteger(declaredSize ?? content.count, byteCount: 4))
        body.append(content)
        if isPadded, content.count % 2 == 1 { body.appendZeros(count: 1) }
    }

    /// A `fmt ` chunk, by default with the block size of complete samples.
    mutating func appendFormatChunk(
        tag: Int = 1, channels: Int = 1, rate: Int = 8000, byteRate: Int? = nil, align: Int? = nil, bits: Int = 16,
        more: [UInt8] = []
    ) {
        appendChunk("fmt ", content: fields(tag, channels, rate, byteRate, align, bits, more))
    }

    /// The content of such a chunk.
    func fields(
        _ tag: Int, _ channels: Int, _ rate: Int, _ byteRate: Int?, _ align: Int?, _ bits: Int, _ more: [UInt8]
    ) -> [UInt8] {
        var fields = ByteBuilder()
        let align = align ?? (bits + 7) / 8 * channels
        fields.append(encodedInteger(tag, byteCount: 2))
        fields.append(encodedInteger(channels, byteCount: 2))
        fields.append(encodedInteger(rate, byteCount: 4))
        fields.append(encodedInteger(byteRate ?? align * rate, byteCount: 4))
        fields.append(encodedInteger(align, byteCount: 2))
        fields.append(encodedInteger(bits, byteCount: 2))
        fields.append(more)
        return fields.bytes
    }

    /// WAVEFORMATEXTENSIBLE.
    mutating func appendExtensibleFormatChunk(tag: Int, channels: Int = 1, bits: Int, validBits: Int) {
        var more = ByteBuilder()
        more.append(encodedInteger(22, byteCount: 2))
        more.append(encodedInteger(validBits, byteCount: 2))
        more.append(encodedInteger(0, byteCount: 4))
        more.append(encodedInteger(tag, byteCount: 4))
        more.append(encodedInteger(0, byteCount: 2))
        more.append(encodedInteger(0x10, byteCount: 2))
        more.append([0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71])
        appendFormatChunk(tag: 0xFFFE, channels: channels, bits: bits, more: more.bytes)
    }

    /// The size chunk of RF64, with a table of further chunks.
    mutating func appendDS64Chunk(data: Int, samples: Int = 0, table: [(String, Int)] = [], count: Int? = nil) {
        var content = ByteBuilder()
        content.appendLittleEndian(0, byteCount: 8)
        content.appendLittleEndian(data, byteCount: 8)
        content.appendLittleEndian(samples, byteCount: 8)
        content.appendLittleEndian(count ?? table.count, byteCount: 4)
        for (id, size) in table {
            content.append(id)
            content.appendLittleEndian(size, byteCount: 8)
        }
        appendChunk("ds64", content: content.bytes)
    }

    /// `count` bytes of audio in a `data` chunk.
    mutating func appendDataChunk(byteCount count: Int, declaredSize: Int? = nil, isPadded: Bool = true) {
        appendChunk("data", content: Self.noiseBytes(count: count), declaredSize: declaredSize, isPadded: isPadded)
    }

    /// Bytes that do not resemble a chunk.
    static func noiseBytes(count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 | 0x81) } }

    /// Items of `LIST`/`INFO`.
    static func infoListContent(items: [(String, String)]) -> [UInt8] {
        var content = ByteBuilder()
        content.append("INFO")
        for (id, text) in items {
            content.append(id)
            content.appendLittleEndian(text.utf8.count, byteCount: 4)
            content.append(text)
            if text.utf8.count % 2 == 1 { content.appendZeros(count: 1) }
        }
        return content.bytes
    }

    func encodedInteger(_ value: Int, byteCount count: Int) -> [UInt8] {
        var builder = ByteBuilder()
        if isBig {
            builder.appendBigEndian(value, byteCount: count)
        } else {
            builder.appendLittleEndian(value, byteCount: count)
        }
        return builder.bytes
    }
}

/// Builds Sony Wave64.
struct Wave64Builder {
    private(set) var file = ByteBuilder()

    init() {
        file.append([0x72, 0x69, 0x66, 0x66, 0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00])
        file.appendLittleEndian(0, byteCount: 8)
        appendGUID(named: "wave")
    }

    /// A chunk, padded to 8 bytes. `declaredSize` is the size in its header, which includes the header.
    mutating func appendChunk(_ name: String, content: [UInt8], declaredSize: Int? = nil, isPadded: Bool = true) {
        appendGUID(named: name)
        file.appendLittleEndian(declaredSize ?? content.count + 24, byteCount: 8)
        file.append(content)
        if isPadded { file.appendZeros(count: -content.count & 7) }
    }

    mutating func appendFormatChunk() {
        appendChunk("fmt ", content: WaveBuilder().fields(1, 1, 8000, nil, nil, 16, []))
    }

    private mutating func appendGUID(named name: String) {
        file.append(name)
        file.append([0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A])
    }
}
