/// The codec of a track, and the rule for counting its frames: the Matroska codec mappings, which RFC 9559 leaves to a
/// separate document.
struct MatroskaCodec {
    var codec: AudioCodec
    var countingRule = SampleCountingRule.timestampsOnly
    /// Samples per second of the counted samples in Hz, or `nil` if only the frames state it.
    var sampleRate: Int?
    var channels: Int?
    var bitsPerSample: Int?
    /// Samples at the beginning that the codec's own header discards, or `nil` if it has no such field.
    var preSkip: Int?
    /// The relative uncertainty of a frame's length.
    var relativeUncertainty = 0.0

    init(track: MatroskaTrack) {
        codec = AudioCodec(rawValue: track.codecID)
        guard track.isAudio else { return }
        sampleRate = track.outputSamplingFrequency ?? track.samplingFrequency
        if sampleRate == 0 { sampleRate = nil }
        channels = track.channels > 0 && track.channels < 1 << 16 ? track.channels : nil
        readCodecPrivate(of: track)
        if track.contentEncoding.makesFramesUnreadable { countingRule = .timestampsOnly }
    }

    private mutating func readCodecPrivate(of track: MatroskaTrack) {
        let setup = track.codecPrivate[...]
        let name = track.codecID.split(separator: "/", omittingEmptySubsequences: false)
        switch name.first {
        case "A_OPUS": readOpusHeader(setup)
        case "A_VORBIS": readVorbisHeaders(setup)
        case "A_AAC": readAACConfiguration(setup, track: track)
        case "A_FLAC": readFLACHeader(setup)
        case "A_ALAC": readALACConfiguration(setup)
        case "A_PCM" where name.count == 3 && (name[1] == "INT" || name[1] == "FLOAT"):
            setPCMFormat(codec: name[1] == "INT" ? .pcm : .pcmFloat, bitsPerSample: track.bitDepth)
        case "A_MPEG" where ["L1", "L2", "L3"].contains(name.last):
            codec = name.last == "L1" ? .mp1 : name.last == "L2" ? .mp2 : .mp3
            countingRule = .mpegAudio
            sampleRate = nil
        case "A_MS": readWaveFormat(setup)
        default: break
        }
    }

    private mutating func readOpusHeader(_ bytes: ArraySlice<UInt8>) {
        (codec, countingRule, sampleRate) = (.opus, .opus, OpusPacket.sampleRate)
        guard let head = OpusHead(bytes: bytes) else { return }
        (channels, preSkip) = (head.channels, head.preSkip)
    }

    private mutating func readVorbisHeaders(_ bytes: ArraySlice<UInt8>) {
        codec = .vorbis
        guard let packets = Self.vorbisHeaderRanges(in: bytes),
            let identification = VorbisIdentificationHeader(packet: bytes[packets.identification]),
            let modes = VorbisModeTable(identification: identification, setupPacket: bytes[packets.setup])
        else { return }
        (countingRule, sampleRate, channels) = (.vorbis(modes), identification.sampleRate, identification.channels)
    }

    /// Returns the ranges in CodecPrivate of the three header packets of a Vorbis stream.
    ///
    /// The sizes of the first two precede the packets, as in Ogg: a byte with the number of packets less one, then for
    /// each size bytes of 255 and one smaller byte.
    static func vorbisHeaderRanges(
        in bytes: ArraySlice<UInt8>
    ) -> (identification: Range<Int>, comment: Range<Int>, setup: Range<Int>)? {
        guard bytes.first == 2 else { return nil }
        var sizes: [Int] = [], size = 0, position = bytes.startIndex + 1
        while sizes.count < 2, position < bytes.endIndex {
            size += Int(bytes[position])
            if bytes[position] < 255 {
                sizes.append(size)
                size = 0
            }
            position += 1
        }
        guard sizes.count == 2, sizes[0] + sizes[1] <= bytes.endIndex - position else { return nil }
        let comment = position + sizes[0], setup = comment + sizes[1]
        return (position..<comment, comment..<setup, setup..<bytes.endIndex)
    }

