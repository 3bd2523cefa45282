/// Writes a JPEG anew with what its picture needs and nothing else, without decoding it: the scans keep every byte.
struct JPEGCleaner {
    /// Segments that decoding needs. Everything else is left out: Exif, XMP, comments, thumbnails, makers' notes.
    private static func isNeeded(_ marker: UInt8) -> Bool {
        switch marker {
        case Marker.quantizationTables, Marker.huffmanTables, Marker.restartInterval, Marker.startOfScan: true
        default: Marker.isFrame(marker)
        }
    }

    private let file: JPEGFile

    init(_ file: JPEGFile) { self.file = file }

    /// The file with an allow-list of its segments: a JFIF header without thumbnail, the colour profile, Adobe's colour
    /// transform, tables, frame, scans, end of image.
    func cleaned() -> [UInt8] {
        var output: [UInt8] = [0xFF, Marker.startOfImage]
        output.reserveCapacity(imageBytes)
        for segment in file.structure.segments {
            switch segment.marker {
            case Marker.jfif: output += jfif(segment)
            case Marker.adobe: output += adobe(segment)
            case Marker.defineNumberOfLines: output += lines(segment)
            case Marker.icc where isUsedProfile(segment): output += file.bytes[segment.range]
            case let marker where Self.isNeeded(marker):
                output += file.bytes[segment.range]
                if let data = segment.scanData { output += file.bytes[scan(data)] }
            default: break
            }
        }
        return output + [0xFF, Marker.endOfImage]
    }

    /// Bytes of the file that carry its picture: what `cleaned` keeps, counted.
    var imageBytes: Int {
        file.structure.segments.reduce(4) { sum, segment in
            switch segment.marker {
            case Marker.jfif: sum + jfif(segment).count
            case Marker.adobe: sum + adobe(segment).count
            case Marker.defineNumberOfLines: sum + lines(segment).count
            case Marker.icc where isUsedProfile(segment): sum + segment.range.count
            case let marker where Self.isNeeded(marker): sum + segment.range.count + (segment.scanData?.count ?? 0)
            default: sum
            }
        }
    }

    /// Entropy-coded data up to its last byte that isn't fill: what stands between scans is left out.
    private func scan(_ data: Range<Int>) -> Range<Int> {
        var end = data.upperBound
        while end > data.lowerBound && file.bytes[end - 1] == 0xFF { end -= 1 }
        return data.lowerBound..<end
    }

    /// Version and density of a JFIF header, without its thumbnail; nothing for the extensions that share its marker.
    private func jfif(_ segment: JPEGStructure.Segment) -> [UInt8] {
        let payload = segment.payload
        guard ByteReader(file.bytes, in: payload).starts(with: "JFIF\0"), payload.count >= 14 else { return [] }
        return [0xFF, Marker.jfif, 0, 16] + file.bytes[payload.prefix(12)] + [0, 0]
    }

    /// The 12 bytes that Adobe's marker is defined to have.
    private func adobe(_ segment: JPEGStructure.Segment) -> [UInt8] {
        let payload = segment.payload
        guard ByteReader(file.bytes, in: payload).starts(with: "Adobe"), payload.count >= 12 else { return [] }
        return [0xFF, Marker.adobe, 0, 14] + file.bytes[payload.prefix(12)]
    }

    /// The two bytes that a number of lines has: libjpeg passes over the segment, however long it is.
    private func lines(_ segment: JPEGStructure.Segment) -> [UInt8] {
        segment.payload.count < 2
            ? [] : [0xFF, Marker.defineNumberOfLines, 0, 4] + file.bytes[segment.payload.prefix(2)]
    }

    private func isUsedProfile(_ segment: JPEGStructure.Segment) -> Bool {
        file.icc.bytes != nil && ByteReader(file.bytes, in: segment.payload).starts(with: "ICC_PROFILE\0")
    }
}
