/// An Exif block with the entries asked for: a first directory, and one for Exif's own tags if it has any.
package struct ExifBuilder: Sendable {
    package enum ByteOrder: Sendable, CaseIterable { case bigEndian, littleEndian }

    /// The types of TIFF that matter here.
    package enum FieldType: Int, Sendable, CaseIterable { case short = 3, long = 4 }

    package struct Entry: Sendable {
        package var tag: Int
        package var fieldType: FieldType
        package var count: Int
        package var value: Int

        package init(tag: Int, type kind: FieldType, value: Int, count: Int = 1) {
            (self.tag, self.fieldType, self.value, self.count) = (tag, kind, value, count)
        }
    }

    package static let orientationTag = 0x0112
    package static let exifDirectoryTag = 0x8769
    package static let gpsDirectoryTag = 0x8825
    package static let colorSpaceTag = 0xA001

    package var byteOrder: ByteOrder
    package var entries: [Entry]
    /// Of the directory that the first one points to.
    package var exifSubdirectoryEntries: [Entry]
    /// Where the header says that the first directory is.
    package var firstDirectoryOffset = 8

    package init(entries: [Entry], exifEntries: [Entry] = [], byteOrder: ByteOrder = .bigEndian) {
        (self.entries, self.exifSubdirectoryEntries, self.byteOrder) = (entries, exifEntries, byteOrder)
    }

    /// A block that says only how the image is turned.
    package init(orientation: Int, fieldType kind: FieldType = .short, byteOrder: ByteOrder = .bigEndian) {
        self.init(entries: [Entry(tag: Self.orientationTag, type: kind, value: orientation)], byteOrder: byteOrder)
    }

    /// The TIFF structure.
    package var tiffBytes: [UInt8] {
        let mark: UInt8 = byteOrder == .bigEndian ? 0x4D : 0x49
        var first = entries
        let isNested = !exifSubdirectoryEntries.isEmpty
        if isNested {
            first.append(
                Entry(
                    tag: Self.exifDirectoryTag, type: .long,
                    value: 8 + directoryByteCount(entryCount: entries.count + 1)))
        }
        return [mark, mark] + encodedInteger(42, byteCount: 2) + encodedInteger(firstDirectoryOffset, byteCount: 4)
            + directoryBytes(for: first)
            + (isNested ? directoryBytes(for: exifSubdirectoryEntries) : [])
    }

    /// The payload of a JPEG's APP1 segment.
    package var app1Payload: [UInt8] { Array("Exif\0\0".utf8) + tiffBytes }

    private func directoryByteCount(entryCount count: Int) -> Int { 2 + 12 * count + 4 }

    private func directoryBytes(for entries: [Entry]) -> [UInt8] {
        encodedInteger(entries.count, byteCount: 2)
            + entries.flatMap { entry in
                // A SHORT stands at the beginning of the four bytes for the value, in either order.
                let value =
                    entry.fieldType == .short
                    ? encodedInteger(entry.value, byteCount: 2) + [0, 0] : encodedInteger(entry.value, byteCount: 4)
                return encodedInteger(entry.tag, byteCount: 2) + encodedInteger(entry.fieldType.rawValue, byteCount: 2)
                    + encodedInteger(entry.count, byteCount: 4) + value
            } + encodedInteger(0, byteCount: 4)
    }

    private func encodedInteger(_ value: Int, byteCount count: Int) -> [UInt8] {
        let bigEndian = (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return byteOrder == .bigEndian ? bigEndian : bigEndian.reversed()
    }
}
