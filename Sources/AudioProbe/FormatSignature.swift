/// A format that the first bytes of its files identify.
enum FormatSignature {
    /// An audio container that one parser reads.
    case container(DetectedFormat.ContainerFamily)
    /// An audio format that is not supported, with its names for error codes and for messages.
    case unsupported(code: String, title: String)
    /// A format that is neither audio nor an image, with its name for messages.
    case nonAudio(title: String)
    /// An image, with its name for messages.
    case image(title: String)

    /// Whether the format is not audio.
    var isNonAudio: Bool {
        switch self {
        case .image, .nonAudio: true
        case .container, .unsupported: false
        }
    }

    /// Returns the signature that `bytes` begin with, or `nil` if there is none.
    static func match(in bytes: [UInt8]) -> FormatSignature? {
        func has(_ text: String, at offset: Int = 0) -> Bool {
            bytes.count >= offset + text.utf8.count && bytes[offset...].starts(with: text.utf8)
        }
        if ["RIFF", "RIFX", "RF64", "BW64"].contains(where: { has($0) }) {
            if has("WAVE", at: 8) { return .container(.wave) }
            if has("AVI ", at: 8) { return .unsupported(code: "avi", title: "AVI video") }
            if has("WEBP", at: 8) { return .image(title: "a WebP image") }
        }
        if has("FORM"), has("AIFF", at: 8) || has("AIFC", at: 8) { return .container(.aiff) }
        if let match = binarySignatures.first(where: { bytes.starts(with: $0.0) }) { return match.1 }
        return matchISOMediaSignature(hasText: has) ?? textSignatures.first { has($0.0) }?.1
    }

    /// The GUID of the `riff` chunk in Sony Wave64.
    private static let wave64GUID: [UInt8] = [
        0x72, 0x69, 0x66, 0x66, 0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00,
    ]

    private static let textSignatures: [(String, FormatSignature)] = [
        (".snd", .container(.au)), ("dns.", .container(.au)), ("caff\0\u{1}", .container(.caf)),
        ("fLaC", .container(.flac)), ("OggS", .container(.ogg)), ("#!AMR", .container(.amr)),
        ("%PDF-", .nonAudio(title: "a PDF document")), ("PK\u{3}\u{4}", .nonAudio(title: "a ZIP archive")),
        ("{\\rtf", .nonAudio(title: "an RTF document")),
        ("\u{7F}ELF", .nonAudio(title: "a program")), ("SQLite format 3\0", .nonAudio(title: "a database")),
        ("GIF87a", .image(title: "a GIF image")), ("GIF89a", .image(title: "a GIF image")),
        ("II*\0", .image(title: "a TIFF image")),
        ("MM\0*", .image(title: "a TIFF image")),
        ("MThd", .unsupported(code: "midi", title: "MIDI, which contains notes and no audio")),
        ("wvpk", .unsupported(code: "wavpack", title: "WavPack")),
        ("MAC ", .unsupported(code: "ape", title: "Monkey's Audio")),
        ("MPCK", .unsupported(code: "musepack", title: "Musepack")),
        ("MP+", .unsupported(code: "musepack", title: "Musepack")),
        ("TTA1", .unsupported(code: "tta", title: "True Audio")),
        (".RMF", .unsupported(code: "realmedia", title: "RealMedia")),
        ("DSD ", .unsupported(code: "dsf", title: "DSD")),
        ("FRM8", .unsupported(code: "dsdiff", title: "DSD")),
        ("FLV\u{1}", .unsupported(code: "flv", title: "Flash video")),
        ("ADIF", .unsupported(code: "adif", title: "AAC with one ADIF header")),
        ("#EXTM3U", .nonAudio(title: "a playlist")),
        ("Creative Voice File", .unsupported(code: "voc", title: "Creative Voice")),
    ]

    private static let binarySignatures: [([UInt8], FormatSignature)] = [
        (wave64GUID, .container(.wave64)), ([0x1A, 0x45, 0xDF, 0xA3], .container(.matroska)),
        ([0xFF, 0xD8, 0xFF], .image(title: "a JPEG image")), ([0x89, 0x50, 0x4E, 0x47], .image(title: "a PNG image")),
        ([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], .unsupported(code: "wma", title: "Windows Media")),
        ([0x0B, 0x77], .unsupported(code: "ac3", title: "AC-3")),
    ]

    private static func matchISOMediaSignature(hasText: (String, Int) -> Bool) -> FormatSignature? {
        if hasText("ftyp", 4) {
            if ["avif", "avis"].contains(where: { hasText($0, 8) }) { return .image(title: "an AVIF image") }
            let heif = [
                "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "mif2", "mif3", "msf1", "avci", "avcs", "jpeg",
                "jpgs", "j2ki", "j2is", "vvic", "vvis",
            ]
            if heif.contains(where: { hasText($0, 8) }) { return .image(title: "a HEIC image") }
            if hasText("jxl ", 8) { return .image(title: "a JPEG XL image") }
        }
        let first = ["ftyp", "styp", "moov", "mdat", "moof", "sidx", "wide", "free", "skip", "pnot"]
        return first.contains { hasText($0, 4) } ? .container(.isoMedia) : nil
    }
}
