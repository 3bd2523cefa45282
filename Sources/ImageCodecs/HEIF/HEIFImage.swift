internal import Imaging
internal import MediaContainers

/// An image of a HEIF file: one coded picture, or a grid of them.
struct HEIFImage {
    /// The size of the whole image, in pixels, before it is cropped and rotated.
    let size: PixelSize
    /// The size of each tile, in pixels. The last ones may extend beyond the image.
    let tileSize: PixelSize
    let tileColumnCount: Int
    /// The items of the tiles, row by row.
    let tileIDs: [Int]
    let configuration: HEIFConfiguration
    /// The properties of the image, in the order in which they apply.
    let properties: [HEIFProperty]

    var tileRowCount: Int { tileIDs.count / tileColumnCount }

    /// The width and height of plane `index`, of an image of `size` pixels.
    func planeSize(_ index: Int, of size: PixelSize) -> PixelSize {
        if index == 0 { return size }
        let factors = configuration.chromaFormat.factors
        return PixelSize(
            width: size.width.dividedRoundingUp(by: factors.horizontal),
            height: size.height.dividedRoundingUp(by: factors.vertical))
    }

    /// Finds the parts of the image item `id`.
    ///
    /// - Parameters:
    ///   - id: The item.
    ///   - meta: The items of the file.
    ///   - bytes: The file, or its beginning.
    ///   - limits: The limits to check.
    /// - Throws: ``CodecError/Code/truncated`` if the description of a grid is not in `bytes`;
    ///   ``CodecError/Code/damaged``, `unsupported-heic`, `unsupported-avif`, or the code of an exceeded limit.
    init(id: Int, in meta: HEIFMetaBox, bytes: [UInt8], limits: ImageLimits) throws(CodecError) {
        guard let item = meta.items[id] else { throw CodecError.unsupportedHEIF("the file has no still image") }
        properties = meta.properties(of: id)
        if item.type == "grid" {
            try Self.checkEssentialProperties(of: item)
            let grid = try HEIFGrid(of: item, itemDataRange: meta.itemDataRange, in: bytes)
            size = grid.outputSize
            tileColumnCount = grid.columnCount
            tileIDs = meta.items(referredToBy: id, type: "dimg")
            guard tileIDs.count == grid.columnCount * grid.rowCount, let first = tileIDs.first else {
                throw Self.damaged("the grid has \(tileIDs.count) tiles, not \(grid.columnCount * grid.rowCount)")
            }
            (configuration, tileSize) = try Self.codedPicture(first, in: meta, bytes: bytes)
            let spare = (
                columns: grid.columnCount * tileSize.width - size.width,
                rows: grid.rowCount * tileSize.height - size.height
            )
            guard (0..<tileSize.width).contains(spare.columns), (0..<tileSize.height).contains(spare.rows) else {
                throw Self.damaged("the tiles do not cover the image")
            }
            try checkTiles(in: meta, bytes: bytes)
        } else {
            tileIDs = [id]
            tileColumnCount = 1
            (configuration, tileSize) = try Self.codedPicture(id, in: meta, bytes: bytes)
            size = tileSize
        }
        try limits.checkDimensions(width: size.width, height: size.height, at: 0)
        try limits.checkDimensions(width: tileSize.width, height: tileSize.height, at: 0)
    }

    /// Checks that all tiles have the size and form of the first.
    private func checkTiles(in meta: HEIFMetaBox, bytes: [UInt8]) throws(CodecError) {
        let factors = configuration.chromaFormat.factors
        guard
            tileIDs.count == 1 || (tileSize.width % factors.horizontal == 0 && tileSize.height % factors.vertical == 0)
        else { throw Self.damaged("the size of a tile, \(tileSize), is odd") }
        for id in tileIDs.dropFirst() {
            let (other, size) = try Self.codedPicture(id, in: meta, bytes: bytes)
            guard size == tileSize, other.codec == configuration.codec, other.bitDepth == configuration.bitDepth,
                other.chromaFormat == configuration.chromaFormat
            else { throw Self.damaged("the tiles have different sizes or forms") }
        }
    }

