/// The four-byte header of an MPEG audio frame: ISO/IEC 11172-3, 2.4.2.3, and 13818-3 for the lower sample rates.
struct MPEGAudioHeader {
    /// The MPEG version: 1, 2, or 25 for 2.5.
    let mpegVersion: Int
    /// The layer, 1 to 3.
    let layer: Int
    /// Bits per second; 0 for free format, where only the next header shows the length of a frame.
    let bitRate: Int
    let sampleRate: Int
    let hasPadding: Bool
    let hasCRC: Bool
    let channels: Int

    /// Parses a header. Returns `nil` if it has no sync code or a reserved value.
    ///
    /// - Parameter word: The four bytes, the first one most significant.
    init?(word: Int) {
        let rateIndex = word >> 10 & 3, bitRateIndex = word >> 12 & 15, layerBits = word >> 17 & 3
        guard word >> 21 & 0x7FF == 0x7FF, layerBits != 0, rateIndex != 3, bitRateIndex != 15,
            let version = [25, nil, 2, 1][word >> 19 & 3]
        else { return nil }
        self.mpegVersion = version
        layer = 4 - layerBits
        sampleRate = [44_100, 48_000, 32_000][rateIndex] / (version == 1 ? 1 : version == 2 ? 2 : 4)
        bitRate = Self.bitRateTables[Self.bitRateTableIndex(version: version, layer: layer)][bitRateIndex] * 1000
        hasPadding = word >> 9 & 1 == 1
        hasCRC = word >> 16 & 1 == 0
        channels = word >> 6 & 3 == 3 ? 1 : 2
    }

    /// Returns the index in `bitRateTables` for a version and a layer.
    private static func bitRateTableIndex(version: Int, layer: Int) -> Int {
        version == 1 ? layer - 1 : layer == 1 ? 3 : 4
    }

    private static let bitRateTables = [
        [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]

    /// The lowest bit rate that a frame of this version and layer can state, in bits per second.
    var minBitRate: Int { Self.bitRateTables[Self.bitRateTableIndex(version: mpegVersion, layer: layer)][1] * 1000 }

    /// Samples per channel in the frame.
    var samplesPerFrame: Int { layer == 1 ? 384 : layer == 3 && mpegVersion != 1 ? 576 : 1152 }

    /// Bytes of the frame, including its header, or `nil` for free format.
    var frameLength: Int? {
        if bitRate == 0 { return nil }
        let padding = hasPadding ? 1 : 0
        return layer == 1
            ? (12 * bitRate / sampleRate + padding) * 4 : samplesPerFrame / 8 * bitRate / sampleRate + padding
    }

    /// Bytes of layer III's side information. The headers of Xing and LAME follow it.
    var sideInformationLength: Int { mpegVersion == 1 ? (channels == 1 ? 17 : 32) : (channels == 1 ? 9 : 17) }

    /// The codec of the layer.
    var codec: AudioCodec { [.mp1, .mp2, .mp3][layer - 1] }
}
