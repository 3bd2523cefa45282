/// The format of a file, detected from its first bytes after any leading tags.
package enum FormatDetector: Hashable, Sendable {
    /// An audio container family that one parser reads.
    case audioContainer(ContainerFamily)
    /// An audio format that is not supported, with its names for error codes and for messages.
    case unsupportedFormat(code: String, title: String)
    /// A format that is neither audio nor an image, with its name for messages.
    case nonAudio(title: String)
    /// An image, with its name for messages.
    case image(title: String)
    /// An unknown format.
    case unrecognized

    /// Containers that share one parser.
    package enum ContainerFamily: Sendable {
        case wave, wave64, aiff, au, caf, flac, ogg, mpegAudio, adts, isoMedia, matroska, amr
    }

    /// Detects the format at the beginning of `reader`.
    ///
    /// MPEG audio, ADTS and FLAC frames without a container have no signature and are tried last.
    ///
    /// - Throws: ``AudioError/Code/unreadable``, ``AudioError/Code/changedWhileRead`` and, within a probe, the errors
    ///   of its read limit.
    package init(detectingIn reader: inout BufferedFileReader) throws(AudioError) {
        let start = try LeadingTags.endOffset(in: &reader)
        let prefix = try reader.bytes(at: start, count: min(64, reader.byteCount - start)) ?? []
        let signature = Self.matchSignature(of: prefix)
        // If a tag states too small a size for its image, the bytes after it look like that image. Audio frames may
        // follow them.
        if let signature, start == 0 || !signature.isKnownNonAudio {
            self = signature
        } else if let stream = try FrameSynchronizer.detectFormat(in: &reader, from: start) {
            self = stream
        } else if let signature {
            self = signature
        } else {
            self = try Self.isText(in: &reader) ? .nonAudio(title: "text") : .unrecognized
        }
    }

    /// Whether the format is known and is not audio.
    private var isKnownNonAudio: Bool {
        switch self {
        case .image, .nonAudio: true
        case .audioContainer, .unsupportedFormat, .unrecognized: false
        }
    }

    /// Returns the format that the signature in `bytes` identifies, or `nil` if there is none.
    static func matchSignature(of bytes: [UInt8]) -> FormatDetector? {
        func has(_ text: String, at offset: Int = 0) -> Bool {
            bytes.count >= offset + text.utf8.count && bytes[offset...].starts(with: text.utf8)
        }
        if ["RIFF", "RIFX", "RF64", "BW64"].contains(where: { has($0) }) {
            if has("WAVE", at: 8) { return .audioContainer(.wave) }
            if has("AVI ", at: 8) { return .unsupportedFormat(code: "avi", title: "an AVI film") }
            if has("WEBP", at: 8) { return .image(title: "a WebP image") }
        }
        if has("FORM"), has("AIFF", at: 8) || has("AIFC", at: 8) { return .audioContainer(.aiff) }
        if let match = binarySignatures.first(where: { bytes.starts(with: $0.0) }) { return match.1 }
        return matchISOMediaSignature(hasText: has) ?? textSignatures.first { has($0.0) }?.1
    }

    /// The GUID of the `riff` chunk in Sony Wave64.
    private static let wave64GUID: [UInt8] = [
        0x72, 0x69, 0x66, 0x66, 0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00,
    ]

    private static let textSignatures: [(String, FormatDetector)] = [
        (".snd", .audioContainer(.au)), ("dns.", .audioContainer(.au)), ("caff\0\u{1}", .audioContainer(.caf)),
        ("fLaC", .audioContainer(.flac)), ("OggS", .audioContainer(.ogg)), ("#!AMR", .audioContainer(.amr)),
        ("%PDF-", .nonAudio(title: "a PDF document")), ("PK\u{3}\u{4}", .nonAudio(title: "a ZIP archive")),
        ("{\\rtf", .nonAudio(title: "an RTF text")),
        ("\u{7F}ELF", .nonAudio(title: "a program")), ("SQLite format 3\0", .nonAudio(title: "a database")),
        ("GIF87a", .image(title: "a GIF image")), ("GIF89a", .image(title: "a GIF image")),
        ("II*\0", .image(title: "a TIFF image")),
        ("MM\0*", .image(title: "a TIFF image")),
        ("MThd", .unsupportedFormat(code: "midi", title: "MIDI, notes and not sound")),
        ("wvpk", .unsupportedFormat(code: "wavpack", title: "WavPack")),
        ("MAC ", .unsupportedFormat(code: "ape", title: "Monkey's Audio")),
        ("MPCK", .unsupportedFormat(code: "musepack", title: "Musepack")),
        ("MP+", .unsupportedFormat(code: "musepack", title: "Musepack")),
        ("TTA1", .unsupportedFormat(code: "tta", title: "True Audio")),
        (".RMF", .unsupportedFormat(code: "realmedia", title: "RealMedia")),
        ("DSD ", .unsupportedFormat(code: "dsf", title: "DSD")),
        ("FRM8", .unsupportedFormat(code: "dsdiff", title: "DSD")),
        ("FLV\u{1}", .unsupportedFormat(code: "flv", title: "Flash video")),
        ("ADIF", .unsupportedFormat(code: "adif", title: "AAC with one ADIF header")),
        ("#EXTM3U", .nonAudio(title: "a playlist")),
        ("Creative Voice File", .unsupportedFormat(code: "voc", title: "Creative Voice")),
    ]

    private static let binarySignatures: [([UInt8], FormatDetector)] = [
        (wave64GUID, .audioContainer(.wave64)), ([0x1A, 0x45, 0xDF, 0xA3], .audioContainer(.matroska)),
        ([0xFF, 0xD8, 0xFF], .image(title: "a JPEG image")), ([0x89, 0x50, 0x4E, 0x47], .image(title: "a PNG image")),
        ([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], .unsupportedFormat(code: "wma", title: "Windows Media")),
        ([0x0B, 0x77], .unsupportedFormat(code: "ac3", title: "AC-3")),
    ]

    private static func matchISOMediaSignature(hasText: (String, Int) -> Bool) -> FormatDetector? {
        if hasText("ftyp", 4) {
            if ["avif", "avis"].contains(where: { hasText($0, 8) }) { return .image(title: "an AVIF image") }
            let heif = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]
            if heif.contains(where: { hasText($0, 8) }) { return .image(title: "a HEIC image") }
            if hasText("jxl ", 8) { return .image(title: "a JPEG XL image") }
        }
        let first = ["ftyp", "styp", "moov", "mdat", "moof", "sidx", "wide", "free", "skip", "pnot"]
        return first.contains { hasText($0, 4) } ? .audioContainer(.isoMedia) : nil
    }

    /// Returns whether the first 512 bytes are text.
    private static func isText(in reader: inout BufferedFileReader) throws(AudioError) -> Bool {
        let bytes = try reader.bytes(at: 0, count: min(512, reader.byteCount)) ?? []
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return true }
        return !bytes.isEmpty
            && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) || $0 == 0x1B }
    }
}
