package import AudioProbe
internal import Diagnostics
internal import ImageCodecs

/// A media type and the matching file name extension.
public struct MediaType: Hashable, Sendable {
    /// The media type, such as `audio/mp4`. It is registered with IANA, except for types with `x-`.
    public let mimeType: String
    /// The preferred file name extension, without the dot.
    public let fileExtension: String
    /// The extensions and media types that are accepted for this type without a warning.
    private let acceptedExtensionsAndTypes: Set<String>

    private init(mimeType: String, fileExtensions extensions: [String], synonymTypes types: [String] = []) {
        self.mimeType = mimeType
        fileExtension = extensions[0]
        acceptedExtensionsAndTypes = Set(extensions + types + [mimeType])
    }

    init(_ format: ImageFormat) {
        self =
            switch format {
            case .jpeg:
                Self(
                    mimeType: "image/jpeg", fileExtensions: ["jpg", "jpeg", "jpe", "jfif"],
                    synonymTypes: ["image/jpg", "image/pjpeg"])
            case .png:
                Self(
                    mimeType: "image/png", fileExtensions: ["png", "apng"], synonymTypes: ["image/apng", "image/x-png"])
            case .webp: Self(mimeType: "image/webp", fileExtensions: ["webp"])
            case .heic:
                Self(mimeType: "image/heic", fileExtensions: ["heic", "heif", "hif"], synonymTypes: ["image/heif"])
            case .avif: Self(mimeType: "image/avif", fileExtensions: ["avif", "heif"], synonymTypes: ["image/heif"])
            }
    }

    /// The type of probed audio.
    ///
    /// Of the ISO base media brands, only audio and video have different extensions: phones write `.m4a` files with the
    /// brand `3gp4`, and every player accepts them.
    init(_ recording: Recording) {
        self.init(
            container: recording.container, codec: recording.mainTrack.codec,
            hasVideo: recording.hasVideo)
    }

    /// The type of a container.
    ///
    /// - Parameters:
    ///   - container: The container.
    ///   - codec: The main track's codec, if known.
    ///   - hasVideo: Whether the file has video.
    package init(container: AudioContainer, codec: AudioCodec? = nil, hasVideo: Bool = false) {
        self =
            switch container {
            case .mp4:
                Self(
                    mimeType: hasVideo ? "video/mp4" : "audio/mp4",
                    fileExtensions: hasVideo ? ["mp4"] + Self.isoBaseMediaExtensions : Self.isoBaseMediaExtensions,
                    synonymTypes: Self.isoBaseMediaTypes)
            case .m4a:
                Self(
                    mimeType: "audio/mp4", fileExtensions: Self.isoBaseMediaExtensions,
                    synonymTypes: Self.isoBaseMediaTypes)
            case .threeGP:
                Self(
                    mimeType: hasVideo ? "video/3gpp" : "audio/3gpp",
                    fileExtensions: ["3gp"] + Self.isoBaseMediaExtensions, synonymTypes: Self.isoBaseMediaTypes)
            case .mov:
                Self(
                    mimeType: "video/quicktime", fileExtensions: ["mov"] + Self.isoBaseMediaExtensions,
                    synonymTypes: Self.isoBaseMediaTypes)
            case .webm:
                Self(
                    mimeType: hasVideo ? "video/webm" : "audio/webm", fileExtensions: ["webm", "weba", "mka", "mkv"],
                    synonymTypes: ["audio/webm", "video/webm", "audio/x-matroska"])
            case .matroska:
                Self(
                    mimeType: hasVideo ? "video/matroska" : "audio/matroska",
                    fileExtensions: hasVideo ? ["mkv", "mka", "webm"] : ["mka", "mkv", "webm"],
                    synonymTypes: ["audio/matroska", "video/matroska", "audio/x-matroska", "video/x-matroska"])
            case .ogg where codec == .opus:
                Self(mimeType: "audio/ogg", fileExtensions: ["opus"] + Self.oggExtensions, synonymTypes: Self.oggTypes)
            case .ogg: Self(mimeType: "audio/ogg", fileExtensions: Self.oggExtensions, synonymTypes: Self.oggTypes)
            case .mpegAudio where codec == .mp2:
                Self(
                    mimeType: "audio/mpeg", fileExtensions: ["mp2", "mpa", "mpga", "mp3"], synonymTypes: ["audio/mp3"])
            case .mpegAudio:
                Self(
                    mimeType: "audio/mpeg", fileExtensions: ["mp3", "mp2", "mp1", "mpa", "mpga"],
                    synonymTypes: ["audio/mp3", "audio/x-mp3"])
            default:
                Self.typesByContainer[container] ?? Self(mimeType: "application/octet-stream", fileExtensions: ["bin"])
            }
    }

