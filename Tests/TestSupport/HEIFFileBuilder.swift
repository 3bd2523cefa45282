import Foundation
package import Imaging

/// A HEIF file built in code: its items with their data and properties, and the references between them.
package struct HEIFFileBuilder {
    package struct Item {
        package var id: Int
        package var type: String
        /// The data, in as many parts as it has extents.
        package var data: [[UInt8]] = []
        /// The properties, each with its whole box.
        package var properties: [[UInt8]] = []
        /// Whether the data is in the `idat` box instead of `mdat`.
        package var isInItemDataBox = false

        package init(
            id: Int, type: String, data: [[UInt8]] = [], properties: [[UInt8]] = [], isInItemDataBox: Bool = false
        ) {
            (self.id, self.type, self.data, self.properties) = (id, type, data, properties)
            self.isInItemDataBox = isInItemDataBox
        }

        /// The coded picture of a sample in `Samples/heif`, with its configuration and without a size.
        package init(sample name: String) throws {
            let bytes = Array(try Data(contentsOf: SampleMedia.heifSample(named: name)))
            func box(_ type: String) throws -> [UInt8] {
                let pattern = Array(type.utf8)
                guard let place = bytes.indices.first(where: { bytes[$0...].starts(with: pattern) }) else {
                    throw CocoaError(.fileReadCorruptFile)
                }
                let count = bytes[(place - 4)..<place].reduce(0) { $0 << 8 | Int($1) }
                return Array(bytes[(place - 4)..<(place - 4 + count)])
            }
            let isHEVC = name.hasSuffix("heic")
            self.init(
                id: 1, type: isHEVC ? "hvc1" : "av01", data: [Array(try box("mdat").dropFirst(8))],
                properties: [try box(isHEVC ? "hvcC" : "av1C")])
        }
    }

    package struct Reference {
        package var type: String
        package var from: Int
        package var to: [Int]

        package init(type: String, from: Int, to: [Int]) { (self.type, self.from, self.to) = (type, from, to) }
    }

    package var brand = "heic"
    package var primaryID: Int? = 1
    package var items: [Item]
    package var references: [Reference] = []
    /// Boxes before the one with the items.
    package var leadingBoxes: [UInt8] = []

    /// A file with one coded picture.
    package init(
        size: PixelSize, properties: [[UInt8]] = [], type: String = "hvc1",
        configuration: [UInt8] = Self.hevcConfiguration,
        data: [UInt8] = [0, 0, 0, 1, 0x26]
    ) {
        items = [
            Item(
                id: 1, type: type, data: [data], properties: [Self.sizeProperty(size), configuration] + properties)
        ]
    }

    /// A file with a grid of tiles.
    package init(
        gridOf tile: Item, tileSize: PixelSize, columns: Int, rows: Int, size: PixelSize, properties: [[UInt8]] = [],
        isInItemDataBox: Bool = true
    ) {
        let description =
            [0, 0, UInt8(rows - 1), UInt8(columns - 1)] + bytes(size.width, count: 2) + bytes(size.height, count: 2)
        let tiles = (0..<(columns * rows)).map { index in
            var copy = tile
            copy.id = index + 2
            copy.properties = [Self.sizeProperty(tileSize)] + tile.properties
            return copy
        }
        items =
            [
                Item(
                    id: 1, type: "grid", data: [description], properties: [Self.sizeProperty(size)] + properties,
                    isInItemDataBox: isInItemDataBox)
            ] + tiles
        references = [Reference(type: "dimg", from: 1, to: tiles.map(\.id))]
    }

    /// The file.
    package var fileBytes: [UInt8] {
        let type = Self.box("ftyp", Array(brand.utf8) + [0, 0, 0, 0] + Array("mif1\(brand)".utf8))
        let start = type.count + leadingBoxes.count + metaBox(dataOffset: 0).count + 8
        let data = items.filter { !$0.isInItemDataBox }.flatMap { $0.data.flatMap { $0 } }
        return type + leadingBoxes + metaBox(dataOffset: start) + Self.box("mdat", data)
    }

    private func metaBox(dataOffset: Int) -> [UInt8] {
        var uniqueProperties: [[UInt8]] = []
        var associations: [UInt8] = []
        for item in items {
            associations += bytes(item.id, count: 2) + [UInt8(item.properties.count)]
            for property in item.properties {
                let index = uniqueProperties.firstIndex(of: property) ?? uniqueProperties.count
                if index == uniqueProperties.count { uniqueProperties.append(property) }
                associations.append(0x80 | UInt8(index + 1))
            }
        }
        let entries = items.flatMap {
            Self.fullBox("infe", version: 2, bytes($0.id, count: 2) + [0, 0] + Array($0.type.utf8) + [0])
        }
        let referenceBoxes = references.flatMap { reference in
            Self.box(
                reference.type,
                bytes(reference.from, count: 2) + bytes(reference.to.count, count: 2)
                    + reference.to.flatMap { bytes($0, count: 2) })
        }
        let associationBox = Self.fullBox("ipma", bytes(items.count, count: 4) + associations)
        var content = primaryID.map { Self.fullBox("pitm", bytes($0, count: 2)) } ?? []
        content += Self.fullBox("iinf", bytes(items.count, count: 2) + entries)
        content += Self.fullBox("iloc", version: 1, locations(dataOffset: dataOffset))
        if !references.isEmpty { content += Self.fullBox("iref", referenceBoxes) }
        content += Self.box("iprp", Self.box("ipco", uniqueProperties.flatMap { $0 }) + associationBox)
        content += Self.box("idat", items.filter(\.isInItemDataBox).flatMap { $0.data.flatMap { $0 } })
        return Self.fullBox("meta", content)
    }

    private func locations(dataOffset: Int) -> [UInt8] {
        var content: [UInt8] = [0x44, 0] + bytes(items.count, count: 2)
        var (fileOffset, itemDataOffset) = (dataOffset, 0)
        for item in items {
            content += bytes(item.id, count: 2) + bytes(item.isInItemDataBox ? 1 : 0, count: 2) + [0, 0]
            content += bytes(item.data.count, count: 2)
            for part in item.data {
                content += bytes(item.isInItemDataBox ? itemDataOffset : fileOffset, count: 4)
                content += bytes(part.count, count: 4)
                if item.isInItemDataBox { itemDataOffset += part.count } else { fileOffset += part.count }
            }
        }
        return content
    }

    // MARK: Boxes

    package static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        bytes(content.count + 8, count: 4) + Array(type.utf8) + content
    }

    package static func fullBox(_ type: String, version: UInt8 = 0, _ content: [UInt8]) -> [UInt8] {
        box(type, [version, 0, 0, 0] + content)
    }

    package static func sizeProperty(_ size: PixelSize) -> [UInt8] {
        fullBox("ispe", bytes(size.width, count: 4) + bytes(size.height, count: 4))
    }

    /// Quarter turns counterclockwise.
    package static func rotation(_ quarterTurns: UInt8) -> [UInt8] { box("irot", [quarterTurns]) }

    /// A mirroring: 0 exchanges top and bottom, 1 left and right.
    package static func mirroring(axis: UInt8) -> [UInt8] { box("imir", [axis]) }

    package static func colors(primaries: Int = 1, transfer: Int = 13, matrix: Int, isFullRange: Bool) -> [UInt8] {
        box(
            "colr",
            Array("nclx".utf8) + bytes(primaries, count: 2) + bytes(transfer, count: 2) + bytes(matrix, count: 2)
                + [isFullRange ? 0x80 : 0])
    }

    package static func cleanAperture(width: Int, height: Int, x: Int, y: Int, of size: PixelSize) -> [UInt8] {
        // Twice the distance between the centers, over 2.
        let horizontal = 2 * x + width - size.width, vertical = 2 * y + height - size.height
        return box(
            "clap",
            [(width, 1), (height, 1), (horizontal, 2), (vertical, 2)].flatMap {
                bytes($0 & 0xFFFF_FFFF, count: 4) + bytes($1, count: 4)
            })
    }

    package static func colorProfile(_ profile: [UInt8]) -> [UInt8] { box("colr", Array("prof".utf8) + profile) }

    package static func auxiliaryType(_ urn: String) -> [UInt8] { fullBox("auxC", Array(urn.utf8) + [0]) }

    /// The configuration of 8-bit 4:2:0, with one parameter set that is not valid.
    package static let hevcConfiguration = box(
        "hvcC",
        [1] + [UInt8](repeating: 0, count: 15) + [0xFD, 0xF8, 0xF8, 0, 0, 0x0F, 1, 0x21, 0, 1, 0, 2, 0x42, 1])

    package static let av1Configuration = box("av1C", [0x81, 0, 0x0C, 0])
}

private func bytes(_ value: Int, count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}
