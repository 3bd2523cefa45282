/// An image format, detected by content and not by file name.
public enum ImageFormat: String, Sendable {
    /// JPEG.
    case jpeg
    /// PNG, also animated.
    case png
    /// WebP, also animated. It is supported if the package is built with the trait `WebP`.
    case webp
    /// HEIF with images in HEVC. It is supported if the package is built with the trait `HEIF`.
    case heic
    /// HEIF with images in AV1. It is supported if the package is built with the trait `HEIF`.
    case avif

    /// Detects the format of `bytes` by their signature.
    ///
    /// - Parameter bytes: The beginning of a file.
    /// - Throws: ``CodecError/Code/truncated`` if `bytes` end within a signature, `unsupported-…` for a known format
    ///   that is not supported, and ``CodecError/Code/unrecognized`` for everything else.
    static func detect(in bytes: [UInt8]) throws(CodecError) -> ImageFormat {
        for (signature, format) in fileSignatures {
            if bytes.starts(with: signature) { return format }
            if signature.starts(with: bytes) {
                throw CodecError(
                    .truncated, stage: .probe, offset: bytes.count,
                    message: "the file contains only the first bytes of a \(format)")
            }
        }
        if isWebP(ByteReader(bytes)) {
            #if WebP
                return .webp
            #else
                throw missingWebPSupport
            #endif
        }
        if let format = formatOfHEIFBrand(ByteReader(bytes)) {
            #if HEIF
                return format
            #else
                throw missingHEIFSupport(for: format)
            #endif
        }
        if let unsupported = UnsupportedImageFormat(detectedIn: bytes) {
            throw CodecError(
                .unsupportedFormat(unsupported.identifier), stage: .probe, offset: 0,
                message: unsupported.conversionAdvice)
        }
        throw CodecError(.unrecognized, stage: .probe, offset: 0, message: "the content is not an image")
    }

    /// Returns whether `bytes` begin with the signature of an image format, supported or not, or with a part of one.
    package static func hasImageSignature(_ bytes: [UInt8]) -> Bool {
        do throws(CodecError) { _ = try detect(in: bytes) } catch { return error.code != .unrecognized }
        return true
    }

    /// The error of a WebP in a build without the trait `WebP`.
    static let missingWebPSupport = CodecError(
        .unsupportedFormat("webp"), stage: .probe, offset: 0,
        message: "this build does not support WebP; build it with the trait WebP, for which libwebp must be installed "
            + "(Debian: libwebp-dev; Homebrew: webp), or export the image as JPEG or PNG first")

    /// The error of a HEIC or AVIF in a build without the trait `HEIF`.
    private static func missingHEIFSupport(for format: ImageFormat) -> CodecError {
        CodecError(
            .unsupportedFormat(format.rawValue), stage: .probe, offset: 0,
            message:
                "this build does not support \(format.rawValue.uppercased()); build it with the trait HEIF, for which "
                + "libde265 and dav1d must be installed (Debian: libde265-dev libdav1d-dev; Homebrew: libde265 dav1d), "
                + "or export the image as JPEG or PNG first")
    }

    /// The format that the brand of a HEIF file names. The type of the primary item decides later.
    private static func formatOfHEIFBrand(_ reader: ByteReader) -> ImageFormat? {
        func hasText(_ text: String, at offset: Int) -> Bool {
            var cursor = reader
            return cursor.seek(to: offset) && cursor.hasASCIIPrefix(text)
        }
        guard hasText("ftyp", at: 4) else { return nil }
        // A file of low overhead has its codec's brand in place of the version.
        if ["avif", "avis", "mif3avif"].contains(where: { hasText($0, at: 8) }) { return .avif }
        // Those of the other codecs are named, too: their images are unsupported, and not audio.
        let brands = [
            "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "mif2", "mif3", "msf1", "avci", "avcs", "jpeg",
            "jpgs", "j2ki", "j2is", "vvic", "vvis",
        ]
        return brands.contains(where: { hasText($0, at: 8) }) ? .heic : nil
    }

    private static func isWebP(_ reader: ByteReader) -> Bool {
        var cursor = reader
        return reader.hasASCIIPrefix("RIFF") && cursor.seek(to: 8) && cursor.hasASCIIPrefix("WEBP")
    }

    private static let fileSignatures: [([UInt8], ImageFormat)] = [
        ([0xFF, 0xD8, 0xFF], .jpeg),
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
    ]
}

/// A known format that is not supported, with advice how to convert it.
private struct UnsupportedImageFormat {
    var identifier: String
    var conversionAdvice: String

    init?(detectedIn bytes: [UInt8]) {
        guard let (name, title) = Self.identifierAndTitle(of: ByteReader(bytes)) else { return nil }
        self.identifier = name
        conversionAdvice = "\(title) is not supported; export the image as JPEG or PNG first"
    }

    private static func identifierAndTitle(of reader: ByteReader) -> (String, String)? {
        func hasText(_ text: String, at offset: Int = 0) -> Bool {
            var cursor = reader
            return cursor.seek(to: offset) && cursor.hasASCIIPrefix(text)
        }
        if hasText("GIF87a") || hasText("GIF89a") { return ("gif", "GIF") }
        if hasText("II*\0") || hasText("MM\0*") || hasText("II+\0") || hasText("MM\0+") { return ("tiff", "TIFF") }
        if hasText("JXL ", at: 4) { return ("jxl", "JPEG XL") }
        if reader.bytes.starts(with: [0xFF, 0x0A]) { return ("jxl", "JPEG XL") }
        if hasText("BM") && isBMP(reader) { return ("bmp", "BMP") }
        return nil
    }

    /// Whether the header is a BMP's. Two letters are too short a signature, so the header's declared size must be
    /// valid.
    private static func isBMP(_ reader: ByteReader) -> Bool {
        var header = reader
        header.byteOrder = .littleEndian
        guard header.seek(to: 14), let size = header.readUInt32() else { return false }
        return [12, 40, 52, 56, 64, 108, 124].contains(size)
    }
}
