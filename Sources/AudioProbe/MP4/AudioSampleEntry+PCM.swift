internal import MediaContainers

extension AudioSampleEntry {
    /// Reads the format of audio with a constant ratio of bytes to samples.
    ///
    /// - Returns: Whether `format` is such a format.
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
            // ISO/IEC 23003-5: `pcmC` has the version and flags, the byte order, and the bits per sample.
            let bits = try boxes.firstBox(ofType: "pcmC").flatMap { box throws(AudioError) in
                try reader.uint8(at: box.contentRange.lowerBound + 5)
            }
            setPCMFormat(codec: format == "ipcm" ? .pcm : .pcmFloat, bitsPerSample: bits ?? fields.bitsPerSample)
        case "ulaw": setPCMFormat(codec: .muLaw, bitsPerSample: 8)
        case "alaw": setPCMFormat(codec: .aLaw, bitsPerSample: 8)
        case "ima4":
            // Each channel has 64 samples in 34 bytes.
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
        // A PCM frame has one sample for each channel, and each sample occupies whole bytes.
        let bytes = (max(1, channels ?? 1)) * max(1, (bits + 7) / 8)
        sampleFraming = .constantPackets(ConstantPacketFormat(bytesPerPacket: bytes, samplesPerPacket: 1))
    }
}
