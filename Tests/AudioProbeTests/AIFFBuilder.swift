/// Builds AIFF and AIFF-C.
struct AIFFBuilder {
    /// The compression type of AIFF-C, or `nil` for AIFF.
    let type: String?
    private(set) var body = ByteBuilder()

    init(type: String? = nil) { self.type = type }

    /// The file.
    var bytes: [UInt8] {
        var file = ByteBuilder()
        file.append("FORM")
        file.appendBigEndian(body.count + 4, byteCount: 4)
        file.append(type == nil ? "AIFF" : "AIFC")
        file.append(body.bytes)
        return file.bytes
    }

    /// A chunk with its pad byte. `declaredSize` is the size in its header.
    mutating func appendChunk(_ id: String, content: [UInt8], declaredSize: Int? = nil) {
        body.append(id)
        body.appendBigEndian(declaredSize ?? content.count, byteCount: 4)
        body.append(content)
        if content.count % 2 == 1 { body.appendZeros(count: 1) }
    }

    /// A `COMM` chunk with an 80-bit sample rate, by default 8000 Hz.
    mutating func appendCommonChunk(
        frames: Int, channels: Int = 1, bits: Int = 16, exponent: Int = 0x400B, significand: UInt64 = 0xFA00 << 48
    ) {
        var content = ByteBuilder()
        content.appendBigEndian(channels, byteCount: 2)
        content.appendBigEndian(frames, byteCount: 4)
        content.appendBigEndian(bits, byteCount: 2)
        content.appendBigEndian(exponent, byteCount: 2)
        content.appendBigEndian(Int(bitPattern: UInt(significand)), byteCount: 8)
        if let type {
            content.append(type)
            content.appendZeros(count: 2)
        }
        appendChunk("COMM", content: content.bytes)
    }

    /// `count` bytes of audio after `offset` other bytes. `declaredSize` is the size in the chunk's header.
    mutating func appendSoundDataChunk(byteCount count: Int, offset: Int = 0, declaredSize: Int? = nil) {
        var content = ByteBuilder()
        content.appendBigEndian(offset, byteCount: 4)
        content.appendZeros(count: 4 + offset)
        content.append(WaveBuilder.noiseBytes(count: count))
        appendChunk("SSND", content: content.bytes, declaredSize: declaredSize)
    }
}
