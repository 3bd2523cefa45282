internal import MediaContainers

/// The format of an audio track, from its sample entry: ISO/IEC 14496-12, 12.2.3.
///
/// Versions 1 and 2 of QuickTime are described in the QuickTime File Format, "Sound sample descriptions".
struct AudioSampleEntry {
    /// The amount of audio in one of the container's samples.
    enum SampleFraming: Hashable {
        /// A frame with a constant number of audio samples. Only the last one may be shorter.
        case fixedLengthFrame(samples: Int)
        /// The sample's duration determines the amount, up to a limit if there is one.
        case timed(maxDuration: Int?)
        /// As many packets of constant size as fit.
        case constantPackets(ConstantPacketFormat)
        /// One Opus packet, which states its own duration.
        case opusPacket
        /// One MPEG audio frame. The first frame determines the duration of all.
        case mpegAudioFrame
        /// Any number of consecutive AMR frames.
        case amrFrames(isWideband: Bool)
    }

    var codec = AudioCodec(rawValue: "unknown")
    /// Decoded samples per second, in Hz.
    var sampleRate: Int?
    var channels: Int?
    var bitsPerSample: Int?
    var sampleFraming = SampleFraming.timed(maxDuration: nil)
    /// Samples that Opus discards at the beginning if there is no edit list.
    var preSkip = 0

    /// Creates the description of a track without a sample entry: nothing is known.
    init() {}

    /// Reads a sample entry.
    ///
    /// - Parameters:
    ///   - entry: The first box in `stsd`.
    ///   - sampleDescriptionVersion: The version of `stsd`.
    ///   - mediaTimescale: The track's time units per second.
    ///   - reader: The file.
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
        // Encrypted packets cannot be read, so their durations come from the sample table.
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
            // 3GPP TS 26.244, 6.7: the vendor, the version, the mode set and the mode change period precede the frames
            // per sample.
            let perSample = try boxes.firstBox(ofType: "damr").flatMap { box throws(AudioError) in
                try reader.uint8(at: box.contentRange.lowerBound + 8)
            }
            sampleFraming =
                perSample ?? 1 == 1
                ? .fixedLengthFrame(samples: AMRFrame.samplesPerFrame(isWideband: isWide))
                : .amrFrames(isWideband: isWide)
        case "ac-3": sampleFraming = .fixedLengthFrame(samples: 1536)
        default:
            // For other formats, QuickTime may state the samples per packet.
            if let packet = fields.packetFormat, packet.samplesPerPacket > 1 {
                sampleFraming = .constantPackets(packet)
            }
        }
    }

    /// Reads the codec in an `esds` box: ISO/IEC 14496-14, 5.6, and 14496-1, 7.2.6. The object types are listed at
    /// mp4ra.org.
    private mutating func readMPEG4Format(
        esdsBox box: ISOBox?, declaredSampleRates: [Int?], in reader: inout BufferedFileReader
    ) throws(AudioError) {
        codec = .aac
        // Without a description, AAC with 1024 samples per frame is assumed.
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

    /// Applies an AAC configuration.
    ///
    /// If another sample rate in the file is twice that of the core, the frames contain SBR that the configuration does
    /// not signal: "implicit signaling" of ISO/IEC 14496-3, 1.6.5.3.
    ///
    /// - Parameters:
    ///   - config: The configuration.
    ///   - declaredSampleRates: The other sample rates in the file, in Hz.
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

    /// Reads the configuration of Apple Lossless, which follows the version and flags of its box.
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

    /// Reads a `dfLa` box: the FLAC project's "Encapsulation of FLAC in ISO Base Media File Format".
    ///
    /// The first metadata block in it is STREAMINFO: RFC 9639, section 8.2.
    private mutating func readFLACFormat(configurationBox box: ISOBox?, in reader: inout BufferedFileReader)
        throws(AudioError)
    {
        codec = .flac
        // The version and flags, and the header of the block, precede STREAMINFO.
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
