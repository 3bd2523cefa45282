/// How a track's sound is coded, by its sample entry: ISO/IEC 14496-12, 12.2.3; for QuickTime's versions 1 and 2 the
/// QuickTime File Format, "Sound sample descriptions".
struct AudioSampleEntry {
    /// How much of the recording is in one of the container's samples.
    enum SampleFraming: Hashable {
        /// A frame of always as many samples of sound; only the last may be shorter.
        case fixedLengthFrame(samples: Int)
        /// As much as its duration says, but no more than this, if there is such a limit.
        case timed(maxDuration: Int?)
        /// Packets of constant size, as many as fit.
        case constantPackets(ConstantPacketFormat)
        /// One Opus packet, which itself says how long it is.
        case opusPacket
        /// One frame of MPEG audio; the first one's header says how long all are.
        case mpegAudioFrame
        /// As many AMR frames as there are, one behind the other.
        case amrFrames(isWideband: Bool)
    }

    var codec = AudioCodec(rawValue: "unknown")
    /// Samples a second, as they come out of a decoder.
    var sampleRate: Int?
    var channels: Int?
    var bitsPerSample: Int?
    var sampleFraming = SampleFraming.timed(maxDuration: nil)
    /// Samples that Opus asks to leave out where there is no edit list.
    var preSkip = 0

    /// Nothing is known: there is no sample entry.
    init() {}

    /// - Parameters:
    ///   - entry: the first box in `stsd`.
    ///   - sampleDescriptionVersion: that of `stsd`.
    ///   - mediaTimescale: units of the track's time to the second.
    init(
        box entry: ISOBox, sampleDescriptionVersion: Int, mediaTimescale: Int, in reader: inout BufferedFileReader
    ) throws(AudioError) {
        codec = AudioCodec(rawValue: entry.type.description)
        guard
            let fields = try AudioSampleEntryFields(
                box: entry, sampleDescriptionVersion: sampleDescriptionVersion, in: &reader)
        else {
            return
        }
        sampleRate = fields.sampleRate ?? (mediaTimescale > 0 ? mediaTimescale : nil)
        channels = fields.channels > 0 ? fields.channels : nil
        var boxes = AudioSampleEntryBoxes()
        try boxes.readBoxes(range: fields.childBoxRange, depth: 2, in: &reader)
        let format = entry.type == "enca" ? boxes.unencryptedFormat ?? entry.type : entry.type
        codec = AudioCodec(rawValue: format.description)
        if try !readPCMFormat(format, fields: fields, boxes: boxes, in: &reader) {
            try readCompressedFormat(format, fields: fields, boxes: boxes, mediaTimescale: mediaTimescale, in: &reader)
        }
        // What the packets themselves say can't be read.
        if entry.type == "enca",
            [.opusPacket, .mpegAudioFrame, .amrFrames(isWideband: false), .amrFrames(isWideband: true)].contains(
                sampleFraming)
        {
            sampleFraming = .timed(maxDuration: nil)
        }
    }

    private mutating func readCompressedFormat(
        _ format: FourCC, fields: AudioSampleEntryFields, boxes: AudioSampleEntryBoxes, mediaTimescale: Int,
        in reader: inout BufferedFileReader
    ) throws(AudioError) {
        switch format {
        case "mp4a":
            try readMPEG4Format(
                esdsBox: boxes.firstBox(ofType: "esds"), declaredSampleRates: [fields.sampleRate, mediaTimescale],
                in: &reader)
        case ".mp3", "ms\0U": (codec, sampleFraming) = (.mp3, .mpegAudioFrame)
        case "alac": try readALACFormat(configurationBox: boxes.firstBox(ofType: "alac"), in: &reader)
        case "fLaC": try readFLACFormat(configurationBox: boxes.firstBox(ofType: "dfLa"), in: &reader)
        case "Opus":
            (codec, sampleFraming, sampleRate) = (.opus, .opusPacket, OpusPacket.sampleRate)
            if let box = boxes.firstBox(ofType: "dOps") {
                channels = try reader.uint8(at: box.contentRange.lowerBound + 1) ?? channels
                preSkip = try reader.uint16(at: box.contentRange.lowerBound + 2) ?? 0
            }
        case "samr", "sawb":
            let isWide = format == "sawb"
            (codec, sampleRate, channels) = (isWide ? .amrWB : .amrNB, AMRFrame.sampleRate(isWideband: isWide), 1)
            // 3GPP TS 26.244, 6.7: after vendor, version and mode set stand the period of modes and the frames per
            // sample.
            let perSample = try boxes.firstBox(ofType: "damr").flatMap { box throws(AudioError) in
                try reader.uint8(at: box.contentRange.lowerBound + 8)
            }
            sampleFraming =
                perSample ?? 1 == 1
                ? .fixedLengthFrame(samples: AMRFrame.samplesPerFrame(isWideband: isWide))
                : .amrFrames(isWideband: isWide)
        case "ac-3": sampleFraming = .fixedLengthFrame(samples: 1536)
        default:
            // Of others QuickTime may say how many samples a packet has.
            if let packet = fields.packetFormat, packet.samplesPerPacket > 1 {
                sampleFraming = .constantPackets(packet)
            }
        }
    }

