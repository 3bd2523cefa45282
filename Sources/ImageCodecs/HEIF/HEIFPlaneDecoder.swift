internal import Imaging

/// Decodes the primary image of a HEIF or AVIF file to its stored planes, blended with an opaque background.
struct HEIFPlaneDecoder: ~Copyable, PlaneDecoder {
    private(set) var layout: PlaneLayout
    /// The colors of the container, completed by those that the decoded data states.
    let colors: HEIFColors
    private let file: HEIFFile
    private var tiles: HEIFTileRow
    /// The opacity; `nil` if all pixels are opaque.
    private var alphaTiles: HEIFTileRow?
    /// Blends rows; `nil` if all pixels are opaque.
    private let blending: HEIFBlending?
    /// The opacity of the rows of the batch, and a row of a plane before it is blended.
    private var alphaRows: ContiguousArray<UInt8> = [], opaqueRow: ContiguousArray<UInt8> = []
    private var decodedRowCount = 0

    /// The fewest stored samples in an output sample, along each axis, with which the deblocking filter is left out.
    ///
    /// The filter takes 10 to 15% of the time of two iPhones' photos. Without it, the luma of 6 photos with 0.15 to 2.9
    /// bits per pixel, reduced by 2 to 4, was between 0.07 dB worse and 0.07 dB better, chroma at most 0.1 dB worse,
    /// and the score of SSIMULACRA2 changed by -0.05 to 0.18.
    private static let minUnfilteredReduction = 2

    /// Creates a decoder, and decodes the first row of tiles, whose data may state the encoding of the samples.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - resampling: The request that the rows are decoded for.
    ///   - background: The color that transparent pixels are blended with.
    ///   - convertsToSRGB: Whether high dynamic range is converted.
    /// - Throws: ``CodecError/Code/damaged``, ``CodecError/Code/unsupportedColor`` or ``CodecError/Code/outOfMemory``.
    init(
        _ file: HEIFFile, resampling: ResampleRequest, background: RGBColor, convertsToSRGB: Bool
    ) throws(CodecError) {
        let size = PixelSize(width: file.crop.columns.count, height: file.crop.rows.count)
        let components = Self.components(of: file, size: size)
        let deblocks = !resampling.reducesPlanes(
            of: PlaneLayout(storedSize: size, components: components), byAtLeast: Self.minUnfilteredReduction)
        var tiles = try HEIFTileRow(file.image, of: file, deblocks: deblocks)
        let alphaTiles = try Self.makeAlphaTiles(of: file)
        let statedColors = try tiles.decodeFirstTileRow()
        let colors = file.colors?.completed(by: statedColors) ?? statedColors
        let configuration = file.image.configuration
        let encoding = try colors.supportedEncoding(bitDepth: configuration.bitDepth)
        let toneMapping = try colors.highDynamicRangeSpace(statedPeak: file.maxLuminance)?
            .makeToneMapping(convertsToSRGB: convertsToSRGB)
        self.colors = colors
        self.file = file
        self.tiles = tiles
        self.alphaTiles = alphaTiles
        layout = PlaneLayout(
            storedSize: size, components: components, encoding: encoding,
            sampleBitCount: file.alphaImage == nil ? nil : HEIFBlending.sampleBitCount)
        layout.toneMapping = toneMapping
        blending = file.alphaImage.map { alphaImage in
            HEIFBlending(
                background: toneMapping.map(background.beforeToneMapping(by:)) ?? background, encoding: encoding,
                alphaBitDepth: alphaImage.configuration.bitDepth,
                width: size.width)
        }
        if let alphaImage = file.alphaImage {
            alphaRows = ContiguousArray(
                repeating: 0,
                count: components[0].batchRowCount * size.width * alphaImage.configuration.bytesPerSample)
            opaqueRow = ContiguousArray(repeating: 0, count: size.width * configuration.bytesPerSample)
        }
    }

    private static func makeAlphaTiles(of file: HEIFFile) throws(CodecError) -> HEIFTileRow? {
        guard let alphaImage = file.alphaImage else { return nil }
        return try HEIFTileRow(alphaImage, of: file, deblocks: true)
    }

    /// The planes of `size` pixels of the file's image.
    private static func components(of file: HEIFFile, size: PixelSize) -> [PlaneLayout.ComponentSampling] {
        let chromaFormat = file.image.configuration.chromaFormat
        let batchRowCount = batchRowCount(of: file)
        return (0..<chromaFormat.planeCount).map { index in
            PlaneLayout.ComponentSampling(
                horizontalSampling: index == 0 ? chromaFormat.factors.horizontal : 1,
                verticalSampling: index == 0 ? chromaFormat.factors.vertical : 1,
                paddedWidth: file.image.planeSize(index, of: size).width,
                batchRowCount: index == 0 ? batchRowCount : batchRowCount / chromaFormat.factors.vertical)
        }
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
        if file.alphaImage != nil { try decodeAlphaRows(count: rowCount) }
        for (index, component) in layout.components.enumerated() {
            let factors = index == 0 ? (1, 1) : file.image.configuration.chromaFormat.factors
            let firstRow = (file.crop.rows.lowerBound + decodedRowCount) / factors.1
            let firstColumn = file.crop.columns.lowerBound / factors.0
            let columns = firstColumn..<(firstColumn + component.paddedWidth)
            let ring = ringBuffer.rings[index]
            for y in 0..<rowCount.dividedRoundingUp(by: factors.1) {
                let offset = ring.nextBatchOffset + y * ring.stride
                guard let blending else {
                    try tiles.copyRow(firstRow + y, plane: index, columns: columns, to: &ringBuffer.bytes, at: offset)
                    continue
                }
                try tiles.copyRow(firstRow + y, plane: index, columns: columns, to: &opaqueRow, at: 0)
                blending.blend(
                    opaqueRow, plane: index, count: columns.count, factors: factors, alphaRows: alphaRows,
                    rows: (y * factors.1)..<min((y + 1) * factors.1, rowCount), into: &ringBuffer.bytes, at: offset)
            }
        }
        decodedRowCount += rowCount
    }

    private mutating func decodeAlphaRows(count: Int) throws(CodecError) {
        guard let alphaImage = file.alphaImage else { return }
        let rowByteCount = layout.storedSize.width * alphaImage.configuration.bytesPerSample
        for y in 0..<count {
            try alphaTiles?.copyRow(
                file.crop.rows.lowerBound + decodedRowCount + y, plane: 0, columns: file.crop.columns,
                to: &alphaRows, at: y * rowByteCount)
        }
    }
}
