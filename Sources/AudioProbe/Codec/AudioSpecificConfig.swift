/// How AAC is to be decoded: ISO/IEC 14496-3, 1.6.2.1.
struct AudioSpecificConfig {
    /// AAC, and whether it states replication of its upper half (SBR), and parametric stereo with that.
    var codec: AudioCodec
    /// Samples a second of the core that the frames code.
    var coreRate: Int
    /// Samples a second that come out: twice the core's with SBR.
    var outputRate: Int
    /// Samples of the core in each frame: 1024 or 960; 2048 or 1920 in xHE-AAC's usual set-up are left to the container.
    var frameSamples: Int
    /// Channels; nil if only the frames say.
    var channels: Int?

    static let rates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]
    static let channelCounts = [1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 8, 11: 7, 12: 8, 14: 8]

    /// The configuration in `bytes`; nil if it is cut short, or isn't one of AAC.
    init?(_ bytes: ArraySlice<UInt8>) {
        var reader = BitReader(bytes)
        guard var type = Self.objectType(&reader), let coreRate = Self.rate(&reader),
            let configuration = reader.bits(4)
        else { return nil }
        channels = Self.channelCounts[configuration]
        self.coreRate = coreRate
        outputRate = coreRate
        codec = .aac
        frameSamples = 1024
        // 5 is SBR, 29 parametric stereo, both in front of the type of the core.
        if type == 5 || type == 29 {
            codec = type == 29 ? .heAACv2 : .heAAC
            guard let rate = Self.rate(&reader), let core = Self.objectType(&reader) else { return nil }
            outputRate = rate
            type = core
        }
        if type == 42 {
            codec = .usac
            return
        }
        guard (1...7).contains(type) || [17, 19, 20, 23, 39].contains(type) else { return nil }
        guard let isShort = reader.bits(1) else { return }
        if type == 23 || type == 39 {
            frameSamples = isShort == 1 ? 480 : 512
        } else if isShort == 1 {
            frameSamples = 960
        }
        if codec == .aac { readExtension(&reader, type: type, configuration: configuration) }
        if codec == .heAACv2, channels == 1 { channels = 2 }
    }

    /// SBR may also be stated behind the core's own configuration, where older decoders don't look.
    private mutating func readExtension(_ reader: inout BitReader, type: Int, configuration: Int) {
        guard configuration != 0, let dependsOnCore = reader.bits(1) else { return }
        if dependsOnCore == 1 { _ = reader.bits(14) }
        guard reader.bits(1) == 0, reader.bits(11) == 0x2B7, Self.objectType(&reader) == 5, reader.bits(1) == 1,
            let rate = Self.rate(&reader)
        else { return }
        outputRate = rate
        codec = .heAAC
        if reader.bits(11) == 0x548, reader.bits(1) == 1 { codec = .heAACv2 }
    }

    private static func objectType(_ reader: inout BitReader) -> Int? {
        guard let type = reader.bits(5) else { return nil }
        return type == 31 ? reader.bits(6).map { $0 + 32 } : type
    }

    private static func rate(_ reader: inout BitReader) -> Int? {
        guard let index = reader.bits(4) else { return nil }
        let rate = index == 15 ? reader.bits(24) : rates.indices.contains(index) ? rates[index] : nil
        return rate == 0 ? nil : rate
    }
}
