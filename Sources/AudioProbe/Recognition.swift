/// What a file is, by its first bytes and the tags before them.
package enum Recognition: Hashable, Sendable {
    /// A family of containers that one parser reads.
    case recording(Family)
    /// A format of sound that isn't read: its name in codes, and in sentences.
    case unsupported(String, String)
    /// Something else: how a sentence calls it.
    case other(String)
    /// A picture: how a sentence calls it.
    case image(String)
    /// None of these.
    case unknown

    /// Containers that one parser reads.
    package enum Family: Sendable {
        case wave, wave64, aiff, au, caf, flac, ogg, mpegAudio, adts, isoMedia, matroska, amr
    }

    /// Looks at the beginning of `window`. Bare frames of MPEG audio, ADTS and FLAC, which have no signature, are
    /// looked for last.
    ///
    /// - Throws: only what reading throws.
    package init(_ window: inout ByteWindow) throws(AudioError) {
        let start = try LeadingTags.end(in: &window)
        let prefix = try window.bytes(at: start, count: min(64, window.count - start)) ?? []
        let known = Self.signature(prefix)
        // What follows a tag too short for its image looks like that image, and may have frames behind it.
        if let known, start == 0 || !known.isForeign {
            self = known
        } else if let stream = try FrameSync.recognition(in: &window, from: start) {
            self = stream
        } else if let known {
            self = known
        } else {
            self = try Self.isText(&window) ? .other("text") : .unknown
        }
    }

    /// Whether it is of another kind than sound.
    private var isForeign: Bool {
        switch self {
        case .image, .other: true
        case .recording, .unsupported, .unknown: false
        }
    }

    /// What `bytes` begin with.
    static func signature(_ bytes: [UInt8]) -> Recognition? {
        func has(_ text: String, at offset: Int = 0) -> Bool {
            bytes.count >= offset + text.utf8.count && bytes[offset...].starts(with: text.utf8)
        }
        if ["RIFF", "RIFX", "RF64", "BW64"].contains(where: { has($0) }) {
            if has("WAVE", at: 8) { return .recording(.wave) }
            if has("AVI ", at: 8) { return .unsupported("avi", "an AVI film") }
            if has("WEBP", at: 8) { return .image("a WebP image") }
        }
        if has("FORM"), has("AIFF", at: 8) || has("AIFC", at: 8) { return .recording(.aiff) }
        if let match = binary.first(where: { bytes.starts(with: $0.0) }) { return match.1 }
        return isoMedia(has) ?? text.first { has($0.0) }?.1
    }

    /// Sony's name for `riff` in its own format of chunks.
    private static let wave64GUID: [UInt8] = [
        0x72, 0x69, 0x66, 0x66, 0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00,
    ]

    private static let text: [(String, Recognition)] = [
        (".snd", .recording(.au)), ("dns.", .recording(.au)), ("caff\0\u{1}", .recording(.caf)),
        ("fLaC", .recording(.flac)), ("OggS", .recording(.ogg)), ("#!AMR", .recording(.amr)),
        ("%PDF-", .other("a PDF document")), ("PK\u{3}\u{4}", .other("a ZIP archive")),
        ("{\\rtf", .other("an RTF text")),
        ("\u{7F}ELF", .other("a program")), ("SQLite format 3\0", .other("a database")),
        ("GIF87a", .image("a GIF image")), ("GIF89a", .image("a GIF image")), ("II*\0", .image("a TIFF image")),
        ("MM\0*", .image("a TIFF image")),
        ("MThd", .unsupported("midi", "MIDI, notes and not sound")), ("wvpk", .unsupported("wavpack", "WavPack")),
        ("MAC ", .unsupported("ape", "Monkey's Audio")), ("MPCK", .unsupported("musepack", "Musepack")),
        ("MP+", .unsupported("musepack", "Musepack")), ("TTA1", .unsupported("tta", "True Audio")),
        (".RMF", .unsupported("realmedia", "RealMedia")),
        ("DSD ", .unsupported("dsf", "DSD")), ("FRM8", .unsupported("dsdiff", "DSD")),
        ("FLV\u{1}", .unsupported("flv", "Flash video")),
        ("ADIF", .unsupported("adif", "AAC with one ADIF header")),
        ("#EXTM3U", .other("a playlist")), ("Creative Voice File", .unsupported("voc", "Creative Voice")),
    ]

    private static let binary: [([UInt8], Recognition)] = [
        (wave64GUID, .recording(.wave64)), ([0x1A, 0x45, 0xDF, 0xA3], .recording(.matroska)),
        ([0xFF, 0xD8, 0xFF], .image("a JPEG image")), ([0x89, 0x50, 0x4E, 0x47], .image("a PNG image")),
        ([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], .unsupported("wma", "Windows Media")),
        ([0x0B, 0x77], .unsupported("ac3", "AC-3")),
    ]

    private static func isoMedia(_ has: (String, Int) -> Bool) -> Recognition? {
        if has("ftyp", 4) {
            if ["avif", "avis"].contains(where: { has($0, 8) }) { return .image("an AVIF image") }
            let heif = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]
            if heif.contains(where: { has($0, 8) }) { return .image("a HEIC image") }
            if has("jxl ", 8) { return .image("a JPEG XL image") }
        }
        let first = ["ftyp", "styp", "moov", "mdat", "moof", "sidx", "wide", "free", "skip", "pnot"]
        return first.contains { has($0, 4) } ? .recording(.isoMedia) : nil
    }

    /// Whether the first 512 bytes could be typed.
    private static func isText(_ window: inout ByteWindow) throws(AudioError) -> Bool {
        let bytes = try window.bytes(at: 0, count: min(512, window.count)) ?? []
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return true }
        return !bytes.isEmpty
            && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) || $0 == 0x1B }
    }
}
