import CJPEGFastDecoder
import Imaging
import TestSupport
import Testing

@testable import ImageCodecs

/// JPEGs of which only the measures are needed, so that their chroma is decoded to one sample a block.
@Suite("Chroma that is decoded to one sample a block", .enabled(if: prep_jpeg_fast_decoder_is_available()))
struct JPEGChromaBlockTests {
    private static let recipes = [
        LibJPEGFileBuilder.yCbCr420, .yCbCr444,
        LibJPEGFileBuilder(colorSpace: .yCbCr, sampling: [[2, 1], [1, 1], [1, 1]]),
    ]
    private static let size = PixelSize(width: 128, height: 96)

    @Test("is the mean of each block, with every instruction set", arguments: recipes, [false, true])
    func chromaIsMeanOfBlock(recipe: LibJPEGFileBuilder, isProgressive: Bool) throws {
        let recipe = recipe.modified { ($0.isProgressive, $0.quality) = (isProgressive, 95) }
        let file = try JPEGFile(parsing: recipe.encodedTexture(size: Self.size))
        let full = try LibJPEGDecoder(file.bytes).layout
        var shrunk = full
        shrunk.shrinkChromaBlocksToSamples()
        for set in InstructionSet.allCases where set.isAvailable {
            let expected = try Self.decodedRows(of: file, layout: full, instructionSet: set)
            let means = try Self.decodedRows(of: file, layout: shrunk, instructionSet: set)
            #expect(means[0] == expected[0])
            for (plane, means) in zip(expected, means).dropFirst() {
                #expect(means.count == plane.count / 8 && means[0].count == plane[0].count / 8)
                var largest = 0.0
                for (y, row) in means.enumerated() {
                    for (x, sample) in row.enumerated() {
                        let block = plane[(8 * y)..<(8 * y + 8)].flatMap { $0[(8 * x)..<(8 * x + 8)] }
                        let mean = block.reduce(0.0) { $0 + Double($1) } / 64
                        largest = max(largest, abs(Double(sample) - mean))
                    }
                }
                // Each of the block's samples is rounded, too.
                #expect(largest <= 1, "\(set)")
            }
        }
    }

    @Test("stays at the same place when it is resampled", arguments: recipes)
    func chromaStaysAligned(recipe: LibJPEGFileBuilder) throws {
        // Waves with a period of 12 blocks.
        func wave(_ x: Double) -> Double { abs((x / 192).truncatingRemainder(dividingBy: 1) - 0.5) * 160 }
        let size = PixelSize(width: 960, height: 480)
        let planes = recipe.makePlanes(imageSize: size) { c, x, y in 40 + wave(x) + wave(y + Double(c)) }
        let file = try JPEGFile(parsing: recipe.encode(imageSize: size, planes: planes))
        let full = try LibJPEGDecoder(file.bytes).layout
        var shrunk = full
        shrunk.shrinkChromaBlocksToSamples()
        for orientation in [Orientation.up, .right, .down] {
            var request = ResampleRequest(
                size: orientation.orientedSize(of: PixelSize(width: 60, height: 30)), orientation: orientation)
            let expected = try Self.resample(file, layout: full, request: request)
            let means = try Self.resample(file, layout: shrunk, request: request)
            #expect(means.chromaSubsampling == expected.chromaSubsampling)
            for (mean, plane) in zip(means.planes, expected.planes) {
                var largest = 0
                for y in 1..<(plane.height - 1) {
                    for x in 1..<(plane.width - 1) { largest = max(largest, abs(mean[x, y] - plane[x, y])) }
                }
                // A sample of the result is up to 27 levels along each axis.
                #expect(largest <= 4, "\(orientation)")
            }
            // Planes of blocks are not enlarged either.
            request.size = orientation.orientedSize(of: PixelSize(width: 240, height: 120))
            let larger = try Self.resample(file, layout: shrunk, request: request)
            #expect(larger.planes[1].width * larger.planes[1].height <= shrunk.components[1].paddedWidth * 60)
        }
    }

    @Test("does not miss a block out of range")
    func blockOutOfRangeIsRejected() throws {
        // A step of 255 and the largest DC coefficient exceed the range of the transform.
        let recipe = LibJPEGFileBuilder.yCbCr444.modified { $0.quality = 100 }
        let size = PixelSize(width: 8, height: 8)
        var file = try recipe.encode(
            imageSize: size, planes: recipe.makePlanes(imageSize: size) { c, _, _ in c == 0 ? 128 : 255 })
        var layout = try LibJPEGDecoder(file).layout
        let unchanged = try JPEGFile(parsing: file)
        #expect(try Self.decodedRows(of: unchanged, layout: layout, instructionSet: .portable).count == 3)
        let tables = file.indices.filter { file[$0] == 0xFF && file[($0 + 1) % file.count] == 0xDB }
        for table in tables { file[table + 5] = 255 }
        let parsed = try JPEGFile(parsing: file)
        #expect(throws: FastDecoderRejection.self) {
            try Self.decodedRows(of: parsed, layout: layout, instructionSet: .portable)
        }
        layout.shrinkChromaBlocksToSamples()
        #expect(throws: FastDecoderRejection.self) {
            try Self.decodedRows(of: parsed, layout: layout, instructionSet: .portable)
        }
    }

    /// Returns the rows of each component, decoded without resampling.
    private static func decodedRows(
        of file: JPEGFile, layout: PlaneLayout, instructionSet: InstructionSet
    ) throws -> [[[UInt8]]] {
        guard var decoder = JPEGFastDecoder(file: file, layout: layout, instructionSet: instructionSet) else {
            throw FastDecoderRejection()
        }
        var rows = layout.components.map { _ in [[UInt8]]() }
        var ringBuffer = RowRingBuffer(layout: layout, retainedRowCounts: layout.components.map { _ in 0 })
        for _ in 0..<layout.storedSize.height.dividedRoundingUp(by: 8 * layout.maxVerticalSampling) {
            try decoder.decodeRowBatch(into: &ringBuffer)
            let (offsets, strides) = ringBuffer.nextBatchDestinations(for: layout)
            for (c, component) in layout.components.enumerated() {
                for row in 0..<component.batchRowCount {
                    let start = offsets[c] + row * strides[c]
                    rows[c].append(Array(ringBuffer.bytes[start..<(start + component.paddedWidth)]))
                }
            }
        }
        if !decoder.finishDecoding() { throw FastDecoderRejection() }
        return rows
    }

    private static func resample(
        _ file: JPEGFile, layout: PlaneLayout, request: ResampleRequest
    ) throws -> PlanarImage {
        let decoder = JPEGFastDecoder(file: file, layout: layout, instructionSet: .selected)
        guard let image = request.resampleOnFastPath(decoder) else { throw FastDecoderRejection() }
        return image
    }
}
