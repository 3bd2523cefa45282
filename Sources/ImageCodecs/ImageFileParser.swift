/// How much of a file's structure is parsed: all of it, or only what precedes the image data.
enum ParsingExtent { case headerOnly, wholeFile }

/// An image file with all of its structure parsed.
enum ParsedImageFile: Sendable {
    case jpeg(JPEGFile)
    case png(PNGFile)
    case webp(WebPFile)
    case heif(HEIFFile)

    var header: ImageHeader {
        switch self {
        case .jpeg(let file): file.header
        case .png(let file): file.header
        case .webp(let file): file.header
        case .heif(let file): file.header
        }
    }
}

/// Parses the structure of an image file once: its header while only the beginning of the file is known, and the rest
/// when an ``ImageSource`` is made of the whole file.
package struct ImageFileParser: Sendable {
    private enum Structure: Sendable {
        case jpeg(JPEGStructure)
        case png(PNGStructure)
        case webp(WebPStructure)
        case heif(HEIFStructure)

        /// Creates the empty structure of a file in the format that `bytes` begin with.
        init(detectedIn bytes: [UInt8]) throws(CodecError) {
            switch try ImageFormat.detect(in: bytes) {
            case .jpeg: self = .jpeg(JPEGStructure())
            case .png: self = .png(PNGStructure())
            case .webp: self = .webp(WebPStructure())
            case .heic: self = .heif(HEIFStructure(brandFormat: .heic))
            case .avif: self = .heif(HEIFStructure(brandFormat: .avif))
            }
        }
    }

    private let limits: ImageLimits
    /// What is parsed so far; `nil` before the format is detected.
    private var structure: Structure?

    /// Creates a parser that checks `limits`.
    package init(limits: ImageLimits) { self.limits = limits }

    /// Parses the header, or returns `nil` if `isWholeFile` is `false` and the header extends beyond `bytes`. Parsing
    /// then continues there in the next call.
    ///
    /// - Parameters:
    ///   - bytes: The file, or its beginning. It begins with the bytes of the calls before.
    ///   - isWholeFile: Whether `bytes` are the whole file.
    /// - Throws: The errors of ``ImageHeader/init(probing:isWholeFile:limits:)``.
    package mutating func parseHeader(of bytes: [UInt8], isWholeFile: Bool) throws(CodecError) -> ImageHeader? {
        if isWholeFile { try limits.checkInputByteCount(bytes.count) }
        do throws(CodecError) {
            return try parse(bytes, extent: .headerOnly, isWholeFile: isWholeFile)?.header
        } catch {
            if error.code == .truncated && !isWholeFile { return nil }
            throw error
        }
    }

    /// Parses what is not parsed yet.
    ///
    /// - Parameter bytes: The whole file. It begins with the bytes of the calls before.
    /// - Throws: The errors of ``ImageHeader/init(probing:isWholeFile:limits:)``.
    mutating func parseFile(_ bytes: [UInt8]) throws(CodecError) -> ParsedImageFile {
        try limits.checkInputByteCount(bytes.count)
        guard let file = try parse(bytes, extent: .wholeFile, isWholeFile: true) else {
            preconditionFailure("a whole file has no further bytes")
        }
        return file
    }

    private mutating func parse(
        _ bytes: [UInt8], extent: ParsingExtent, isWholeFile: Bool
    ) throws(CodecError) -> ParsedImageFile? {
        // The structure is taken out while it changes, since a second reference would copy its arrays.
        let current = if let known = structure.take() { known } else { try Structure(detectedIn: bytes) }
        switch consume current {
        case .jpeg(var jpeg):
            defer { structure = .jpeg(jpeg) }
            guard try jpeg.parse(bytes, extent: extent, isWholeFile: isWholeFile, limits: limits) else { return nil }
            return .jpeg(try JPEGFile(bytes, structure: jpeg, limits: limits))
        case .png(var png):
            defer { structure = .png(png) }
            guard try png.parse(bytes, extent: extent, isWholeFile: isWholeFile, limits: limits) else { return nil }
            return .png(try PNGFile(bytes, structure: png))
        case .webp(var webp):
            defer { structure = .webp(webp) }
            guard try webp.parse(bytes, extent: extent, isWholeFile: isWholeFile, limits: limits) else { return nil }
            return .webp(try WebPFile(bytes, structure: webp, limits: limits))
        case .heif(var heif):
            defer { structure = .heif(heif) }
            guard try heif.parse(bytes, isWholeFile: isWholeFile, limits: limits) else { return nil }
            return .heif(
                try HEIFFile(
                    bytes, structure: heif, isWholeFile: isWholeFile && extent == .wholeFile, limits: limits))
        }
    }
}