    /// Returns the configuration and the size of an item that is one coded picture.
    private static func codedPicture(
        _ id: Int, in meta: HEIFMetaBox, bytes: [UInt8]
    ) throws(CodecError) -> (HEIFConfiguration, PixelSize) {
        guard let item = meta.items[id] else { throw damaged("an item of the image is missing") }
        guard let codec = item.type.flatMap(HEIFConfiguration.Codec.init) else {
            throw CodecError.unsupportedHEIF(
                item.type.map { "an image of the type '\($0)' is not supported" } ?? "the image has no type")
        }
        try checkEssentialProperties(of: item)
        var configuration: HEIFConfiguration?
        var size: PixelSize?
        for property in meta.properties(of: id) {
            if case .configuration(let type, let range) = property, type == (codec == .av1 ? "av1C" : "hvcC") {
                configuration = HEIFConfiguration(codec: codec, range: range, in: bytes)
            }
            if case .size(let found) = property { size = found }
        }
        guard let configuration, let size, size.width > 0, size.height > 0 else {
            throw damaged("an image has no valid configuration or size")
        }
        return (configuration, size)
    }

    /// Checks that all properties are known without which an item must not be shown: ISO/IEC 23008-12, 9.3.
    private static func checkEssentialProperties(of item: HEIFItem) throws(CodecError) {
        if item.hasUnknownEssentialProperty {
            throw CodecError.unsupportedHEIF(
                "the image has an unknown essential property", format: item.type == "av01" ? .avif : .heic)
        }
    }

    private static func damaged(_ message: String) -> CodecError {
        CodecError(.damaged, stage: .probe, message: message)
    }
}

/// The description of a grid of tiles: ISO/IEC 23008-12, 6.6.2.3.
private struct HEIFGrid {
    let rowCount, columnCount: Int
    let outputSize: PixelSize

    init(of item: HEIFItem, itemDataRange: Range<Int>, in bytes: [UInt8]) throws(CodecError) {
        let data = try item.data(itemDataRange: itemDataRange, in: bytes)
        var reader = ByteReader(data.bytes, in: data.range)
        guard reader.readUInt8() == 0, let flags = reader.readUInt8(), let rows = reader.readUInt8(),
            let columns = reader.readUInt8(), let width = reader.readInteger(byteCount: flags & 1 == 1 ? 4 : 2),
            let height = reader.readInteger(byteCount: flags & 1 == 1 ? 4 : 2), width > 0, height > 0
        else {
            throw CodecError(.damaged, stage: .probe, offset: data.range.lowerBound, message: "the grid is invalid")
        }
        (rowCount, columnCount) = (rows + 1, columns + 1)
        outputSize = PixelSize(width: width, height: height)
    }
}

extension HEIFItem {
    /// Returns the ranges of the file that have the item's data, in order.
    ///
    /// - Throws: ``CodecError/Code/truncated`` if the file ends before the data, or ``CodecError/Code/damaged``.
    func dataRanges(itemDataRange: Range<Int>, in bytes: [UInt8]) throws(CodecError) -> [Range<Int>] {
        guard let dataOrigin, !extents.isEmpty else {
            throw CodecError(.damaged, stage: .probe, message: "an item of the image has no data in this file")
        }
        var ranges: [Range<Int>] = []
        for extent in extents {
            let origin = dataOrigin == .file ? 0 : itemDataRange.lowerBound
            let range = (origin + extent.lowerBound)..<(origin + extent.upperBound)
            if dataOrigin == .itemDataBox && range.upperBound > itemDataRange.upperBound {
                throw CodecError(
                    .damaged, stage: .probe, offset: origin, message: "an item is larger than the 'idat' box")
            }
            if range.upperBound > bytes.count {
                throw CodecError(
                    .truncated, stage: .probe, offset: bytes.count,
                    message: "the file ends before byte \(range.upperBound), the end of an item of its image")
            }
            ranges.append(range)
        }
        // Extents may overlap, so their sum is not limited by the file's size.
        guard ranges.count == 1 || ranges.reduce(0, { $0 + $1.count }) <= bytes.count else {
            throw CodecError(
                .damaged, stage: .probe, offset: ranges[0].lowerBound, message: "the parts of an item overlap")
        }
        return ranges
    }

    /// Returns the item's data: a range of the file, or of a copy if it is in several parts.
    ///
    /// - Throws: The errors of ``dataRanges(itemDataRange:in:)``.
    func data(
        itemDataRange: Range<Int>, in bytes: [UInt8]
    ) throws(CodecError) -> (bytes: [UInt8], range: Range<Int>) {
        let ranges = try dataRanges(itemDataRange: itemDataRange, in: bytes)
        if ranges.count == 1 { return (bytes, ranges[0]) }
        let joined = ranges.flatMap { bytes[$0] }
        return (joined, 0..<joined.count)
    }
}
