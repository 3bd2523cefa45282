/// Removes the metadata of a JPEG without decoding it. The entropy-coded data is unchanged.
///
/// What remains are the allowed segments: a JFIF header without thumbnail, the ICC profile if it is kept, Adobe's color
/// transform, tables, frame, scans, and end of image. A height in a DNL segment moves to the frame header, because
/// libjpeg reads no file without one there.
struct JPEGMetadataStripper {
    /// The parts of the stripped file, in order.
    let slices: [ArraySlice<UInt8>]
    /// The size of the file without its metadata in bytes, counting the fill bytes after scans, which are not in
    /// `slices`.
    let imageDataByteCount: Int

    /// Removes the metadata of a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - keepsProfile: Whether the ICC profile remains.
    init(_ file: JPEGFile, keepsProfile: Bool = true) {
        let keepsProfile = keepsProfile && file.iccProfile.isPresent
        let bytes = file.bytes
        var slices: [ArraySlice<UInt8>] = [[0xFF, JPEGMarker.startOfImage]], fillByteCount = 0
        for segment in file.structure.segments {
            switch segment.marker {
            case JPEGMarker.app0JFIF: slices.append(Self.strippedJFIFSegment(segment, of: bytes))
            case JPEGMarker.app14Adobe: slices.append(Self.strippedAdobeSegment(segment, of: bytes))
            case JPEGMarker.app2ICC where keepsProfile && Self.isICCSegment(segment, of: bytes):
                slices.append(bytes[segment.range])
            case let marker where JPEGMarker.isFrameHeader(marker):
                slices.append(Self.frameHeader(segment, of: file))
            case let marker where Self.isRequiredForDecoding(marker):
                slices.append(bytes[segment.range])
                guard let data = segment.scanDataRange else { break }
                slices.append(Self.trimmedScanData(bytes[data]))
                fillByteCount += data.count - (slices.last?.count ?? 0)
            default: break
            }
        }
        slices.append([0xFF, JPEGMarker.endOfImage])
        self.slices = slices
        imageDataByteCount = slices.reduce(fillByteCount) { $0 + $1.count }
    }

    /// The size of the stripped file, in bytes.
    var strippedByteCount: Int { slices.reduce(0) { $0 + $1.count } }

    /// Whether decoding needs the segment. All others, such as Exif, XMP, comments and maker notes, are removed.
    private static func isRequiredForDecoding(_ marker: UInt8) -> Bool {
        [
            JPEGMarker.quantizationTables, JPEGMarker.huffmanTables, JPEGMarker.restartInterval, JPEGMarker.startOfScan,
        ].contains(marker)
    }

    /// Returns entropy-coded data without the fill bytes at its end.
    private static func trimmedScanData(_ data: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        data[..<((data.lastIndex { $0 != 0xFF } ?? data.startIndex - 1) + 1)]
    }

    /// Returns the version and density of a JFIF header, without its thumbnail; empty for JFIF extension segments.
    private static func strippedJFIFSegment(
        _ segment: JPEGStructure.MarkerSegment, of bytes: [UInt8]
    ) -> ArraySlice<UInt8> {
        let payload = segment.payloadRange
        guard ByteReader(bytes, in: payload).hasASCIIPrefix("JFIF\0"), payload.count >= 14 else { return [] }
        return [0xFF, JPEGMarker.app0JFIF, 0, 16] + bytes[payload.prefix(12)] + [0, 0]
    }

    /// Returns the 12 bytes that are defined for Adobe's marker; empty for other segments.
    private static func strippedAdobeSegment(
        _ segment: JPEGStructure.MarkerSegment, of bytes: [UInt8]
    ) -> ArraySlice<UInt8> {
        let payload = segment.payloadRange
        guard ByteReader(bytes, in: payload).hasASCIIPrefix("Adobe"), payload.count >= 12 else { return [] }
        return [0xFF, JPEGMarker.app14Adobe, 0, 14] + bytes[payload.prefix(12)]
    }

    /// Returns the frame header with the height in it.
    private static func frameHeader(_ segment: JPEGStructure.MarkerSegment, of file: JPEGFile) -> ArraySlice<UInt8> {
        var header = file.bytes[segment.range]
        let offset = file.frameHeader.heightOffset, height = file.frameHeader.height
        if segment.payloadRange.contains(offset) {
            header.replaceSubrange(offset...(offset + 1), with: [UInt8(height >> 8), UInt8(height & 0xFF)])
        }
        return header
    }

    private static func isICCSegment(_ segment: JPEGStructure.MarkerSegment, of bytes: [UInt8]) -> Bool {
        ByteReader(bytes, in: segment.payloadRange).hasASCIIPrefix(ICCProfile.segmentIdentifier)
    }
}
