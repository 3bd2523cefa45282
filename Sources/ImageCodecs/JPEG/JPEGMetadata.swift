/// The metadata of a JPEG that affects its pixels or gives a warning, collected from its application segments.
struct JPEGMetadata {
    /// The first Exif block; `nil` if there is none.
    private(set) var exif: ExifSummary?
    /// The segments of the ICC profile, in the order of the file.
    private(set) var iccChunks: [ICCProfile.Chunk] = []
    /// Whether there is an HDR gain map.
    private(set) var hasGainMap = false
    /// The offset of the first index of further images (CIPA DC-007); `nil` if there is none.
    private(set) var multiPictureIndexOffset: Int?

    /// Reads an application segment with the marker APP1 or APP2.
    mutating func readSegment(_ segment: JPEGStructure.MarkerSegment, of bytes: [UInt8]) {
        let payload = segment.payloadRange
        func content(after identifier: String) -> Range<Int>? {
            ByteReader(bytes, in: payload).hasASCIIPrefix(identifier)
                ? (payload.lowerBound + identifier.utf8.count)..<payload.upperBound : nil
        }
        if segment.marker == JPEGMarker.app1Exif {
            if let tiff = content(after: "Exif\0\0") {
                exif = exif ?? ExifSummary(tiff: bytes, in: tiff)
            } else if let xmp = content(after: "http://ns.adobe.com/xap/1.0/\0") {
                hasGainMap = hasGainMap || bytes[xmp].containsASCII("http://ns.adobe.com/hdr-gain-map/")
            }
        } else if let chunk = content(after: ICCProfile.segmentIdentifier) {
            iccChunks.append(ICCProfile.Chunk(fileBytes: bytes, range: chunk))
        } else if let index = content(after: "MPF\0") {
            multiPictureIndexOffset = multiPictureIndexOffset ?? index.lowerBound
        } else if content(after: "urn:iso:std:iso:ts:21496:-1") != nil {
            hasGainMap = true
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate func containsASCII(_ text: String) -> Bool {
        let pattern = Array(text.utf8)
        guard let first = pattern.first, count >= pattern.count else { return false }
        return indices.dropLast(pattern.count - 1).contains { self[$0] == first && self[$0...].starts(with: pattern) }
    }
}
