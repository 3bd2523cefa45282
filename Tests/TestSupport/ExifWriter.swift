/// An Exif block with the entries asked for: a first directory, and one for Exif's own tags if it has any.
package struct ExifWriter: Sendable {
    package enum ByteOrder: Sendable, CaseIterable { case bigEndian, littleEndian }

    /// The types of TIFF that matter here.
    package enum Kind: Int, Sendable, CaseIterable { case short = 3, long = 4 }

    package struct Entry: Sendable {
        package var tag: Int
        package var kind: Kind
        package var count: Int
        package var value: Int

        package init(_ tag: Int, _ kind: Kind, _ value: Int, count: Int = 1) {
            (self.tag, self.kind, self.value, self.count) = (tag, kind, value, count)
        }
    }

    package static let orientation = 0x0112
    package static let exifDirectory = 0x8769
    package static let gpsDirectory = 0x8825
    package static let colorSpace = 0xA001

    package var order: ByteOrder
    package var entries: [Entry]
    /// Of the directory that the first one points to.
    package var exifEntries: [Entry]
    /// Where the header says that the first directory is.
    package var firstDirectory = 8

    package init(_ entries: [Entry], exif exifEntries: [Entry] = [], order: ByteOrder = .bigEndian) {
        (self.entries, self.exifEntries, self.order) = (entries, exifEntries, order)
    }

    /// A block that says only how the picture is turned.
    package init(orientation: Int, _ kind: Kind = .short, order: ByteOrder = .bigEndian) {
        self.init([Entry(Self.orientation, kind, orientation)], order: order)
    }

    /// The TIFF structure.
    package var tiff: [UInt8] {
        let mark: UInt8 = order == .bigEndian ? 0x4D : 0x49
        var first = entries
        let isNested = !exifEntries.isEmpty
        if isNested { first.append(Entry(Self.exifDirectory, .long, 8 + size(entries.count + 1))) }
        return [mark, mark] + integer(42, bytes: 2) + integer(firstDirectory, bytes: 4) + directory(first)
            + (isNested ? directory(exifEntries) : [])
    }

    /// The payload of a JPEG's APP1 segment.
    package var payload: [UInt8] { Array("Exif\0\0".utf8) + tiff }

    private func size(_ count: Int) -> Int { 2 + 12 * count + 4 }

    private func directory(_ entries: [Entry]) -> [UInt8] {
        integer(entries.count, bytes: 2)
            + entries.flatMap { entry in
                // A SHORT stands at the beginning of the four bytes for the value, in either order.
                let value =
                    entry.kind == .short
                    ? integer(entry.value, bytes: 2) + [0, 0] : integer(entry.value, bytes: 4)
                return integer(entry.tag, bytes: 2) + integer(entry.kind.rawValue, bytes: 2)
                    + integer(entry.count, bytes: 4) + value
            } + integer(0, bytes: 4)
    }

    private func integer(_ value: Int, bytes count: Int) -> [UInt8] {
        let bigEndian = (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return order == .bigEndian ? bigEndian : bigEndian.reversed()
    }
}
