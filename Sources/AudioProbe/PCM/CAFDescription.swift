/// What a `desc` chunk says of the sound: the Core Audio Format specification, "Audio Description Chunk".
struct CAFDescription {
    let rate: SampleRate
    let channels: Int
    /// Bytes of a packet; 0 if each has its own number.
    let packetBytes: Int
    /// Frames of a packet; 0 if each has its own number.
    let packetFrames: Int
    /// Bits of a sample; nil for codecs that don't keep every bit, and those whose set-up data says it.
    let bits: Int?
    private let format: FourCC
    private let isFloat: Bool

    /// - Throws: `damaged`, and what reading throws.
    init(_ chunk: Chunk, in window: inout ByteWindow) throws(AudioError) {
        let start = chunk.body
        guard chunk.count >= 32, let pattern = try window.uint64(at: start),
            let format = try window.fourCC(at: start + 8),
            let flags = try window.uint32(at: start + 12), let bytes = try window.uint32(at: start + 16),
            let frames = try window.uint32(at: start + 20), let channels = try window.uint32(at: start + 24),
            let bits = try window.uint32(at: start + 28)
        else { throw AudioError(.damaged, offset: chunk.start, "the desc chunk is \(chunk.count) bytes long") }
        guard let rate = SampleRate(Double(bitPattern: pattern)) else {
            throw AudioError(.damaged, offset: start, "the desc chunk states a sample rate that is none")
        }
        self.rate = rate
        self.format = format
        self.channels = channels
        isFloat = format == "lpcm" && flags & 1 != 0
        var packetBytes = bytes, packetFrames = frames
        if format == "lpcm" {
            if channels == 0 { throw AudioError(.damaged, offset: start + 24, "the desc chunk states no channels") }
            guard (1...64).contains(bits) else {
                throw AudioError(.damaged, offset: start + 28, "the desc chunk states samples of \(bits) bits")
            }
            // Samples that need not fill their bytes; a writer may leave the fields that follow from others at 0.
            if packetFrames == 0 { packetFrames = 1 }
            if packetBytes == 0 {
                guard let size = ((bits + 7) / 8 * channels).multiplied(by: packetFrames) else {
                    throw AudioError(.damaged, offset: start + 20, "the desc chunk states packets of too many bytes")
                }
                packetBytes = size
            }
            self.bits = bits
        } else {
            // ALAC keeps the depth of what it was made from in its flags.
            self.bits = format == "alac" && (1...4).contains(flags) ? [16, 20, 24, 32][flags - 1] : nil
            // Opus packets last a multiple of 2.5 ms; FFmpeg's copies state 963 frames for those of 960.
            if format == "opus", packetFrames > 120 { packetFrames -= packetFrames % 120 }
        }
        self.packetBytes = packetBytes
        self.packetFrames = packetFrames
    }

    /// How its sound is laid out; nil if that takes a packet table.
    var blocks: SampleBlocks? {
        packetBytes > 0 && packetFrames > 0 ? SampleBlocks(bytes: packetBytes, samples: packetFrames) : nil
    }

    /// The track, of which set-up data may know more: chunk `kuki`, with AAC's configuration or that of ALAC.
    func track(setUp: [UInt8]?) -> Recording.Track {
        var track = Recording.Track(
            codec: codec, sampleRate: rate.rounded, channels: channels > 0 ? channels : nil, bitsPerSample: bits)
        guard let setUp else { return track }
        if [.aac, .heAAC, .heAACv2, .usac].contains(codec), let config = Self.configuration(setUp) {
            // The file's own name for the codec stands where the set-up data leaves SBR to be found in the frames.
            if config.codec != .aac { track.codec = config.codec }
            track.sampleRate = max(rate.rounded, config.outputRate)
            track.channels = config.channels ?? track.channels
        } else if codec == .alac, bits == nil, let configuration = ALACConfiguration(setUp[...]) {
            track.bitsPerSample = configuration.bitsPerSample
        }
        return track
    }

    private var codec: AudioCodec {
        switch format {
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
        default: AudioCodec(rawValue: format.description)
        }
    }

    /// AAC's configuration is bare or, as in MP4, in descriptors.
    private static func configuration(_ bytes: [UInt8]) -> AudioSpecificConfig? {
        guard bytes.first == 3 else { return AudioSpecificConfig(bytes[...]) }
        return ElementaryStream(bytes[...])?.decoderConfiguration.flatMap { AudioSpecificConfig($0) }
    }
}
