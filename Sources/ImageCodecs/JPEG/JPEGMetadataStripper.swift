/// Writes a JPEG anew with what its picture needs and nothing else, without decoding it: the scans keep every byte.
struct JPEGMetadataStripper {
    /// Segments that decoding needs. Everything else is left out: Exif, XMP, comments, thumbnails, makers' notes.
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

    /// The file with an allow-list of its segments: a JFIF header without thumbnail, the colour profile, Adobe's colour
    /// transform, tables, frame, scans, end of image.
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

    /// Bytes of the file that carry its picture: what `strippingMetadata` keeps, counted.
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

    /// Entropy-coded data up to its last byte that isn't fill: what stands between scans is left out.
    private func trimmedScanDataRange(_ data: Range<Int>) -> Range<Int> {
        var end = data.upperBound
        while end > data.lowerBound && file.bytes[end - 1] == 0xFF { end -= 1 }
        return data.lowerBound..<end
    }

    /// Version and density of a JFIF header, without its thumbnail; nothing for the extensions that share its marker.
    private func strippedJFIFSegment(_ segment: JPEGStructure.MarkerSegment) -> [UInt8] {
        let payload = segment.payloadRange
        guard ByteReader(file.bytes, in: payload).hasASCIIPrefix("JFIF\0"), payload.count >= 14 else { return [] }
        return [0xFF, JPEGMarker.app0JFIF, 0, 16] + file.bytes[payload.prefix(12)] + [0, 0]
    }

    /// The 12 bytes that Adobe's marker is defined to have.
    private func strippedAdobeSegment(_ segment: JPEGStructure.MarkerSegment) -> [UInt8] {
        let payload = segment.payloadRange
        guard ByteReader(file.bytes, in: payload).hasASCIIPrefix("Adobe"), payload.count >= 12 else { return [] }
        return [0xFF, JPEGMarker.app14Adobe, 0, 14] + file.bytes[payload.prefix(12)]
    }

    /// The two bytes that a number of lines has: libjpeg passes over the segment, however long it is.
    private func strippedLineCountSegment(_ segment: JPEGStructure.MarkerSegment) -> [UInt8] {
        segment.payloadRange.count < 2
            ? [] : [0xFF, JPEGMarker.defineNumberOfLines, 0, 4] + file.bytes[segment.payloadRange.prefix(2)]
    }

    private func isRetainedICCSegment(_ segment: JPEGStructure.MarkerSegment) -> Bool {
        file.iccProfile.bytes != nil && ByteReader(file.bytes, in: segment.payloadRange).hasASCIIPrefix("ICC_PROFILE\0")
    }
}
