internal import Imaging

/// The two things of an Exif block that matter to the pixels. Everything else in it is left behind unread.
///
/// Source: Exif 3.0 (CIPA DC-008) and TIFF 6.0, section 2.
struct ExifSummary: Equatable {
    /// From the first directory; `up` where the tag is missing or makes no sense.
    var orientation = Orientation.up
    /// Whether the picture's colours are declared to be neither sRGB nor anything else ("Uncalibrated").
    var hasUncalibratedColors = false

    private enum ExifTag {
        static let orientation = 0x0112
        static let exifDirectoryOffset = 0x8769
        static let colorSpace = 0xA001
    }

    init() {}

    /// Reads a TIFF structure that fills `range` of `bytes`.
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

/// One image file directory: entries of 12 bytes.
private struct TIFFDirectory {
    private let reader: ByteReader
    private let tiffStart: Int
    private let entriesRange: Range<Int>

    /// The first directory of the structure that `header` stands at.
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

    /// Another directory of the same structure.
    func directory(atOffset offset: Int) -> TIFFDirectory? {
        TIFFDirectory(reader: reader, tiffStart: tiffStart, offset: offset)
    }

    /// The value of the first entry with this tag, if it is a single SHORT or LONG.
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