    private mutating func readAACConfiguration(_ setup: ArraySlice<UInt8>, track: MatroskaTrack) {
        codec = .aac
        if let configuration = AudioSpecificConfig(bytes: setup) {
            codec = configuration.codec
            channels = configuration.channels ?? channels
            // SBR doubles the sample rate. With any other ratio, the core's samples are counted.
            let isDoubled = configuration.outputSampleRate == 2 * configuration.coreSampleRate
            sampleRate = isDoubled ? configuration.outputSampleRate : configuration.coreSampleRate
            if codec != .usac {
                countingRule = .fixed(samplesPerFrame: configuration.coreSamplesPerFrame * (isDoubled ? 2 : 1))
            }
            return
        }
        // Older files state the profile in the codec ID, which cannot signal frames of 960 samples. With SBR, the
        // track's sample rate is the core's.
        if track.codecID.hasSuffix("/SBR") {
            codec = .heAAC
            sampleRate = track.samplingFrequency == 0 ? nil : 2 * track.samplingFrequency
            countingRule = .fixed(samplesPerFrame: 2048)
        } else {
            countingRule = .fixed(samplesPerFrame: 1024)
            if track.codecID == "A_AAC" { relativeUncertainty = 1.0 / 16 }
        }
    }

    /// Reads `fLaC` and the metadata blocks of a native stream, the first of which is STREAMINFO.
    private mutating func readFLACHeader(_ bytes: ArraySlice<UInt8>) {
        (codec, countingRule) = (.flac, .flac)
        guard bytes.starts(with: "fLaC".utf8), let info = try? FLACStreamInfo(bytes: bytes.dropFirst(8), offset: 0)
        else { return }
        (sampleRate, channels, bitsPerSample) = (info.sampleRate, info.channels, info.bitsPerSample)
    }

    private mutating func readALACConfiguration(_ cookie: ArraySlice<UInt8>) {
        codec = .alac
        // Apple's encoder uses 4096 samples. More than 2^20 are implausible.
        guard let configuration = ALACConfiguration(magicCookie: cookie),
            (1...1 << 20).contains(configuration.samplesPerPacket)
        else {
            return
        }
        countingRule = .alac(defaultSampleCount: configuration.samplesPerPacket)
        (bitsPerSample, channels) = (configuration.bitsPerSample, configuration.channels)
        if configuration.sampleRate > 0 { sampleRate = configuration.sampleRate }
    }

    private mutating func setPCMFormat(codec: AudioCodec, bitsPerSample bits: Int?) {
        self.codec = codec
        guard let channels, let bits, (1...64).contains(bits) else { return }
        countingRule = .pcm(bytesPerSample: channels * ((bits + 7) / 8))
        bitsPerSample = bits
    }

    /// Reads the content of a WAVE `fmt ` chunk, which is used for codecs without a Matroska name.
    private mutating func readWaveFormat(_ format: ArraySlice<UInt8>) {
        func integer(at offset: Int, byteCount: Int) -> Int {
            format.littleEndianInteger(at: offset, byteCount: byteCount)
        }
        guard format.count >= 16 else { return }
        channels = integer(at: 2, byteCount: 2)
        sampleRate = integer(at: 4, byteCount: 4)
        if channels == 0 { channels = nil }
        if sampleRate == 0 { sampleRate = nil }
        let tag =
            integer(at: 0, byteCount: 2) == 0xFFFE && format.count >= 26
            ? integer(at: 24, byteCount: 2) : integer(at: 0, byteCount: 2)
        switch tag {
        case 1: setPCMFormat(codec: .pcm, bitsPerSample: integer(at: 14, byteCount: 2))
        case 3: setPCMFormat(codec: .pcmFloat, bitsPerSample: integer(at: 14, byteCount: 2))
        case 6, 7:
            setPCMFormat(codec: .aLaw, bitsPerSample: 8)
            (codec, bitsPerSample) = (tag == 6 ? .aLaw : .muLaw, nil)
        case 0x50, 0x55: (codec, countingRule, sampleRate) = (tag == 0x50 ? .mp2 : .mp3, .mpegAudio, nil)
        default: break
        }
    }
}
