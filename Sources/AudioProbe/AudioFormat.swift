/// A container format, detected from the content of a file and never from its name.
public struct AudioContainer: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name as it appears in reports.
    public let rawValue: String
    /// Creates the container with a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name.
    public var description: String { rawValue }

    /// RIFF WAVE, including the big-endian RIFX.
    public static let wav = AudioContainer(rawValue: "wav")
    /// WAVE with 64-bit sizes, EBU Tech 3306.
    public static let rf64 = AudioContainer(rawValue: "rf64")
    /// The successor of RF64, ITU-R BS.2088.
    public static let bw64 = AudioContainer(rawValue: "bw64")
    /// Sony Wave64.
    public static let w64 = AudioContainer(rawValue: "w64")
    /// AIFF.
    public static let aiff = AudioContainer(rawValue: "aiff")
    /// AIFF-C.
    public static let aifc = AudioContainer(rawValue: "aifc")
    /// Sun and NeXT audio.
    public static let au = AudioContainer(rawValue: "au")
    /// Apple's Core Audio Format.
    public static let caf = AudioContainer(rawValue: "caf")
    /// Native FLAC.
    public static let flac = AudioContainer(rawValue: "flac")
    /// Ogg.
    public static let ogg = AudioContainer(rawValue: "ogg")
    /// MPEG audio of layer I, II or III without a container. It may have tags.
    public static let mpegAudio = AudioContainer(rawValue: "mpeg-audio")
    /// AAC with ADTS headers, without a container.
    public static let adts = AudioContainer(rawValue: "adts")
    /// An ISO base media file of any brand that is not covered by `m4a`, `threeGP` or `mov`.
    public static let mp4 = AudioContainer(rawValue: "mp4")
    /// An ISO base media file with one of Apple's audio brands.
    public static let m4a = AudioContainer(rawValue: "m4a")
    /// An ISO base media file with a 3GPP or 3GPP2 brand.
    public static let threeGP = AudioContainer(rawValue: "3gp")
    /// A QuickTime file.
    public static let mov = AudioContainer(rawValue: "mov")
    /// Matroska with the document type `webm`.
    public static let webm = AudioContainer(rawValue: "webm")
    /// Matroska.
    public static let matroska = AudioContainer(rawValue: "matroska")
    /// AMR, RFC 4867, section 5.
    public static let amr = AudioContainer(rawValue: "amr")
    /// AMR-WB, RFC 4867, section 5.
    public static let amrWB = AudioContainer(rawValue: "amr-wb")
}

/// An audio codec.
public struct AudioCodec: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name as it appears in reports.
    public let rawValue: String
    /// Creates the codec with a name. For an unknown codec, this is the container's name for it.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name.
    public var description: String { rawValue }

    /// Integer PCM.
    public static let pcm = AudioCodec(rawValue: "pcm")
    /// Floating-point PCM.
    public static let pcmFloat = AudioCodec(rawValue: "pcm-float")
    /// ITU-T G.711 A-law.
    public static let aLaw = AudioCodec(rawValue: "alaw")
    /// ITU-T G.711 mu-law.
    public static let muLaw = AudioCodec(rawValue: "mulaw")
    /// Microsoft ADPCM.
    public static let adpcmMS = AudioCodec(rawValue: "adpcm-ms")
    /// IMA and DVI ADPCM, including Apple's `ima4`.
    public static let adpcmIMA = AudioCodec(rawValue: "adpcm-ima")
    /// GSM 06.10.
    public static let gsm = AudioCodec(rawValue: "gsm")
    /// FLAC.
    public static let flac = AudioCodec(rawValue: "flac")
    /// Apple Lossless.
    public static let alac = AudioCodec(rawValue: "alac")
    /// AAC of the profiles Main, LC, SSR and LTP.
    public static let aac = AudioCodec(rawValue: "aac")
    /// AAC-LC with spectral band replication.
    public static let heAAC = AudioCodec(rawValue: "he-aac")
    /// AAC-LC with spectral band replication and parametric stereo.
    public static let heAACv2 = AudioCodec(rawValue: "he-aac-v2")
    /// Extended HE-AAC.
    public static let usac = AudioCodec(rawValue: "xhe-aac")
    /// MPEG audio layer I.
    public static let mp1 = AudioCodec(rawValue: "mp1")
    /// MPEG audio layer II.
    public static let mp2 = AudioCodec(rawValue: "mp2")
    /// MPEG audio layer III.
    public static let mp3 = AudioCodec(rawValue: "mp3")
    /// Opus.
    public static let opus = AudioCodec(rawValue: "opus")
    /// Vorbis.
    public static let vorbis = AudioCodec(rawValue: "vorbis")
    /// Speex.
    public static let speex = AudioCodec(rawValue: "speex")
    /// AMR narrow-band.
    public static let amrNB = AudioCodec(rawValue: "amr-nb")
    /// AMR wide-band.
    public static let amrWB = AudioCodec(rawValue: "amr-wb")
}

extension AudioCodec {
    private static let maxNameLength = 64

    /// This codec with a name that is safe to print.
    ///
    /// A codec name in Matroska can have any bytes, including a terminal's control sequences.
    var withPrintableName: AudioCodec {
        if rawValue.isEmpty { return AudioCodec(rawValue: "unknown") }
        let isPlain =
            rawValue.utf8.count <= Self.maxNameLength && rawValue.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        if isPlain { return self }
        let scalars = rawValue.unicodeScalars.prefix(Self.maxNameLength).map { scalar in
            (0x20..<0x7F).contains(scalar.value) ? scalar : "?"
        }
        var name = String.UnicodeScalarView()
        name.append(contentsOf: scalars)
        return AudioCodec(rawValue: String(name))
    }
}
