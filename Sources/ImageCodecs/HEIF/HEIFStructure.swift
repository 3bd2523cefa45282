internal import Diagnostics
internal import MediaContainers

/// The boxes of a HEIF or AVIF file that describe its images.
///
/// Source: ISO/IEC 14496-12 and 23008-12; for AVIF, the AV1 Image File Format of the Alliance for Open Media.
struct HEIFStructure {
    /// The format that the brand names, for messages.
    let brandFormat: ImageFormat
    private(set) var metaBox: HEIFMetaBox?
    /// The offset of the box of a movie, which an animation has besides its still image.
    private(set) var movieOffset: Int?
    /// The offset of the video of a motion photo; `nil` before ``findVideosAfterImages(in:limits:)``, or if
    /// there is none.
    private(set) var motionVideoOffset: Int?
    /// The offset after the `meta` box.
    private var metaBoxEnd = 0

    init(brandFormat: ImageFormat) { self.brandFormat = brandFormat }

    /// Parses the boxes up to the one with the images.
    ///
    /// - Parameters:
    ///   - bytes: The file, or its beginning.
    ///   - isWholeFile: Whether `bytes` are the whole file.
    ///   - limits: The limits to check.
    /// - Returns: `false` if `bytes` end before that box, and are not the whole file.
    /// - Throws: ``CodecError/Code/truncated``, ``CodecError/Code/damaged``, ``CodecError/Code/tooManySegments`` or
    ///   `unsupported-heic`.
    mutating func parse(
        _ bytes: [UInt8], isWholeFile: Bool, limits: ImageLimits
    ) throws(CodecError) -> Bool {
        if metaBox != nil { return true }
        movieOffset = nil
        var boxes = ISOBoxReader(bytes, in: 0..<bytes.count, isTopLevel: true)
        var boxCount = 0
        while let box = boxes.nextBox() {
            boxCount += 1
            if boxCount > limits.segments {
                throw CodecError(
                    .tooManySegments, stage: .probe, offset: box.contentRange.lowerBound,
                    message: "more than \(limits.segments) boxes")
            }
            // The successor of the `meta` box in small files: ISO/IEC 23008-12, amendment of 2025.
            if box.type == "mini" {
                throw CodecError.unsupportedHEIF(
                    "it has the low-overhead image file format (a 'mini' box)", format: brandFormat)
            }
            if box.type == "moov" { movieOffset = box.contentRange.lowerBound }
            if box.isTruncated {
                if !isWholeFile { return false }
                throw CodecError(
                    .truncated, stage: .probe, offset: bytes.count,
                    message: "the file ends within its '\(box.type)' box, before its images are described")
            }
            if box.type == "meta" {
                metaBox = try HEIFMetaBox(box.contentRange, in: bytes, limits: limits)
                metaBoxEnd = box.contentRange.upperBound
                return true
            }
        }
        if !isWholeFile { return false }
        throw CodecError.unsupportedHEIF("the file has no still image", format: brandFormat)
    }

    /// Finds the boxes of videos after the `meta` box: the movie of an animation, which libavif writes there, and the
    /// video of a motion photo, which is in an `mpvd` box, or appended as a file of its own.
    ///
    /// - Parameters:
    ///   - bytes: The file, or its beginning.
    ///   - limits: The limits. ``ImageLimits/segments`` limits the number of boxes that are searched.
    mutating func findVideosAfterImages(in bytes: [UInt8], limits: ImageLimits) {
        var boxes = ISOBoxReader(bytes, in: metaBoxEnd..<bytes.count, isTopLevel: true)
        var boxCount = 0
        while let box = boxes.nextBox(), boxCount < limits.segments {
            boxCount += 1
            if box.type == "moov" { movieOffset = movieOffset ?? box.contentRange.lowerBound }
            if ["mpvd", "ftyp"].contains(box.type) {
                motionVideoOffset = box.range.lowerBound
                return
            }
        }
    }
}

extension CodecError {
    /// An error of a file of which another program can make a JPEG.
    static func unsupportedHEIF(_ reason: String, format: ImageFormat = .heic) -> CodecError {
        CodecError(
            .unsupportedFormat(format.rawValue), stage: .probe, offset: 0,
            message: "this \(format.rawValue.uppercased()) is not supported: \(reason); export the image as JPEG or PNG"
                + " first")
    }
}
