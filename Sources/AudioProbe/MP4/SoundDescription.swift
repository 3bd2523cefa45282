/// How a track's sound is coded, by its sample entry: ISO/IEC 14496-12, 12.2.3; for QuickTime's versions 1 and 2 the QuickTime
/// File Format, "Sound sample descriptions".
struct SoundDescription {
    /// How much of the recording is in one of the container's samples.
    enum Framing: Hashable {
        /// A frame of always as many samples of sound; only the last may be shorter.
        case frames(Int)
        /// As much as its duration says, but no more than this, if there is such a limit.
        case timed(longest: Int?)
        /// Packets of constant size, as many as fit.
        case packets(ConstantPacket)
        /// One Opus packet, which itself says how long it is.
        case opus
        /// One frame of MPEG audio; the first one's header says how long all are.
        case mpegAudio
        /// As many AMR frames as there are, one behind the other.
        case amr(isWide: Bool)
    }

    var codec = AudioCodec(rawValue: "unknown")
    /// Samples a second, as they come out of a decoder.
    var sampleRate: Int?
    var channels: Int?
    var bitsPerSample: Int?
    var framing = Framing.timed(longest: nil)
    /// Samples that Opus asks to leave out where there is no edit list.
    var preSkip = 0

    /// Nothing is known: there is no sample entry.
    init() {}

    /// - Parameters:
    ///   - entry: the first box in `stsd`.
    ///   - descriptionVersion: that of `stsd`.
    ///   - mediaRate: units of the track's time to the second.
    init(
        _ entry: Box, descriptionVersion: Int, mediaRate: Int, in window: inout ByteWindow
    ) throws(AudioError) {
        codec = AudioCodec(rawValue: entry.type.description)
        guard let fields = try SoundEntryFields(entry, descriptionVersion: descriptionVersion, in: &window) else {
            return
        }
        sampleRate = fields.sampleRate ?? (mediaRate > 0 ? mediaRate : nil)
        channels = fields.channels > 0 ? fields.channels : nil
        var boxes = SoundEntryBoxes()
        try boxes.read(fields.children, depth: 2, in: &window)
        let format = entry.type == "enca" ? boxes.originalFormat ?? entry.type : entry.type
        codec = AudioCodec(rawValue: format.description)
        if try !describePCM(format, fields, boxes, in: &window) {
            try describeCoded(format, fields, boxes, mediaRate: mediaRate, in: &window)
        }
        // What the packets themselves say can't be read.
        if entry.type == "enca", [.opus, .mpegAudio, .amr(isWide: false), .amr(isWide: true)].contains(framing) {
            framing = .timed(longest: nil)
        }
    }

    private mutating func describeCoded(
        _ format: FourCC, _ fields: SoundEntryFields, _ boxes: SoundEntryBoxes, mediaRate: Int,
        in window: inout ByteWindow
    ) throws(AudioError) {
        switch format {
        case "mp4a":
            try describeMPEG4(boxes.first("esds"), rates: [fields.sampleRate, mediaRate], in: &window)
        case ".mp3", "ms\0U": (codec, framing) = (.mp3, .mpegAudio)
        case "alac": try describeALAC(boxes.first("alac"), in: &window)
        case "fLaC": try describeFLAC(boxes.first("dfLa"), in: &window)
        case "Opus":
            (codec, framing, sampleRate) = (.opus, .opus, OpusPacket.sampleRate)
            if let box = boxes.first("dOps") {
                channels = try window.uint8(at: box.content.lowerBound + 1) ?? channels
                preSkip = try window.uint16(at: box.content.lowerBound + 2) ?? 0
            }
        case "samr", "sawb":
            let isWide = format == "sawb"
            (codec, sampleRate, channels) = (isWide ? .amrWB : .amrNB, AMRFrame.sampleRate(isWide: isWide), 1)
            // 3GPP TS 26.244, 6.7: after vendor, version and mode set stand the period of modes and the frames per sample.
            let perSample = try boxes.first("damr").flatMap { box throws(AudioError) in
                try window.uint8(at: box.content.lowerBound + 8)
            }
            framing = perSample ?? 1 == 1 ? .frames(AMRFrame.samples(isWide: isWide)) : .amr(isWide: isWide)
        case "ac-3": framing = .frames(1536)
        default:
            // Of others QuickTime may say how many samples a packet has.
            if let packet = fields.packet, packet.samples > 1 { framing = .packets(packet) }
        }
    }

