/// The configuration of an AAC decoder: ISO/IEC 14496-3, 1.6.2.1.
struct AudioSpecificConfig {
    /// AAC; HE-AAC if spectral band replication (SBR) is signaled; HE-AAC v2 if parametric stereo is signaled too.
    var codec: AudioCodec
    /// Samples per second of the AAC core, in Hz.
    var coreSampleRate: Int
    /// Samples per second of the decoder's output, in Hz: usually twice the core's with SBR.
    var outputSampleRate: Int
    /// Core samples per channel in each frame: 1024 or 960, and 512 or 480 for the low-delay types.
    ///
    /// xHE-AAC usually has 2048 or 1920, which the container has to state.
    var coreSamplesPerFrame: Int
    /// The number of channels, or `nil` if only the frames state it.
    var channels: Int?

    static let sampleRates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]
    static let channelCountsByConfiguration = [1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 8, 11: 7, 12: 8, 14: 8]

    /// Parses a configuration. Returns `nil` if it is truncated or is not AAC.
    init?(bytes: ArraySlice<UInt8>) {
        var reader = BitReader(bytes: bytes)
        guard var type = Self.readObjectType(from: &reader), let coreRate = Self.readSampleRate(from: &reader),
            let configuration = reader.readBits(4)
        else { return nil }
        channels = Self.channelCountsByConfiguration[configuration]
        self.coreSampleRate = coreRate
        outputSampleRate = coreRate
        codec = .aac
        coreSamplesPerFrame = 1024
        // Types 5 (SBR) and 29 (parametric stereo) precede the core's type.
        if type == 5 || type == 29 {
            codec = type == 29 ? .heAACv2 : .heAAC
            guard let rate = Self.readSampleRate(from: &reader), let core = Self.readObjectType(from: &reader) else {
                return nil
            }
            outputSampleRate = rate
            type = core
        }
        if type == 42 {
            codec = .usac
            return
        }
        guard (1...7).contains(type) || [17, 19, 20, 23, 39].contains(type) else { return nil }
        guard let isShort = reader.readBits(1) else { return }
        if type == 23 || type == 39 {
            coreSamplesPerFrame = isShort == 1 ? 480 : 512
        } else if isShort == 1 {
            coreSamplesPerFrame = 960
        }
        if codec == .aac { readSBRExtension(from: &reader, objectType: type, channelConfiguration: configuration) }
        if codec == .heAACv2, channels == 1 { channels = 2 }
    }

    /// Reads the SBR signaling that may follow the core's configuration, where older decoders ignore it.
    private mutating func readSBRExtension(from reader: inout BitReader, objectType: Int, channelConfiguration: Int) {
        guard channelConfiguration != 0, let dependsOnCore = reader.readBits(1) else { return }
        if dependsOnCore == 1 { _ = reader.readBits(14) }
        guard reader.readBits(1) == 0, reader.readBits(11) == 0x2B7, Self.readObjectType(from: &reader) == 5,
            reader.readBits(1) == 1,
            let rate = Self.readSampleRate(from: &reader)
        else { return }
        outputSampleRate = rate
        codec = .heAAC
        if reader.readBits(11) == 0x548, reader.readBits(1) == 1 { codec = .heAACv2 }
    }

    private static func readObjectType(from reader: inout BitReader) -> Int? {
        guard let type = reader.readBits(5) else { return nil }
        return type == 31 ? reader.readBits(6).map { $0 + 32 } : type
    }

    private static func readSampleRate(from reader: inout BitReader) -> Int? {
        guard let index = reader.readBits(4) else { return nil }
        let rate = index == 15 ? reader.readBits(24) : sampleRates.indices.contains(index) ? sampleRates[index] : nil
        return rate == 0 ? nil : rate
    }
}