    private static let isoBaseMediaExtensions = ["m4a", "mp4", "m4b", "m4p", "m4v", "3gp", "3g2", "3ga", "mov", "qt"]
    private static let isoBaseMediaTypes = [
        "audio/mp4", "video/mp4", "audio/m4a", "audio/x-m4a", "audio/aac", "audio/3gpp", "video/3gpp", "audio/3gpp2",
        "video/quicktime",
    ]
    private static let oggExtensions = ["ogg", "oga", "opus", "spx", "ogx", "ogv"]
    private static let oggTypes = ["application/ogg", "video/ogg", "audio/opus", "audio/vorbis", "audio/speex"]
    private static let waveType = MediaType(
        mimeType: "audio/wav", fileExtensions: ["wav", "wave", "rf64", "bw64", "bwf"],
        synonymTypes: ["audio/x-wav", "audio/wave", "audio/vnd.wave"])
    private static let typesByContainer: [AudioContainer: MediaType] = [
        .wav: waveType, .rf64: waveType, .bw64: waveType,
        .w64: MediaType(mimeType: "audio/x-w64", fileExtensions: ["w64"]),
        .aiff: MediaType(
            mimeType: "audio/aiff", fileExtensions: ["aiff", "aif", "aifc"], synonymTypes: ["audio/x-aiff"]),
        .aifc: MediaType(
            mimeType: "audio/aiff", fileExtensions: ["aifc", "aiff", "aif"],
            synonymTypes: ["audio/x-aiff", "audio/aifc"]),
        .au: MediaType(mimeType: "audio/basic", fileExtensions: ["au", "snd"], synonymTypes: ["audio/x-au"]),
        .caf: MediaType(mimeType: "audio/x-caf", fileExtensions: ["caf"]),
        .flac: MediaType(mimeType: "audio/flac", fileExtensions: ["flac"], synonymTypes: ["audio/x-flac"]),
        .adts: MediaType(
            mimeType: "audio/aac", fileExtensions: ["aac", "adts"], synonymTypes: ["audio/aacp", "audio/x-aac"]),
        .amr: MediaType(mimeType: "audio/AMR", fileExtensions: ["amr"], synonymTypes: ["audio/amr", "audio/amr-nb"]),
        .amrWB: MediaType(mimeType: "audio/AMR-WB", fileExtensions: ["awb", "amr"], synonymTypes: ["audio/amr-wb"]),
    ]

    /// Returns a warning if the file's name has another media type's extension. Extensions of no media type are
    /// ignored.
    func extensionMismatchWarning(fileName: String) -> Diagnostic? {
        guard let dot = fileName.lastIndex(of: "."), !fileName[dot...].contains("/") else { return nil }
        let nameExtension = fileName[dot...].dropFirst().lowercased()
        guard Self.mediaFileExtensions.contains(nameExtension), !acceptedExtensionsAndTypes.contains(nameExtension)
        else { return nil }
        return Diagnostic(
            .nameMismatch,
            message: "the name ends in .\(nameExtension), but the content is \(mimeType) (.\(fileExtension))")
    }

    /// Returns a warning if `type` is a media type that does not match this one. `application/octet-stream` is ignored.
    func typeMismatchWarning(declaredType type: String) -> Diagnostic? {
        let essence = type.prefix { $0 != ";" && $0 != " " }.lowercased()
        let isUnspecific = essence.isEmpty || essence == "application/octet-stream"
        guard !isUnspecific, !acceptedExtensionsAndTypes.contains(where: { $0.lowercased() == essence }) else {
            return nil
        }
        return Diagnostic(
            .mediaTypeMismatch, message: "the declared type is \(essence), but the content is \(mimeType)")
    }

    /// Common file name extensions of images, also of unsupported formats.
    package static let imageFileExtensions: Set<String> = [
        "jpg", "jpeg", "jpe", "jfif", "png", "apng", "heic", "heif", "avif", "webp", "gif", "tif", "tiff", "bmp", "jxl",
    ]

    /// Common file name extensions of images, audio and video.
    package static let mediaFileExtensions: Set<String> = imageFileExtensions.union(isoBaseMediaExtensions).union(
        oggExtensions
    ).union([
        "wav", "wave", "rf64", "bw64", "bwf", "w64", "aiff", "aif", "aifc", "au", "snd", "caf", "flac", "aac", "adts",
        "amr", "awb", "mp3", "mp2", "mp1", "mpa", "mpga", "webm", "weba", "mka", "mkv", "wma",
    ])
}
