internal import Imaging

/// Decodes the primary image of a HEIF or AVIF file to its stored planes, blended with an opaque background.
struct HEIFPlaneDecoder: ~Copyable, PlaneDecoder {
    let layout: PlaneLayout
    /// The colors of the container, completed by those that the decoded data states.
    let colors: HEIFColors
    private let file: HEIFFile
    private var tiles: HEIFTileRow
    /// The opacity; `nil` if all pixels are opaque.
    private var alphaTiles: HEIFTileRow?
    /// The background in the encoding of the samples: Y, Cb and Cr.
    private let backgroundSamples: [UInt8]
    /// The opacity of the rows of the batch.
    private var alphaRows: ContiguousArray<UInt8> = []
    private var decodedRowCount = 0

    /// Creates a decoder, and decodes the first row of tiles, whose data may state the encoding of the samples.
    ///
    /// - Throws: ``CodecError/Code/damaged``, ``CodecError/Code/unsupportedColor`` or ``CodecError/Code/outOfMemory``.
    init(_ file: HEIFFile, background: RGBColor) throws(CodecError) {
        var tiles = try HEIFTileRow(file.image, of: file)
        let alphaTiles = try Self.makeAlphaTiles(of: file)
        let statedColors = try tiles.decodeFirstTileRow()
        let colors = file.colors?.completed(by: statedColors) ?? statedColors
        let encoding = try colors.supportedEncoding()
        self.colors = colors
        backgroundSamples = encoding.samples(red: background.red, green: background.green, blue: background.blue)
        self.file = file
        self.tiles = tiles
        self.alphaTiles = alphaTiles
        let factors = file.image.configuration.chromaFormat.factors
        let size = PixelSize(width: file.crop.columns.count, height: file.crop.rows.count)
        let batchRowCount = Self.batchRowCount(of: file)
        layout = PlaneLayout(
            storedSize: size,
            components: (0..<file.image.configuration.chromaFormat.planeCount).map { index in
                PlaneLayout.ComponentSampling(
                    horizontalSampling: index == 0 ? factors.horizontal : 1,
                    verticalSampling: index == 0 ? factors.vertical : 1,
                    paddedWidth: file.image.planeSize(index, of: size).width,
                    batchRowCount: index == 0 ? batchRowCount : batchRowCount / factors.vertical)
            }, encoding: encoding)
        if file.alphaImage != nil {
            alphaRows = ContiguousArray(repeating: 255, count: batchRowCount * size.width)
        }
    }

    private static func makeAlphaTiles(of file: HEIFFile) throws(CodecError) -> HEIFTileRow? {
        guard let alphaImage = file.alphaImage else { return nil }
        return try HEIFTileRow(alphaImage, of: file)
    }

    /// The number of rows that are delivered at a time: 16, unless a batch would then be in two rows of tiles.
    private static func batchRowCount(of file: HEIFFile) -> Int {
        let isAligned = [file.image, file.alphaImage].allSatisfy { image in
            image.map { $0.tileRowCount == 1 || ($0.tileSize.height % 16 == 0 && file.crop.rows.lowerBound % 16 == 0) }
                ?? true
        }
        return isAligned ? 16 : file.image.configuration.chromaFormat.factors.vertical
    }

    mutating func decodeRowBatch(into ringBuffer: inout RowRingBuffer) throws(CodecError) {
        let rowCount = min(layout.components[0].batchRowCount, layout.storedSize.height - decodedRowCount)
        for (index, component) in layout.components.enumerated() {
            let factor = index == 0 ? 1 : file.image.configuration.chromaFormat.factors.vertical
            let firstRow = (file.crop.rows.lowerBound + decodedRowCount) / factor
            let ring = ringBuffer.rings[index]
            let firstColumn =
                file.crop.columns.lowerBound
                / (index == 0 ? 1 : file.image.configuration.chromaFormat.factors.horizontal)
            for y in 0..<rowCount.dividedRoundingUp(by: factor) {
                try tiles.copyRow(
                    firstRow + y, plane: index, columns: firstColumn..<(firstColumn + component.paddedWidth),
                    to: &ringBuffer.bytes, at: ring.nextBatchOffset + y * ring.stride)
            }
        }
        if file.alphaImage != nil { try blendBatch(rowCount: rowCount, in: &ringBuffer) }
        decodedRowCount += rowCount
    }

    /// Blends the rows of a batch with the background.
    private mutating func blendBatch(rowCount: Int, in ringBuffer: inout RowRingBuffer) throws(CodecError) {
        let width = layout.storedSize.width
        for y in 0..<rowCount {
            try alphaTiles?.copyRow(
                file.crop.rows.lowerBound + decodedRowCount + y, plane: 0, columns: file.crop.columns,
                to: &alphaRows, at: y * width)
        }
        for (index, component) in layout.components.enumerated() {
            let factors = index == 0 ? (1, 1) : file.image.configuration.chromaFormat.factors
            let ring = ringBuffer.rings[index]
            for y in 0..<rowCount.dividedRoundingUp(by: factors.1) {
                for x in 0..<component.paddedWidth {
                    let alpha = meanAlpha(x: x, y: y, factors: factors, rowCount: rowCount)
                    let position = ring.nextBatchOffset + y * ring.stride + x
                    let sum =
                        Int(ringBuffer.bytes[position]) * alpha + Int(backgroundSamples[index]) * (255 - alpha)
                    ringBuffer.bytes[position] = UInt8((sum + 127) / 255)
                }
            }
        }
    }

    /// The mean opacity of the pixels of a sample, 0 to 255, rounded.
    private func meanAlpha(x: Int, y: Int, factors: (Int, Int), rowCount: Int) -> Int {
        let width = layout.storedSize.width
        var sum = 0, count = 0
        for row in (y * factors.1)..<min((y + 1) * factors.1, rowCount) {
            for column in (x * factors.0)..<min((x + 1) * factors.0, width) {
                sum += Int(alphaRows[row * width + column])
                count += 1
            }
        }
        return (sum + count / 2) / count
    }
}