    /// ISO/IEC 14496-14, 5.6, and 14496-1, 7.2.6: what the object type stands for is in the tables of mp4ra.org.
    private mutating func readMPEG4Format(
        esdsBox box: ISOBox?, declaredSampleRates: [Int?], in reader: inout BufferedFileReader
    ) throws(AudioError) {
        codec = .aac
        // Without a description the frames are nevertheless AAC's usual ones.
        sampleFraming = .fixedLengthFrame(samples: 1024)
        guard let box,
            let bytes = try reader.bytes(at: box.contentRange.lowerBound, count: min(box.contentRange.count, 4096)),
            let stream = ElementaryStreamDescriptor(bytes: bytes.dropFirst(4))
        else { return }
        switch stream.objectTypeIndication {
        case 0x40, 0x66...0x68:
            guard let config = stream.decoderSpecificInfo.flatMap({ AudioSpecificConfig(bytes: $0) }) else { return }
            applyAACConfiguration(config, declaredSampleRates: declaredSampleRates)
        case 0x69, 0x6B: (codec, sampleFraming) = (.mp3, .mpegAudioFrame)
        case 0xA5: (codec, sampleFraming) = (AudioCodec(rawValue: "ac-3"), .fixedLengthFrame(samples: 1536))
        case 0xDD: (codec, sampleFraming) = (.vorbis, .timed(maxDuration: nil))
        default:
            codec = AudioCodec(rawValue: "mp4a-" + String(stream.objectTypeIndication, radix: 16))
            sampleFraming = .timed(maxDuration: nil)
        }
    }

    /// - Parameter declaredSampleRates: what else the file says of the rate. Where that is twice the core's, the frames
    ///   hold replicated highs of which the configuration doesn't know: "implicit signalling" of ISO/IEC 14496-3,
    ///   1.6.5.3.
    private mutating func applyAACConfiguration(_ config: AudioSpecificConfig, declaredSampleRates: [Int?]) {
        (codec, sampleRate) = (config.codec, config.outputSampleRate)
        channels = config.channels ?? channels
        if codec == .aac, declaredSampleRates.contains(2 * config.coreSampleRate) {
            (codec, sampleRate) = (.heAAC, 2 * config.coreSampleRate)
        }
        // Extended HE-AAC has frames of five lengths.
        let factor = max(1, (sampleRate ?? config.coreSampleRate) / config.coreSampleRate)
        sampleFraming =
            codec == .usac ? .timed(maxDuration: nil) : .fixedLengthFrame(samples: config.coreSamplesPerFrame * factor)
    }

    /// The configuration of Apple Lossless follows the version and flags of its box.
    private mutating func readALACFormat(configurationBox box: ISOBox?, in reader: inout BufferedFileReader)
        throws(AudioError)
    {
        (codec, sampleFraming) = (.alac, .fixedLengthFrame(samples: 4096))
        guard let box, box.contentRange.count >= 28,
            let bytes = try reader.bytes(at: box.contentRange.lowerBound + 4, count: 24),
            let configuration = ALACConfiguration(magicCookie: bytes[...])
        else { return }
        bitsPerSample = configuration.bitsPerSample
        channels = configuration.channels
        if configuration.sampleRate > 0 { sampleRate = configuration.sampleRate }
        if configuration.samplesPerPacket > 0 {
            sampleFraming = .fixedLengthFrame(samples: configuration.samplesPerPacket)
        }
    }

    /// `dfLa` of the FLAC project's "Encapsulation of FLAC in ISO Base Media File Format": STREAMINFO comes first, RFC
    /// 9639, 8.2.
    private mutating func readFLACFormat(configurationBox box: ISOBox?, in reader: inout BufferedFileReader)
        throws(AudioError)
    {
        codec = .flac
        // Version and flags, and the head of the block, stand in front.
        guard let box, box.contentRange.count >= 8 + FLACStreamInfo.encodedLength,
            let bytes = try reader.bytes(at: box.contentRange.lowerBound + 8, count: FLACStreamInfo.encodedLength),
            let info = try? FLACStreamInfo(bytes: bytes[...], offset: 0)
        else { return }
        (sampleRate, channels, bitsPerSample) = (info.sampleRate, info.channels, info.bitsPerSample)
        if info.maxBlockSize > 0 {
            let isUniform = info.minBlockSize == info.maxBlockSize
            sampleFraming =
                isUniform ? .fixedLengthFrame(samples: info.maxBlockSize) : .timed(maxDuration: info.maxBlockSize)
        }
    }
}
