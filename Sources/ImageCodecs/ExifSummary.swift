internal import Imaging

/// The two things of an Exif block that matter to the pixels. Everything else in it is left behind unread.
///
/// Source: Exif 3.0 (CIPA DC-008) and TIFF 6.0, section 2.
struct ExifSummary: Equatable {
    /// From the first directory; `up` where the tag is missing or makes no sense.
    var orientation = Orientation.up
    /// Whether the picture's colours are declared to be neither sRGB nor anything else ("Uncalibrated").
    var isUncalibrated = false

    private enum Tag {
        static let orientation = 0x0112
        static let exifDirectory = 0x8769
        static let colorSpace = 0xA001
    }

    init() {}

    /// Reads a TIFF structure that fills `range` of `bytes`.
    init(tiff bytes: [UInt8], in range: Range<Int>) {
        guard let directory = Directory(ByteReader(bytes, in: range)) else { return }
        if let value = directory.value(of: Tag.orientation), let orientation = Orientation(rawValue: value) {
            self.orientation = orientation
        }
        if let offset = directory.value(of: Tag.exifDirectory), let exif = directory.at(offset) {
            isUncalibrated = exif.value(of: Tag.colorSpace) == 0xFFFF
        }
    }
}

/// One image file directory: entries of 12 bytes.
private struct Directory {
    private let reader: ByteReader
    private let start: Int
    private let entries: Range<Int>

    /// The first directory of the structure that `header` stands at.
    init?(_ header: ByteReader) {
        var header = header
        let start = header.position
        switch (header.uint8(), header.uint8()) {
        case (0x49, 0x49): header.order = .littleEndian
        case (0x4D, 0x4D): header.order = .bigEndian
        default: return nil
        }
        guard header.uint16() == 42, let offset = header.uint32() else { return nil }
        self.init(header, start: start, offset: offset)
    }

    private init?(_ reader: ByteReader, start: Int, offset: Int) {
        var place = reader
        guard place.seek(to: start + offset), let count = place.uint16() else { return nil }
        self.reader = reader
        self.start = start
        entries = place.position..<(place.position + min(count, place.remaining / 12) * 12)
    }

    /// Another directory of the same structure.
    func at(_ offset: Int) -> Directory? { Directory(reader, start: start, offset: offset) }

    /// The value of the first entry with this tag, if it is a single SHORT or LONG.
    func value(of tag: Int) -> Int? {
        var place = reader
        for entry in stride(from: entries.lowerBound, to: entries.upperBound, by: 12) {
            guard place.seek(to: entry), place.uint16() == tag else { continue }
            let type = place.uint16(), count = place.uint32()
            guard count == 1 else { return nil }
            return type == 3 ? place.uint16() : type == 4 ? place.uint32() : nil
        }
        return nil
    }
}
