internal import Imaging

/// The decoded samples of one row of an image's tiles, read from the top to the bottom of the image.
struct HEIFTileRow: ~Copyable {
    /// A rectangle of samples within a buffer. Samples of more than 8 bits have two bytes, the lower one first.
    struct PlaneRegion {
        /// The offset of the first sample, in bytes.
        var offset: Int
        /// The number of bytes from one row to the next.
        var stride: Int
        /// The number of samples in a row.
        var width: Int
        var height: Int
    }

    private let file: HEIFFile
    private let image: HEIFImage
    private var decoder: HEIFPictureDecoder
    /// The planes of a whole row of tiles within `buffer`, cut to the image's width.
    private let regions: [PlaneRegion]
    private var buffer: ContiguousArray<UInt8>
    /// The index of the row of tiles in the buffer; -1 before the first.
    private var tileRowIndex = -1
    /// The colors that the first tile's data states.
    private var statedColors: HEIFColors?

    /// Creates a buffer of the rows of `image`.
    ///
    /// - Parameters:
    ///   - image: The file's image or its opacity.
    ///   - file: The file.
    ///   - deblocks: Whether HEVC's deblocking filter runs.
    /// - Throws: ``CodecError/Code/outOfMemory``.
    init(_ image: HEIFImage, of file: HEIFFile, deblocks: Bool) throws(CodecError) {
        let decoder = try HEIFPictureDecoder(image, deblocks: deblocks)
        var byteCount = 0
        let regions = (0..<image.configuration.chromaFormat.planeCount).map { index in
            let width = image.planeSize(index, of: image.size).width
            let height = image.planeSize(index, of: image.tileSize).height
            let stride = width * image.configuration.bytesPerSample
            defer { byteCount += stride * height }
            return PlaneRegion(offset: byteCount, stride: stride, width: width, height: height)
        }
        self.file = file
        self.image = image
        self.decoder = decoder
        self.regions = regions
        buffer = SampleBufferPool.shared.makeZeroed(count: byteCount)
    }

    deinit { SampleBufferPool.shared.recycle(buffer) }

    /// Copies samples of a row of the image. The row must not be above the tiles that were decoded last.
    ///
    /// - Parameters:
    ///   - y: The row of the plane.
    ///   - plane: The index of the plane.
    ///   - columns: The columns of the plane.
    ///   - target: The bytes to write to.
    ///   - offset: The offset of the first column in `target`, in bytes.
    /// - Throws: ``CodecError/Code/damaged`` or ``CodecError/Code/outOfMemory``.
    mutating func copyRow(
        _ y: Int, plane: Int, columns: Range<Int>, to target: inout ContiguousArray<UInt8>, at offset: Int
    ) throws(CodecError) {
        let region = regions[plane]
        while tileRowIndex < y / region.height { try decodeNextTileRow() }
        precondition(tileRowIndex == y / region.height, "rows are read from top to bottom")
        let start = region.offset + (y % region.height) * region.stride
        let bytesPerSample = image.configuration.bytesPerSample
        target.replaceSubrange(
            offset..<(offset + columns.count * bytesPerSample),
            with: buffer[
                (start + columns.lowerBound * bytesPerSample)..<(start + columns.upperBound * bytesPerSample)])
    }

    /// Decodes the first row of tiles, and returns the colors that its data states.
    mutating func decodeFirstTileRow() throws(CodecError) -> HEIFColors {
        if tileRowIndex < 0 { try decodeNextTileRow() }
        guard let statedColors else { preconditionFailure("an image has at least one tile") }
        return statedColors
    }

    private mutating func decodeNextTileRow() throws(CodecError) {
        tileRowIndex += 1
        for column in 0..<image.tileColumnCount {
            let id = image.tileIDs[tileRowIndex * image.tileColumnCount + column]
            let tileRegions = regions.enumerated().map { index, region in
                let tile = image.planeSize(index, of: image.tileSize)
                let x = column * tile.width
                return PlaneRegion(
                    offset: region.offset + x * image.configuration.bytesPerSample, stride: region.stride,
                    width: min(tile.width, region.width - x), height: tile.height)
            }
            let colors = try decoder.decode(
                try file.dataOfTile(id), parameterSetsIn: file.bytes, into: tileRegions, of: &buffer)
            statedColors = statedColors ?? colors
        }
    }
}
