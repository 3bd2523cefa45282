extension AudioSampleEntry {
    /// Describes sound whose bytes stand in a constant proportion to its samples; returns whether `format` is such.
    mutating func readPCMFormat(
        _ format: FourCC, fields: AudioSampleEntryFields, boxes: AudioSampleEntryBoxes,
        in reader: inout BufferedFileReader
    ) throws(AudioError) -> Bool {
        switch format {
        case "sowt", "twos", "raw ", "NONE":
            setPCMFormat(codec: .pcm, bitsPerSample: fields.bitsPerSample == 0 ? 16 : fields.bitsPerSample)
        case "in24": setPCMFormat(codec: .pcm, bitsPerSample: 24)
        case "in32": setPCMFormat(codec: .pcm, bitsPerSample: 32)
        case "fl32": setPCMFormat(codec: .pcmFloat, bitsPerSample: 32)
        case "fl64": setPCMFormat(codec: .pcmFloat, bitsPerSample: 64)
        case "lpcm": setPCMFormat(codec: fields.isFloatingPoint ? .pcmFloat : .pcm, bitsPerSample: fields.bitsPerSample)
        case "ipcm", "fpcm":
            // ISO/IEC 23003-5: `pcmC` has version and flags, the byte order, and the bits of a sample.
            let bits = try boxes.firstBox(ofType: "pcmC").flatMap { box throws(AudioError) in
                try reader.uint8(at: box.contentRange.lowerBound + 5)
            }
            setPCMFormat(codec: format == "ipcm" ? .pcm : .pcmFloat, bitsPerSample: bits ?? fields.bitsPerSample)
        case "ulaw": setPCMFormat(codec: .muLaw, bitsPerSample: 8)
        case "alaw": setPCMFormat(codec: .aLaw, bitsPerSample: 8)
        case "ima4":
            // Of each channel 64 samples in 34 bytes.
            (codec, sampleFraming) = (
                .adpcmIMA,
                .constantPackets(
                    ConstantPacketFormat(bytesPerPacket: 34 * max(1, fields.channels), samplesPerPacket: 64))
            )
        case "ms\0\u{2}", "ms\0\u{11}":
            codec = format == "ms\0\u{2}" ? .adpcmMS : .adpcmIMA
            if let packet = fields.packetFormat { sampleFraming = .constantPackets(packet) }
        default: return false
        }
        return true
    }

    private mutating func setPCMFormat(codec: AudioCodec, bitsPerSample bits: Int) {
        self.codec = codec
        if codec == .pcm || codec == .pcmFloat { bitsPerSample = bits }
        // A frame of PCM is one sample of each channel; each takes whole bytes.
        let bytes = (max(1, channels ?? 1)) * max(1, (bits + 7) / 8)
        sampleFraming = .constantPackets(ConstantPacketFormat(bytesPerPacket: bytes, samplesPerPacket: 1))
    }
}
