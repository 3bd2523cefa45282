extension SoundDescription {
    /// Describes sound whose bytes stand in a constant proportion to its samples; returns whether `format` is such.
    mutating func describePCM(
        _ format: FourCC, _ fields: SoundEntryFields, _ boxes: SoundEntryBoxes, in window: inout ByteWindow
    ) throws(AudioError) -> Bool {
        switch format {
        case "sowt", "twos", "raw ", "NONE": setPCM(.pcm, bits: fields.bits == 0 ? 16 : fields.bits)
        case "in24": setPCM(.pcm, bits: 24)
        case "in32": setPCM(.pcm, bits: 32)
        case "fl32": setPCM(.pcmFloat, bits: 32)
        case "fl64": setPCM(.pcmFloat, bits: 64)
        case "lpcm": setPCM(fields.isFloat ? .pcmFloat : .pcm, bits: fields.bits)
        case "ipcm", "fpcm":
            // ISO/IEC 23003-5: `pcmC` has version and flags, the byte order, and the bits of a sample.
            let bits = try boxes.first("pcmC").flatMap { box throws(AudioError) in
                try window.uint8(at: box.content.lowerBound + 5)
            }
            setPCM(format == "ipcm" ? .pcm : .pcmFloat, bits: bits ?? fields.bits)
        case "ulaw": setPCM(.muLaw, bits: 8)
        case "alaw": setPCM(.aLaw, bits: 8)
        case "ima4":
            // Of each channel 64 samples in 34 bytes.
            (codec, framing) = (.adpcmIMA, .packets(ConstantPacket(bytes: 34 * max(1, fields.channels), samples: 64)))
        case "ms\0\u{2}", "ms\0\u{11}":
            codec = format == "ms\0\u{2}" ? .adpcmMS : .adpcmIMA
            if let packet = fields.packet { framing = .packets(packet) }
        default: return false
        }
        return true
    }

    private mutating func setPCM(_ codec: AudioCodec, bits: Int) {
        self.codec = codec
        if codec == .pcm || codec == .pcmFloat { bitsPerSample = bits }
        // A frame of PCM is one sample of each channel; each takes whole bytes.
        let bytes = (max(1, channels ?? 1)) * max(1, (bits + 7) / 8)
        framing = .packets(ConstantPacket(bytes: bytes, samples: 1))
    }
}
