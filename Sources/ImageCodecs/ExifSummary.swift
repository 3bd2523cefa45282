internal import Imaging

/// The two properties of an Exif block that affect the pixels. The rest of the block is not read.
///
/// Source: Exif 3.0 (CIPA DC-008) and TIFF 6.0, section 2.
struct ExifSummary: Equatable {
    /// The orientation in the first directory; `up` if the tag is missing or invalid.
    var orientation = Orientation.up
    /// Whether the color space is declared as "Uncalibrated", that is, not sRGB.
    var hasUncalibratedColors = false

    private enum ExifTag {
        static let orientation = 0x0112
        static let exifDirectoryOffset = 0x8769
        static let colorSpace = 0xA001
    }

    init() {}

    /// Reads the TIFF structure in `range` of `bytes`.
    init(tiff bytes: [UInt8], in range: Range<Int>) {
        guard let directory = TIFFDirectory(tiffHeader: ByteReader(bytes, in: range)) else { return }
        if let value = directory.integerValue(ofTag: ExifTag.orientation),
            let orientation = Orientation(rawValue: value)
        {
            self.orientation = orientation
        }
        if let offset = directory.integerValue(ofTag: ExifTag.exifDirectoryOffset),
            let exif = directory.directory(atOffset: offset)
        {
            hasUncalibratedColors = exif.integerValue(ofTag: ExifTag.colorSpace) == 0xFFFF
        }
    }
}

/// A TIFF image file directory, with entries of 12 bytes.
private struct TIFFDirectory {
    private let reader: ByteReader
    private let tiffStart: Int
    private let entriesRange: Range<Int>

    /// Reads the first directory of the TIFF structure at the position of `header`.
    init?(tiffHeader header: ByteReader) {
        var header = header
        let start = header.position
        switch (header.readUInt8(), header.readUInt8()) {
        case (0x49, 0x49): header.byteOrder = .littleEndian
        case (0x4D, 0x4D): header.byteOrder = .bigEndian
        default: return nil
        }
        guard header.readUInt16() == 42, let offset = header.readUInt32() else { return nil }
        self.init(reader: header, tiffStart: start, offset: offset)
    }

    private init?(reader: ByteReader, tiffStart: Int, offset: Int) {
        var cursor = reader
        guard cursor.seek(to: tiffStart + offset), let count = cursor.readUInt16() else { return nil }
        self.reader = reader
        self.tiffStart = tiffStart
        entriesRange = cursor.position..<(cursor.position + min(count, cursor.remainingByteCount / 12) * 12)
    }

    /// Returns another directory of the same structure.
    func directory(atOffset offset: Int) -> TIFFDirectory? {
        TIFFDirectory(reader: reader, tiffStart: tiffStart, offset: offset)
    }

    /// Returns the value of the first entry with this tag, or `nil` unless it is a single SHORT or LONG.
    func integerValue(ofTag tag: Int) -> Int? {
        var cursor = reader
        for entry in stride(from: entriesRange.lowerBound, to: entriesRange.upperBound, by: 12) {
            guard cursor.seek(to: entry), cursor.readUInt16() == tag else { continue }
            let type = cursor.readUInt16(), count = cursor.readUInt32()
            guard count == 1 else { return nil }
            return type == 3 ? cursor.readUInt16() : type == 4 ? cursor.readUInt32() : nil
        }
        return nil
    }
}