    /// ISO/IEC 14496-14, 5.6, and 14496-1, 7.2.6: what the object type stands for is in the tables of mp4ra.org.
    private mutating func describeMPEG4(
        _ box: Box?, rates: [Int?], in window: inout ByteWindow
    ) throws(AudioError) {
        codec = .aac
        // Without a description the frames are nevertheless AAC's usual ones.
        framing = .frames(1024)
        guard let box, let bytes = try window.bytes(at: box.content.lowerBound, count: min(box.content.count, 4096)),
            let stream = ElementaryStream(bytes.dropFirst(4))
        else { return }
        switch stream.objectType {
        case 0x40, 0x66...0x68:
            guard let config = stream.decoderConfiguration.flatMap({ AudioSpecificConfig($0) }) else { return }
            describeAAC(config, rates: rates)
        case 0x69, 0x6B: (codec, framing) = (.mp3, .mpegAudio)
        case 0xA5: (codec, framing) = (AudioCodec(rawValue: "ac-3"), .frames(1536))
        case 0xDD: (codec, framing) = (.vorbis, .timed(longest: nil))
        default:
            codec = AudioCodec(rawValue: "mp4a-" + String(stream.objectType, radix: 16))
            framing = .timed(longest: nil)
        }
    }

    /// - Parameter rates: what else the file says of the rate. Where that is twice the core's, the frames hold replicated
    ///   highs of which the configuration doesn't know: "implicit signalling" of ISO/IEC 14496-3, 1.6.5.3.
    private mutating func describeAAC(_ config: AudioSpecificConfig, rates: [Int?]) {
        (codec, sampleRate) = (config.codec, config.outputRate)
        channels = config.channels ?? channels
        if codec == .aac, rates.contains(2 * config.coreRate) {
            (codec, sampleRate) = (.heAAC, 2 * config.coreRate)
        }
        // Extended HE-AAC has frames of five lengths.
        let factor = max(1, (sampleRate ?? config.coreRate) / config.coreRate)
        framing = codec == .usac ? .timed(longest: nil) : .frames(config.frameSamples * factor)
    }

    /// The configuration of Apple Lossless follows the version and flags of its box.
    private mutating func describeALAC(_ box: Box?, in window: inout ByteWindow) throws(AudioError) {
        (codec, framing) = (.alac, .frames(4096))
        guard let box, box.content.count >= 28,
            let bytes = try window.bytes(at: box.content.lowerBound + 4, count: 24),
            let configuration = ALACConfiguration(bytes[...])
        else { return }
        bitsPerSample = configuration.bitsPerSample
        channels = configuration.channels
        if configuration.sampleRate > 0 { sampleRate = configuration.sampleRate }
        if configuration.packetSamples > 0 { framing = .frames(configuration.packetSamples) }
    }

    /// `dfLa` of the FLAC project's "Encapsulation of FLAC in ISO Base Media File Format": STREAMINFO comes first, RFC 9639, 8.2.
    private mutating func describeFLAC(_ box: Box?, in window: inout ByteWindow) throws(AudioError) {
        codec = .flac
        // Version and flags, and the head of the block, stand in front.
        guard let box, box.content.count >= 8 + FLACStreamInfo.length,
            let bytes = try window.bytes(at: box.content.lowerBound + 8, count: FLACStreamInfo.length),
            let info = try? FLACStreamInfo(bytes[...], at: 0)
        else { return }
        (sampleRate, channels, bitsPerSample) = (info.sampleRate, info.channels, info.bitsPerSample)
        if info.largestBlock > 0 {
            let isUniform = info.smallestBlock == info.largestBlock
            framing = isUniform ? .frames(info.largestBlock) : .timed(longest: info.largestBlock)
        }
    }
}
