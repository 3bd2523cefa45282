internal import Diagnostics
internal import Imaging

/// A JPEG file with its segments parsed and checked against the limits.
struct JPEGFile {
    let bytes: [UInt8]
    let structure: JPEGStructure
    let frameHeader: JPEGFrameHeader
    let exif: ExifSummary
    let iccProfile: ICCProfile
    let header: ImageHeader

    /// Parses a file.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - extent: `.headerOnly` stops after the first scan's header, so scans are not counted. The whole file is
    ///     parsed if the height is defined after the first scan.
    ///   - limits: the limits to check.
    /// - Throws: the errors of ``ImageHeader/init(probing:isWholeFile:limits:)``.
    init(_ bytes: [UInt8], extent: ParsingExtent, limits: ImageLimits) throws(CodecError) {
        let structure = try JPEGStructure(bytes, extent: extent, limits: limits)
        guard let frame = structure.frameHeader, let firstScan = structure.scanHeaderSegments.first else {
            throw structure.endOffset == nil
                ? CodecError(
                    .truncated, stage: .probe, offset: bytes.count, message: "the file ends before its first scan")
                : CodecError(
                    .damaged, stage: .probe, offset: structure.endOffset,
                    message: "there is no frame or no scan before the end of image")
        }
        if frame.height == 0 && extent == .headerOnly {
            self = try JPEGFile(bytes, extent: .wholeFile, limits: limits)
            return
        }
        if frame.height == 0 && structure.endOffset == nil {
            throw CodecError(
                .truncated, stage: .probe, offset: bytes.count,
                message: "the file ends before it states the picture's height")
        }
        try limits.checkDimensions(width: frame.width, height: frame.height, at: frame.heightOffset)
        let pixels = frame.width * frame.height
        for (index, scan) in structure.scanHeaderSegments.enumerated() {
            try limits.checkScanCount(
                index + 1, pixelCount: pixels, isArithmetic: frame.codingProcess.isArithmetic, at: scan.range.lowerBound
            )
        }
        let isSingleScan = ByteReader(bytes, in: firstScan.payloadRange).nextByte == frame.components.count
        let isProgressive = frame.codingProcess.isProgressive
        if frame.codingProcess.isArithmetic { try limits.checkArithmeticCodedByteCount(bytes.count) }
        let decodedBytes = isSingleScan && !isProgressive ? 0 : frame.coefficientByteCount
        try limits.checkDecoderBufferByteCount(decodedBytes)

        self.bytes = bytes
        self.structure = structure
        self.frameHeader = frame
        exif =
            structure.firstApplicationPayload(marker: JPEGMarker.app1Exif, identifier: "Exif\0\0").map {
                ExifSummary(tiff: bytes, in: $0)
            }
            ?? ExifSummary()
        iccProfile = ICCProfile(structure: structure, fileBytes: bytes, maxByteCount: limits.iccBytes)
        header = ImageHeader(
            format: .jpeg, storedSize: PixelSize(width: frame.width, height: frame.height),
            orientation: exif.orientation, isProgressive: isProgressive, iccByteCount: iccProfile.bytes?.count ?? 0,
            decoderBufferByteCount: decodedBytes,
            warnings: Self.makeWarnings(structure: structure, fileBytes: bytes, exif: exif, iccProfile: iccProfile))
    }

    /// Whether the height is in the frame header, and not in a DNL segment after the first scan.
    var hasHeightInFrameHeader: Bool {
        bytes[frameHeader.heightOffset] != 0 || bytes[frameHeader.heightOffset + 1] != 0
    }

    /// The bytes to pass to libjpeg.
    ///
    /// libjpeg rejects a frame header without a height, so the height of a DNL segment is copied into it. In a file
    /// that ends within a segment libjpeg would read that segment's missing bytes from elsewhere, so the segment is
    /// removed.
    var bytesForLibJPEG: [UInt8] {
        var decodable = bytes
        if structure.endOffset == nil, let last = structure.segments.last {
            let end = last.scanDataRange?.upperBound ?? last.range.upperBound
            if end < bytes.count { decodable.removeSubrange(end...) }
        }
        if hasHeightInFrameHeader { return decodable }
        decodable[frameHeader.heightOffset] = UInt8(frameHeader.height >> 8)
        decodable[frameHeader.heightOffset + 1] = UInt8(frameHeader.height & 0xFF)
        return decodable
    }

    /// Whether the scans have coded every bit of every component.
    var hasAllCoefficients: Bool {
        var coverage = CoefficientCoverage(componentCount: frameHeader.components.count)
        for scan in structure.scanHeaderSegments {
            guard
                let scanHeader = JPEGScanHeader(
                    fileBytes: bytes, segment: scan, isProgressive: frameHeader.codingProcess.isProgressive)
            else { continue }
            coverage.recordScan(
                scanHeader,
                componentIndices: frameHeader.componentIndices(forIdentifiers: scanHeader.componentIdentifiers))
        }
        return coverage.isComplete
    }

    private static func makeWarnings(
        structure: JPEGStructure, fileBytes bytes: [UInt8], exif: ExifSummary, iccProfile: ICCProfile
    ) -> [Diagnostic] {
        var warnings = iccProfile.warning.map { [$0] } ?? []
        if exif.hasUncalibratedColors && iccProfile.bytes == nil {
            warnings.append(.unknownColorSpace)
        }
        let hasISOMap =
            structure.firstApplicationPayload(marker: JPEGMarker.app2ICC, identifier: "urn:iso:std:iso:ts:21496:-1")
            != nil
        let hasAdobeMap = structure.applicationPayloads(
            marker: JPEGMarker.app1Exif, identifier: "http://ns.adobe.com/xap/1.0/\0"
        ).contains {
            bytes[$0].containsASCII("http://ns.adobe.com/hdr-gain-map/")
        }
        if hasISOMap || hasAdobeMap {
            warnings.append(
                Diagnostic(
                    .gainMapDropped, message: "the HDR gain map is left out: the picture is its SDR form"))
        }
        if let index = structure.firstApplicationPayload(marker: JPEGMarker.app2ICC, identifier: "MPF\0") {
            warnings.append(
                Diagnostic(
                    .extraImagesDropped, offset: index.lowerBound,
                    message: "further images in the file are left out"))
        }
        return warnings
    }
}

extension ByteReader {
    fileprivate var nextByte: Int? {
        var reader = self
        return reader.readUInt8()
    }
}

extension ArraySlice<UInt8> {
    fileprivate func containsASCII(_ text: String) -> Bool {
        let pattern = Array(text.utf8)
        guard let first = pattern.first, count >= pattern.count else { return false }
        return indices.dropLast(pattern.count - 1).contains { self[$0] == first && self[$0...].starts(with: pattern) }
    }
}
