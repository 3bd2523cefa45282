/// An image format, as the content says; a file's name is never asked.
public enum ImageFormat: String, Sendable {
    /// JPEG.
    case jpeg
    /// PNG, animated ones included.
    case png

    /// The format that `bytes` begin with.
    ///
    /// - Throws: `truncated` if there are only the first bytes of a signature, `unsupported-...` for a format that is
    ///   known and not read, and `unrecognized-format` for everything else.
    static func recognize(_ bytes: [UInt8]) throws(CodecError) -> ImageFormat {
        for (signature, format) in signatures {
            if bytes.starts(with: signature) { return format }
            if signature.starts(with: bytes) {
                throw CodecError(
                    .truncated, .probe, offset: bytes.count, "only the first bytes of a \(format) are there")
            }
        }
        if let refusal = Refusal(bytes) {
            throw CodecError(.unsupported(refusal.name), .probe, offset: 0, refusal.advice)
        }
        throw CodecError(.unrecognized, .probe, offset: 0, "the content is not that of an image")
    }

    /// Whether `bytes` begin like an image: one that is read, or one that is refused by its name or its shortness.
    package static func isRecognized(_ bytes: [UInt8]) -> Bool {
        do throws(CodecError) { _ = try recognize(bytes) } catch { return error.code != .unrecognized }
        return true
    }

    private static let signatures: [([UInt8], ImageFormat)] = [
        ([0xFF, 0xD8, 0xFF], .jpeg),
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
    ]
}

/// A format that is told apart only to be refused by its name, with what to do instead.
private struct Refusal {
    var name: String
    var advice: String

    init?(_ bytes: [UInt8]) {
        guard let (name, title) = Self.name(of: ByteReader(bytes)) else { return nil }
        self.name = name
        advice = "\(title) is not read; export the picture as JPEG or PNG first"
        if name == "heic" { advice += " (on an iPhone: Settings, Camera, Formats, Most Compatible)" }
    }

    private static func name(of reader: ByteReader) -> (String, String)? {
        func has(_ text: String, at offset: Int = 0) -> Bool {
            var place = reader
            return place.seek(to: offset) && place.starts(with: text)
        }
        if has("ftyp", at: 4) { return brandName(has) }
        if has("RIFF") && has("WEBP", at: 8) { return ("webp", "WebP") }
        if has("GIF87a") || has("GIF89a") { return ("gif", "GIF") }
        if has("II*\0") || has("MM\0*") || has("II+\0") || has("MM\0+") { return ("tiff", "TIFF") }
        if has("JXL ", at: 4) { return ("jxl", "JPEG XL") }
        if reader.bytes.starts(with: [0xFF, 0x0A]) { return ("jxl", "JPEG XL") }
        if has("BM") && isBitmap(reader) { return ("bmp", "BMP") }
        return nil
    }

    private static func brandName(_ has: (String, Int) -> Bool) -> (String, String)? {
        if ["avif", "avis"].contains(where: { has($0, 8) }) { return ("avif", "AVIF") }
        let heif = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]
        return heif.contains(where: { has($0, 8) }) ? ("heic", "HEIC") : nil
    }

    /// Two letters are too little: a bitmap's header also states one of a few sizes of its own.
    private static func isBitmap(_ reader: ByteReader) -> Bool {
        var header = reader
        header.order = .littleEndian
        guard header.seek(to: 14), let size = header.uint32() else { return false }
        return [12, 40, 52, 56, 64, 108, 124].contains(size)
    }
}
