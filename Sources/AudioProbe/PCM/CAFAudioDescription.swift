internal import MediaContainers

/// The content of a `desc` chunk: the Core Audio Format specification, "Audio Description Chunk".
struct CAFAudioDescription {
    let sampleRate: SampleRate
    let channels: Int
    /// Bytes per packet; 0 if the packets differ in size.
    let bytesPerPacket: Int
    /// Frames per packet; 0 if the packets differ in their number of frames.
    let framesPerPacket: Int
    /// Bits per sample of a lossless codec; `nil` for other codecs, and if only the magic cookie states it.
    let bitsPerSample: Int?
    private let formatID: FourCC
    private let isFloat: Bool

    /// Parses a `desc` chunk.
    ///
    /// - Throws: ``AudioError/Code/damaged``, and the errors of the reader.
    init(chunk: Chunk, in reader: inout BufferedFileReader) throws(AudioError) {
        let start = chunk.contentOffset
        guard chunk.availableSize >= 32, let pattern = try reader.uint64(at: start),
            let format = try reader.fourCC(at: start + 8),
            let flags = try reader.uint32(at: start + 12), let bytes = try reader.uint32(at: start + 16),
            let frames = try reader.uint32(at: start + 20), let channels = try reader.uint32(at: start + 24),
            let bits = try reader.uint32(at: start + 28)
        else {
            throw AudioError(
                .damaged, offset: chunk.startOffset,
                message: "the 'desc' chunk is truncated: \(chunk.availableSize) bytes")
        }
        guard let rate = SampleRate(Double(bitPattern: pattern)) else {
            throw AudioError(.damaged, offset: start, message: "invalid sample rate in the 'desc' chunk")
        }
        self.sampleRate = rate
        self.formatID = format
        self.channels = channels
        isFloat = format == "lpcm" && flags & 1 != 0
        if format == "lpcm" {
            // Writers may leave fields at 0 that follow from other fields.
            framesPerPacket = max(frames, 1)
            bytesPerPacket = try Self.checkedPacketSizeOfPCM(
                declaredSize: bytes, channels: channels, bitsPerSample: bits, framesPerPacket: framesPerPacket,
                contentOffset: start)
            bitsPerSample = bits
        } else {
            // Opus packets last a multiple of 2.5 ms. FFmpeg, when copying packets of 960 frames, states 963.
            let framesPerUnit = rate.roundedHertz / 400
            let isRounded = format == "opus" && framesPerUnit > 0 && frames > framesPerUnit
            framesPerPacket = isRounded ? frames - frames % framesPerUnit : frames
            bytesPerPacket = bytes
            // ALAC stores the bit depth of its source in the flags.
            bitsPerSample = format == "alac" && (1...4).contains(flags) ? [16, 20, 24, 32][flags - 1] : nil
        }
    }

    /// Returns the bytes of a PCM packet, as declared, or from the other fields if they are declared as 0.
    ///
    /// Samples need not fill their bytes.
    private static func checkedPacketSizeOfPCM(
        declaredSize: Int, channels: Int, bitsPerSample: Int, framesPerPacket: Int, contentOffset: Int
    ) throws(AudioError) -> Int {
        if channels == 0 {
            throw AudioError(
                .damaged, offset: contentOffset + 24, message: "invalid number of channels in the 'desc' chunk: 0")
        }
        guard (1...64).contains(bitsPerSample) else {
            throw AudioError(
                .damaged, offset: contentOffset + 28,
                message: "invalid sample size in the 'desc' chunk: \(bitsPerSample) bits")
        }
        if declaredSize > 0 { return declaredSize }
        guard let size = ((bitsPerSample + 7) / 8 * channels).multipliedIfNoOverflow(by: framesPerPacket) else {
            throw AudioError(
                .damaged, offset: contentOffset + 20,
                message: "invalid packet size in the 'desc' chunk: too many bytes")
        }
        return size
    }

    /// The layout of the audio data, or `nil` if it requires a packet table.
    var blockLayout: SampleBlockLayout? {
        bytesPerPacket > 0 && framesPerPacket > 0
            ? SampleBlockLayout(bytesPerBlock: bytesPerPacket, samplesPerBlock: framesPerPacket) : nil
    }

    /// Returns the track. The magic cookie in the chunk `kuki` may add details: the configuration of AAC or ALAC.
    func makeTrack(magicCookie: [UInt8]?) -> Recording.Track {
        var track = Recording.Track(
            codec: codec, sampleRate: sampleRate.roundedHertz, channels: channels > 0 ? channels : nil,
            bitsPerSample: bitsPerSample)
        guard let magicCookie else { return track }
        if [.aac, .heAAC, .heAACv2, .usac].contains(codec),
            let config = Self.audioSpecificConfig(magicCookie: magicCookie)
        {
            // The cookie may leave SBR to the frames, so the codec of the description is kept.
            if config.codec != .aac { track.codec = config.codec }
            track.sampleRate = max(sampleRate.roundedHertz, config.outputSampleRate)
            track.channels = config.channels ?? track.channels
        } else if codec == .alac, bitsPerSample == nil,
            let configuration = ALACConfiguration(magicCookie: magicCookie[...])
        {
            track.bitsPerSample = configuration.bitsPerSample
        }
        return track
    }

    private var codec: AudioCodec {
        switch formatID {
        case "lpcm": isFloat ? .pcmFloat : .pcm
        case "alac": .alac
        case "aac ", "paac", "saac", "aacl", "aace", "aacf": .aac
        case "aach": .heAAC
        case "aacp": .heAACv2
        case "usac": .usac
        case "ima4", "dvi8": .adpcmIMA
        case "ulaw": .muLaw
        case "alaw": .aLaw
        case "opus": .opus
        case "flac": .flac
        case ".mp1": .mp1
        case ".mp2": .mp2
        case ".mp3": .mp3
        case "MAC3": AudioCodec(rawValue: "mace3")
        case "MAC6": AudioCodec(rawValue: "mace6")
        case "agsm": .gsm
        case "samr": .amrNB
        case "sawb": .amrWB
        default: AudioCodec(rawValue: formatID.description)
        }
    }

    /// Parses the configuration of AAC, which is either plain or, as in MP4, inside descriptors.
    private static func audioSpecificConfig(magicCookie: [UInt8]) -> AudioSpecificConfig? {
        guard magicCookie.first == 3 else { return AudioSpecificConfig(bytes: magicCookie[...]) }
        return ElementaryStreamDescriptor(bytes: magicCookie[...])?.decoderSpecificInfo.flatMap {
            AudioSpecificConfig(bytes: $0)
        }
    }
}
