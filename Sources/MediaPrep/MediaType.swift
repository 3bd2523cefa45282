package import AudioProbe
internal import ImageCodecs

/// What a file is called where files are sent: its media type, and the ending of its name.
public struct MediaType: Hashable, Sendable {
    /// The media type, such as `audio/mp4`: registered by IANA, but for those with `x-`.
    public let mimeType: String
    /// The usual ending of such a file's name, without the dot.
    public let fileExtension: String
    /// All endings that are true of it, and all media types that are used for it.
    private let synonyms: Set<String>

    private init(_ mimeType: String, _ extensions: [String], also types: [String] = []) {
        self.mimeType = mimeType
        fileExtension = extensions[0]
        synonyms = Set(extensions + types + [mimeType])
    }

    init(_ format: ImageFormat) {
        self =
            switch format {
            case .jpeg: Self("image/jpeg", ["jpg", "jpeg", "jpe", "jfif"], also: ["image/jpg", "image/pjpeg"])
            case .png: Self("image/png", ["png", "apng"], also: ["image/apng", "image/x-png"])
            }
    }

    /// Of the brands of ISO base media only the endings of sound and film differ: phones write `.m4a` files of the brand
    /// `3gp4`, and no player minds.
    init(_ recording: Recording) {
        self.init(
            recording.container, codec: recording.mainTrack.codec,
            isFilm: recording.hasVideo)
    }

    /// The type of a container, as far as that alone says.
    package init(_ container: AudioContainer, codec: AudioCodec? = nil, isFilm: Bool = false) {
        self =
            switch container {
            case .mp4:
                Self(isFilm ? "video/mp4" : "audio/mp4", isFilm ? ["mp4"] + Self.iso : Self.iso, also: Self.isoTypes)
            case .m4a: Self("audio/mp4", Self.iso, also: Self.isoTypes)
            case .threeGP: Self(isFilm ? "video/3gpp" : "audio/3gpp", ["3gp"] + Self.iso, also: Self.isoTypes)
            case .mov: Self("video/quicktime", ["mov"] + Self.iso, also: Self.isoTypes)
            case .webm:
                Self(
                    isFilm ? "video/webm" : "audio/webm", ["webm", "weba", "mka", "mkv"],
                    also: ["audio/webm", "video/webm", "audio/x-matroska"])
            case .matroska:
                Self(
                    isFilm ? "video/matroska" : "audio/matroska",
                    isFilm ? ["mkv", "mka", "webm"] : ["mka", "mkv", "webm"],
                    also: ["audio/matroska", "video/matroska", "audio/x-matroska", "video/x-matroska"])
            case .ogg where codec == .opus:
                Self("audio/ogg", ["opus"] + Self.ogg, also: Self.oggTypes)
            case .ogg: Self("audio/ogg", Self.ogg, also: Self.oggTypes)
            case .mpegAudio where codec == .mp2:
                Self("audio/mpeg", ["mp2", "mpa", "mpga", "mp3"], also: ["audio/mp3"])
            case .mpegAudio:
                Self("audio/mpeg", ["mp3", "mp2", "mp1", "mpa", "mpga"], also: ["audio/mp3", "audio/x-mp3"])
            default: Self.simple[container] ?? Self("application/octet-stream", ["bin"])
            }
    }

    private static let iso = ["m4a", "mp4", "m4b", "m4p", "m4v", "3gp", "3g2", "3ga", "mov", "qt"]
    private static let isoTypes = [
        "audio/mp4", "video/mp4", "audio/m4a", "audio/x-m4a", "audio/aac", "audio/3gpp", "video/3gpp", "audio/3gpp2",
        "video/quicktime",
    ]
    private static let ogg = ["ogg", "oga", "opus", "spx", "ogx", "ogv"]
    private static let oggTypes = ["application/ogg", "video/ogg", "audio/opus", "audio/vorbis", "audio/speex"]
    private static let wave = MediaType(
        "audio/wav", ["wav", "wave", "rf64", "bw64", "bwf"], also: ["audio/x-wav", "audio/wave", "audio/vnd.wave"])
    private static let simple: [AudioContainer: MediaType] = [
        .wav: wave, .rf64: wave, .bw64: wave, .w64: MediaType("audio/x-w64", ["w64"]),
        .aiff: MediaType("audio/aiff", ["aiff", "aif", "aifc"], also: ["audio/x-aiff"]),
        .aifc: MediaType("audio/aiff", ["aifc", "aiff", "aif"], also: ["audio/x-aiff", "audio/aifc"]),
        .au: MediaType("audio/basic", ["au", "snd"], also: ["audio/x-au"]),
        .caf: MediaType("audio/x-caf", ["caf"]),
        .flac: MediaType("audio/flac", ["flac"], also: ["audio/x-flac"]),
        .adts: MediaType("audio/aac", ["aac", "adts"], also: ["audio/aacp", "audio/x-aac"]),
        .amr: MediaType("audio/AMR", ["amr"], also: ["audio/amr", "audio/amr-nb"]),
        .amrWB: MediaType("audio/AMR-WB", ["awb", "amr"], also: ["audio/amr-wb"]),
    ]

    /// A warning if a file's name ends like that of another kind of media. An ending that is no medium's says nothing.
    func mismatch(name: String) -> MediaWarning? {
        guard let dot = name.lastIndex(of: "."), !name[dot...].contains("/") else { return nil }
        let ending = name[dot...].dropFirst().lowercased()
        guard Self.endings.contains(ending), !synonyms.contains(ending) else { return nil }
        return MediaWarning(
            code: "name-mismatch",
            message: "the name ends in .\(ending) and the content is \(mimeType), .\(fileExtension)")
    }

    /// A warning if a declared media type is another one's.
    func mismatch(declared type: String) -> MediaWarning? {
        let essence = type.prefix { $0 != ";" && $0 != " " }.lowercased()
        let isUnspecific = essence.isEmpty || essence == "application/octet-stream"
        guard !isUnspecific, !synonyms.contains(where: { $0.lowercased() == essence }) else { return nil }
        return MediaWarning(
            code: "mime-type-mismatch", message: "the declared type is \(essence) and the content is \(mimeType)")
    }

    /// Endings of names by which people know images.
    package static let imageEndings: Set<String> = [
        "jpg", "jpeg", "jpe", "jfif", "png", "apng", "heic", "heif", "avif", "webp", "gif", "tif", "tiff", "bmp", "jxl",
    ]

    /// Endings of names by which people know media.
    package static let endings: Set<String> = imageEndings.union(iso).union(ogg).union([
        "wav", "wave", "rf64", "bw64", "bwf", "w64", "aiff", "aif", "aifc", "au", "snd", "caf", "flac", "aac", "adts",
        "amr", "awb", "mp3", "mp2", "mp1", "mpa", "mpga", "webm", "weba", "mka", "mkv", "wma",
    ])
}
