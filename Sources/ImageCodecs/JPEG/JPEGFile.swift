internal import Imaging

/// A JPEG file: its segments, checked against the limits, and what they say about the picture.
struct JPEGFile {
    let bytes: [UInt8]
    let structure: JPEGStructure
    let frame: JPEGFrame
    let exif: ExifSummary
    let icc: ICCProfile
    let header: ImageHeader

    /// - Parameter extent: `.header` does not look beyond the first scan's header, so it counts no scans; but for
    ///   a height that is stated behind the first scan everything is read.
    /// - Throws: see `ImageHeader.init(probing:)`.
    init(_ bytes: [UInt8], _ extent: FileExtent, limits: ImageLimits) throws(CodecError) {
        let structure = try JPEGStructure(bytes, extent, limits: limits)
        guard let frame = structure.frame, let firstScan = structure.scans.first else {
            throw structure.end == nil
                ? CodecError(.truncated, .probe, offset: bytes.count, "the file ends before its first scan")
                : CodecError(
                    .damaged, .probe, offset: structure.end, "there is no frame or no scan before the end of image")
        }
        if frame.height == 0 && extent == .header {
            self = try JPEGFile(bytes, .everything, limits: limits)
            return
        }
        if frame.height == 0 && structure.end == nil {
            throw CodecError(
                .truncated, .probe, offset: bytes.count, "the file ends before it states the picture's height")
        }
        try limits.check(frame.width, frame.height, at: frame.heightOffset)
        let pixels = frame.width * frame.height
        for (index, scan) in structure.scans.enumerated() {
            try limits.check(
                scans: index + 1, pixels: pixels, isArithmetic: frame.process.isArithmetic, at: scan.range.lowerBound)
        }
        let isSingleScan = ByteReader(bytes, in: firstScan.payload).firstByte == frame.components.count
        let isProgressive = frame.process.isProgressive
        if frame.process.isArithmetic { try limits.check(arithmeticBytes: bytes.count) }
        let decodedBytes = isSingleScan && !isProgressive ? 0 : frame.coefficientBytes
        try limits.check(decodedBytes: decodedBytes)

        self.bytes = bytes
        self.structure = structure
        self.frame = frame
        exif =
            structure.application(Marker.exif, named: "Exif\0\0").map { ExifSummary(tiff: bytes, in: $0) }
            ?? ExifSummary()
        icc = ICCProfile(structure, of: bytes, limit: limits.iccBytes)
        header = ImageHeader(
            format: .jpeg, storedSize: PixelSize(width: frame.width, height: frame.height),
            orientation: exif.orientation, isProgressive: isProgressive, iccBytes: icc.bytes?.count ?? 0,
            decodedBytes: decodedBytes,
            warnings: Self.warnings(structure, of: bytes, exif: exif, icc: icc))
    }

    /// Whether the frame header states the height, and not a segment behind the first scan.
    var hasHeightInFrame: Bool { bytes[frame.heightOffset] != 0 || bytes[frame.heightOffset + 1] != 0 }

    /// The bytes for libjpeg. It refuses a frame header without a height: that is filled in where it stands elsewhere.
    /// Of a file that ends within a segment it would take what it finds behind the end for a part of that: the segment
    /// is left out.
    var decodableBytes: [UInt8] {
        var decodable = bytes
        if structure.end == nil, let last = structure.segments.last {
            let end = last.scanData?.upperBound ?? last.range.upperBound
            if end < bytes.count { decodable.removeSubrange(end...) }
        }
        if hasHeightInFrame { return decodable }
        decodable[frame.heightOffset] = UInt8(frame.height >> 8)
        decodable[frame.heightOffset + 1] = UInt8(frame.height & 0xFF)
        return decodable
    }

    /// Whether every component, and in a progressive file every bit of it, was in some scan.
    var isComplete: Bool {
        var progression = Progression(components: frame.components.count)
        for scan in structure.scans {
            guard let parameters = ScanParameters(bytes, scan, isProgressive: frame.process.isProgressive)
            else { continue }
            progression.add(parameters, of: frame.indices(of: parameters.components))
        }
        return progression.isComplete
    }

    private static func warnings(
        _ structure: JPEGStructure, of bytes: [UInt8], exif: ExifSummary, icc: ICCProfile
    ) -> [CodecWarning] {
        var warnings = icc.warning.map { [$0] } ?? []
        if exif.isUncalibrated && icc.bytes == nil {
            warnings.append(.colorSpaceUnknown)
        }
        let hasISOMap = structure.application(Marker.icc, named: "urn:iso:std:iso:ts:21496:-1") != nil
        let hasAdobeMap = structure.applications(Marker.exif, named: "http://ns.adobe.com/xap/1.0/\0").contains {
            bytes[$0].contains(text: "http://ns.adobe.com/hdr-gain-map/")
        }
        if hasISOMap || hasAdobeMap {
            warnings.append(
                CodecWarning("gain-map-dropped", "the HDR gain map is left out: the picture is its SDR form"))
        }
        if let index = structure.application(Marker.icc, named: "MPF\0") {
            warnings.append(
                CodecWarning(
                    "extra-images-dropped", offset: index.lowerBound, "further images in the file are left out"))
        }
        return warnings
    }
}

extension ByteReader {
    fileprivate var firstByte: Int? {
        var reader = self
        return reader.uint8()
    }
}

extension ArraySlice<UInt8> {
    fileprivate func contains(text: String) -> Bool {
        let pattern = Array(text.utf8)
        guard let first = pattern.first, count >= pattern.count else { return false }
        return indices.dropLast(pattern.count - 1).contains { self[$0] == first && self[$0...].starts(with: pattern) }
    }
}
