internal import Diagnostics
internal import Imaging

/// A JPEG file with its segments parsed and checked against the limits.
struct JPEGFile {
    let bytes: [UInt8]
    let structure: JPEGStructure
    let frameHeader: JPEGFrameHeader
    let iccProfile: ICCProfile
    let header: ImageHeader

    /// Checks a parsed file against the limits.
    ///
    /// - Parameters:
    ///   - bytes: The file, or its beginning.
    ///   - structure: The structure of `bytes`, parsed at least up to the first scan. Scans after that are not counted.
    ///   - limits: The limits to check.
    /// - Throws: The errors of ``ImageHeader/init(probing:isWholeFile:limits:)``.
    init(_ bytes: [UInt8], structure: JPEGStructure, limits: ImageLimits) throws(CodecError) {
        guard let frame = structure.frameHeader, !structure.scanHeaders.isEmpty else {
            throw structure.endOffset == nil
                ? CodecError(
                    .truncated, stage: .probe, offset: bytes.count, message: "the file ends before its first scan")
                : CodecError(
                    .damaged, stage: .probe, offset: structure.endOffset,
                    message: "there is no frame or scan before the end-of-image marker")
        }
        if frame.height == 0 && structure.endOffset == nil {
            throw CodecError(
                .truncated, stage: .probe, offset: bytes.count,
                message: "the file ends before it states the image height")
        }
        try limits.checkDimensions(width: frame.width, height: frame.height, at: frame.heightOffset)
        let pixels = frame.width * frame.height
        for (index, scan) in structure.scanHeaderSegments.enumerated() {
            try limits.checkScanCount(
                index + 1, pixelCount: pixels, isArithmetic: frame.codingProcess.isArithmetic, at: scan.range.lowerBound
            )
        }
        let isSingleScan = structure.firstScanComponentCount == frame.components.count
        let isProgressive = frame.codingProcess.isProgressive
        if frame.codingProcess.isArithmetic { try limits.checkArithmeticCodedByteCount(bytes.count) }
        let decodedBytes = isSingleScan && !isProgressive ? 0 : frame.coefficientByteCount
        try limits.checkDecoderBufferByteCount(decodedBytes)

        self.bytes = bytes
        self.structure = structure
        self.frameHeader = frame
        iccProfile = ICCProfile(chunks: structure.metadata.iccChunks, maxByteCount: limits.iccBytes)
        header = ImageHeader(
            format: .jpeg, storedSize: PixelSize(width: frame.width, height: frame.height),
            orientation: structure.metadata.exif?.orientation ?? .up, isProgressive: isProgressive,
            iccByteCount: iccProfile.byteCount, decoderBufferByteCount: decodedBytes,
            storedChromaSubsampling: frame.chromaSubsampling,
            warnings: Self.makeWarnings(metadata: structure.metadata, iccProfile: iccProfile))
    }

    /// The bytes to pass to libjpeg.
    ///
    /// libjpeg rejects a frame header without a height, so the height of a DNL segment is copied into it. In a file
    /// that ends within a segment libjpeg would read that segment's missing bytes from elsewhere, so the segment is
    /// removed.
    var bytesForLibJPEG: [UInt8] {
        var decodable = bytes
        if structure.endOffset == nil, let last = structure.segments.last {
            if last.endOffset < bytes.count { decodable.removeSubrange(last.endOffset...) }
        }
        if frameHeader.hasHeight { return decodable }
        decodable[frameHeader.heightOffset] = UInt8(frameHeader.height >> 8)
        decodable[frameHeader.heightOffset + 1] = UInt8(frameHeader.height & 0xFF)
        return decodable
    }

    private static func makeWarnings(metadata: JPEGMetadata, iccProfile: ICCProfile) -> [Diagnostic] {
        var warnings = iccProfile.warning.map { [$0] } ?? []
        if metadata.exif?.hasUncalibratedColors == true && !iccProfile.isPresent {
            warnings.append(.unknownColorSpace)
        }
        if metadata.hasGainMap {
            warnings.append(
                Diagnostic(
                    .gainMapDropped, message: "the HDR gain map is dropped; the SDR image is used"))
        }
        if let offset = metadata.multiPictureIndexOffset {
            warnings.append(
                Diagnostic(
                    .extraImagesDropped, offset: offset, message: "further images in the file are dropped"))
        }
        return warnings
    }
}
