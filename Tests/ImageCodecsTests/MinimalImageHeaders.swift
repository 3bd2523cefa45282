import TestSupport

/// Headers of kinds that libjpeg does not write, and of formats that are rejected.
enum MinimalImageHeaders {
    /// A JPEG with tables of its own, a frame header as asked for, and a scan of zeros.
    static func jpegHeader(
        frame marker: UInt8 = 0xC0, precision: UInt8 = 8, width: Int = 8, height: Int = 8, components: Int = 1
    ) -> [UInt8] {
        var parts = EditableJPEG(parsing: [0xFF, 0xD8])
        let identifiers = (0..<components).map { UInt8($0 + 1) }
        parts.segments = [
            EditableJPEG.Segment(marker: 0xDB, payload: [0] + [UInt8](repeating: 1, count: 64)),
            EditableJPEG.Segment(
                marker: marker,
                payload: [precision, UInt8(height >> 8), UInt8(height & 0xFF), UInt8(width >> 8), UInt8(width & 0xFF)]
                    + [UInt8(components)] + identifiers.flatMap { [$0, 0x11, 0] }),
            // One code of one bit each: no difference, and end of block.
            EditableJPEG.Segment(marker: 0xC4, payload: [0x00, 1] + [UInt8](repeating: 0, count: 15) + [0]),
            EditableJPEG.Segment(marker: 0xC4, payload: [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0]),
            startOfScanSegment(componentIdentifiers: Array(identifiers.prefix(4))),
        ]
        parts.hasEndOfImage = true
        return parts.bytes
    }

    private static func startOfScanSegment(componentIdentifiers identifiers: [UInt8]) -> EditableJPEG.Segment {
        var scan = EditableJPEG.Segment(
            marker: 0xDA, payload: [UInt8(identifiers.count)] + identifiers.flatMap { [$0, 0] } + [0, 63, 0])
        // For each block the bits 00; then ones to the end of the byte.
        scan.entropyCodedData = [0xFF >> UInt8(2 * identifiers.count)]
        return scan
    }

    /// A box of the ISO media format, with as much behind it as a short file would have.
    static func fileTypeBox(_ type: String, brand: String) -> [UInt8] {
        [0, 0, 0, 24] + Array("\(type)\(brand)".utf8) + [0, 0, 0, 0] + Array("mif1\(brand)".utf8)
            + [UInt8](repeating: 0, count: 40)
    }

    /// A Windows bitmap of one pixel.
    static let bmpHeader: [UInt8] =
        Array("BM".utf8) + [58, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 24, 0]
        + [UInt8](repeating: 0, count: 28)

    /// A valid ICC profile without any tag, of `count` bytes (a multiple of 4), for RGB or gray.
    static func makeICCProfile(byteCount count: Int = 132, colorSpace: String = "RGB ") -> [UInt8] {
        makeICCProfileHeader(declaredByteCount: count, colorSpace: colorSpace)
            + (132..<max(count, 132)).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 / 251) }
    }

    /// The first 132 bytes of such a profile.
    static func makeICCProfileHeader(declaredByteCount count: Int, colorSpace: String = "RGB ") -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 132)
        func put(_ values: [UInt8], at offset: Int) {
            bytes.replaceSubrange(offset..<(offset + values.count), with: values)
        }
        put([UInt8(count >> 24), UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)], at: 0)
        put([4, 0x30, 0, 0], at: 8)
        put(Array("mntr\(colorSpace)XYZ ".utf8), at: 12)
        put(Array("acsp".utf8), at: 36)
        put([0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D], at: 68)  // the illuminant, D50
        return bytes
    }
}
