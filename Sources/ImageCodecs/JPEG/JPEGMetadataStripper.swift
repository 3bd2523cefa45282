/// Removes the metadata of a JPEG without decoding it. The entropy-coded data is unchanged.
struct JPEGMetadataStripper {
    /// Whether decoding needs the segment. All others, such as Exif, XMP, comments and maker notes, are removed.
    private static func isRequiredForDecoding(_ marker: UInt8) -> Bool {
        switch marker {
        case JPEGMarker.quantizationTables, JPEGMarker.huffmanTables, JPEGMarker.restartInterval,
            JPEGMarker.startOfScan:
            true
        default: JPEGMarker.isFrameHeader(marker)
        }
    }

    private let file: JPEGFile

    init(_ file: JPEGFile) { self.file = file }

    /// Returns the file with only the allowed segments: a JFIF header without thumbnail, the ICC profile, Adobe's color
    /// transform, tables, frame, scans, and end of image.
    func strippingMetadata() -> [UInt8] {
        var output: [UInt8] = [0xFF, JPEGMarker.startOfImage]
        output.reserveCapacity(strippedByteCount)
        for segment in file.structure.segments {
            switch segment.marker {
            case JPEGMarker.app0JFIF: output += strippedJFIFSegment(segment)
            case JPEGMarker.app14Adobe: output += strippedAdobeSegment(segment)
            case JPEGMarker.defineNumberOfLines: output += strippedLineCountSegment(segment)
            case JPEGMarker.app2ICC where isRetainedICCSegment(segment): output += file.bytes[segment.range]
            case let marker where Self.isRequiredForDecoding(marker):
                output += file.bytes[segment.range]
                if let data = segment.scanDataRange { output += file.bytes[trimmedScanDataRange(data)] }
            default: break
            }
        }
        return output + [0xFF, JPEGMarker.endOfImage]
    }

    /// The size of the result of `strippingMetadata()` in bytes, counting the fill bytes after scans.
    var strippedByteCount: Int {
        file.structure.segments.reduce(4) { sum, segment in
            switch segment.marker {
            case JPEGMarker.app0JFIF: sum + strippedJFIFSegment(segment).count
            case JPEGMarker.app14Adobe: sum + strippedAdobeSegment(segment).count
            case JPEGMarker.defineNumberOfLines: sum + strippedLineCountSegment(segment).count
            case JPEGMarker.app2ICC where isRetainedICCSegment(segment): sum + segment.range.count
            case let marker where Self.isRequiredForDecoding(marker):
                sum + segment.range.count + (segment.scanDataRange?.count ?? 0)
            default: sum
            }
        }
    }

    /// Returns the range of entropy-coded data without the fill bytes at its end.
    private func trimmedScanDataRange(_ data: Range<Int>) -> Range<Int> {
        var end = data.upperBound
        while end > data.lowerBound && file.bytes[end - 1] == 0xFF { end -= 1 }
        return data.lowerBound..<end
    }

    /// Returns the version and density of a JFIF header, without its thumbnail; empty for JFIF extension segments.
    private func strippedJFIFSegment(_ segment: JPEGStructure.MarkerSegment) -> [UInt8] {
        let payload = segment.payloadRange
        guard ByteReader(file.bytes, in: payload).hasASCIIPrefix("JFIF\0"), payload.count >= 14 else { return [] }
        return [0xFF, JPEGMarker.app0JFIF, 0, 16] + file.bytes[payload.prefix(12)] + [0, 0]
    }

    /// Returns the 12 bytes that are defined for Adobe's marker; empty for other segments.
    private func strippedAdobeSegment(_ segment: JPEGStructure.MarkerSegment) -> [UInt8] {
        let payload = segment.payloadRange
        guard ByteReader(file.bytes, in: payload).hasASCIIPrefix("Adobe"), payload.count >= 12 else { return [] }
        return [0xFF, JPEGMarker.app14Adobe, 0, 14] + file.bytes[payload.prefix(12)]
    }

    /// Returns the two bytes of a number of lines. libjpeg ignores the rest of the segment.
    private func strippedLineCountSegment(_ segment: JPEGStructure.MarkerSegment) -> [UInt8] {
        segment.payloadRange.count < 2
            ? [] : [0xFF, JPEGMarker.defineNumberOfLines, 0, 4] + file.bytes[segment.payloadRange.prefix(2)]
    }

    private func isRetainedICCSegment(_ segment: JPEGStructure.MarkerSegment) -> Bool {
        file.iccProfile.isPresent
            && ByteReader(file.bytes, in: segment.payloadRange).hasASCIIPrefix(ICCProfile.segmentIdentifier)
    }
}
